# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 85dfc88f0b48004a618280b012d396acf3875ccc796fa46dea80d6cb5471f49e)
# Template: codegen/templates/test_contract.py.j2
"""What the registry says of the methods under "Search", asked of a running service."""

from lcg.runtime.call import Service
from tests.contract import harness


def test_find_entities_has_the_facts_of_the_registry() -> None:
    harness.check_facts("knowledge_find_entities", {"scope": "read", "works_degraded": False, "progress": False})


def test_find_entities_refuses_unknown_names_before_its_handler_runs() -> None:
    harness.check_unknown_name("knowledge_find_entities", {"query": "who runs billing"})


def test_find_entities_while_the_store_is_not_open(degraded_service: Service) -> None:
    harness.check_degraded(degraded_service, "knowledge_find_entities", {"query": "who runs billing"})


def test_find_entities_answers_example_1(service: Service) -> None:
    """Look someone up."""
    harness.check_example(service, "knowledge_find_entities", {"query": "who runs billing", "num_results": 1})


def test_find_entities_answers_example_2(service: Service) -> None:
    """An empty list of groups matches nothing."""
    harness.check_example(service, "knowledge_find_entities", {"query": "billing", "group_ids": []})


def test_find_relationships_has_the_facts_of_the_registry() -> None:
    harness.check_facts("knowledge_find_relationships", {"scope": "read", "works_degraded": False, "progress": False})


def test_find_relationships_refuses_unknown_names_before_its_handler_runs() -> None:
    harness.check_unknown_name("knowledge_find_relationships", {"query": "maintains billing"})


def test_find_relationships_while_the_store_is_not_open(degraded_service: Service) -> None:
    harness.check_degraded(degraded_service, "knowledge_find_relationships", {"query": "maintains billing"})


def test_find_relationships_answers_example_1(service: Service) -> None:
    """What held in May."""
    harness.check_example(
        service,
        "knowledge_find_relationships",
        {"query": "maintains billing", "valid_at": "2026-05-15", "num_results": 1},
    )


def test_find_relationships_answers_example_2(service: Service) -> None:
    """An empty list of groups matches nothing."""
    harness.check_example(service, "knowledge_find_relationships", {"query": "billing", "group_ids": []})


def test_search_passages_has_the_facts_of_the_registry() -> None:
    harness.check_facts("knowledge_search_passages", {"scope": "read", "works_degraded": False, "progress": False})


def test_search_passages_refuses_unknown_names_before_its_handler_runs() -> None:
    harness.check_unknown_name("knowledge_search_passages", {"query": "release checklist"})


def test_search_passages_while_the_store_is_not_open(degraded_service: Service) -> None:
    harness.check_degraded(degraded_service, "knowledge_search_passages", {"query": "release checklist"})


def test_search_passages_answers_example_1(service: Service) -> None:
    """Where a word was used."""
    harness.check_example(
        service, "knowledge_search_passages", {"query": "release checklist", "num_results": 3, "min_score": 0.4}
    )


def test_query_cypher_has_the_facts_of_the_registry() -> None:
    harness.check_facts("knowledge_query_cypher", {"scope": "cypher", "works_degraded": False, "progress": False})


def test_query_cypher_refuses_unknown_names_before_its_handler_runs() -> None:
    harness.check_unknown_name(
        "knowledge_query_cypher", {"query": "MATCH (e:Entity) WHERE e.name = $name RETURN e.uuid, e.summary"}
    )


def test_query_cypher_while_the_store_is_not_open(degraded_service: Service) -> None:
    harness.check_degraded(
        degraded_service,
        "knowledge_query_cypher",
        {"query": "MATCH (e:Entity) WHERE e.name = $name RETURN e.uuid, e.summary"},
    )


def test_query_cypher_answers_example_1(service: Service) -> None:
    """An entity by name."""
    harness.check_example(
        service,
        "knowledge_query_cypher",
        {
            "query": "MATCH (e:Entity) WHERE e.name = $name RETURN e.uuid, e.summary",
            "parameters": {"name": "Priya Nair"},
        },
    )
