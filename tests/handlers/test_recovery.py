"""Bringing the store back: each strategy on a healthy and on a degraded service, refusals, and attempts that fail."""

import os
import random
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import orjson
import pytest

from lcg.errors import LcgError, OperationFailed, Unavailable
from lcg.generated.errors import ErrorKind
from lcg.graph import committer
from lcg.graph.graph import Graph
from lcg.graph.state import GraphState
from lcg.runtime.call import Call
from lcg.server.app import LcgService
from lcg.services.clearing import Clearing
from lcg.store.files import StoreFiles
from lcg.store.protocol import StoreError
from tests.workspaces import workspace_settings

TAIL = 3
"""Log lines behind the sample's checkpoint: two of group a, one of group b."""
LINES = 7
STORE = Path("db/liminis.db")
ENGINE_LOG = Path("db/liminis.db.wal")
BACKUP = Path("db/liminis.db.pre-upgrade-backup")


class Own:
    """A service over a workspace of its own; `ended` says whether it wanted the process to end."""

    def __init__(self, root: Path, **changes: Any) -> None:
        self.root = root
        self.ended = False
        self.service = LcgService(workspace_settings(root, **changes), self._end)

    def _end(self) -> None:
        self.ended = True

    def start(self) -> "Own":
        self.service.start()
        while self.ask("health_check")["state"] == "starting":
            time.sleep(0.01)
        return self

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        name = method if method == "health_check" else f"knowledge_{method}"
        return self.service.call(name, params, Call(name))

    def recover(self, strategy: str) -> dict[str, Any]:
        return self.ask("recover", strategy=strategy)

    def digests(self) -> dict[str, str]:
        return {group: facts["digest"] for group, facts in self.ask("status")["wal_groups"].items()}

    def names(self, group: str = "a") -> list[str]:
        return sorted(node["name"] for node in self.ask("list_entities", group_ids=[group])["nodes"])

    def found(self, query: str) -> list[str]:
        return [node["name"] for node in self.ask("find_entities", query=query)["nodes"]]

    @property
    def graph(self) -> Any:
        core = self.service._situation.core
        assert core is not None
        return core.graph


@contextmanager
def service_over(root: Path, **changes: Any) -> Iterator[Own]:
    own = Own(root, **changes).start()
    try:
        yield own
    finally:
        own.service.close()


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """A workspace as a kill leaves it: a checkpoint, a backup from then, and writes since; with its digests."""
    root, copy = tmp_path_factory.mktemp("sample"), tmp_path_factory.mktemp("copy") / "w"
    with pytest.MonkeyPatch.context() as patch, service_over(root) as own:
        patch.setattr(committer, "_IDLE_SECONDS", 1_000.0)
        for number in range(3):
            own.ask("assert_entity", name=f"early {number}", group_id="a")
        own.ask("add_episode", name="e", episode_body="Ada wrote it.", source_description="s", group_id="a")
        own.ask("prepare_checkpoint")
        own.graph.run(lambda _: shutil.copyfile(root / STORE, root / BACKUP))
        own.ask("assert_entity", name="late 1", group_id="a")
        own.ask("assert_entity", name="late 2", group_id="a")
        own.ask("assert_entity", name="other", group_id="b")
        digests = own.digests()
        own.graph.run(lambda _: shutil.copytree(root, copy))
    assert (copy / ENGINE_LOG).stat().st_size > 0
    return copy, digests


@pytest.fixture
def root(sample: tuple[Path, dict[str, str]], tmp_path: Path) -> Path:
    return Path(shutil.copytree(sample[0], tmp_path / "w"))


@pytest.fixture
def digests(sample: tuple[Path, dict[str, str]]) -> dict[str, str]:
    return sample[1]


NAMES = ["Ada", "early 0", "early 1", "early 2", "late 1", "late 2"]


def spoil(path: Path) -> bytes:
    """Fill a file with rubbish and return that."""
    rubbish = random.Random(7).randbytes(path.stat().st_size)
    path.write_bytes(rubbish)
    return rubbish


