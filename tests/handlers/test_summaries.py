"""The backfill of summaries: what it embeds, counts, logs and reports, and what a failure leaves."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from lcg.errors import InvalidParams, OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.model.rows import Entity
from lcg.providers.embedder.protocol import EmbedderError
from lcg.runtime.call import Call
from lcg.runtime.groups import GroupFilter
from lcg.search.protocol import VectorKind
from lcg.server.app import LcgService
from tests.handlers.conftest import Ask, put
from tests.workspaces import running_service

NOON = 1_772_452_800_000_000
SHIP, BAKER = "a wooden ship on the sea", "bakes bread and cake"
METHOD = "knowledge_backfill_summary_embeddings"


def vector_ranks(service: LcgService, group: str, query: str) -> list[str]:
    """Return the entities of a group by how near their embedded summaries are to a query."""
    core = service._situation.core
    assert core is not None
    vectors = core.graph.state.derived.vectors
    hits = vectors.search(VectorKind.ENTITY_SUMMARY, core.embedding.query(query), GroupFilter((group,)), 10)
    return [hit.uuid for hit in hits]


@pytest.fixture
def changed(ask: Ask, group: str) -> list[str]:
    """Two entities whose summaries were swapped after they were embedded, and one without a summary."""
    uuids = [
        ask("assert_entity", name=name, summary=summary, group_id=group)["entity_uuid"]
        for name, summary in (("One", SHIP), ("Two", BAKER))
    ]
    ask("assert_entity", name="Three", group_id=group)
    for name, summary in (("One", BAKER), ("Two", SHIP)):
        ask("assert_entity", name=name, summary=summary, group_id=group)
    return uuids


def log_end(ask: Ask, group: str) -> int:
    return int(ask("status")["wal_groups"][group]["max_seq"])


def test_the_current_summary_is_what_a_search_goes_by(
    service: LcgService, ask: Ask, group: str, changed: list[str]
) -> None:
    assert vector_ranks(service, group, SHIP)[0] == changed[0]
    answer = ask("backfill_summary_embeddings", group_id=group)
    assert answer == {"group_id": group, "total_entities": 3, "backfilled": 2, "dry_run": False}
    assert vector_ranks(service, group, SHIP)[0] == changed[1]


def test_a_dry_run_counts_the_same_and_writes_nothing(ask: Ask, group: str, changed: list[str]) -> None:
    before = log_end(ask, group)
    answer = ask("backfill_summary_embeddings", group_id=group, dry_run=True)
    assert answer == {"group_id": group, "total_entities": 3, "backfilled": 2, "dry_run": True}
    assert log_end(ask, group) == before


def test_only_what_changes_is_logged(ask: Ask, group: str, changed: list[str]) -> None:
    before = log_end(ask, group)
    for _ in range(2):
        assert ask("backfill_summary_embeddings", group_id=group)["backfilled"] == 2
        assert log_end(ask, group) == before + 1


def test_a_rebuild_keeps_the_result(service: LcgService, ask: Ask, group: str, changed: list[str]) -> None:
    ask("backfill_summary_embeddings", group_id=group)
    digest = ask("status")["wal_groups"][group]["digest"]
    ask("rebuild_from_wal", group_id=group, force_clear=True)
    assert ask("status")["wal_groups"][group]["digest"] == digest
    assert vector_ranks(service, group, SHIP)[0] == changed[1]


def test_tombstones_and_other_groups_are_left_alone(service: LcgService, ask: Ask, group: str) -> None:
    put(service, Entity(f"{group}-1", group, "Old", ("Entity", "Merged"), NOON, SHIP, summary_embedded="older"))
    other = f"{group} other"
    put(service, Entity(f"{group}-2", other, "Other", ("Entity",), NOON, SHIP, summary_embedded="older"))
    before = log_end(ask, other)
    assert ask("backfill_summary_embeddings", group_id=group)["total_entities"] == 0
    assert log_end(ask, other) == before


def frames_of(service: LcgService, group: str, **params: Any) -> list[dict[str, Any]]:
    frames: list[dict[str, Any]] = []
    call = Call(METHOD, report=lambda frame: frames.append(dict(frame)))
    service.call(METHOD, {"group_id": group, **params}, call)
    return frames


def test_progress_goes_from_nothing_to_all(service: LcgService, group: str, changed: list[str]) -> None:
    frames = frames_of(service, group)
    assert [(frame["phase"], frame["processed"], frame["total"]) for frame in frames] == [
        ("writing", 0, 2),
        ("writing", 2, 2),
    ]
    assert {frame["total_mutations"] for frame in frames} == {2}


def test_without_anything_to_write_there_are_no_frames(service: LcgService, group: str, changed: list[str]) -> None:
    assert frames_of(service, group, dry_run=True) == []
    assert frames_of(service, "nowhere") == []


def test_a_cancelled_pass_stops_before_its_next_batch(
    service: LcgService, ask: Ask, group: str, changed: list[str]
) -> None:
    before = log_end(ask, group)
    call = Call(METHOD)
    call.cancelled.set()
    with pytest.raises(OperationFailed) as caught:
        service.call(METHOD, {"group_id": group}, call)
    assert caught.value.kind is ErrorKind.CANCELLED
    assert log_end(ask, group) == before


@pytest.mark.parametrize("group_id", [None, "", " "])
def test_the_group_must_be_named(ask: Ask, group_id: Any) -> None:
    with pytest.raises(InvalidParams) as caught:
        ask("backfill_summary_embeddings", group_id=group_id)
    assert caught.value.data["parameter"] == "group_id"


@pytest.fixture
def breakable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[LcgService, list[bool]]]:
    """A service whose embedder fails while the list holds something."""
    broken: list[bool] = []
    with running_service(tmp_path) as service:
        service.call("knowledge_find_entities", {"query": "wait"}, Call("knowledge_find_entities"))
        core = service._situation.core
        assert core is not None
        embed = core.embedding.embedder.embed

        def fail(texts: Sequence[str]) -> Any:
            if broken:
                raise EmbedderError("nobody answers")
            return embed(texts)

        monkeypatch.setattr(core.embedding.embedder, "embed", fail)
        yield service, broken


def test_an_embedder_that_fails_is_told_and_the_next_call_does_all(breakable: tuple[LcgService, list[bool]]) -> None:
    service, broken = breakable
    broken.append(True)
    params = {"name": "One", "summary": SHIP, "group_id": "g"}
    made = service.call("knowledge_assert_entity", params, Call("knowledge_assert_entity"))
    assert made["embedding_warning"]
    with pytest.raises(OperationFailed) as caught:
        service.call(METHOD, {"group_id": "g"}, Call(METHOD))
    assert (caught.value.kind, caught.value.data["backfilled"]) == (ErrorKind.PROVIDER_FAILED, 0)
    assert "nobody answers" in caught.value.message
    broken.clear()
    assert service.call(METHOD, {"group_id": "g"}, Call(METHOD))["backfilled"] == 1
    # The row stood for this summary already, so the log had nothing to take, and yet it is found now.
    assert vector_ranks(service, "g", SHIP) == [made["entity_uuid"]]
