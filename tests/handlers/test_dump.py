"""Dumps: everything is in them, they can be rebuilt from, they show one moment, and failures leave nothing behind."""

import json
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lcg.errors import InvalidParams, OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.graph.planning import Planned
from lcg.model.operations import EdgePut, EntityPut, EpisodePut, MentionPut, Operation
from lcg.model.rows import Edge, Entity, Episode, Mention
from lcg.runtime.call import Call
from lcg.server.app import LcgService
from lcg.services import dump as dump_service
from lcg.wal import dump as log_dump
from lcg.wal.log import Log
from lcg.wal.writer import GroupLog
from tests.workspaces import running_service

NOON = 1_772_452_800_000_000


@pytest.fixture
def service(tmp_path: Path) -> Iterator[LcgService]:
    with running_service(tmp_path / "live") as running:
        yield running


def ask(service: LcgService, method: str, call: Call | None = None, **params: Any) -> dict[str, Any]:
    return service.call(f"knowledge_{method}", params, call or Call(f"knowledge_{method}"))


def write(service: LcgService, group: str, operations: list[Operation]) -> None:
    ask(service, "list_entities")  # Waits until the service has started.
    core = service._situation.core
    assert core is not None
    core.graph.write(group, "test", lambda view: Planned(operations, None))


def digests(service: LcgService) -> dict[str, str]:
    ask(service, "list_entities")
    found = ask(service, "status")["wal_groups"]
    return {group: facts["digest"] for group, facts in found.items() if int(facts["digest"], 16)}


def rebuilt(target: Path, root: Path) -> dict[str, str]:
    """Rebuild every group of a dump in a fresh workspace and return the digests."""
    with running_service(root) as fresh:
        ask(fresh, "list_entities")
        shutil.copytree(target, root / "wal", dirs_exist_ok=True)
        for group in Log(target).groups():
            result = ask(fresh, "rebuild_from_wal", group_id=group)
            assert (result["lines_skipped"], result["excluded"]) == (0, [])
        return digests(fresh)


def fill(service: LcgService) -> None:
    """Write a bit of everything into two groups."""
    for group in ("a", "b b"):
        for revision in ("Mira sailed to Port Vell.", "Mira left Port Vell for Tern."):
            ask(service, "process_chunk", chunk_text=revision, chunk_id="c", source_file="f", group_id=group)
        for name in ("Mira", "Tern", "Gull"):
            ask(service, "assert_entity", name=name, group_id=group, summary="s", attributes={"k": group})
        ask(service, "assert_relationship", source_name="Mira", predicate="OWNS", target_name="Tern", group_id=group)
    uuid = ask(service, "find_entities", query="Gull", group_ids=["b b"])["nodes"][0]["uuid"]
    pointers = {"src": None, "dst": {"source_group_id": "b b", "bound_at_seq": 3, "bound_generation": "g"}}
    write(
        service,
        "a",
        [
            EntityPut(Entity("dead", "a", "Old", ("Entity", "Merged"), NOON, attributes='{"merged_into":"x"}')),
            EdgePut(Edge("unbound", "a", "P", "dead", "", "fact", NOON, invalid_at=NOON)),
            EdgePut(
                Edge(
                    "across",
                    "a",
                    "P",
                    "dead",
                    uuid,
                    "f",
                    NOON,
                    attributes=json.dumps({"cross_group_pointers": pointers}),
                )
            ),
        ],
    )


