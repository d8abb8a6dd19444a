"""Opening a graph: load the index, bring the search indexes level with the store, replay what the log has more."""

import logging
from collections.abc import Iterable, Iterator
from typing import TypeVar

from lcg.graph.derived import Derived, contribution_of, forget
from lcg.graph.entries import Kind
from lcg.graph.followed import FollowedStreams
from lcg.graph.hydration import load_whole
from lcg.graph.index import GraphIndex
from lcg.graph.known_rows import StageRows
from lcg.graph.left_out import LeftOut
from lcg.graph.positions import lost_lines, next_unapplied, pending, same_stream
from lcg.graph.replay_hooks import LineVectors, ReplayHooks
from lcg.graph.stage import OperationRefused, Stage
from lcg.graph.state import SEARCH_BEHIND, GraphState
from lcg.model.operations import (
    EdgeDelete,
    EdgePut,
    EntityDelete,
    EntityPut,
    EpisodeDelete,
    EpisodePut,
    GroupClear,
    Operation,
    Record,
)
from lcg.runtime.parts import parts
from lcg.store.protocol import Store, StoreError
from lcg.wal.log import Log
from lcg.wal.reader import LogLine
from lcg.wal.reference.lines import understand_line
from lcg.wal.reference.translate import ReferenceTranslator
from lcg.wal.stream import Stream

_log = logging.getLogger(__name__)
_INDEX_BATCH = 1_000
_WHOLE_LINES = 256
"""Lines from which a group that the store has nothing of is loaded in bulk instead of replayed line by line."""
_NO_HOOKS = ReplayHooks()


def load_graph(store: Store, derived: Derived, *, check: bool = False) -> GraphState:
    """Return the state of a store as it is, after reading all of it.

    With `check` the rows must have the digests that are recorded with them, and edges their hops: what the engine wrote
    last may be lost.

    Raises:
        StoreError: it cannot be read, or is not what was written.
    """
    state = GraphState(store, derived)
    if not check:
        state.load()
    elif misfits := state.load_and_check():
        raise StoreError(f"the rows of {', '.join(map(repr, misfits))} are not those that were written")
    return state


def catch_up(
    state: GraphState,
    log: Log,
    followed: FollowedStreams,
    batch_lines: int = 64,
    hooks: ReplayHooks = _NO_HOOKS,
) -> None:
    """Bring search indexes and store to what the logs have, as far as startup may.

    The tail of a log that the store knows is always replayed, and so is all of one that the graph follows though the
    store has no position in it, or has rows of it that a rebuild has replaced since. Others wait for a rebuild that
    somebody asks for.

    Raises:
        StoreError: the engine failed.
        SearchIndexReset: a search index was damaged and is empty now. Load the graph again, then try again.
        OSError: a log cannot be read.
    """
    _level_search(state, log)
    interrupted, left_out = state.rebuilding(), LeftOut(state.store)
    for group_id in log.groups():
        stream = log.stream(group_id)
        position = state.positions.get(group_id)
        known = followed.includes(stream) if position is None else same_stream(stream, position)
        waiting = pending(stream, position)
        replaced = group_id in interrupted or left_out.is_outdated(stream, position, followed)
        if replaced or (known and stream.max_seq is not None):
            state.replayed.setdefault(group_id, 0)
        if replaced or (known and position is None and waiting >= _WHOLE_LINES):
            hooks.begins(group_id, stream.first_seq or 0, "replaced" if replaced else "nothing_applied")
            _load_whole(state, log, stream, hooks)
        elif known and waiting > 0:
            reason = "nothing_applied" if position is None else "applied_seq"
            hooks.begins(group_id, next_unapplied(stream, position), reason)
            _replay(state, log, stream, batch_lines, hooks)
        if stream.excluded_error is None and (replaced or position is None or same_stream(stream, position)):
            left_out.note(group_id, stream.excluded.everything)
    for group_id, position in state.positions.items():
        stream = log.stream(group_id)
        if lost_lines(stream, position):
            _log.warning(
                "the log of group %r ends at line %d, but the graph already took line %d: the log has lost lines. The "
                "graph still shows what they said, a rebuild would not; it takes no writes until that is settled",
                group_id,
                stream.max_seq or 0,
                position.applied_seq,
            )


