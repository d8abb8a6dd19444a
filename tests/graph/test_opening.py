"""What a start finds and mends: tails, torn ends, foreign lines, lost stores, lost or lagging search indexes."""

import shutil
from pathlib import Path

import pytest

from lcg.errors import OperationFailed
from lcg.graph.followed import FollowedStreams
from lcg.graph.opening import load_graph
from lcg.graph.positions import pending
from lcg.graph.record_log import RecordLog
from lcg.graph.state import GraphState
from lcg.model.operations import EdgeDelete, EdgePut, EntityDelete, EntityPut, EpisodeDelete, EpisodePut, GroupClear
from lcg.runtime.groups import ALL_GROUPS
from lcg.search.protocol import TextEntry, TextKind, VectorKind
from lcg.store.memory import MemoryStore
from lcg.store.protocol import Store, StoreError
from tests.graph.harness import Workspace, edge, entity, episode


def log_file(workspace: Workspace, group_id: str = "a") -> Path:
    return next((workspace.directory / "wal" / group_id).glob("*.jsonl"))


def found(workspace: Workspace, query: str) -> set[str]:
    return {hit.uuid for hit in workspace.text.search(TextKind.ENTITY, query, ALL_GROUPS, 50)}


def near(workspace: Workspace, text: str) -> set[str]:
    vector = workspace.embedder.embed([text])[0]
    return {hit.uuid for hit in workspace.vectors.search(VectorKind.ENTITY_NAME, vector, ALL_GROUPS, 50)}


def uuids(workspace: Workspace) -> set[str]:
    return {row.uuid for row in workspace.rows()[0]}


def test_a_tail_that_the_store_has_not_applied_is_replayed(workspace: Workspace) -> None:
    store = workspace.graph.state.store
    workspace.apply("a", EntityPut(entity("n1", name="Ada")))
    behind = MemoryStore()
    with store.reader() as reader:
        behind._entities.update({row.uuid: row for row in reader.scan_entities()})
    behind._positions.update(store.positions())
    workspace.apply("a", EntityPut(entity("n2", name="Grace")))
    live = workspace.digests()
    workspace.close()
    workspace.open(behind)
    assert uuids(workspace) == {"n1", "n2"}
    assert workspace.digests() == live
    assert found(workspace, "Grace") == {"n2"}


def test_a_lost_store_is_rebuilt_from_every_log(workspace: Workspace) -> None:
    workspace.apply("a", EntityPut(entity("n1")), EntityPut(entity("n2")), EdgePut(edge("r1", "n1", "n2")))
    workspace.apply("b", EpisodePut(episode("e1", "b")))
    live = (workspace.digests(), workspace.rows())
    workspace.rebuild()
    assert (workspace.digests(), workspace.rows()) == live


def test_a_torn_last_line_is_skipped_and_the_group_goes_on(workspace: Workspace) -> None:
    workspace.apply("a", EntityPut(entity("n1")))
    workspace.close()
    with log_file(workspace).open("ab") as log:
        log.write(b'{"seq":2,"ts":"2026-03-02T08:0')
    workspace.open()
    assert uuids(workspace) == {"n1"}
    assert workspace.graph.state.failed_records == []
    workspace.apply("a", EntityPut(entity("n2")))
    workspace.rebuild()
    assert uuids(workspace) == {"n1", "n2"}


def test_a_line_that_is_no_record_is_passed_over_and_named(workspace: Workspace) -> None:
    workspace.apply("a", EntityPut(entity("n1")))
    workspace.apply("a", EntityPut(entity("n2")))
    workspace.apply("a", EntityPut(entity("n3")))
    workspace.close()
    path = log_file(workspace)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + lines[1].replace(b"entity.put", b"entity.pat") + lines[2])
    workspace.open()
    assert uuids(workspace) == {"n1", "n3"}
    (failure,) = workspace.graph.state.failed_records
    assert (failure["group_id"], failure["seq"]) == ("a", 2)
    assert f"{path.name}:2" in str(failure["error"])
    assert workspace.graph.state.applied_seq("a") == 3


def test_a_line_that_contradicts_the_graph_is_passed_over_and_its_neighbours_stay(workspace: Workspace) -> None:
    for uuid in ("n1", "n2", "n3"):
        workspace.apply("a", EntityPut(entity(uuid)))
    workspace.apply("b", EntityPut(entity("m1", "b")))
    workspace.close()
    path = log_file(workspace, "b")
    path.write_bytes(path.read_bytes().replace(b'"m1"', b'"n1"'))
    workspace.open()
    assert uuids(workspace) == {"n1", "n2", "n3"}
    assert [(entry["group_id"], entry["seq"]) for entry in workspace.graph.state.failed_records] == [("b", 1)]


