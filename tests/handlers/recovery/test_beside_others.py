"""Recovering while the service runs, starts or does other things, and how that is told."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest

from lcg.errors import LcgError, OperationFailed, Unavailable
from lcg.generated.errors import ErrorKind
from lcg.graph.graph import Graph
from lcg.graph.state import GraphState
from lcg.services.clearing import Clearing
from lcg.store.files import StoreFiles
from lcg.store.protocol import StoreError
from tests.handlers.recovery.workspace import (
    ENGINE_LOG,
    LINES,
    NAMES,
    STORE,
    STRATEGIES,
    Own,
    assert_whole,
    block,
    service_over,
    spoil,
)


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
            lambda state: state.store._store._writer.command("MATCH (e:Entity {name: 'late 1'}) SET e.summary = 'x'")
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
            lambda state: state.store._store._writer.command("MATCH (e:Entity {name: 'late 1'}) SET e.summary = 'x'")
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
