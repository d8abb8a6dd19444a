"""A failure at any step of any history: the caller is told the truth, and the log brings all back."""

import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lcg.errors import LcgError
from lcg.graph.stage import OperationRefused
from lcg.model.operations import Operation
from lcg.store.kuzu.store import KuzuStore
from lcg.store.protocol import Store
from tests.graph.checks import check_search, state_of
from tests.graph.faulty import (
    BEFORE_LOG,
    UNDOING,
    VIEWS,
    Faults,
    FaultyWorkspace,
    faulty_store,
)
from tests.graph.harness import Workspace
from tests.graph.test_histories import RECORDS
from tests.store.engine_name import ENGINE


def kuzu_store(faults: Faults, directory: Path) -> Store:
    """Make a store on disk, beside what else the workspace has."""
    return faulty_store(KuzuStore, faults, directory / "store.db", ENGINE)


FAULTS = st.tuples(
    st.integers(0, 8),
    st.sampled_from([*BEFORE_LOG, *UNDOING, *VIEWS]),
    st.sampled_from([1, 1, 2, 50]),
    st.integers(0, 2),
)


def play(
    history: list[tuple[str, list[Operation]]],
    fault: tuple[int, str, int, int],
    make: Callable[[Faults, Path], Store] | None = None,
) -> None:
    """Write a history with a failure in it, beside a workspace that never fails and is told only what was answered."""
    number, step, times, after = fault
    with tempfile.TemporaryDirectory() as directory:
        faulty = FaultyWorkspace(Path(directory) / "faulty", make)
        sound = Workspace(Path(directory) / "sound")
        try:
            for position, (group_id, operations) in enumerate(history):
                if position == number:
                    faulty.faults.arm(step, times, after=after)
                _write_to_both(faulty, sound, group_id, operations)
            faulty.faults.disarm()
            faulty.close()
            faulty.open()
            assert state_of(faulty) == state_of(sound)
            check_search(faulty)
            live = state_of(faulty)
            faulty.close()
            (faulty.directory / "store.db").unlink(missing_ok=True)
            faulty.open()
            assert state_of(faulty) == live
            assert faulty.graph.state.failed_records == []
            check_search(faulty)
        finally:
            faulty.faults.disarm()
            faulty.close()
            sound.close()


def _write_to_both(faulty: FaultyWorkspace, sound: Workspace, group_id: str, operations: list[Operation]) -> None:
    try:
        faulty.apply(group_id, *operations)
    except OperationRefused:
        with pytest.raises(OperationRefused):
            sound.apply(group_id, *operations)
        return
    except LcgError as error:
        reason = error.data.get("reason")
        if reason is None:
            assert error.data["kind"] == "io", error
        else:
            # Whether it happened is unknown, or no view can be asked: the next process knows.
            _restart(faulty, sound, group_id, operations, reason)
        assert state_of(faulty) == state_of(sound)
        return
    sound.apply(group_id, *operations)
    assert state_of(faulty) == state_of(sound)


def _restart(
    faulty: FaultyWorkspace, sound: Workspace, group_id: str, operations: list[Operation], reason: object
) -> None:
    faulty.faults.disarm()
    faulty.close()
    faulty.open()
    assert reason in ("log_uncertain", "apply_failed")
    if reason == "apply_failed" or state_of(faulty) != state_of(sound):
        sound.apply(group_id, *operations)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(RECORDS, min_size=1, max_size=9), FAULTS)
def test_a_failure_anywhere_in_any_history_is_told_as_it_is(
    history: list[tuple[str, list[Operation]]], fault: tuple[int, str, int, int]
) -> None:
    play(history, fault)


@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(RECORDS, min_size=2, max_size=6), FAULTS)
def test_so_it_is_on_a_store_on_disk(
    history: list[tuple[str, list[Operation]]], fault: tuple[int, str, int, int]
) -> None:
    play(history, fault, kuzu_store)
