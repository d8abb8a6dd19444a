# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 85dfc88f0b48004a618280b012d396acf3875ccc796fa46dea80d6cb5471f49e)
# Template: codegen/templates/test_contract.py.j2
"""What the registry says of the methods under "WAL administration", asked of a running service."""

from lcg.runtime.call import Service
from tests.contract import harness


def test_dump_wal_has_the_facts_of_the_registry() -> None:
    harness.check_facts("knowledge_dump_wal", {"scope": "admin", "works_degraded": False, "progress": False})


def test_dump_wal_refuses_unknown_names_before_its_handler_runs() -> None:
    harness.check_unknown_name("knowledge_dump_wal", {})


def test_dump_wal_while_the_store_is_not_open(degraded_service: Service) -> None:
    harness.check_degraded(degraded_service, "knowledge_dump_wal", {})


def test_dump_wal_answers_example_1(service: Service) -> None:
    """A snapshot."""
    harness.check_example(service, "knowledge_dump_wal", {"target_dir": "backups/before-merge"})


def test_prepare_checkpoint_has_the_facts_of_the_registry() -> None:
    harness.check_facts("knowledge_prepare_checkpoint", {"scope": "admin", "works_degraded": False, "progress": False})


def test_prepare_checkpoint_refuses_unknown_names_before_its_handler_runs() -> None:
    harness.check_unknown_name("knowledge_prepare_checkpoint", {})


def test_prepare_checkpoint_while_the_store_is_not_open(degraded_service: Service) -> None:
    harness.check_degraded(degraded_service, "knowledge_prepare_checkpoint", {})


def test_prepare_checkpoint_answers_example_1(service: Service) -> None:
    """Before a backup."""
    harness.check_example(service, "knowledge_prepare_checkpoint", {})


def test_wal_mark_create_has_the_facts_of_the_registry() -> None:
    harness.check_facts("knowledge_wal_mark_create", {"scope": "admin", "works_degraded": False, "progress": False})


def test_wal_mark_create_refuses_unknown_names_before_its_handler_runs() -> None:
    harness.check_unknown_name("knowledge_wal_mark_create", {"name": "before-merge"})


def test_wal_mark_create_while_the_store_is_not_open(degraded_service: Service) -> None:
    harness.check_degraded(degraded_service, "knowledge_wal_mark_create", {"name": "before-merge"})


def test_wal_mark_create_answers_example_1(service: Service) -> None:
    """Before a merge."""
    harness.check_example(service, "knowledge_wal_mark_create", {"name": "before-merge"})


def test_wal_mark_list_has_the_facts_of_the_registry() -> None:
    harness.check_facts("knowledge_wal_mark_list", {"scope": "admin", "works_degraded": True, "progress": False})


def test_wal_mark_list_refuses_unknown_names_before_its_handler_runs() -> None:
    harness.check_unknown_name("knowledge_wal_mark_list", {})


def test_wal_mark_list_while_the_store_is_not_open(degraded_service: Service) -> None:
    harness.check_degraded(degraded_service, "knowledge_wal_mark_list", {})


def test_wal_mark_list_answers_example_1(service: Service) -> None:
    """A group that nobody knows."""
    harness.check_example(service, "knowledge_wal_mark_list", {"group_id": "nowhere"})


def test_wal_mark_delete_has_the_facts_of_the_registry() -> None:
    harness.check_facts("knowledge_wal_mark_delete", {"scope": "admin", "works_degraded": True, "progress": False})


def test_wal_mark_delete_refuses_unknown_names_before_its_handler_runs() -> None:
    harness.check_unknown_name("knowledge_wal_mark_delete", {"name": "before-merge"})


def test_wal_mark_delete_while_the_store_is_not_open(degraded_service: Service) -> None:
    harness.check_degraded(degraded_service, "knowledge_wal_mark_delete", {"name": "before-merge"})


def test_wal_mark_delete_answers_example_1(service: Service) -> None:
    """Remove a mark."""
    harness.check_example(service, "knowledge_wal_mark_delete", {"name": "before-merge"})


def test_rebuild_from_wal_has_the_facts_of_the_registry() -> None:
    harness.check_facts("knowledge_rebuild_from_wal", {"scope": "admin", "works_degraded": False, "progress": True})


def test_rebuild_from_wal_refuses_unknown_names_before_its_handler_runs() -> None:
    harness.check_unknown_name("knowledge_rebuild_from_wal", {})


def test_rebuild_from_wal_while_the_store_is_not_open(degraded_service: Service) -> None:
    harness.check_degraded(degraded_service, "knowledge_rebuild_from_wal", {})


def test_rebuild_from_wal_answers_example_1(service: Service) -> None:
    """Go back to line 12."""
    harness.check_example(service, "knowledge_rebuild_from_wal", {"to_seq": 12, "force_clear": True})


def test_build_indices_has_the_facts_of_the_registry() -> None:
    harness.check_facts("knowledge_build_indices", {"scope": "admin", "works_degraded": False, "progress": False})


def test_build_indices_refuses_unknown_names_before_its_handler_runs() -> None:
    harness.check_unknown_name("knowledge_build_indices", {})


def test_build_indices_while_the_store_is_not_open(degraded_service: Service) -> None:
    harness.check_degraded(degraded_service, "knowledge_build_indices", {})


def test_build_indices_answers_example_1(service: Service) -> None:
    """Build anew."""
    harness.check_example(service, "knowledge_build_indices", {})
