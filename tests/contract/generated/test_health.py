# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 85dfc88f0b48004a618280b012d396acf3875ccc796fa46dea80d6cb5471f49e)
# Template: codegen/templates/test_contract.py.j2
"""What the registry says of the methods under "Health", asked of a running service."""

from lcg.runtime.call import Service
from tests.contract import harness


def test_health_check_has_the_facts_of_the_registry() -> None:
    harness.check_facts("health_check", {"scope": None, "works_degraded": True, "progress": False})


def test_health_check_refuses_unknown_names_before_its_handler_runs() -> None:
    harness.check_unknown_name("health_check", {})


def test_health_check_while_the_store_is_not_open(degraded_service: Service) -> None:
    harness.check_degraded(degraded_service, "health_check", {})


def test_health_check_answers_example_1(service: Service) -> None:
    """A service that is ready."""
    harness.check_example(service, "health_check", {})
