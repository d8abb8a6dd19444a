# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 85dfc88f0b48004a618280b012d396acf3875ccc796fa46dea80d6cb5471f49e)
# Template: codegen/templates/test_contract.py.j2
"""What the registry says of the methods under "Deletion", asked of a running service."""

from lcg.runtime.call import Service
from tests.contract import harness


def test_delete_episode_has_the_facts_of_the_registry() -> None:
    harness.check_facts("knowledge_delete_episode", {"scope": "write", "works_degraded": False, "progress": False})


def test_delete_episode_refuses_unknown_names_before_its_handler_runs() -> None:
    harness.check_unknown_name("knowledge_delete_episode", {"episode_uuid": "00000000-0000-0000-0000-000000000000"})


def test_delete_episode_while_the_store_is_not_open(degraded_service: Service) -> None:
    harness.check_degraded(
        degraded_service, "knowledge_delete_episode", {"episode_uuid": "00000000-0000-0000-0000-000000000000"}
    )


def test_delete_episode_answers_example_1(service: Service) -> None:
    """An episode that nobody knows."""
    harness.check_example(service, "knowledge_delete_episode", {"episode_uuid": "00000000-0000-0000-0000-000000000000"})


def test_delete_by_source_has_the_facts_of_the_registry() -> None:
    harness.check_facts("knowledge_delete_by_source", {"scope": "write", "works_degraded": False, "progress": False})


def test_delete_by_source_refuses_unknown_names_before_its_handler_runs() -> None:
    harness.check_unknown_name(
        "knowledge_delete_by_source", {"source_file": "notes/nowhere.md", "group_ids": ["liminis"]}
    )


def test_delete_by_source_while_the_store_is_not_open(degraded_service: Service) -> None:
    harness.check_degraded(
        degraded_service, "knowledge_delete_by_source", {"source_file": "notes/nowhere.md", "group_ids": ["liminis"]}
    )


def test_delete_by_source_answers_example_1(service: Service) -> None:
    """A file that nobody ingested."""
    harness.check_example(
        service, "knowledge_delete_by_source", {"source_file": "notes/nowhere.md", "group_ids": ["liminis"]}
    )


def test_delete_chunk_episode_has_the_facts_of_the_registry() -> None:
    harness.check_facts(
        "knowledge_delete_chunk_episode", {"scope": "write", "works_degraded": False, "progress": False}
    )


def test_delete_chunk_episode_refuses_unknown_names_before_its_handler_runs() -> None:
    harness.check_unknown_name("knowledge_delete_chunk_episode", {"chunk_id": "standup-99", "group_ids": ["liminis"]})


def test_delete_chunk_episode_while_the_store_is_not_open(degraded_service: Service) -> None:
    harness.check_degraded(
        degraded_service, "knowledge_delete_chunk_episode", {"chunk_id": "standup-99", "group_ids": ["liminis"]}
    )


def test_delete_chunk_episode_answers_example_1(service: Service) -> None:
    """A chunk that nobody ingested."""
    harness.check_example(
        service, "knowledge_delete_chunk_episode", {"chunk_id": "standup-99", "group_ids": ["liminis"]}
    )


def test_delete_by_group_has_the_facts_of_the_registry() -> None:
    harness.check_facts("knowledge_delete_by_group", {"scope": "admin", "works_degraded": False, "progress": False})


def test_delete_by_group_refuses_unknown_names_before_its_handler_runs() -> None:
    harness.check_unknown_name("knowledge_delete_by_group", {"group_ids": ["nowhere"]})


def test_delete_by_group_while_the_store_is_not_open(degraded_service: Service) -> None:
    harness.check_degraded(degraded_service, "knowledge_delete_by_group", {"group_ids": ["nowhere"]})


def test_delete_by_group_answers_example_1(service: Service) -> None:
    """Look before a purge."""
    harness.check_example(service, "knowledge_delete_by_group", {"group_ids": ["nowhere"], "dry_run": True})


def test_clear_all_has_the_facts_of_the_registry() -> None:
    harness.check_facts("knowledge_clear_all", {"scope": "write", "works_degraded": False, "progress": False})


def test_clear_all_refuses_unknown_names_before_its_handler_runs() -> None:
    harness.check_unknown_name("knowledge_clear_all", {"confirm": True})


def test_clear_all_while_the_store_is_not_open(degraded_service: Service) -> None:
    harness.check_degraded(degraded_service, "knowledge_clear_all", {"confirm": True})


def test_clear_all_answers_example_1(service: Service) -> None:
    """Empty the graph, keep its logs."""
    harness.check_example(service, "knowledge_clear_all", {"confirm": True, "preserve_wal": True})
