"""Folding a log and staging it record by record leave the same rows, and refuse the same records."""

import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lcg.graph.fold import Fold
from lcg.graph.stage import OperationRefused
from lcg.model.operations import Operation
from lcg.wal.operations import plain_operation
from tests.graph.harness import Workspace
from tests.graph.test_histories import operations_of


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.lists(operations_of("a"), min_size=1, max_size=5), max_size=14))
def test_a_folded_log_is_what_its_records_leave(history: list[list[Operation]]) -> None:
    with tempfile.TemporaryDirectory() as directory:
        workspace = Workspace(Path(directory))
        fold = Fold("a", lambda uuid: False)
        try:
            for operations in history:
                live = partial(workspace.apply, "a", *operations)
                assert _taken(partial(fold.take_in, map(plain_operation, operations))) == _taken(live)
            entities, edges, episodes, mentions = workspace.rows()
            assert sorted(fold.entities.values(), key=lambda row: row.uuid) == entities
            assert sorted(fold.edges.values(), key=lambda row: row.uuid) == edges
            assert sorted(fold.episodes.values(), key=lambda row: row.uuid) == episodes
            assert sorted(fold.mention_rows(), key=lambda row: (row.episode_uuid, row.entity_uuid)) == mentions
            assert fold.rows == len(entities) + len(edges) + len(episodes) + len(mentions)
        finally:
            workspace.close()


def _taken(change: Callable[[], None]) -> bool:
    try:
        change()
    except OperationRefused:
        return False
    return True
