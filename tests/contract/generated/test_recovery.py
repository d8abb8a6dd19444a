# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 78eceb27fc8fb877365ef3f8fac95dc27ae9ca8c47eeaae048b22e5370f0ccea)
# Template: codegen/templates/test_contract.py.j2
"""What the registry says of the methods under "Recovery / lifecycle", asked of a running service."""

from lcg.runtime.call import Service
from tests.contract import harness


def test_close_has_the_facts_of_the_registry() -> None:
    harness.check_facts("knowledge_close", {"scope": "admin", "works_degraded": True, "progress": False})


def test_close_refuses_unknown_names_before_its_handler_runs() -> None:
    harness.check_unknown_name("knowledge_close", {})


def test_close_while_the_store_is_not_open(degraded_service: Service) -> None:
    harness.check_degraded(degraded_service, "knowledge_close", {})


def test_close_answers_example_1(service: Service) -> None:
    """Shut down."""
    harness.check_example(service, "knowledge_close", {})
