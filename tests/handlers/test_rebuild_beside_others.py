"""What a rebuild means for those who write, or rebuild, meanwhile."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lcg.errors import LcgError, OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.graph import rebuild_reading
from lcg.graph.graph import Graph
from lcg.services.rebuild import rebuilder
from tests.handlers.own_group import ALL, Own


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Own]:
    made = Own(tmp_path)
    yield made
    made.service.close()


def test_a_job_runs_alone_in_its_group_and_others_are_served(own: Own, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: dict[str, Any] = {}
    read_into = rebuild_reading.read_into

    def look_around(*args: Any, **kwargs: Any) -> Any:
        with pytest.raises(OperationFailed) as write:
            own.ask("assert_entity", name="n6", group_id="a")
        with pytest.raises(OperationFailed) as second:
            own.rebuild(force_clear=True)
        seen["kinds"] = (write.value.kind, second.value.kind)
        seen["job"] = second.value.data["job_id"]
        seen["other"] = own.ask("assert_entity", name="more", group_id="b")["created"]
        seen["reads"] = own.names()
        seen["status"] = own.ask("rebuild_status", job_id=seen["job"])["status"]
        return read_into(*args, **kwargs)

    monkeypatch.setattr(rebuilder, "read_into", look_around)
    result = own.rebuild(force_clear=True)
    assert seen["kinds"] == (ErrorKind.BUSY, ErrorKind.BUSY)
    assert (seen["job"], seen["other"], seen["reads"], seen["status"]) == (result["job_id"], True, ALL, "running")
    assert own.ask("assert_entity", name="n6", group_id="a")["created"] is True


def written_before_the_group_is_held(own: Own, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have an entity `late` written once a rebuild was begun, before the group takes no writes."""
    hold = Graph.hold

    def write_then_hold(graph: Graph, group_id: str, refusal: LcgError) -> None:
        own.ask("assert_entity", name="late", group_id=group_id)
        hold(graph, group_id, refusal)

    monkeypatch.setattr(Graph, "hold", write_then_hold)


def test_what_is_written_while_a_rebuild_begins_is_taken_in(own: Own, monkeypatch: pytest.MonkeyPatch) -> None:
    written_before_the_group_is_held(own, monkeypatch)
    own.rebuild(force_clear=True)
    assert own.names() == ["late", *ALL]
    assert own.position()["pending"] == 0


def test_a_group_that_was_empty_when_a_rebuild_began_is_left_alone_once_it_is_not(
    own: Own, monkeypatch: pytest.MonkeyPatch
) -> None:
    own.ask("delete_by_group", group_ids=["a"], confirm=True)
    written_before_the_group_is_held(own, monkeypatch)
    with pytest.raises(OperationFailed) as caught:
        own.rebuild()
    assert caught.value.kind is ErrorKind.PRECONDITION
    assert own.names() == ["late"]
    own.ask("assert_entity", name="later", group_id="a")
    assert own.names() == ["late", "later"]


@pytest.mark.parametrize("held", [False, True], ids=["before the group is held", "after it is"])
def test_a_rebuild_that_fails_while_it_begins_leaves_its_group_to_others(
    own: Own, monkeypatch: pytest.MonkeyPatch, held: bool
) -> None:
    hold = Graph.hold

    def fail(graph: Graph, group_id: str, refusal: LcgError) -> None:
        if held:
            hold(graph, group_id, refusal)
        raise OSError(5, "failed on purpose")

    with monkeypatch.context() as patch:
        patch.setattr(Graph, "hold", fail)
        with pytest.raises(LcgError):
            own.rebuild(force_clear=True)
    assert not own.service.works_unasked()
    assert own.ask("assert_entity", name="n6", group_id="a")["created"] is True
    assert own.rebuild(force_clear=True)["mutations_replayed"] == 6
