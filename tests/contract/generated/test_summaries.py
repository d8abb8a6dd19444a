# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 85dfc88f0b48004a618280b012d396acf3875ccc796fa46dea80d6cb5471f49e)
# Template: codegen/templates/test_contract.py.j2
"""What the registry says of the methods under "Semantic search maintenance", asked of a running service."""

from lcg.runtime.call import Service
from tests.contract import harness


def test_backfill_summary_embeddings_has_the_facts_of_the_registry() -> None:
    harness.check_facts(
        "knowledge_backfill_summary_embeddings", {"scope": "admin", "works_degraded": False, "progress": True}
    )


def test_backfill_summary_embeddings_refuses_unknown_names_before_its_handler_runs() -> None:
    harness.check_unknown_name("knowledge_backfill_summary_embeddings", {"group_id": "nowhere"})


def test_backfill_summary_embeddings_while_the_store_is_not_open(degraded_service: Service) -> None:
    harness.check_degraded(degraded_service, "knowledge_backfill_summary_embeddings", {"group_id": "nowhere"})


def test_backfill_summary_embeddings_answers_example_1(service: Service) -> None:
    """A group that nobody knows."""
    harness.check_example(service, "knowledge_backfill_summary_embeddings", {"group_id": "nowhere", "dry_run": True})