def test_a_line_of_a_foreign_group_never_writes_outside_its_directory(workspace: Workspace) -> None:
    workspace.apply("a", EntityPut(entity("n1")))
    workspace.apply("b", EntityPut(entity("m1", "b")))
    workspace.close()
    path = log_file(workspace, "b")
    path.write_bytes(path.read_bytes() + log_file(workspace).read_bytes().replace(b'"seq":1', b'"seq":2'))
    workspace.open()
    assert workspace.graph.index.places["n1"][1] == "a"
    assert [(entry["group_id"], entry["seq"]) for entry in workspace.graph.state.failed_records] == [("b", 2)]


def test_a_stream_that_appears_beside_a_store_waits_and_blocks_its_own_group_only(workspace: Workspace) -> None:
    workspace.apply("a", EntityPut(entity("n1")))
    store = workspace.graph.state.store
    workspace.close()
    donor = Workspace(workspace.directory / "donor")
    donor.apply("b", EntityPut(entity("m1", "b")))
    donor.close()
    (workspace.directory / "donor" / "wal" / "b").rename(workspace.directory / "wal" / "b")
    store._closed = False  # type: ignore[attr-defined]
    workspace.open(store)
    assert uuids(workspace) == {"n1"}
    assert pending(workspace.log.stream("b"), workspace.graph.state.positions.get("b")) == 1
    with pytest.raises(OperationFailed, match="knowledge_rebuild_from_wal"):
        workspace.apply("b", EntityPut(entity("m2", "b")))
    workspace.apply("a", EntityPut(entity("n2")))


def reopen_with(workspace: Workspace, store: Store) -> None:
    workspace.close()
    store._closed = False  # type: ignore[attr-defined]
    workspace.open(store)


def test_a_group_whose_first_line_came_just_before_a_crash_is_not_locked_out(workspace: Workspace) -> None:
    workspace.apply("a", EntityPut(entity("n1")))
    store = workspace.graph.state.store
    log = RecordLog(workspace.log, workspace.followed, workspace.space)
    log.append("b", None, [("test", [EntityPut(entity("m1", "b"))])])
    reopen_with(workspace, store)
    assert uuids(workspace) == {"n1", "m1"}
    workspace.apply("b", EntityPut(entity("m2", "b")))


def test_a_group_that_the_store_forgot_is_replayed(workspace: Workspace) -> None:
    workspace.apply("a", EntityPut(entity("n1")))
    workspace.apply("b", EntityPut(entity("m1", "b")))
    live = (workspace.digests(), workspace.rows())
    reopen_with(workspace, MemoryStore())
    assert (workspace.digests(), workspace.rows()) == live


def test_a_followed_group_whose_log_was_replaced_waits(workspace: Workspace) -> None:
    workspace.apply("a", EntityPut(entity("n1")))
    (workspace.directory / "wal" / "a" / ".wal-generation.json").write_text('{"generation": "another"}')
    reopen_with(workspace, MemoryStore())
    assert uuids(workspace) == set()


@pytest.mark.parametrize("lost", ["a line", "everything"])
def test_a_log_that_lost_lines_takes_no_writes_until_somebody_decides(
    workspace: Workspace, caplog: pytest.LogCaptureFixture, lost: str
) -> None:
    for uuid in ("n1", "n2", "n3"):
        workspace.apply("a", EntityPut(entity(uuid)))
    store = workspace.graph.state.store
    path = log_file(workspace)
    whole = path.read_bytes()
    if lost == "everything":
        shutil.rmtree(path.parent)
    else:
        path.write_bytes(whole[:-30])
    reopen_with(workspace, store)
    assert "the log has lost lines" in caplog.text
    assert uuids(workspace) == {"n1", "n2", "n3"}
    with pytest.raises(OperationFailed, match="knowledge_dump_wal") as caught:
        workspace.apply("a", EntityPut(entity("n4")))
    assert caught.value.data["reason"] == "log_lost_lines"
    workspace.apply("b", EntityPut(entity("m1", "b")))
    if lost == "a line":
        path.write_bytes(whole)
        workspace.apply("a", EntityPut(entity("n4")))
        workspace.rebuild()
        assert uuids(workspace) == {"n1", "n2", "n3", "n4", "m1"}