def test_a_dump_is_complete_and_rebuilds_to_the_same_digests(service: LcgService, tmp_path: Path) -> None:
    fill(service)
    ask(service, "wal_mark_create", name="m", group_id="a")
    target = tmp_path / "out" / "dump"
    status = ask(service, "status")
    result = ask(service, "dump_wal", target_dir=str(target))
    assert (result["success"], result["target_dir"], result["includes_unlogged"]) == (True, str(target), False)
    assert "warnings" not in result
    rows = ("entity_count", "tombstone_count", "relationship_count", "unbound_relationship_count", "episode_count")
    assert result["nodes_dumped"] == sum(status[key] for key in rows)
    live = {group["group_id"]: group for group in result["groups"]}
    assert list(live) == ["a", "b b"]
    for group, found in live.items():
        stream = Log(target).stream(group)
        assert (stream.max_seq, stream.first_seq, stream.generation) == (found["max_seq"], 1, found["generation"])
        assert stream.generation != status["wal_groups"][group]["generation"]
    assert result["files_written"] == len(list(target.rglob("*.jsonl"))) == 2
    kept = [path.name for path in target.rglob("*") if path.is_file() and path.suffix != ".jsonl"]
    assert kept == [".wal-generation.json"] * 2
    assert rebuilt(target, tmp_path / "fresh") == digests(service)


def test_links_are_counted_where_they_are(service: LcgService, tmp_path: Path) -> None:
    operations: list[Operation] = [EntityPut(Entity(f"n{i}", "a", f"n{i}", ("Entity",), NOON)) for i in range(3)]
    operations += [
        EpisodePut(Episode("p", "a", "p", NOON, "text", "f", "words")),
        MentionPut(Mention("a", "p", "n0")),
        MentionPut(Mention("a", "p", "n1")),
        EdgePut(Edge("e0", "a", "P", "n0", "n1", "f", NOON)),
        EdgePut(Edge("e1", "a", "P", "n0", "nowhere", "f", NOON)),
        EdgePut(Edge("e2", "a", "P", "", "", "f", NOON)),
        EdgePut(Edge("e3", "a", "P", "n2", "n2", "f", NOON)),
    ]
    write(service, "a", operations)
    write(service, "b", [EdgePut(Edge("e4", "b", "P", "n0", "n1", "f", NOON))])
    result = ask(service, "dump_wal", target_dir=str(tmp_path / "all"))
    assert (result["nodes_dumped"], result["edges_dumped"]) == (9, 2 + 2 + 1 + 2 + 2)
    result = ask(service, "dump_wal", target_dir=str(tmp_path / "one"), group_id="b")
    assert (result["nodes_dumped"], result["edges_dumped"], len(result["groups"])) == (1, 2, 1)


def test_positions_of_pointers_stay_at_home(service: LcgService, tmp_path: Path) -> None:
    fill(service)
    ask(service, "dump_wal", target_dir=str(tmp_path / "dump"), group_id="a")
    text = next((tmp_path / "dump" / "a").glob("*.jsonl")).read_text(encoding="utf-8")
    assert "cross_group_pointers" in text
    assert "bound_at_seq" not in text
    assert "bound_generation" not in text


