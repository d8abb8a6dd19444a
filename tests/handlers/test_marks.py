"""Marks as clients see them: made, listed, deleted, come back to, and what takes them away."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lcg.errors import InvalidParams, OperationFailed, Unavailable
from lcg.generated.errors import ErrorKind
from lcg.graph.positions import NOTHING
from lcg.runtime.call import Call
from lcg.server.app import LcgService
from lcg.services.marks import is_reachable
from lcg.store.protocol import Position
from lcg.wal.log import Log
from lcg.wal.marks import Mark
from tests.handlers.conftest import Ask
from tests.workspaces import running_service


def test_a_mark_names_the_applied_position_and_is_listed(ask: Ask, group: str) -> None:
    ask("assert_entity", name="Mira", group_id=group)
    ask("assert_entity", name="Tern", group_id=group)
    generation = ask("status")["wal_groups"][group]["generation"]
    made = ask("wal_mark_create", name="two", group_id=group)
    assert made == {"success": True, "name": "two", "group_id": group, "seq": 2, "generation": generation}
    ask("assert_entity", name="Vell", group_id=group)
    ask("wal_mark_create", name="THREE_", group_id=group)
    listed = ask("wal_mark_list", group_id=group)
    assert (listed["group_id"], listed["count"]) == (group, 2)
    assert [(mark["name"], mark["seq"]) for mark in listed["checkpoints"]] == [("THREE_", 3), ("two", 2)]
    two = listed["checkpoints"][1]
    assert {key: two[key] for key in ("reachable", "wal_min_seq", "wal_max_seq", "generation")} == {
        "reachable": True, "wal_min_seq": 1, "wal_max_seq": 3, "generation": generation,
    }  # fmt: skip
    assert len(two["created_at"]) == 19


def test_before_the_first_record_a_mark_carries_zero(ask: Ask, group: str) -> None:
    made = ask("wal_mark_create", name="empty", group_id=group)
    assert (made["seq"], made["generation"]) == (0, None)
    (mark,) = ask("wal_mark_list", group_id=group)["checkpoints"]
    assert (mark["seq"], mark["reachable"], mark["wal_min_seq"], mark["wal_max_seq"]) == (0, True, None, None)
    ask("assert_entity", name="Mira", group_id=group)
    ask("rebuild_from_wal", group_id=group, to_seq=0, force_clear=True)
    assert ask("list_entities", group_ids=[group])["count"] == 0
    assert ask("wal_mark_list", group_id="nowhere") == {"group_id": "nowhere", "checkpoints": [], "count": 0}


def test_a_name_is_taken_until_its_mark_is_deleted(ask: Ask, group: str) -> None:
    ask("wal_mark_create", name="a", group_id=group)
    with pytest.raises(OperationFailed, match="already exists") as taken:
        ask("wal_mark_create", name="a", group_id=group)
    assert taken.value.kind is ErrorKind.CONFLICT
    assert ask("wal_mark_delete", name="a", group_id=group) == {"success": True, "name": "a", "group_id": group}
    with pytest.raises(OperationFailed, match=f"{group}.*no mark 'a'") as gone:
        ask("wal_mark_delete", name="a", group_id=group)
    assert gone.value.kind is ErrorKind.NOT_FOUND
    ask("wal_mark_create", name="a", group_id=group)


@pytest.mark.parametrize("name", ["", "a b", "ä", "../a", "x" * 201])
def test_a_name_outside_the_legal_characters_is_refused(ask: Ask, name: str) -> None:
    for method in ("wal_mark_create", "wal_mark_delete"):
        with pytest.raises(InvalidParams) as caught:
            ask(method, name=name)
        assert caught.value.data["parameter"] == "name"


def test_a_group_that_differs_by_letter_case_only_gets_no_mark(ask: Ask, group: str) -> None:
    ask("assert_entity", name="Mira", group_id=group)
    with pytest.raises(OperationFailed, match="letter case") as caught:
        ask("wal_mark_create", name="a", group_id=group.upper())
    assert caught.value.kind is ErrorKind.CONFLICT


def test_going_back_to_a_mark_brings_its_state_back(ask: Ask, group: str) -> None:
    ask("process_chunk", chunk_text="Mira sailed to Port Vell.", chunk_id="c", source_file="f", group_id=group)
    for name in ("Mira", "Tern"):
        ask("assert_entity", name=name, group_id=group)
    ask("assert_relationship", source_name="Mira", predicate="KNOWS", target_name="Tern", group_id=group)

    def picture() -> tuple[Any, ...]:
        reads = [ask(f"list_{kind}", group_ids=[group]) for kind in ("entities", "relationships")]
        return (*reads, ask("get_episodes", group_id=group), ask("status")["wal_groups"][group]["digest"])

    before = picture()
    mark = ask("wal_mark_create", name="before", group_id=group)
    ask("process_chunk", chunk_text="Mira left Port Vell.", chunk_id="c", source_file="f", group_id=group)
    ask("delete_by_group", group_ids=[group], confirm=True)
    ask("assert_entity", name="Mira", summary="another one", group_id=group)
    assert picture() != before
    ask("rebuild_from_wal", group_id=group, to_seq=mark["seq"], force_clear=True)
    assert picture() == before


@pytest.mark.parametrize(
    ("mark", "first", "last", "generation", "reachable"),
    [
        (Mark("m", 5, "g", 0), 1, 5, "g", True),
        (Mark("m", 5, "g", 0), 0, 9, None, True),
        (Mark("m", 5, None, 0), 1, 9, "g", True),
        (Mark("m", 5, "g", 0), 1, 9, "other", False),
        (Mark("m", 5, "g", 0), 2, 9, "g", False),
        (Mark("m", 5, "g", 0), 1, 4, "g", False),
        (Mark("m", 5, "g", 0), None, None, None, False),
        (Mark("m", 0, "g", 0), 0, 9, "g", True),
        (Mark("m", 0, "g", 0), 0, 9, "other", False),
        (Mark("m", None, None, 0), None, None, None, True),
        (Mark("m", None, None, 0), 7, 9, "g", True),
        (Mark("m", None, None, 0), 0, 9, "g", False),
    ],
)
def test_a_mark_is_reachable_when_its_log_goes_from_the_first_line_through_it(
    tmp_path: Path, mark: Mark, first: int | None, last: int | None, generation: str | None, reachable: bool
) -> None:
    directory = tmp_path / "a"
    directory.mkdir()
    if first is not None and last is not None:
        lines = (json.dumps({"seq": seq}) for seq in range(first, last + 1))
        (directory / "x.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    if generation is not None:
        (directory / ".wal-generation.json").write_text(json.dumps({"generation": generation}), encoding="utf-8")
    assert is_reachable(mark, Log(tmp_path).stream("a")) is reachable


@pytest.fixture
def own(tmp_path: Path) -> Iterator[LcgService]:
    with running_service(tmp_path) as running:
        yield running


def call(service: LcgService, method: str, **params: Any) -> dict[str, Any]:
    return service.call(f"knowledge_{method}", params, Call(f"knowledge_{method}"))


def test_marks_go_with_the_logs_and_stay_with_them(own: LcgService) -> None:
    for name in ("Mira", "Tern"):
        call(own, "assert_entity", name=name)
    call(own, "wal_mark_create", name="a")
    call(own, "clear_all", confirm=True, preserve_wal=True)
    (mark,) = call(own, "wal_mark_list")["checkpoints"]
    assert (mark["seq"], mark["reachable"]) == (2, True)
    assert call(own, "wal_mark_create", name="empty")["seq"] == 0
    call(own, "clear_all", confirm=True)
    assert call(own, "wal_mark_list")["count"] == 0


def test_a_position_that_nobody_knows_cannot_be_named(own: LcgService) -> None:
    call(own, "assert_entity", name="Mira", group_id="a")
    core = own._situation.core
    assert core is not None
    positions = core.graph.state.positions
    kept = positions.pop("a")
    with pytest.raises(OperationFailed, match="position is unknown") as caught:
        call(own, "wal_mark_create", name="m", group_id="a")
    assert caught.value.kind is ErrorKind.PRECONDITION
    positions["a"] = kept


def test_in_a_stream_that_begins_with_line_0_zero_means_through_that_line(own: LcgService, tmp_path: Path) -> None:
    call(own, "list_entities")
    (tmp_path / "wal" / "a").mkdir(parents=True)
    (tmp_path / "wal" / "a" / "x.jsonl").write_text('{"seq":0}\n{"seq":1}\n', encoding="utf-8")
    core = own._situation.core
    assert core is not None
    positions = core.graph.state.positions
    for position in (None, Position("a", NOTHING, "g")):
        if position is not None:
            positions["a"] = position
        with pytest.raises(OperationFailed, match="line 0") as caught:
            call(own, "wal_mark_create", name="m", group_id="a")
        assert caught.value.kind is ErrorKind.PRECONDITION
    positions["a"] = Position("a", 0, "g")
    made = call(own, "wal_mark_create", name="m", group_id="a")
    assert (made["seq"], made["generation"]) == (0, "g")
    assert call(own, "wal_mark_list", group_id="a")["checkpoints"][0]["reachable"] is True


def test_marks_are_listed_and_deleted_while_the_store_is_closed(own: LcgService) -> None:
    call(own, "assert_entity", name="Mira")
    call(own, "wal_mark_create", name="a")
    core = own._situation.core
    assert core is not None
    core.graph.failure = Unavailable("recovering", [])
    assert call(own, "wal_mark_list")["count"] == 1
    with pytest.raises(Unavailable):
        call(own, "wal_mark_create", name="b")
    call(own, "wal_mark_delete", name="a")
    assert call(own, "wal_mark_list")["count"] == 0
    core.graph.failure = None


def test_a_disk_that_refuses_is_told_as_such(own: LcgService, tmp_path: Path) -> None:
    call(own, "assert_entity", name="Mira")
    (tmp_path / "wal" / "liminis" / ".checkpoints").write_text("in the way")
    for method in ("wal_mark_create", "wal_mark_delete", "wal_mark_list"):
        with pytest.raises(OperationFailed, match="liminis") as caught:
            call(own, method, **({} if method.endswith("list") else {"name": "a"}))
        assert caught.value.kind is ErrorKind.IO
