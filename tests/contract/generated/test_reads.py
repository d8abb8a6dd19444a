# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 85dfc88f0b48004a618280b012d396acf3875ccc796fa46dea80d6cb5471f49e)
# Template: codegen/templates/test_contract.py.j2
"""What the registry says of the methods under "Graph reads", asked of a running service."""

from lcg.runtime.call import Service
from tests.contract import harness


def test_get_episodes_has_the_facts_of_the_registry() -> None:
    harness.check_facts("knowledge_get_episodes", {"scope": "read", "works_degraded": False, "progress": False})


def test_get_episodes_refuses_unknown_names_before_its_handler_runs() -> None:
    harness.check_unknown_name("knowledge_get_episodes", {})


def test_get_episodes_while_the_store_is_not_open(degraded_service: Service) -> None:
    harness.check_degraded(degraded_service, "knowledge_get_episodes", {})


def test_get_episodes_answers_example_1(service: Service) -> None:
    """A group that nobody knows."""
    harness.check_example(service, "knowledge_get_episodes", {"group_id": "nowhere", "last_n": 5})


def test_get_nodes_by_group_has_the_facts_of_the_registry() -> None:
    harness.check_facts("knowledge_get_nodes_by_group", {"scope": "read", "works_degraded": False, "progress": False})


def test_get_nodes_by_group_refuses_unknown_names_before_its_handler_runs() -> None:
    harness.check_unknown_name("knowledge_get_nodes_by_group", {})


def test_get_nodes_by_group_while_the_store_is_not_open(degraded_service: Service) -> None:
    harness.check_degraded(degraded_service, "knowledge_get_nodes_by_group", {})


def test_get_nodes_by_group_answers_example_1(service: Service) -> None:
    """An empty list of groups matches nothing."""
    harness.check_example(service, "knowledge_get_nodes_by_group", {"group_ids": []})


def test_get_edges_by_group_has_the_facts_of_the_registry() -> None:
    harness.check_facts("knowledge_get_edges_by_group", {"scope": "read", "works_degraded": False, "progress": False})


def test_get_edges_by_group_refuses_unknown_names_before_its_handler_runs() -> None:
    harness.check_unknown_name("knowledge_get_edges_by_group", {})


def test_get_edges_by_group_while_the_store_is_not_open(degraded_service: Service) -> None:
    harness.check_degraded(degraded_service, "knowledge_get_edges_by_group", {})


def test_get_edges_by_group_answers_example_1(service: Service) -> None:
    """An empty list of groups matches nothing."""
    harness.check_example(service, "knowledge_get_edges_by_group", {"group_ids": []})


def test_get_edges_by_uuids_has_the_facts_of_the_registry() -> None:
    harness.check_facts("knowledge_get_edges_by_uuids", {"scope": "read", "works_degraded": False, "progress": False})


def test_get_edges_by_uuids_refuses_unknown_names_before_its_handler_runs() -> None:
    harness.check_unknown_name("knowledge_get_edges_by_uuids", {"uuids": ["00000000-0000-0000-0000-000000000000"]})


def test_get_edges_by_uuids_while_the_store_is_not_open(degraded_service: Service) -> None:
    harness.check_degraded(
        degraded_service, "knowledge_get_edges_by_uuids", {"uuids": ["00000000-0000-0000-0000-000000000000"]}
    )


def test_get_edges_by_uuids_answers_example_1(service: Service) -> None:
    """A relationship that nobody knows."""
    harness.check_example(service, "knowledge_get_edges_by_uuids", {"uuids": ["00000000-0000-0000-0000-000000000000"]})


def test_list_entities_has_the_facts_of_the_registry() -> None:
    harness.check_facts("knowledge_list_entities", {"scope": "read", "works_degraded": False, "progress": False})


def test_list_entities_refuses_unknown_names_before_its_handler_runs() -> None:
    harness.check_unknown_name("knowledge_list_entities", {})


def test_list_entities_while_the_store_is_not_open(degraded_service: Service) -> None:
    harness.check_degraded(degraded_service, "knowledge_list_entities", {})


def test_list_entities_answers_example_1(service: Service) -> None:
    """A group that nobody knows."""
    harness.check_example(service, "knowledge_list_entities", {"group_ids": ["nowhere"], "num_results": 20})


def test_list_relationships_has_the_facts_of_the_registry() -> None:
    harness.check_facts("knowledge_list_relationships", {"scope": "read", "works_degraded": False, "progress": False})


def test_list_relationships_refuses_unknown_names_before_its_handler_runs() -> None:
    harness.check_unknown_name("knowledge_list_relationships", {})


def test_list_relationships_while_the_store_is_not_open(degraded_service: Service) -> None:
    harness.check_degraded(degraded_service, "knowledge_list_relationships", {})


def test_list_relationships_answers_example_1(service: Service) -> None:
    """A group that nobody knows."""
    harness.check_example(service, "knowledge_list_relationships", {"group_ids": ["nowhere"], "valid_at": "2026-05-20"})


def test_get_entity_neighbors_has_the_facts_of_the_registry() -> None:
    harness.check_facts("knowledge_get_entity_neighbors", {"scope": "read", "works_degraded": False, "progress": False})


def test_get_entity_neighbors_refuses_unknown_names_before_its_handler_runs() -> None:
    harness.check_unknown_name(
        "knowledge_get_entity_neighbors", {"entity_uuid": "00000000-0000-0000-0000-000000000000"}
    )


def test_get_entity_neighbors_while_the_store_is_not_open(degraded_service: Service) -> None:
    harness.check_degraded(
        degraded_service, "knowledge_get_entity_neighbors", {"entity_uuid": "00000000-0000-0000-0000-000000000000"}
    )


def test_get_entity_neighbors_answers_example_1(service: Service) -> None:
    """An entity that nobody knows."""
    harness.check_example(
        service, "knowledge_get_entity_neighbors", {"entity_uuid": "00000000-0000-0000-0000-000000000000"}
    )


def test_get_entities_by_source_has_the_facts_of_the_registry() -> None:
    harness.check_facts(
        "knowledge_get_entities_by_source", {"scope": "read", "works_degraded": False, "progress": False}
    )


def test_get_entities_by_source_refuses_unknown_names_before_its_handler_runs() -> None:
    harness.check_unknown_name("knowledge_get_entities_by_source", {"source": "notes/nowhere.md"})


def test_get_entities_by_source_while_the_store_is_not_open(degraded_service: Service) -> None:
    harness.check_degraded(degraded_service, "knowledge_get_entities_by_source", {"source": "notes/nowhere.md"})


def test_get_entities_by_source_answers_example_1(service: Service) -> None:
    """A file that nobody ingested."""
    harness.check_example(service, "knowledge_get_entities_by_source", {"source": "notes/nowhere.md"})
