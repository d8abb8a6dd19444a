# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 85dfc88f0b48004a618280b012d396acf3875ccc796fa46dea80d6cb5471f49e)
# Template: codegen/templates/test_contract.py.j2
"""What the registry says of the methods under "Status", asked of a running service."""

from lcg.runtime.call import Service
from tests.contract import harness


def test_status_has_the_facts_of_the_registry() -> None:
    harness.check_facts("knowledge_status", {"scope": "read", "works_degraded": True, "progress": False})


def test_status_refuses_unknown_names_before_its_handler_runs() -> None:
    harness.check_unknown_name("knowledge_status", {})


def test_status_while_the_store_is_not_open(degraded_service: Service) -> None:
    harness.check_degraded(degraded_service, "knowledge_status", {})


def test_status_answers_example_1(service: Service) -> None:
    """A new workspace."""
    harness.check_example(service, "knowledge_status", {})


def test_rebuild_status_has_the_facts_of_the_registry() -> None:
    harness.check_facts("knowledge_rebuild_status", {"scope": "read", "works_degraded": False, "progress": False})


def test_rebuild_status_refuses_unknown_names_before_its_handler_runs() -> None:
    harness.check_unknown_name("knowledge_rebuild_status", {"job_id": "no-such-job"})


def test_rebuild_status_while_the_store_is_not_open(degraded_service: Service) -> None:
    harness.check_degraded(degraded_service, "knowledge_rebuild_status", {"job_id": "no-such-job"})


def test_rebuild_status_answers_example_1(service: Service) -> None:
    """A job that nobody knows."""
    harness.check_example(service, "knowledge_rebuild_status", {"job_id": "no-such-job"})
