"""What passages point to: questions that share no word with a name, beside direct hits and inside their groups."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lcg.runtime.call import Call
from lcg.server.app import LcgService
from tests.workspaces import running_service

CHUNKS = {
    "tern.md": "Mira Valdez repaired the Tern in Port Vell. Mira Valdez replaced its mast and two sails.",
    "rate.md": "Otto Brandt raised the interest rate at the Bank of Hamburg. Otto Brandt fears inflation and debt.",
    "vine.md": "Lena Fuchs planted grapes in the Moselle Valley. Lena Fuchs sells white wine to Trier.",
}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LcgService]:
    with running_service(tmp_path_factory.mktemp("evidence")) as running:
        for file, text in CHUNKS.items():
            ask(running, "process_chunk", chunk_text=text, chunk_id="1", source_file=file, group_id=group_of(file))
        yield running


def group_of(file: str) -> str:
    return file.partition(".")[0]


def ask(service: LcgService, method: str, **params: Any) -> dict[str, Any]:
    name = f"knowledge_{method}"
    return service.call(name, params, Call(name))


def names(service: LcgService, query: str, **params: Any) -> list[str]:
    return [node["name"] for node in ask(service, "find_entities", query=query, **params)["nodes"]]


def test_a_question_finds_whom_the_passage_that_answers_it_is_about(service: LcgService) -> None:
    assert names(service, "boat mended with new sails")[0] == "Mira Valdez"
    assert names(service, "grower of vineyards and wines")[0] == "Lena Fuchs"


def test_a_question_finds_a_fact_of_the_passage_that_answers_it(service: LcgService) -> None:
    edges = ask(service, "find_relationships", query="money, prices and what is owed")["edges"]
    assert edges[0]["source_descriptions"] == ["rate.md:1"]


def test_a_name_is_looked_up_as_a_name(service: LcgService) -> None:
    assert names(service, "the Tern")[0] == "Tern"
    assert names(service, "valdez")[0] == "Mira Valdez"


def test_passages_of_other_groups_point_to_nothing(service: LcgService) -> None:
    query = "boat mended with new sails"
    assert "Mira Valdez" not in names(service, query, group_ids=["rate", "vine"])
    found = ask(service, "find_relationships", query=query, group_ids=["rate", "vine"])["edges"]
    assert {edge["group_id"] for edge in found} <= {"rate", "vine"}


def test_what_is_found_directly_is_not_crowded_out(tmp_path: Path) -> None:
    with running_service(tmp_path) as service:
        for number in range(8):
            text = f"Captain Number{number} steers ships and boats into the harbour of Port{number} at dawn."
            ask(service, "process_chunk", chunk_text=text, chunk_id=str(number), source_file="log.md", group_id="g")
        summary = "steers ships and boats into the harbour"
        ask(service, "assert_entity", name="harbour pilot Nils", summary=summary, group_id="g")
        assert "harbour pilot Nils" in names(service, "who steers ships and boats into the harbour")[:5]


def test_only_facts_that_hold_then_are_pointed_to(tmp_path: Path) -> None:
    with running_service(tmp_path) as service:
        for file, text in CHUNKS.items():
            ask(
                service,
                "process_chunk",
                chunk_text=text,
                chunk_id="1",
                source_file=file,
                group_id="g",
                reference_time="2026-01-01T00:00:00Z",
            )
        query = "boat mended with new sails"
        assert ask(service, "find_relationships", query=query, valid_at="2027-01-01T00:00:00Z")["count"] > 0
        assert ask(service, "find_relationships", query=query, valid_at="2025-01-01T00:00:00Z")["count"] == 0


def test_what_words_and_vectors_agree_on_comes_before_what_passages_point_to(tmp_path: Path) -> None:
    with running_service(tmp_path) as service:
        text = "Mira Okafor mended the lighthouse and its lamp. Mira Okafor paid the keeper of the lighthouse."
        ask(service, "process_chunk", chunk_text=text, chunk_id="1", source_file="log.md", group_id="g")
        ask(service, "assert_entity", name="Vell", summary="keeps the lighthouse", group_id="g")
        assert names(service, "who keeps the lighthouse")[0] == "Vell"


@pytest.fixture
def asserted(service: LcgService) -> Iterator[str]:
    """A group with a crowd that stands in passages, and with what was asserted and is in none that answers."""
    group = "harbour"
    for at in range(3):
        text = f"A message queue was shown by Jan Kowalski at Initech; the message queue of Umbrella failed. Day {at}."
        ask(service, "process_chunk", chunk_text=text, chunk_id=str(at), source_file="talk.md", group_id=group)
    summary = "Our message queue; it delivers events between services."
    ask(service, "assert_entity", name="Nightjar", summary=summary, group_id=group)
    ask(service, "assert_entity", name="Lena Vogt", summary="Veterinarian who treats horses.", group_id=group)
    facts = {"source_name": "Nightjar", "target_name": "Lena Vogt", "predicate": "WAKES", "group_id": group}
    ask(service, "assert_relationship", fact="The message queue woke the horse doctor.", **facts)
    yield group
    ask(service, "delete_by_group", group_ids=[group], confirm=True)


def test_what_was_asserted_and_fits_comes_before_those_who_stand_in_a_like_passage(
    service: LcgService, asserted: str
) -> None:
    assert names(service, "message queue", group_ids=[asserted])[0] == "Nightjar"
    edges = ask(service, "find_relationships", query="message queue woke a doctor", group_ids=[asserted])["edges"]
    assert edges[0]["name"] == "WAKES"


def test_it_still_does_after_a_text_speaks_of_it(service: LcgService, asserted: str) -> None:
    text = "Nightjar and Otto Krug met in Ulm. Otto Krug sang."
    ask(service, "process_chunk", chunk_text=text, chunk_id="9", source_file="talk.md", group_id=asserted)
    assert names(service, "message queue", group_ids=[asserted])[0] == "Nightjar"


def test_what_was_asserted_and_does_not_fit_stays_behind(service: LcgService, asserted: str) -> None:
    found = names(service, "message queue shown", group_ids=[asserted])
    assert found.index("Jan Kowalski") < found.index("Lena Vogt")