def block(path: Path) -> None:
    """Put something in a file's place that nobody can open as a file. Rubbish the engine may pass over in silence."""
    path.unlink()
    path.mkdir()
    (path / "in the way").touch()


@contextmanager
def degraded_over(root: Path, **changes: Any) -> Iterator[Own]:
    """Start a service whose logs are not there, so that it cannot help itself, and put them back then."""
    (root / "wal").rename(root / "away")
    with service_over(root, **changes) as own:
        assert own.ask("health_check")["state"] == "degraded"
        (root / "away").rename(root / "wal")
        yield own


def assert_whole(own: Own, digests: dict[str, str]) -> None:
    assert own.ask("health_check")["ok"]
    assert own.digests() == digests
    assert own.names() == NAMES
    assert own.found("late 2")[0] == "late 2"
    assert own.ask("search_passages", query="Ada")["passages"]
    own.ask("assert_entity", name="after", group_id="a")
    assert own.found("after")[0] == "after"


STRATEGIES = ["drop_lbug_wal", "rebuild_from_workspace_wal", "restore_from_backup"]


@pytest.mark.parametrize(("strategy", "lines"), [*zip(STRATEGIES, [0, LINES, TAIL], strict=True)])
def test_each_strategy_leaves_a_healthy_store_whole(
    root: Path, digests: dict[str, str], strategy: str, lines: int
) -> None:
    with service_over(root) as own:
        done = own.recover(strategy)
        assert done["success"]
        assert (done["mutations_replayed"], done["groups_replayed"]) == (lines, 2)
        assert "warnings" not in done
        assert all((root / "db" / name).exists() for name in done["set_aside"])
        assert_whole(own, digests)


def test_an_engine_log_that_cannot_be_opened_is_dropped_and_the_tail_replayed(
    root: Path, digests: dict[str, str]
) -> None:
    block(root / ENGINE_LOG)
    with degraded_over(root) as own:
        status = own.ask("status")
        assert (status["degraded"], status["recovery_available"]) == (True, STRATEGIES)
        with pytest.raises(Unavailable) as refused:
            own.names()
        assert refused.value.data["recovery_available"] == STRATEGIES
        done = own.recover("drop_lbug_wal")
        assert (done["success"], done["mutations_replayed"], done["groups_replayed"]) == (True, TAIL, 2)
        (aside,) = done["set_aside"]
        assert (root / "db" / aside / "in the way").exists()
        assert_whole(own, digests)


def test_a_ruined_store_is_rebuilt_whatever_the_settings_say_of_starts(root: Path, digests: dict[str, str]) -> None:
    ruin = spoil(root / STORE)
    with degraded_over(root, auto_hydrate=False) as own:
        done = own.recover("rebuild_from_workspace_wal")
        assert (done["success"], done["mutations_replayed"], done["groups_replayed"]) == (True, LINES, 2)
        kept = [(root / "db" / name).read_bytes() for name in done["set_aside"]]
        assert ruin in kept
        assert_whole(own, digests)


def test_a_ruined_store_is_replaced_by_the_newest_backup(root: Path, digests: dict[str, str]) -> None:
    spoil(root / STORE)
    (root / "db" / "liminis.db.pre-old-backup").write_bytes(b"older")

    os.utime(root / "db" / "liminis.db.pre-old-backup", (1, 1))
    with degraded_over(root) as own:
        done = own.recover("restore_from_backup")
        assert (done["success"], done["mutations_replayed"], done["groups_replayed"]) == (True, TAIL, 2)
        assert (root / BACKUP).exists()
        assert_whole(own, digests)


def test_a_failed_attempt_says_why_and_leaves_the_other_ways_open(root: Path, digests: dict[str, str]) -> None:
    spoil(root / STORE)
    spoil(root / BACKUP)
    with degraded_over(root) as own:
        for strategy in ("restore_from_backup", "drop_lbug_wal"):
            failed = own.recover(strategy)
            assert (failed["success"], failed["restart_required"], failed["kind"]) == (False, False, "unavailable")
            assert strategy in failed["error"] or "backup" in failed["error"]
            assert own.ask("health_check")["reason"] == "store_unreadable"
        assert own.recover("rebuild_from_workspace_wal")["success"]
        assert_whole(own, digests)


