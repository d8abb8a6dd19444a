"""What every available method returns: its keys, which of them may be missing, and which may be null."""

from typing import Any

import pytest

from lcg.generated.dispatch import METHODS
from tests.page import registry

pytestmark = pytest.mark.page

# Key: as it stands; `?` behind it = may be missing; `|null` = may be null.
RESULTS = {
    "health_check": "ok healthy state reason? version pid",
    "knowledge_status": """
        database_path? embedding_model? embedding_dim? embedding? extractor
        entity_count?|null relationship_count?|null episode_count?|null
        tombstone_count?|null unbound_relationship_count?|null invalidated_relationship_count?|null
        last_index_time?|null index_created_at?|null
        context_graph_initialized connected queryable initializing
        wal wal_groups failed_records? writes_refused?|null recent_failures
        indices_built name_index_trusted|null name_index_fallback_scans|null
        cross_group_pointers|null ontology group_ontology_drift?
        reason? group_id? seq? running? degraded? recovery_available? version pid
        """,
    "knowledge_process_chunk": """
        success outcome revision chunk_id source_file episode_uuid
        nodes_extracted edges_extracted nodes_created nodes_reused resolutions extractor
        edges_dropped_unresolvable dropped_edges
        edges_reclassified_unclassified entities_reclassified_unclassified
        entities_dropped_malformed edges_dropped_malformed
        duration_seconds embedding_warning|null warning?
        """,
    "knowledge_assert_entity": "entity_uuid created embedding_warning|null",
    "knowledge_assert_relationship": "edge_uuid created embedding_warning|null",
    "knowledge_find_entities": "nodes count",
    "knowledge_query_cypher": "columns rows count truncated",
    "knowledge_get_entity_neighbors": "center_uuid merged_into? nodes edges count node_count edge_count total has_more",
    "knowledge_close": "status",
}

INNER = {
    (
        "knowledge_status",
        "embedding",
    ): "provider model dim state store_model|null store_dim|null matches rows_without_vector",
    ("knowledge_status", "extractor"): "provider model|null",
    ("knowledge_status", "wal"): """
        exists file_count byte_size applied_seq|null max_seq|null generation|null generation_status hydration_status
        excluded pending|null unlogged_mutations|null
        """,
    ("knowledge_status", "failed_records"): "group_id seq error",
    ("knowledge_status", "recent_failures"): "time method code kind|null message",
    ("knowledge_status", "cross_group_pointers"): "bound|null unbound|null ambiguous|null",
    ("knowledge_status", "ontology"): """
        present loaded mode|null entity_type_count relation_type_count drifted drift_summary|null issues
        """,
    ("knowledge_status", "group_ontology_drift"): "group_id drifted drift_summary|null",
    ("knowledge_process_chunk", "resolutions"): "name entity_uuid outcome by|null",
    ("knowledge_process_chunk", "extractor"): "provider model|null",
    ("knowledge_process_chunk", "dropped_edges"): "source_name target_name relation_type|null fact unresolved_endpoint",
}


def noted(fields: dict[str, dict[str, Any]]) -> set[str]:
    return {
        key + ("?" if facets.get("optional") else "") + ("|null" if facets.get("nullable") else "")
        for key, facets in fields.items()
    }


@pytest.mark.parametrize(("method", "keys"), RESULTS.items())
def test_a_result_has_exactly_the_keys_of_the_contract(method: str, keys: str) -> None:
    assert noted(registry.methods()[method]["result"]) == set(keys.split())


@pytest.mark.parametrize(("method", "key", "keys"), [(*place, keys) for place, keys in INNER.items()])
def test_an_object_inside_a_result_has_exactly_the_keys_of_the_contract(method: str, key: str, keys: str) -> None:
    facets = registry.methods()[method]["result"][key]
    assert noted(facets.get("fields") or facets["list_of_fields"]) == set(keys.split())


def test_every_available_method_is_held_against_the_contract_here() -> None:
    assert {name for name, method in METHODS.items() if method.available} - set(RESULTS) == set()


@pytest.mark.parametrize(
    ("method", "key", "values"),
    [
        ("health_check", "state", ["starting", "healthy", "degraded"]),
        ("knowledge_process_chunk", "outcome", ["created", "unchanged", "revised"]),
        ("knowledge_close", "status", ["closed"]),
    ],
)
def test_a_word_in_a_result_is_one_of_the_contract(method: str, key: str, values: list[str]) -> None:
    assert registry.methods()[method]["result"][key]["enum"] == values


@pytest.mark.parametrize(
    ("key", "values"),
    [
        ("hydration_status", ["hydrated", "wal_ahead", "not_applicable"]),
        ("generation_status", ["known", "unknown", "not_applicable"]),
    ],
)
def test_the_state_of_a_log_is_one_of_three_words(key: str, values: list[str]) -> None:
    assert sorted(registry.methods()["knowledge_status"]["result"]["wal"]["fields"][key]["enum"]) == sorted(values)


def test_an_entity_in_a_chunk_is_matched_by_name_embedding_or_adapter() -> None:
    by = registry.methods()["knowledge_process_chunk"]["result"]["resolutions"]["list_of_fields"]["by"]
    assert by["enum"] == ["name", "embedding", "adapter"]
