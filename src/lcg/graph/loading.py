"""Putting a folded group in place of what the graph has of it, in steps between which other groups are served.

The store takes everything in its first step, in one transaction with the position; what follows makes the in-memory
index and the search indexes follow, piece by piece. A crash in between leaves a store that is whole, and the next
start builds the rest from it. Nobody may write to the group meanwhile.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain, islice
from typing import TypeVar

from lcg.graph.derived import contribution_of
from lcg.graph.entries import Kind
from lcg.graph.fold import Fold
from lcg.graph.index import GraphIndex
from lcg.graph.state import GraphState
from lcg.model.digest import digest_of_rows
from lcg.model.rows import Edge, Entity, Episode, Mention, Row
from lcg.store.protocol import GroupLoad, Position

Step = Callable[[GraphState], None]
"""Work on the writer's thread."""

ItemT = TypeVar("ItemT")
_ROWS_PER_STEP = 2_000


def digest_of(fold: Fold) -> int:
    """Return the digest of a fold's rows."""
    rows: Iterable[Row] = chain(
        fold.entities.values(), fold.edges.values(), fold.episodes.values(), fold.mention_rows()
    )
    return digest_of_rows(rows)


def load_steps(fold: Fold, position: Position) -> Iterator[tuple[int, Step]]:
    """Yield the steps that replace a group by a fold, each with the number of rows that it deals with.

    `position` is where the group's log is then, its digest that of the fold.
    """
    yield fold.rows, lambda state: _load_store(state, fold, position)
    for entities in _parts(fold.entities.values()):
        yield 0, partial(_add_entities, entities=entities)
    for edges in _parts(fold.edges.values()):
        yield 0, partial(_add_rows, edges=edges)
    for episodes in _parts(fold.episodes.values()):
        yield 0, partial(_add_rows, episodes=episodes)
    for mentions in _parts(fold.mention_rows()):
        yield 0, partial(_add_rows, mentions=mentions)


def index_steps(fold: Fold, position: Position) -> Iterator[tuple[int, Step]]:
    """Yield the steps that make the search indexes follow a group that was loaded."""
    for entities in _parts(fold.entities.values()):
        yield len(entities), partial(_index, entities=entities)
    for edges in _parts(fold.edges.values()):
        yield len(edges), partial(_index, edges=edges)
    for episodes in _parts(fold.episodes.values()):
        yield len(episodes), partial(_index, episodes=episodes)
    reached = {position.group_id: position.applied_seq}
    yield 0, lambda state: state.derived.write(contribution_of(state.index, (), (), ()), reached)


class _Present:
    """The entities that exist once a fold is loaded."""

    def __init__(self, fold: Fold, index: GraphIndex) -> None:
        self._fold = fold
        self._places = index.places

    def __contains__(self, uuid: object) -> bool:
        if uuid in self._fold.entities:
            return True
        place = self._places.get(str(uuid))
        return place is not None and place[0] is Kind.ENTITY and place[1] != self._fold.group_id


def _load_store(state: GraphState, fold: Fold, position: Position) -> None:
    group_id, index = fold.group_id, state.index
    with state.store.reader() as reader:
        into = reader.edges_into(group_id)
        unbound = list(reader.edges(index.unbound_of(group_id)).values())
    due = [(end, edge.uuid) for edge in into for end in (edge.source_uuid, edge.target_uuid) if end in fold.entities]
    due += [(uuid, edge) for uuid in fold.entities for edge, _ in index.waiting_for(uuid) if edge not in fold.edges]
    load = GroupLoad(
        position,
        fold.entities.values(),
        fold.edges.values(),
        fold.episodes.values(),
        fold.mention_rows(),
        _Present(fold, index),
        list(dict.fromkeys(due)),
    )
    owned = [uuid for uuid, (kind, group) in index.places.items() if kind is Kind.ENTITY and group == group_id]
    state.store.load_group(load)
    index.clear_group(group_id, unbound)
    _unbind(state, into, set(owned))
    index.digests[group_id] = position.digest
    index.commit()
    state.positions[group_id] = position
    state.forget_rows()
    state.derived.text.clear_group(group_id)
    state.derived.vectors.clear_group(group_id)


def _unbind(state: GraphState, into: Iterable[Edge], owned: set[str]) -> None:
    for edge in into:
        for end in {edge.source_uuid, edge.target_uuid} & owned:
            state.index.unbind(end, [edge])
        state.derived.write(contribution_of(state.index, (), (edge,), ()), {})


def _add_entities(state: GraphState, entities: list[Entity]) -> None:
    state.index.add_rows(entities=entities)
    for entity in entities:
        waiting = [edge for edge, _ in state.index.waiting_for(entity.uuid)]
        if waiting:
            with state.store.reader() as reader:
                rows = reader.edges(waiting)
            whole = state.index.bind(entity.uuid, rows.values())
            state.index.commit()
            state.derived.write(contribution_of(state.index, (), [rows[uuid] for uuid in whole], ()), {})


def _add_rows(
    state: GraphState,
    edges: Iterable[Edge] = (),
    episodes: Iterable[Episode] = (),
    mentions: Iterable[Mention] = (),
) -> None:
    state.index.add_rows(edges=edges, episodes=episodes, mentions=mentions)


def _index(
    state: GraphState,
    entities: Iterable[Entity] = (),
    edges: Iterable[Edge] = (),
    episodes: Iterable[Episode] = (),
) -> None:
    state.derived.write(contribution_of(state.index, entities, edges, episodes), {})


def _parts(items: Iterable[ItemT]) -> Iterator[list[ItemT]]:
    iterator = iter(items)
    while part := list(islice(iterator, _ROWS_PER_STEP)):
        yield part