def test_a_bad_backup_does_no_harm_to_a_healthy_store(root: Path, digests: dict[str, str]) -> None:
    spoil(root / BACKUP)
    with service_over(root) as own:
        assert own.recover("restore_from_backup")["success"] is False
        assert not list((root / "db").glob("*.corrupt-*"))
        assert_whole(own, digests)


def test_without_log_and_backup_a_rebuild_begins_with_an_empty_store(root: Path) -> None:
    ruin = spoil(root / STORE)
    (root / BACKUP).unlink()
    shutil.rmtree(root / "wal")
    with service_over(root) as own:
        assert own.ask("status")["recovery_available"] == STRATEGIES[:2]
        with pytest.raises(OperationFailed, match=r"pre-\*-backup") as refused:
            own.recover("restore_from_backup")
        assert refused.value.kind is ErrorKind.NOT_FOUND
        with pytest.raises(OperationFailed, match="LCG_WAL_DIR") as refused:
            own.ask("recover_full")
        assert refused.value.kind is ErrorKind.NOT_FOUND
        done = own.recover("rebuild_from_workspace_wal")
        assert (done["success"], done["mutations_replayed"], done["groups_replayed"]) == (True, 0, 0)
        assert ruin in [(root / "db" / name).read_bytes() for name in done["set_aside"]]
        assert own.names() == []


def test_dropping_needs_a_store(root: Path) -> None:
    shutil.rmtree(root / "db")
    with service_over(root) as own:
        (root / STORE).unlink()
        with pytest.raises(OperationFailed, match=str(STORE)) as refused:
            own.recover("drop_lbug_wal")
        assert refused.value.kind is ErrorKind.NOT_FOUND
        assert own.names() == NAMES


def test_what_was_left_out_stays_out_and_purges_are_applied(root: Path) -> None:
    with service_over(root) as own:
        own.ask("rebuild_from_wal", group_id="a", to_seq=4, force_clear=True)
        own.ask("delete_by_group", group_ids=["b"], confirm=True)
        own.ask("assert_entity", name="newer", group_id="a")
        for strategy in ("rebuild_from_workspace_wal", "drop_lbug_wal"):
            assert own.recover(strategy)["success"]
            assert own.names() == ["Ada", "early 0", "early 1", "early 2", "newer"]
            assert own.names("b") == []
            assert not {"late 1", "late 2", "other"} & {*own.found("late"), *own.found("other")}


def test_what_cypher_changed_is_warned_of(root: Path) -> None:
    with service_over(root) as own:
        own.ask("query_cypher", query="MATCH (e:Entity {name: 'late 1'}) SET e.summary = 'x'")
        done = own.recover("rebuild_from_workspace_wal")
        assert [warning["type"] for warning in done["warnings"]] == ["unlogged_mutations"]


def test_full_recovery_leaves_a_healthy_store_alone(root: Path) -> None:
    with service_over(root) as own:
        assert own.ask("recover_full") == {
            "success": True,
            "recovery_needed": False,
            "episodes_before": 1,
            "episodes_after": 1,
            "mutations_replayed": 0,
            "indexes_rebuilt": False,
        }
        assert not list((root / "db").glob("*.corrupt-*"))


@pytest.mark.parametrize(("ruined", "harm", "lines"), [(ENGINE_LOG, block, TAIL), (STORE, spoil, LINES)])
def test_full_recovery_drops_the_engine_log_or_rebuilds(
    root: Path, digests: dict[str, str], ruined: Path, harm: Callable[[Path], object], lines: int
) -> None:
    harm(root / ruined)
    with degraded_over(root) as own:
        assert own.ask("recover_full") == {
            "success": True,
            "recovery_needed": True,
            "episodes_before": 0,
            "episodes_after": 1,
            "mutations_replayed": lines,
            "indexes_rebuilt": True,
        }
        assert_whole(own, digests)