def rebuild_indexes(state: GraphState) -> GraphState:
    """Return the same store with its in-memory and search indexes built anew from its rows.

    Raises:
        StoreError: the store cannot be read.
        SearchIndexError: a search index cannot be written.
    """
    fresh = load_graph(state.store, state.derived)
    rebuild_search(fresh)
    return fresh


def rebuild_search(state: GraphState) -> None:
    """Build the search indexes anew from the rows. Errors as in `rebuild_indexes`."""
    for group_id in _held(state):
        _reindex(state, group_id)
    if state.store.meta(SEARCH_BEHIND):
        state.store.set_meta(SEARCH_BEHIND, "")


def _held(state: GraphState) -> set[str]:
    """Return the groups that the store has rows or a position of; a group that only Cypher wrote to has no position."""
    return state.index.groups() | state.positions.keys()


def _load_whole(state: GraphState, log: Log, stream: Stream, hooks: ReplayHooks) -> None:
    if stream.excluded_error is not None:
        _log.error("group %r is not rebuilt: %s", stream.group_id, stream.excluded_error)
        return
    load_whole(state, log, stream, hooks.vectors())


def _replay(state: GraphState, log: Log, stream: Stream, batch_lines: int, hooks: ReplayHooks) -> None:
    group_id = stream.group_id
    if stream.excluded_error is not None:
        _log.error("group %r is not replayed: %s", group_id, stream.excluded_error)
        return
    start = state.applied_seq(group_id)
    lines = (line for line in log.read_after(group_id, start) if not _left_out(line, stream))
    count, vectors = 0, hooks.vectors()
    for part in parts(lines, batch_lines):
        count += _replay_batch(state, stream, part, vectors)
    vectors.flush()
    state.replayed[group_id] = count
    _log.info("replayed %d lines of group %r after line %d", count, group_id, start)


def _left_out(line: LogLine, stream: Stream) -> bool:
    if line.torn:
        _log.warning("%s:%d is torn: a crash cut it off before it was acknowledged", line.file.name, line.number)
        return True
    return line.seq is not None and stream.excluded.covers(line.seq)


def _replay_batch(state: GraphState, stream: Stream, lines: list[LogLine], vectors: LineVectors) -> int:
    """Apply lines in one transaction; one that cannot be applied is recorded and passed over."""
    taken: list[Record] = []
    stage = state.stage()
    for line in lines:
        found = understand_line(line, ReferenceTranslator(stream.group_id, StageRows(stage)))
        if found.record is None:
            _pass_over(state, stream.group_id, line, str(found.problem))
            continue
        try:
            _take_in(stage, found.record)
        except OperationRefused as refusal:
            _pass_over(state, stream.group_id, line, str(refusal))
            stage = _again(state, taken)
            continue
        taken.append(found.record)
        if found.embeddings:
            vectors.take(found.embeddings)
    last = max((line.seq for line in lines if line.seq is not None), default=state.applied_seq(stream.group_id))
    state.apply(stage, {stream.group_id: (max(last, state.applied_seq(stream.group_id)), stream.generation)})
    return len(taken)


def _pass_over(state: GraphState, group_id: str, line: LogLine, reason: str) -> None:
    _log.error("%s:%d (seq %s) of group %r is passed over: %s", line.file.name, line.number, line.seq, group_id, reason)
    state.record_failure(group_id, -1 if line.seq is None else line.seq, f"{line.file.name}:{line.number}: {reason}")


def _take_in(stage: Stage, record: Record) -> None:
    for operation in record.operations:
        stage.apply(record.group_id, operation)


def _again(state: GraphState, records: list[Record]) -> Stage:
    state.index.undo()
    stage = state.stage()
    for record in records:
        _take_in(stage, record)
    return stage


# Search indexes


