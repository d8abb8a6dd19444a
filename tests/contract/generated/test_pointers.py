# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 85dfc88f0b48004a618280b012d396acf3875ccc796fa46dea80d6cb5471f49e)
# Template: codegen/templates/test_contract.py.j2
"""What the registry says of the methods under "Cross-group pointers", asked of a running service."""

from lcg.runtime.call import Service
from tests.contract import harness


def test_add_cross_group_edge_has_the_facts_of_the_registry() -> None:
    harness.check_facts(
        "knowledge_add_cross_group_edge", {"scope": "write", "works_degraded": False, "progress": False}
    )


def test_add_cross_group_edge_refuses_unknown_names_before_its_handler_runs() -> None:
    harness.check_unknown_name(
        "knowledge_add_cross_group_edge",
        {
            "name": "USES",
            "source": {"source_group_id": "teams", "endpoint_name": "Billing"},
            "target": {"source_group_id": "platform", "endpoint_name": "Mailer"},
            "fact": "The billing service uses the shared mailer.",
        },
    )


def test_add_cross_group_edge_while_the_store_is_not_open(degraded_service: Service) -> None:
    harness.check_degraded(
        degraded_service,
        "knowledge_add_cross_group_edge",
        {
            "name": "USES",
            "source": {"source_group_id": "teams", "endpoint_name": "Billing"},
            "target": {"source_group_id": "platform", "endpoint_name": "Mailer"},
            "fact": "The billing service uses the shared mailer.",
        },
    )


def test_add_cross_group_edge_answers_example_1(service: Service) -> None:
    """A name that does not exist yet stays unbound."""
    harness.check_example(
        service,
        "knowledge_add_cross_group_edge",
        {
            "name": "USES",
            "fact": "The billing service uses the shared mailer.",
            "group_id": "services",
            "source": {"source_group_id": "teams", "endpoint_name": "Billing"},
            "target": {"source_group_id": "platform", "endpoint_name": "Mailer"},
        },
    )


def test_rebind_pointers_has_the_facts_of_the_registry() -> None:
    harness.check_facts("knowledge_rebind_pointers", {"scope": "admin", "works_degraded": False, "progress": False})


def test_rebind_pointers_refuses_unknown_names_before_its_handler_runs() -> None:
    harness.check_unknown_name("knowledge_rebind_pointers", {"source_group_id": "nowhere"})


def test_rebind_pointers_while_the_store_is_not_open(degraded_service: Service) -> None:
    harness.check_degraded(degraded_service, "knowledge_rebind_pointers", {"source_group_id": "nowhere"})


def test_rebind_pointers_answers_example_1(service: Service) -> None:
    """A group that nobody points to."""
    harness.check_example(service, "knowledge_rebind_pointers", {"source_group_id": "nowhere"})
