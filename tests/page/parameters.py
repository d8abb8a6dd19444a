"""The parameters of all 44 methods as the page and the wire contract give them, typed by hand."""

from dataclasses import dataclass
from typing import Any

REQUIRED: Any = object()
OPTIONAL: Any = object()


@dataclass(frozen=True)
class Param:
    """JSON type; REQUIRED, OPTIONAL or the default; bounds, where `clamped` says that a value outside is moved in."""

    type: str
    default: Any = OPTIONAL
    least: float | None = None
    most: float | None = None
    clamped: bool = False
    words: tuple[str, ...] = ()


NEEDED = Param("string", REQUIRED)
TEXT = Param("string")
BLANK = Param("string", "")
NO = Param("boolean", False)
GROUP = Param("string", "liminis")
GROUPS = Param("array")
GROUPS_NEEDED = Param("array", REQUIRED)
OFFSET = Param("integer", 0, least=0)
ATTRIBUTES = Param("object")
RESCOPE = Param("string", "untyped", words=("untyped", "off_ontology", "all"))
STRATEGIES = ("drop_lbug_wal", "rebuild_from_workspace_wal", "restore_from_backup")


def limit(default: Any = OPTIONAL) -> Param:
    """A number of rows, of which at least one has to be asked for."""
    return Param("integer", default, least=1)


PARAMETERS: dict[str, dict[str, Param]] = {
    "health_check": {},
    # Ours: the reference has no way to read what is declared.
    "knowledge_status": {"include_ontology": Param("boolean", False)},
    "knowledge_rebuild_status": {"job_id": NEEDED},
    "knowledge_process_chunk": {
        "chunk_text": NEEDED,
        "chunk_id": NEEDED,
        "source_file": NEEDED,
        "group_id": GROUP,
        "reference_time": TEXT,
    },
    "knowledge_add_episode": {
        "name": NEEDED,
        "episode_body": NEEDED,
        "source": Param("string", "text"),
        "source_description": BLANK,
        "reference_time": TEXT,
        "group_id": GROUP,
    },
    "knowledge_assert_entity": {
        "name": NEEDED,
        "entity_uuid": TEXT,
        "group_id": GROUP,
        "labels": Param("array", ["Entity"]),
        "summary": BLANK,
        "attributes": Param("object", {}),
    },
    "knowledge_assert_relationship": {
        "source_name": NEEDED,
        "target_name": NEEDED,
        "predicate": NEEDED,
        "group_id": GROUP,
        "fact": TEXT,
        "attributes": ATTRIBUTES,
        "relation_type": TEXT,
        "valid_at": TEXT,
    },
    "knowledge_find_entities": {"query": NEEDED, "group_ids": GROUPS, "num_results": limit(10)},
    "knowledge_find_relationships": {
        "query": NEEDED,
        "group_ids": GROUPS,
        "num_results": limit(10),
        "valid_at": TEXT,
    },
    "knowledge_search_passages": {
        "query": NEEDED,
        "num_results": Param("integer", 10, least=1, most=100),
        "min_score": Param("number", 0.5, least=0, most=1, clamped=True),
        "group_ids": GROUPS,
    },
    "knowledge_query_cypher": {
        "query": NEEDED,
        "parameters": Param("object", {}),
        "max_rows": Param("integer", 1000, least=1, most=100_000),
        "timeout_ms": Param("integer", 30_000, least=1, most=600_000),
    },
    "knowledge_get_episodes": {"group_id": GROUP, "last_n": limit(50), "offset": OFFSET},
    "knowledge_get_nodes_by_group": {"group_ids": GROUPS, "num_results": limit(), "offset": OFFSET},
    "knowledge_get_edges_by_group": {
        "group_ids": GROUPS,
        "num_results": limit(),
        "offset": OFFSET,
        "valid_at": TEXT,
    },
    "knowledge_get_edges_by_uuids": {"uuids": Param("array", REQUIRED)},
    "knowledge_list_entities": {"num_results": limit(500), "offset": OFFSET, "group_ids": GROUPS},
    "knowledge_list_relationships": {
        "num_results": limit(1000),
        "offset": OFFSET,
        "group_ids": GROUPS,
        "valid_at": TEXT,
    },
    "knowledge_get_entity_neighbors": {
        "entity_uuid": NEEDED,
        "num_results": limit(50),
        "offset": OFFSET,
        "group_ids": GROUPS,
        "valid_at": TEXT,
    },
    "knowledge_get_entities_by_source": {
        "source": NEEDED,
        "num_results": limit(100),
        "offset": OFFSET,
        "group_ids": GROUPS,
    },
    "knowledge_delete_episode": {"episode_uuid": NEEDED},
    "knowledge_delete_by_source": {"source_file": NEEDED, "group_ids": GROUPS_NEEDED},
    "knowledge_delete_chunk_episode": {"chunk_id": NEEDED, "group_ids": GROUPS_NEEDED},
    "knowledge_delete_by_group": {"group_ids": GROUPS_NEEDED, "confirm": NO, "dry_run": NO},
    "knowledge_clear_all": {"confirm": Param("boolean", REQUIRED), "preserve_wal": NO},
    "knowledge_merge_entities": {
        "canonical_uuid": TEXT,
        "canonical_name": TEXT,
        "alias_uuids": Param("array", []),
        "alias_names": Param("array", []),
        "merge_all_by_name": NO,
        "group_id": GROUP,
        "dry_run": NO,
    },
    "knowledge_validate_corrections": {},
    "knowledge_apply_corrections": {"dry_run": NO},
    "knowledge_reprocess_entity_types": {"group_id": GROUP, "scope": RESCOPE, "dry_run": NO},
    "knowledge_canonicalize_relations": {
        "group_id": NEEDED,
        "dry_run": NO,
        "embedding_threshold": Param("number", 0.7, least=0, most=1, clamped=True),
    },
    "knowledge_backfill_relation_types": {"group_id": NEEDED, "dry_run": NO},
    "knowledge_reprocess_relation_types": {"group_id": GROUP, "scope": RESCOPE, "dry_run": NO},
    "knowledge_backfill_summary_embeddings": {"group_id": NEEDED, "dry_run": NO},
    "knowledge_add_cross_group_edge": {
        "name": NEEDED,
        "source": Param("object", REQUIRED),
        "target": Param("object", REQUIRED),
        "fact": NEEDED,
        "group_id": GROUP,
        "valid_at": TEXT,
        "relation_type": TEXT,
    },
    "knowledge_rebind_pointers": {"source_group_id": NEEDED},
    "knowledge_dump_wal": {"group_id": TEXT, "target_dir": TEXT},
    "knowledge_prepare_checkpoint": {},
    "knowledge_wal_mark_create": {"name": NEEDED, "group_id": GROUP},
    "knowledge_wal_mark_list": {"group_id": GROUP},
    "knowledge_wal_mark_delete": {"name": NEEDED, "group_id": GROUP},
    "knowledge_rebuild_from_wal": {
        "group_id": GROUP,
        "from_seq": Param("integer", 0, least=0),
        "to_seq": Param("integer", OPTIONAL, least=0),
        "dry_run": NO,
        "force_clear": NO,
        "background": NO,
    },
    "knowledge_build_indices": {},
    "knowledge_recover": {"strategy": Param("string", REQUIRED, words=STRATEGIES)},
    "knowledge_recover_full": {},
    "knowledge_close": {},
}
