# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 85dfc88f0b48004a618280b012d396acf3875ccc796fa46dea80d6cb5471f49e)
# Template: codegen/templates/test_contract.py.j2
"""What the registry says of the methods under "Recovery / lifecycle", asked of a running service."""

from lcg.runtime.call import Service
from tests.contract import harness


def test_recover_has_the_facts_of_the_registry() -> None:
    harness.check_facts("knowledge_recover", {"scope": "admin", "works_degraded": True, "progress": False})


def test_recover_refuses_unknown_names_before_its_handler_runs() -> None:
    harness.check_unknown_name("knowledge_recover", {"strategy": "rebuild_from_workspace_wal"})


def test_recover_while_the_store_is_not_open(degraded_service: Service) -> None:
    harness.check_degraded(degraded_service, "knowledge_recover", {"strategy": "rebuild_from_workspace_wal"})


def test_recover_answers_example_1(service: Service) -> None:
    """A new store from the logs."""
    harness.check_example(service, "knowledge_recover", {"strategy": "rebuild_from_workspace_wal"})


def test_recover_full_has_the_facts_of_the_registry() -> None:
    harness.check_facts("knowledge_recover_full", {"scope": "admin", "works_degraded": True, "progress": False})


def test_recover_full_refuses_unknown_names_before_its_handler_runs() -> None:
    harness.check_unknown_name("knowledge_recover_full", {})


def test_recover_full_while_the_store_is_not_open(degraded_service: Service) -> None:
    harness.check_degraded(degraded_service, "knowledge_recover_full", {})


def test_recover_full_answers_example_1(service: Service) -> None:
    """A healthy store."""
    harness.check_example(service, "knowledge_recover_full", {})


def test_close_has_the_facts_of_the_registry() -> None:
    harness.check_facts("knowledge_close", {"scope": "admin", "works_degraded": True, "progress": False})


def test_close_refuses_unknown_names_before_its_handler_runs() -> None:
    harness.check_unknown_name("knowledge_close", {})


def test_close_while_the_store_is_not_open(degraded_service: Service) -> None:
    harness.check_degraded(degraded_service, "knowledge_close", {})


def test_close_answers_example_1(service: Service) -> None:
    """Shut down."""
    harness.check_example(service, "knowledge_close", {})
