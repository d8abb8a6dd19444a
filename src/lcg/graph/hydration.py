"""Filling a group of an opened graph from its whole log, in bulk, before anybody is served."""

import logging
from contextlib import closing

from lcg.graph.fold import Fold
from lcg.graph.loading import index_steps, load_group
from lcg.graph.rebuild_reading import read_into
from lcg.graph.rebuild_scope import Scope
from lcg.graph.replay_hooks import LineVectors
from lcg.graph.state import GraphState
from lcg.runtime.collection import paused_collection
from lcg.store.protocol import Position
from lcg.wal.log import Log
from lcg.wal.stream import Stream

_log = logging.getLogger(__name__)


@paused_collection()
def load_whole(state: GraphState, log: Log, stream: Stream, vectors: LineVectors) -> None:
    """Put the fold of a group's log, without what is left out of it, in place of the group's rows.

    `vectors` takes what the lines bring.

    Raises:
        StoreError: the engine failed.
        OSError: the log cannot be read.
    """
    group_id = stream.group_id
    last = -1 if stream.max_seq is None else stream.max_seq
    while last >= 0 and stream.excluded.covers(last):
        last -= 1
    places = state.index.places
    fold = Fold(group_id, lambda uuid: uuid in places and places[uuid][1] != group_id)
    scope = Scope(0, last, stream.excluded)
    with closing(log.read(group_id, plainly=True)) as lines:
        counts = read_into(fold, lines, scope, most_samples=0, step=lambda counts, read: None, brought=vectors.take)
    vectors.flush()
    for seq, error in counts.failures:
        _log.error("seq %s of group %r is passed over: %s", seq, group_id, error)
    position = Position(group_id, last, stream.generation)
    load_group(state, fold, position)
    for _, step in index_steps(fold, position):
        step(state)
    state.rebuilt(group_id, counts.failures, in_full=not stream.excluded.ranges)
    state.replayed[group_id] = counts.replayed
    _log.info("filled group %r from %d lines of its log", group_id, counts.replayed)