def break_graph(own: Own) -> None:
    """Leave the service with a graph that failed and could not be opened again."""

    def fail(state: GraphState) -> GraphState:
        state.close()
        raise StoreError("the engine gave up")

    with pytest.raises(StoreError):
        own.graph.swap("apply_failed", fail)


def test_a_graph_that_failed_while_the_service_ran_is_recovered(root: Path, digests: dict[str, str]) -> None:
    with service_over(root) as own:
        break_graph(own)
        assert own.ask("health_check")["reason"] == "apply_failed"
        with pytest.raises(Unavailable):
            own.ask("clear_all", confirm=True)
        done = own.ask("recover_full")
        assert (done["episodes_before"], done["episodes_after"], done["recovery_needed"]) == (1, 1, True)
        assert_whole(own, digests)


def test_a_store_whose_rows_are_not_those_that_were_written_is_not_taken(root: Path, digests: dict[str, str]) -> None:
    with service_over(root) as own:
        own.ask("query_cypher", query="MATCH (e:Entity {name: 'late 2'}) SET e.summary = 'y'")
        own.graph.run(
            lambda state: state.store._writer.command("MATCH (e:Entity {name: 'late 1'}) SET e.summary = 'x'")
        )
        assert own.recover("drop_lbug_wal")["success"] is False
        done = own.ask("recover_full")
        assert (done["success"], done["mutations_replayed"]) == (True, LINES)
        assert_whole(own, digests)


