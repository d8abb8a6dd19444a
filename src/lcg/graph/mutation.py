"""What a Cypher query changed, past the log: taken into the index, the caches and the search indexes.

The store has the changes in a transaction that is still open when the index is moved; the digests that come of it are
recorded in the same transaction, with a note that the search indexes are behind. A start that finds the note builds
these anew.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from lcg.errors import OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.graph.derived import Contribution, searched
from lcg.graph.index import GraphIndex
from lcg.graph.opening import rebuild_search
from lcg.graph.state import REBUILT_SINCE, SEARCH_BEHIND, UNLOGGED, GraphState
from lcg.model.names import GROUP_DIRECTORY_MAX_BYTES, encode_group, group_key, has_control, is_blank
from lcg.model.rows import Edge, Entity, Episode
from lcg.runtime.parts import parts
from lcg.search.index_file import SearchIndexError
from lcg.store.protocol import Bookkeeping, Change, CypherAnswer, RowChanges

_log = logging.getLogger(__name__)
_INDEX_BATCH = 1_000

Mutate = Callable[[Callable[[RowChanges], Bookkeeping]], CypherAnswer]
"""Runs the query in the store; it is given what accepts the changes."""

RowT = TypeVar("RowT", Entity, Edge, Episode)


def run_unlogged(state: GraphState, mutate: Mutate) -> tuple[CypherAnswer, bool]:
    """Let a query change rows and make everything follow; return its answer, and whether anything changed.

    On the writer's thread. Every later read sees the changes when this returns.

    Raises:
        LcgError: the query was refused or stopped; nothing was changed.
        StoreError: the engine failed.
    """
    accepted: list[tuple[RowChanges, set[str]]] = []

    def accept(changes: RowChanges) -> Bookkeeping:
        _refuse_bad_groups(state, changes)
        hidden = {uuid for uuid in map(uuid_of, changes.edges) if state.index.is_unbound(uuid)}
        accepted.append((changes, hidden))
        move_index(state.index, changes)
        return _bookkeeping(state)

    try:
        answer = mutate(accept)
    except BaseException:
        state.index.undo()
        raise
    for changes, hidden in accepted:
        state.index.commit()
        state.positions = state.store.positions()
        _move_caches(state, changes)
        _follow(state, changes, hidden)
    return answer, bool(accepted)


def move_index(index: GraphIndex, changes: RowChanges) -> None:
    """Move the in-memory index: first out with what goes, then in with what comes, so that no order matters."""
    for mention in changes.mentions_removed:
        index.remove_mention(mention)
    for edge in changes.edges:
        if edge.old:
            index.change_edge(edge.old, None)
    for episode in changes.episodes:
        if episode.old and not _stays(episode):
            index.change_episode(episode.old, None)
    for entity in changes.entities:
        if entity.old and not _stays(entity):
            index.change_entity(entity.old, None)
    for entity in changes.entities:
        if entity.new:
            index.change_entity(entity.old if _stays(entity) else None, entity.new)
    for episode in changes.episodes:
        if episode.new:
            index.change_episode(episode.old if _stays(episode) else None, episode.new)
    for edge in changes.edges:
        if edge.new:
            index.change_edge(None, edge.new)
    for mention in changes.mentions_added:
        index.add_mention(mention)


def _stays(change: Change[RowT]) -> bool:
    """Say whether the row is there before and after, in the same group."""
    return change.old is not None and change.new is not None and change.old.group_id == change.new.group_id


def _bookkeeping(state: GraphState) -> Bookkeeping:
    digests = state.index.digests
    moved = [
        replace(position, digest=digests.get(group_id, 0))
        for group_id, position in state.positions.items()
        if position.digest != digests.get(group_id, 0)
    ]
    count = int(state.store.meta(UNLOGGED) or "0") + 1
    return Bookkeeping(moved, {UNLOGGED: str(count), REBUILT_SINCE: "[]", SEARCH_BEHIND: "1"})


def _refuse_bad_groups(state: GraphState, changes: RowChanges) -> None:
    known = state.index.groups() | state.positions.keys()
    rows = [change.new for part in (changes.entities, changes.edges, changes.episodes) for change in part if change.new]
    spellings = {group_key(group_id): group_id for group_id in known}
    for group_id in dict.fromkeys(row.group_id for row in rows):
        if group_id in known:
            continue
        fault = _fault_of(group_id)
        existing = spellings.setdefault(group_key(group_id), group_id)
        if fault is None and existing != group_id:
            fault = f"differs from the group {existing!r} by letter case only"
        if fault is not None:
            raise OperationFailed(
                ErrorKind.PRECONDITION,
                f"knowledge_query_cypher: the query would leave rows whose group_id {group_id!r} {fault}.",
                group_id=group_id,
            )


def _fault_of(group_id: str) -> str | None:
    if is_blank(group_id):
        return "is blank"
    if group_id != group_id.strip() or has_control(group_id):
        return "begins or ends with white space, or holds control characters"
    if len(encode_group(group_id)) > GROUP_DIRECTORY_MAX_BYTES:
        return f"is longer than {GROUP_DIRECTORY_MAX_BYTES} bytes, once every special character is encoded"
    return None


def _move_caches(state: GraphState, changes: RowChanges) -> None:
    state.entities.commit(_after(changes.entities))
    state.edges.commit(_after(changes.edges))
    state.episodes.commit(_after(changes.episodes))


def _after(changes: Sequence[Change[RowT]]) -> dict[str, RowT | None]:
    return {uuid_of(change): change.new for change in changes}


def uuid_of(change: Change[RowT]) -> str:
    """Return which row changed."""
    row = change.new or change.old
    assert row is not None
    return row.uuid


def _follow(state: GraphState, changes: RowChanges, hidden: set[str]) -> None:
    """Bring the search indexes level; where they do not take it, they are built anew, if need be by the next start."""
    try:
        _write(state, changes, hidden)
        state.store.set_meta(SEARCH_BEHIND, "")
    except SearchIndexError as error:
        _log.warning("a search index did not take what a Cypher query changed, and is built anew: %s", error)
        try:
            rebuild_search(state)
        except SearchIndexError:
            _log.exception("the search indexes stay behind until the next start or knowledge_build_indices")


def _write(state: GraphState, changes: RowChanges, hidden: set[str]) -> None:
    """Write what differs in the search indexes; `hidden` are those of the edges that lacked an end before."""
    for entities in parts(changes.entities, _INDEX_BATCH):
        new = Contribution()
        for entity in entities:
            if searched(entity.old) != searched(entity.new):
                new.entity(uuid_of(entity), entity.new)
        state.derived.write(new, {})
    for edges in parts(changes.edges, _INDEX_BATCH):
        new = Contribution()
        for edge in edges:
            uuid = uuid_of(edge)
            unbound = state.index.is_unbound(uuid)
            if unbound != (uuid in hidden) or searched(edge.old) != searched(edge.new):
                new.edge(uuid, edge.new, unbound=unbound)
        state.derived.write(new, {})
    for uuids in parts(_episodes_to_refresh(state.index, changes), _INDEX_BATCH):
        part = Contribution()
        rows = state.store.writer_reader().episodes(uuids)
        for uuid in uuids:
            row = rows.get(uuid)
            part.episode(uuid, row, superseded=row is not None and state.index.is_superseded(row))
        state.derived.write(part, {})
    groups = {
        row.group_id
        for changed in (changes.entities, changes.edges, changes.episodes)
        for change in changed
        for row in (change.old, change.new)
        if row is not None
    }
    state.derived.write(Contribution(), {group_id: state.applied_seq(group_id) for group_id in groups})


def _episodes_to_refresh(index: GraphIndex, changes: RowChanges) -> list[str]:
    """Return the changed episodes, and those of their chunks: which is the newest may have changed."""
    uuids: dict[str, None] = {}
    for change in changes.episodes:
        uuids[uuid_of(change)] = None
        for row in (change.old, change.new):
            if row is not None:
                uuids.update(dict.fromkeys(index.siblings(row)))
    return list(uuids)