def test_records_are_bounded_in_rows_and_bytes(
    service: LcgService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows: list[Operation] = [
        EntityPut(Entity(f"n{i:02}", "a", f"n{i}", ("Entity",), NOON, summary="x" * (5_000 if i >= 20 else 1)))
        for i in range(23)
    ]
    write(service, "a", rows)
    monkeypatch.setattr(log_dump, "RECORD_OPERATIONS", 8)
    monkeypatch.setattr(log_dump, "RECORD_BYTES", 4_000)
    result = ask(service, "dump_wal", target_dir=str(tmp_path / "dump"))
    path = next((tmp_path / "dump" / "a").glob("*.jsonl"))
    sizes = [len(orjson.loads(line)["ops"]) for line in path.read_bytes().splitlines()]
    assert sizes == [8, 8, 4, 1, 1, 1]
    assert result["groups"][0]["max_seq"] == 6
    assert rebuilt(tmp_path / "dump", tmp_path / "fresh") == digests(service)


def test_a_dump_shows_one_moment_while_writers_go_on(
    service: LcgService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(service)
    before = digests(service)
    put = log_dump.LogDump.put
    written = threading.Event()

    def and_write(self: log_dump.LogDump, operation: log_dump.Put) -> None:
        if not written.is_set():
            written.set()
            for group in ("a", "b b", "new"):
                ask(
                    service, "process_chunk", chunk_text="Anna met Mira.", chunk_id="c", source_file="f", group_id=group
                )
                ask(service, "assert_entity", name="Mira", summary="changed", group_id=group)
        put(self, operation)

    monkeypatch.setattr(log_dump.LogDump, "put", and_write)
    result = ask(service, "dump_wal", target_dir=str(tmp_path / "dump"))
    assert [group["group_id"] for group in result["groups"]] == ["a", "b b"]
    assert digests(service).keys() == {"a", "b b", "new"}
    assert rebuilt(tmp_path / "dump", tmp_path / "fresh") == before != digests(service)


def test_what_cypher_changed_is_in_it_and_said(service: LcgService, tmp_path: Path) -> None:
    ask(service, "assert_entity", name="Mira", group_id="a")
    ask(service, "query_cypher", query="MATCH (n:Entity) SET n.summary = 'by hand'")
    result = ask(service, "dump_wal", target_dir=str(tmp_path / "dump"))
    assert (result["includes_unlogged"], [w["type"] for w in result["warnings"]]) == (True, ["unlogged_mutations"])
    assert ask(service, "status")["wal"]["unlogged_mutations"] == 1
    assert rebuilt(tmp_path / "dump", tmp_path / "fresh") == digests(service)


def test_nothing_to_dump_gives_zeros(service: LcgService, tmp_path: Path) -> None:
    expected = {"nodes_dumped": 0, "edges_dumped": 0, "files_written": 0, "groups": []}
    for group in (None, "nowhere"):
        target = tmp_path / "dump"
        result = ask(service, "dump_wal", target_dir=str(target), group_id=group)
        assert {key: result[key] for key in expected} == expected
        assert list(target.iterdir()) == []
        target.rmdir()


def test_by_default_a_dump_lies_beside_the_stores_directory(service: LcgService, tmp_path: Path) -> None:
    ask(service, "assert_entity", name="Mira")
    assert ask(service, "dump_wal")["target_dir"] == str(tmp_path / "live" / "wal-compacted")
    with pytest.raises(OperationFailed, match="already exists") as caught:
        ask(service, "dump_wal")
    assert caught.value.kind is ErrorKind.CONFLICT


def test_a_relative_target_is_relative_to_the_workspace(
    service: LcgService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    assert ask(service, "dump_wal", target_dir="x/../empty")["target_dir"] == str(tmp_path / "empty")


def test_a_target_that_holds_something_is_left_alone(service: LcgService, tmp_path: Path) -> None:
    ask(service, "assert_entity", name="Mira")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").write_text("mine")
    (tmp_path / "broken").symlink_to("nowhere")
    for target in ("full", "full/mine", "broken"):
        with pytest.raises(OperationFailed, match="already exists") as caught:
            ask(service, "dump_wal", target_dir=str(tmp_path / target))
        assert caught.value.kind is ErrorKind.CONFLICT
        assert str(tmp_path / target) in caught.value.message
    assert (tmp_path / "full" / "mine").read_text() == "mine"


def test_the_live_logs_are_no_target(service: LcgService, tmp_path: Path) -> None:
    ask(service, "assert_entity", name="Mira")
    root = tmp_path / "live" / "wal"
    (tmp_path / "link").symlink_to(root)
    for target in (root, root / "x", root / "liminis" / "y" / "z", tmp_path / "link" / "x", root / ".." / "wal" / "q"):
        with pytest.raises(OperationFailed, match="live logs") as caught:
            ask(service, "dump_wal", target_dir=str(target))
        assert caught.value.kind is ErrorKind.PRECONDITION
        assert str(root) in caught.value.message
    assert [path.name for path in root.iterdir()] == ["liminis"]


@pytest.mark.parametrize("exists", [False, True])
@pytest.mark.parametrize("step", ["append", "finish", "rename", "digest", "cancel"])
def test_a_failure_leaves_nothing_behind(
    service: LcgService, tmp_path: Path, exists: bool, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(service)
    target = tmp_path / "out" / "dump"
    call = Call("knowledge_dump_wal")
    kind = ErrorKind.IO
    if exists:
        target.mkdir(parents=True)

    def refuse(*_: Any) -> Any:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        if step == "append":
            patch.setattr(GroupLog, "_make_file", refuse)
        elif step == "finish":
            patch.setattr(log_dump.LogDump, "finish", refuse)
        elif step == "rename":
            rename, left = Path.rename, [1]

            def refuse_second(self: Path, to: Path) -> Path:
                left[0] -= 1
                return rename(self, to) if left[0] >= 0 else refuse()

            patch.setattr(Path, "rename", refuse_second)
        elif step == "digest":
            patch.setattr(dump_service, "moved", lambda *_: 1)
        else:
            call.cancelled.set()
            kind = ErrorKind.CANCELLED
        with pytest.raises(OperationFailed) as caught:
            ask(service, "dump_wal", call, target_dir=str(target))
    assert caught.value.kind is kind
    assert (tmp_path / "out").exists() is exists
    assert not exists or list(target.iterdir()) == []
    assert len(ask(service, "dump_wal", target_dir=str(target))["groups"]) == 2


def test_what_a_crash_leaves_is_no_log_and_is_told_apart(service: LcgService, tmp_path: Path) -> None:
    ask(service, "assert_entity", name="Mira")
    (tmp_path / "dump" / ".unfinished" / "a").mkdir(parents=True)
    assert Log(tmp_path / "dump").groups() == []
    with pytest.raises(OperationFailed, match="cut short"):
        ask(service, "dump_wal", target_dir=str(tmp_path / "dump"))


def test_paths_that_cannot_be_are_told_as_such(service: LcgService) -> None:
    with pytest.raises(InvalidParams, match="target_dir"):
        ask(service, "dump_wal", target_dir="a\0b")
    with pytest.raises(OperationFailed, match="too long") as caught:
        ask(service, "dump_wal", target_dir="x" * 300)
    assert caught.value.kind is ErrorKind.IO


texts = st.text(max_size=8)
numbers = st.integers(0, 5)


@st.composite
def histories(draw: st.DrawFn) -> list[Operation]:
    """Make writes of one group; later ones overwrite rows of earlier ones."""
    operations: list[Operation] = []
    for _ in range(draw(st.integers(1, 12))):
        number, text = draw(numbers), draw(texts)
        labels = draw(st.sampled_from([("Entity",), ("Entity", "Merged"), ("Entity", "Person")]))
        source, target = (draw(st.sampled_from(["", "n0", "n1", "n5", "elsewhere"])) for _ in range(2))
        when = draw(st.none() | st.just(NOON))
        operations.append(
            EntityPut(Entity(f"n{number}", "g", text, labels, NOON, text, name_embedded=draw(st.none() | texts)))
        )
        operations.append(
            EdgePut(Edge(f"e{number}", "g", text, source, target, text, NOON, when, when, episodes=("p0",)))
        )
        operations.append(
            EpisodePut(Episode(f"p{number}", "g", text, NOON, "text", text, text, when, "f", "c", number, text))
        )
        operations.append(MentionPut(Mention("g", f"p{number}", f"n{number}")))
    return operations


@given(histories())
@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_graph_survives_a_dump_and_a_rebuild(
    tmp_path_factory: pytest.TempPathFactory, operations: list[Operation]
) -> None:
    root = tmp_path_factory.mktemp("any")
    with running_service(root / "live") as live:
        write(live, "g", operations)
        ask(live, "dump_wal", target_dir=str(root / "dump"))
        assert rebuilt(root / "dump", root / "fresh") == digests(live)