@pytest.mark.parametrize("method", ["recover", "recover_full"])
def test_a_file_that_cannot_be_set_aside_ends_the_process(
    root: Path, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    def refuse(files: StoreFiles) -> list[str]:
        raise OSError(13, "Permission denied", str(files.store))

    with service_over(root) as own:
        break_graph(own)
        monkeypatch.setattr(StoreFiles, "set_engine_log_aside", refuse)
        params = {"strategy": "drop_lbug_wal"} if method == "recover" else {}
        done = own.ask(method, **params)
        assert (done["success"], done["kind"], own.ended) == (False, "io", True)
        assert "Permission denied" in done["error"]
        assert done.get("restart_required", True)
        assert own.ask("health_check")["state"] == "degraded"


def test_a_service_that_starts_recovers_by_itself(root: Path) -> None:
    own = Own(root)
    for method, params in (("recover", {"strategy": "drop_lbug_wal"}), ("recover_full", {})):
        with pytest.raises(OperationFailed, match="starting") as refused:
            own.ask(method, **params)
        assert refused.value.kind is ErrorKind.BUSY
    own.start().service.close()


def test_recoveries_rebuilds_and_clears_do_not_run_side_by_side(root: Path) -> None:
    with service_over(root) as own:
        core = own.service._situation.core
        assert core is not None
        calls: list[tuple[str, dict[str, Any]]] = [
            ("recover", {"strategy": "drop_lbug_wal"}),
            ("recover_full", {}),
            ("clear_all", {"confirm": True}),
        ]
        job = core.rebuilder.jobs.begin("a")
        assert job is not None
        for method, params in calls:
            with pytest.raises(OperationFailed, match=job.id) as busy:
                own.ask(method, **params)
            assert (busy.value.kind, busy.value.data["job_id"]) == (ErrorKind.BUSY, job.id)
        core.rebuilder.jobs.end(job)
        with core.rebuilder.jobs.shut("A recovery"):
            for method, params in (*calls, ("rebuild_from_wal", {"group_id": "a", "force_clear": True})):
                with pytest.raises(OperationFailed, match="A recovery is running"):
                    own.ask(method, **params)
        assert own.names() == NAMES


def test_a_clear_that_was_interrupted_is_finished_by_a_recovery(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with service_over(root) as own:
        with monkeypatch.context() as patch:
            patch.setattr(Clearing, "remove_files", refuse)
            with pytest.raises(LcgError, match="could not be cleared"):
                own.ask("clear_all", confirm=True)
        assert own.ask("health_check")["state"] == "degraded"
        done = own.recover("rebuild_from_workspace_wal")
        assert (done["success"], done["groups_replayed"], own.names()) == (True, 0, [])
        assert not StoreFiles(root / STORE).clear_note.exists()


def test_nothing_that_was_set_aside_is_overwritten(tmp_path: Path) -> None:
    files = StoreFiles(tmp_path / "liminis.db")
    names = []
    for number in range(3):
        files.store.write_bytes(bytes([number]))
        names += files.set_store_aside()
    assert len(set(names)) == 3
    assert [(tmp_path / name).read_bytes() for name in sorted(names)] == [b"\0", b"\1", b"\2"]


def phases(said: str) -> list[str]:
    events = [orjson.loads(line) for line in said.splitlines() if line.startswith('{"type":"wal_auto_recovery"')]
    assert all(event["elapsed_ms"] >= 0 for event in events)
    return [event["phase"] for event in events]


@pytest.mark.parametrize(
    ("ruined", "harm", "middle"),
    [
        (ENGINE_LOG, block, ["checkpoint_drop_complete"]),
        (STORE, spoil, ["fallback_triggered"]),
        (STORE, Path.unlink, []),
    ],
)
def test_a_start_tells_how_it_mends_the_store(
    root: Path,
    digests: dict[str, str],
    capsys: pytest.CaptureFixture[str],
    ruined: Path,
    harm: Callable[[Path], object],
    middle: list[str],
) -> None:
    harm(root / ruined)
    with service_over(root) as own:
        assert_whole(own, digests)
    end = ["replay_complete", "index_build_complete", "recovery_complete"]
    told = phases(capsys.readouterr().err)
    assert [phase for phase in told if phase != "cursor_derived"] == ["corruption_detected", *middle, *end]
    cursors = told.count("cursor_derived")
    assert cursors > 0
    assert told[-len(end) - cursors : -len(end)] == ["cursor_derived"] * cursors
    with service_over(root):
        pass
    assert phases(capsys.readouterr().err) == []


def test_full_recovery_remembers_what_cypher_changed_over_both_attempts(root: Path) -> None:
    with service_over(root) as own:
        own.ask("query_cypher", query="MATCH (e:Entity {name: 'late 2'}) SET e.summary = 'y'")
        own.graph.failure = Unavailable("apply_failed", [])
        own.graph.run(
            lambda state: state.store._writer.command("MATCH (e:Entity {name: 'late 1'}) SET e.summary = 'x'")
        )
        done = own.ask("recover_full")
        assert (done["success"], done["mutations_replayed"]) == (True, LINES)
        assert [warning["type"] for warning in done["warnings"]] == ["unlogged_mutations"]


def test_a_migration_that_failed_is_what_a_recovery_tries_again(
    root: Path, digests: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(settings: object) -> None:
        raise Unavailable("migration_failed", [])

    with monkeypatch.context() as patch:
        patch.setattr("lcg.server.app.migrate_before_open", fail)
        own = Own(root).start()
        assert own.ask("health_check")["reason"] == "migration_failed"
        assert own.recover("rebuild_from_workspace_wal")["success"] is False
        assert own.ask("health_check")["reason"] == "migration_failed"
    assert own.recover("rebuild_from_workspace_wal")["set_aside"] == []
    assert_whole(own, digests)
    own.service.close()


def test_status_and_health_describe_a_recovery_that_begins_while_they_look(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with service_over(root) as own:

        def begun(graph: Graph) -> GraphState:
            raise Unavailable("recovering", [])

        monkeypatch.setattr(Graph, "state", property(begun))
        health = own.ask("health_check")
        assert (health["state"], health["reason"]) == ("degraded", "recovering")
        status = own.ask("status")
        assert (status["degraded"], status["reason"], status["connected"]) == (True, "recovering", False)
        assert status["recovery_available"] == STRATEGIES
        monkeypatch.undo()
