# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 85dfc88f0b48004a618280b012d396acf3875ccc796fa46dea80d6cb5471f49e)
# Template: codegen/templates/test_contract.py.j2
"""What the registry says of the methods under "Ingestion", asked of a running service."""

from lcg.runtime.call import Service
from tests.contract import harness


def test_process_chunk_has_the_facts_of_the_registry() -> None:
    harness.check_facts("knowledge_process_chunk", {"scope": "write", "works_degraded": False, "progress": False})


def test_process_chunk_refuses_unknown_names_before_its_handler_runs() -> None:
    harness.check_unknown_name(
        "knowledge_process_chunk",
        {
            "chunk_text": "Priya moved the billing service to Postgres in May.",
            "chunk_id": "standup-3",
            "source_file": "notes/standup.md",
        },
    )


def test_process_chunk_while_the_store_is_not_open(degraded_service: Service) -> None:
    harness.check_degraded(
        degraded_service,
        "knowledge_process_chunk",
        {
            "chunk_text": "Priya moved the billing service to Postgres in May.",
            "chunk_id": "standup-3",
            "source_file": "notes/standup.md",
        },
    )


def test_process_chunk_answers_example_1(service: Service) -> None:
    """A line of meeting notes."""
    harness.check_example(
        service,
        "knowledge_process_chunk",
        {
            "chunk_text": "Priya moved the billing service to Postgres in May.",
            "chunk_id": "standup-3",
            "source_file": "notes/standup.md",
            "reference_time": "2026-05-20",
        },
    )


def test_add_episode_has_the_facts_of_the_registry() -> None:
    harness.check_facts("knowledge_add_episode", {"scope": "write", "works_degraded": False, "progress": False})


def test_add_episode_refuses_unknown_names_before_its_handler_runs() -> None:
    harness.check_unknown_name(
        "knowledge_add_episode",
        {"name": "retro-may", "episode_body": "Tomas took over the release checklist from Priya."},
    )


def test_add_episode_while_the_store_is_not_open(degraded_service: Service) -> None:
    harness.check_degraded(
        degraded_service,
        "knowledge_add_episode",
        {"name": "retro-may", "episode_body": "Tomas took over the release checklist from Priya."},
    )


def test_add_episode_answers_example_1(service: Service) -> None:
    """A note."""
    harness.check_example(
        service,
        "knowledge_add_episode",
        {
            "name": "retro-may",
            "episode_body": "Tomas took over the release checklist from Priya.",
            "reference_time": "2026-05-29",
        },
    )
