"""A call of every tool, as a story to be told to any client: first what fills a workspace, last what ends it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.contract.results import problems, warning_problems
from tests.processes import Talker

Told = Mapping[str, Any]
"""By method: the result of its last call."""

Params = Mapping[str, Any] | Callable[[Told], Mapping[str, Any]]
"""The parameters of a call, or how they follow from earlier results."""


@dataclass(frozen=True)
class Step:
    """A call, and what its result has to show beside the keys that are declared."""

    method: str
    params: Params = field(default_factory=dict)
    shows: Mapping[str, Any] = field(default_factory=dict)


GROUP = "liminis"
BEGINNING = (
    # Status answers while the service is starting; a search waits until it has.
    Step("knowledge_find_entities", {"query": "anybody"}, {"count": 0}),
    Step("knowledge_status", shows={"connected": True, "entity_count": 0}),
    Step(
        "knowledge_process_chunk",
        {
            "chunk_text": "Mira Okafor founded Tern Labs. Tern Labs built the Harbour Index.",
            "chunk_id": "h1",
            "source_file": "notes/harbour.md",
            "reference_time": "2026-05-20",
        },
        {"outcome": "created", "nodes_created": 3, "edges_extracted": 2},
    ),
    Step(
        "knowledge_process_chunk",
        {"chunk_text": "Ada Ferris works at Tern Labs.", "chunk_id": "p1", "source_file": "notes/people.md"},
        {"outcome": "created", "nodes_created": 1, "nodes_reused": 1},
    ),
    Step("knowledge_add_episode", {"name": "standup", "episode_body": "Ada Ferris manages the Harbour Index."}),
    Step(
        "knowledge_assert_entity",
        {"name": "Vell", "labels": ["Person"], "summary": "keeps the lighthouse", "attributes": {"age": 61}},
        {"created": True, "embedding_warning": None},
    ),
    Step(
        "knowledge_assert_relationship",
        {"source_name": "Vell", "predicate": "ADVISES", "target_name": "Mira Okafor", "valid_at": "2026-05-01"},
        {"created": True, "embedding_warning": None},
    ),
    Step("knowledge_find_entities", {"query": "lighthouse keeper", "num_results": 3}, {"count": 3}),
    Step(
        "knowledge_find_relationships", {"query": "advises", "valid_at": "2026-06-01", "num_results": 1}, {"count": 1}
    ),
    Step("knowledge_search_passages", {"query": "harbour index", "min_score": 0.1}, {"count": 3}),
    Step(
        "knowledge_query_cypher",
        {"query": "MATCH (e:Entity {name: $name}) RETURN e.summary", "parameters": {"name": "Vell"}},
        {"rows": [["keeps the lighthouse"]]},
    ),
    Step("knowledge_get_episodes", {"last_n": 2}, {"count": 2}),
    Step("knowledge_get_nodes_by_group", {"group_ids": [GROUP]}, {"count": 5}),
    Step("knowledge_get_edges_by_group", {"group_ids": [GROUP]}, {"count": 5}),
    Step(
        "knowledge_get_edges_by_uuids",
        lambda told: {"uuids": [told["knowledge_assert_relationship"]["edge_uuid"]]},
        {"count": 1},
    ),
    Step("knowledge_list_entities", {"num_results": 2}, {"count": 2, "total": 5, "has_more": True}),
    Step("knowledge_list_relationships", {"offset": 1}, {"count": 4, "total": 5, "has_more": False}),
    Step(
        "knowledge_get_entity_neighbors",
        lambda told: {"entity_uuid": told["knowledge_assert_entity"]["entity_uuid"]},
        {"total": 1},
    ),
    Step("knowledge_get_entities_by_source", {"source": "notes/harbour.md"}, {"count": 3}),
    Step("knowledge_reprocess_entity_types", {"scope": "all", "dry_run": True}, {"success": True}),
    Step("knowledge_reprocess_relation_types", {"scope": "all", "dry_run": True}, {"success": True}),
    Step(
        "knowledge_canonicalize_relations",
        {"group_id": GROUP, "dry_run": True, "embedding_threshold": 1},
        {"total_edges": 5, "mapped_count": 1, "residual_count": 4},
    ),
    Step("knowledge_backfill_relation_types", {"group_id": GROUP, "dry_run": True}, {"total_edges": 5}),
    Step(
        "knowledge_merge_entities",
        {"canonical_name": "Vell", "alias_names": ["Ada Ferris"], "dry_run": True},
        {"success": True, "merged_count": 1, "errors": []},
    ),
    Step("knowledge_validate_corrections", shows={"valid": True, "total_corrections": 0}),
    Step("knowledge_apply_corrections", {"dry_run": True}, {"success": True, "applied": 0}),
    Step("knowledge_wal_mark_create", {"name": "here"}, {"seq": 5}),
    Step("knowledge_wal_mark_list", shows={"count": 1}),
    Step("knowledge_wal_mark_delete", {"name": "here"}, {"name": "here"}),
    Step("knowledge_prepare_checkpoint", shows={"files_flushed": 1}),
    Step("knowledge_build_indices", shows={"indices_built": True}),
    Step("knowledge_dump_wal", {"target_dir": "backup"}, {"files_written": 1}),
)
END = (
    Step("knowledge_rebuild_from_wal", {"force_clear": True}, {"mutations_replayed": 5, "failed_lines": 0}),
    Step(
        "knowledge_rebuild_status",
        lambda told: {"job_id": told["knowledge_rebuild_from_wal"]["job_id"]},
        {"status": "completed"},
    ),
    Step("knowledge_recover_full", shows={"success": True, "recovery_needed": False}),
    Step("knowledge_recover", {"strategy": "rebuild_from_workspace_wal"}, {"success": True, "mutations_replayed": 5}),
    Step(
        "knowledge_delete_episode",
        lambda told: {"episode_uuid": told["knowledge_add_episode"]["episode_uuid"]},
        {"status": "deleted", "deleted_count": 1},
    ),
    Step(
        "knowledge_delete_by_source",
        {"source_file": "notes/harbour.md", "group_ids": [GROUP]},
        {"deleted_count": 1},
    ),
    Step("knowledge_delete_chunk_episode", {"chunk_id": "p1", "group_ids": [GROUP]}, {"deleted_count": 1}),
    Step("knowledge_backfill_summary_embeddings", {"group_id": GROUP}, {"backfilled": 5}),
    Step(
        "knowledge_add_cross_group_edge",
        lambda told: {
            "name": "USES",
            "fact": "The harbour uses the Harbour Index.",
            "group_id": "harbour",
            "source": {"source_group_id": GROUP, "endpoint_name": "Vell"},
            "target": {"source_group_id": GROUP, "endpoint_name": "Nobody"},
        },
        {"target_node_uuid": ""},
    ),
    Step("knowledge_rebind_pointers", {"source_group_id": GROUP}, {"checked": 1, "unbound": 1, "groups_done": []}),
    Step("knowledge_delete_by_group", {"group_ids": [GROUP], "confirm": True}, {"groups_done": [GROUP]}),
    Step("knowledge_clear_all", {"confirm": True}, {"success": True}),
    Step("knowledge_close", shows={"status": "closed"}),
)


def tell(talker: Talker, steps: Sequence[Step], told: dict[str, Any]) -> None:
    """Make the calls, check every result, and keep it in `told`."""
    for step in steps:
        params = step.params(told) if callable(step.params) else step.params
        result = told[step.method] = talker.result(step.method, **params)
        assert problems(step.method, result) == [], step.method
        assert warning_problems(result) == [], step.method
        assert {key: result.get(key) for key in step.shows} == dict(step.shows), (step.method, result)
