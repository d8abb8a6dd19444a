"""A group loaded in bulk is the group that was written, also for other groups whose edges end in it."""

import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lcg.graph.fold import Fold
from lcg.graph.loading import index_steps, load_group
from lcg.model.operations import Operation
from lcg.store.protocol import Position
from lcg.wal.operations import plain_operation
from tests.graph.harness import Workspace
from tests.graph.test_histories import RECORDS, search_answers, summary_of, write_all


def reload_group(workspace: Workspace, group_id: str) -> None:
    """Fold a group's log and put it in place of what the graph has."""
    fold = Fold(group_id, lambda uuid: workspace.graph.index.places.get(uuid, ("", group_id))[1] != group_id)
    for line in workspace.log.read(group_id):
        assert line.record is not None
        fold.take_in(map(plain_operation, line.record.operations))
    stream = workspace.log.stream(group_id)
    position = Position(group_id, stream.max_seq or 0, stream.generation)
    workspace.graph.run(lambda state: load_group(state, fold, position))
    for _, step in index_steps(fold, position):
        workspace.graph.run(step)


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(RECORDS, max_size=14), st.sampled_from("ab"))
def test_loading_a_group_anew_changes_nothing(history: list[tuple[str, list[Operation]]], group: str) -> None:
    with tempfile.TemporaryDirectory() as directory:
        workspace = Workspace(Path(directory))
        try:
            write_all(workspace, history)
            before = (workspace.digests(), workspace.rows(), summary_of(workspace), search_answers(workspace))
            reload_group(workspace, group)
            after = (workspace.digests(), workspace.rows(), summary_of(workspace), search_answers(workspace))
            assert after == before
        finally:
            workspace.close()