def _level_search(state: GraphState, log: Log) -> None:
    """Bring the search indexes to the store's positions: from the log where they are close, else from all rows."""
    derived, held = state.derived, _held(state)
    for recorded in (derived.text.positions(), derived.vectors.positions()):
        for group_id in recorded:
            if group_id not in held:
                derived.text.clear_group(group_id)
                derived.vectors.clear_group(group_id)
    if state.store.meta(SEARCH_BEHIND):
        rebuild_search(state)
    text, vectors = derived.text.positions(), derived.vectors.positions()
    for group_id in held:
        position, applied = state.positions.get(group_id), state.applied_seq(group_id)
        reached = (text.get(group_id), vectors.get(group_id))
        if reached == (applied, applied):
            continue
        seqs = [seq for seq in (*reached, applied) if seq is not None]
        stream = log.stream(group_id)
        is_known = len(seqs) == 3 and max(seqs) <= (stream.max_seq or 0)
        if is_known and position is not None and same_stream(stream, position):
            # A kill may leave either behind: an index, or the store, which takes those lines in again hereafter.
            _follow_log(state, log, group_id, min(seqs), max(seqs))
        else:
            _reindex(state, group_id)


def _follow_log(state: GraphState, log: Log, group_id: str, after: int, upto: int) -> None:
    """Refresh the rows that the lines between two positions touched: the search indexes show them as the store does."""
    touched: dict[str, Kind] = {}
    for line in log.read_after(group_id, after):
        if line.reference is not None:
            # Which rows it touched depends on the rows that were there before it.
            _reindex(state, group_id)
            return
        if line.record is not None and line.record.seq <= upto:
            for operation in line.record.operations:
                if isinstance(operation, EntityDelete | EpisodeDelete | GroupClear):
                    # What else changed with it (hops, an older revision that counts again) no line tells.
                    _reindex(state, group_id)
                    return
                touched.update(_touched(state.index, operation))
    _add_edges_at(state, touched)
    _write_rows(state, touched)
    state.derived.write(forget(state.index, touched), {group_id: state.applied_seq(group_id)})


def _add_edges_at(state: GraphState, touched: dict[str, Kind]) -> None:
    """Add the edges at touched entities: one that waited for an entity became searchable with it."""
    entities = [uuid for uuid, kind in touched.items() if kind is Kind.ENTITY]
    with state.store.reader() as reader:
        for uuid in entities:
            for direction in ("out", "in"):
                touched.update({edge.uuid: Kind.EDGE for edge in reader.neighbour_edges(uuid, direction)})


def _write_rows(state: GraphState, touched: dict[str, Kind]) -> None:
    with state.store.reader() as reader:
        for part in parts(touched, _INDEX_BATCH):
            change = contribution_of(
                state.index,
                reader.entities(uuid for uuid in part if touched[uuid] is Kind.ENTITY).values(),
                reader.edges(uuid for uuid in part if touched[uuid] is Kind.EDGE).values(),
                reader.episodes(uuid for uuid in part if touched[uuid] is Kind.EPISODE).values(),
            )
            state.derived.write(change, {})


def _touched(index: GraphIndex, operation: Operation) -> dict[str, Kind]:
    match operation:
        case EntityPut(row):
            return {row.uuid: Kind.ENTITY}
        case EdgePut(edge):
            return {edge.uuid: Kind.EDGE}
        case EdgeDelete(uuid):
            return {uuid: Kind.EDGE}
        case EpisodePut(episode):
            return dict.fromkeys((episode.uuid, *index.siblings(episode)), Kind.EPISODE)
        case _:
            return {}


def _reindex(state: GraphState, group_id: str) -> None:
    """Build a group's share of the search indexes anew from its rows."""
    _log.info("building the search indexes of group %r anew", group_id)
    state.derived.text.clear_group(group_id)
    state.derived.vectors.clear_group(group_id)
    with state.store.reader() as reader:
        for entities in parts(_of(reader.scan_entities(), group_id), _INDEX_BATCH):
            state.derived.write(contribution_of(state.index, entities, (), ()), {})
        for edges in parts(_of(reader.scan_edges(), group_id), _INDEX_BATCH):
            state.derived.write(contribution_of(state.index, (), edges, ()), {})
        for episodes in parts(_of(reader.scan_episodes(), group_id), _INDEX_BATCH):
            state.derived.write(contribution_of(state.index, (), (), episodes), {})
    state.derived.write(contribution_of(state.index, (), (), ()), {group_id: state.applied_seq(group_id)})


RowT = TypeVar("RowT")


def _of(rows: Iterable[RowT], group_id: str) -> Iterator[RowT]:
    return (row for row in rows if getattr(row, "group_id", None) == group_id)