@pytest.mark.parametrize("content", [b"", b"[]", b"not json", b'{"a": 1}'])
def test_a_damaged_list_of_followed_logs_counts_as_empty_and_is_mended(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "streams"
    path.write_bytes(content)
    FollowedStreams(path).add("b", "g1")
    assert path.read_bytes() == b'{"b":"g1"}'


@pytest.mark.parametrize("lost", ["text.db", "vectors.db", "both"])
def test_lost_search_indexes_are_built_anew(workspace: Workspace, lost: str) -> None:
    workspace.apply("a", EntityPut(entity("n1", name="Ada", summary="a pilot")))
    store = workspace.graph.state.store
    workspace.close()
    for name in ("text.db", "vectors.db") if lost == "both" else (lost,):
        for part in workspace.directory.glob(f"{name}*"):
            part.unlink()
    store._closed = False  # type: ignore[attr-defined]
    workspace.open(store)
    assert found(workspace, "pilot") == {"n1"}
    assert near(workspace, "Ada") == {"n1"}
    assert workspace.vectors.missing() == 0


def test_lagging_search_indexes_follow_the_log_to_the_store(workspace: Workspace) -> None:
    workspace.apply("a", EntityPut(entity("n1", name="Ada")), EntityPut(entity("n2", name="Grace")))
    workspace.apply("a", EntityPut(entity("n1", name="Augusta")))
    workspace.apply("a", EntityPut(entity("n3", name="Edsger")))
    store = workspace.graph.state.store
    workspace.derived.text.update([], [(TextKind.ENTITY, "n1"), (TextKind.ENTITY, "n3")], {"a": 1})
    workspace.close()
    store._closed = False  # type: ignore[attr-defined]
    workspace.open(store)
    assert found(workspace, "Augusta") == {"n1"}
    assert found(workspace, "Edsger") == {"n3"}
    assert workspace.text.positions() == {"a": 3}


@pytest.mark.parametrize("removal", [EntityDelete("n1"), GroupClear()])
def test_lagging_search_indexes_forget_what_the_log_removed(
    workspace: Workspace, removal: EntityDelete | GroupClear
) -> None:
    workspace.apply("a", EntityPut(entity("n1", name="Ada")))
    workspace.apply("a", removal)
    store = workspace.graph.state.store
    workspace.derived.text.update([TextEntry(TextKind.ENTITY, "n1", "a", ("Ada", ""))], [], {"a": 1})
    workspace.close()
    store._closed = False  # type: ignore[attr-defined]
    workspace.open(store)
    assert found(workspace, "Ada") == set()


def test_search_entries_of_groups_that_the_store_lacks_go(workspace: Workspace) -> None:
    workspace.apply("a", EntityPut(entity("n1", name="Ada")))
    workspace.close()
    for part in (workspace.directory / "wal" / "a").iterdir():
        part.unlink()
    workspace.open()
    assert found(workspace, "Ada") == set()
    assert workspace.text.positions() == {}


def test_lines_left_out_on_purpose_are_not_replayed(workspace: Workspace) -> None:
    for uuid in ("n1", "n2", "n3"):
        workspace.apply("a", EntityPut(entity(uuid)))
    stream = workspace.log.stream("a")
    workspace.log.save_excluded("a", stream.excluded.leaving_out(2, 2))
    workspace.rebuild()
    assert uuids(workspace) == {"n1", "n3"}
    assert pending(workspace.log.stream("a"), workspace.graph.state.positions.get("a")) == 0
    workspace.apply("a", EntityPut(entity("n4")))


def test_an_edge_that_lost_a_hop_and_a_row_that_changed_are_misfits(workspace: Workspace) -> None:
    workspace.apply("a", EntityPut(entity("n1")), EntityPut(entity("n2")), EdgePut(edge("r1", "n1", "n2")))
    workspace.apply("b", EntityPut(entity("m1", "b")), EdgePut(edge("s1", "m1", "nobody", "b")))
    store = workspace.graph.state.store
    assert isinstance(store, MemoryStore)

    def misfits() -> list[str]:
        return GraphState(store, workspace.derived).load_and_check()

    assert misfits() == []
    store._hops.discard(("r1", "target"))
    assert misfits() == ["a"]
    store._hops.discard(("s1", "source"))
    assert misfits() == ["a", "b"], "also the one hop of an edge whose other end is not there"
    with pytest.raises(StoreError, match="the rows of 'a', 'b' are not those that were written"):
        load_graph(store, workspace.derived, check=True)
    store._hops.update({("r1", "target"), ("s1", "source")})
    assert misfits() == []
    del store._entities["m1"]
    with pytest.raises(StoreError, match="the rows of 'b'"):
        load_graph(store, workspace.derived, check=True)


def test_a_graph_that_was_checked_is_the_one_that_was_not(workspace: Workspace) -> None:
    workspace.apply("a", EntityPut(entity("n1")), EntityPut(entity("n2")), EdgePut(edge("r1", "n1", "n2")))
    workspace.apply("b", EntityPut(entity("m1", "b")), EdgePut(edge("s1", "m1", "nobody", "b")))
    store = workspace.graph.state.store
    checked, plainly = (load_graph(store, workspace.derived, check=check).index for check in (True, False))
    assert checked.digests == plainly.digests
    for table in ("places", "_groups", "_episodes_of", "_entities_of", "_dangling", "_unbound", "_sources", "_stated"):
        assert getattr(checked, table) == getattr(plainly, table)


def test_to_delete_what_another_group_holds_deletes_nothing_however_the_log_is_read(workspace: Workspace) -> None:
    workspace.apply("b", EntityPut(entity("n1", "b")))
    workspace.apply("a", EntityDelete("n1"), EdgeDelete("r1"), EpisodeDelete("e1"))
    assert uuids(workspace) == {"n1"}
    workspace.rebuild()
    assert uuids(workspace) == {"n1"}
    assert workspace.graph.state.failed_records == []
