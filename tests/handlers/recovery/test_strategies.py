"""Bringing the store back: each strategy on a healthy and on a degraded service, refusals, and attempts that fail."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from lcg.errors import OperationFailed, Unavailable
from lcg.generated.errors import ErrorKind
from tests.handlers.recovery.workspace import (
    BACKUP,
    ENGINE_LOG,
    LINES,
    NAMES,
    STORE,
    STRATEGIES,
    TAIL,
    assert_whole,
    block,
    degraded_over,
    service_over,
    spoil,
)


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
