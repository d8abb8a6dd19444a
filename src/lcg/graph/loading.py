"""Putting a folded group in place of what the graph has of it, in steps between which other groups are served.

The store and the in-memory index take everything in one step, the former in one transaction with the position; what
follows makes the search indexes follow, piece by piece. A crash in between leaves a store that is whole, and the next
start builds the rest from it. Nobody may write to the group meanwhile.
"""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import replace
from functools import partial

from lcg.graph.derived import contribution_of
from lcg.graph.entries import Kind
from lcg.graph.filling import Filling, filling_of
from lcg.graph.fold import Fold
from lcg.graph.index import GraphIndex
from lcg.graph.state import GraphState
from lcg.model.digest import MODULUS, digest_of_plain
from lcg.model.rows import Edge, Entity, Episode, Mention
from lcg.runtime.parts import parts
from lcg.store.protocol import GroupLoad, Position

Step = Callable[[GraphState], None]
"""Work on the writer's thread."""

_ROWS_PER_STEP = 5_000


def digest_of(fold: Fold) -> int:
    """Return the digest of a fold's rows."""
    tables = ((Entity, fold.entities), (Edge, fold.edges), (Episode, fold.episodes))
    links = ((fold.group_id, episode, entity) for episode, ends in fold.mentions.items() for entity in ends)
    digest = digest_of_plain(Mention, links)
    return (digest + sum(digest_of_plain(kind, table.plain.values()) for kind, table in tables)) % MODULUS


class _Beside:
    """What is worked out of a fold on another thread while the store copies: the engine lets other threads go on.

    Each has its time. The digest begins when the store has its largest table: earlier it would take from the making of
    tables, which the engine waits for, what it has to spare then. What goes into the index begins when the digest is
    asked for, which is before the commit, the longest step: it keeps the interpreter to itself for so long that between
    short steps the engine would wait for it.
    """

    def __init__(self, fold: Fold, thread: Executor) -> None:
        self._fold = fold
        self._thread = thread
        self._digest: Future[int] | None = None
        self._filling: Future[Filling] | None = None

    def start(self) -> None:
        """Begin, if it has not begun."""
        if self._digest is None:
            self._digest = self._thread.submit(digest_of, self._fold)

    def digest(self) -> int:
        """Return the digest of the fold's rows, once it is there."""
        self.start()
        assert self._digest is not None
        digest = self._digest.result()
        if self._filling is None:
            fold = self._fold
            entities, edges, episodes = (t.plain.values() for t in (fold.entities, fold.edges, fold.episodes))
            self._filling = self._thread.submit(filling_of, entities, edges, episodes, fold.mentions)
        return digest

    def filling(self) -> Filling:
        """Return what goes into the index, once it is there."""
        self.digest()
        assert self._filling is not None
        return self._filling.result()


def load_group(state: GraphState, fold: Fold, position: Position) -> None:
    """Replace a group by a fold: its rows, what the index has of it, and its position.

    `position` is where the group's log is then; its digest is worked out here.

    Raises:
        StoreError: it was not loaded, or that is unknown; the index stays as it was.
    """
    with ThreadPoolExecutor(1, "lcg-load") as thread:
        beside = _Beside(fold, thread)
        _load_store(state, fold, position, beside)
        state.positions[fold.group_id] = replace(position, digest=beside.digest())
        state.index.digests[fold.group_id] = beside.digest()
        state.index.take_over(beside.filling())
    _bind(state, [uuid for uuid in state.index.awaited() if uuid in fold.entities])


def index_steps(fold: Fold, position: Position) -> Iterator[tuple[int, Step]]:
    """Yield the steps that make the search indexes follow a group that was loaded."""
    for entities in parts(fold.entities.values(), _ROWS_PER_STEP):
        yield len(entities), partial(_index, entities=entities)
    for edges in parts(fold.edges.values(), _ROWS_PER_STEP):
        yield len(edges), partial(_index, edges=edges)
    for episodes in parts(fold.episodes.values(), _ROWS_PER_STEP):
        yield len(episodes), partial(_index, episodes=episodes)
    reached = {position.group_id: position.applied_seq}
    yield 0, lambda state: state.derived.write(contribution_of(state.index, (), (), ()), reached)


def _load_store(state: GraphState, fold: Fold, position: Position, beside: _Beside) -> None:
    group_id, index = fold.group_id, state.index
    with state.store.reader() as reader:
        into = reader.edges_into(group_id)
        unbound = list(reader.edges(index.unbound_of(group_id)).values())
    due = [(end, edge.uuid) for edge in into for end in (edge.source_uuid, edge.target_uuid) if end in fold.entities]
    awaited = [uuid for uuid in index.awaited() if uuid in fold.entities]
    due += [(uuid, edge) for uuid in awaited for edge, _ in index.waiting_for(uuid) if edge not in fold.edges]
    load = GroupLoad(
        position,
        fold.entities.plain.values(),
        fold.edges.plain.values(),
        fold.episodes.plain.values(),
        fold.mentions,
        partial(_is_elsewhere, index, group_id),
        list(dict.fromkeys(due)),
        beside.digest,
        beside.start,
    )
    owned = [uuid for uuid, (kind, group) in index.places.items() if kind is Kind.ENTITY and group == group_id]
    state.store.load_group(load)
    index.clear_group(group_id, unbound)
    _unbind(state, into, set(owned))
    index.commit()
    state.forget_rows()
    state.derived.text.clear_group(group_id)
    state.derived.vectors.clear_group(group_id)


def _is_elsewhere(index: GraphIndex, group_id: str, uuid: str) -> bool:
    """Say whether an entity is another group's."""
    return index.has(Kind.ENTITY, uuid) and index.places[uuid][1] != group_id


def _unbind(state: GraphState, into: Iterable[Edge], owned: set[str]) -> None:
    for edge in into:
        for end in {edge.source_uuid, edge.target_uuid} & owned:
            state.index.unbind(end, [edge])
        state.derived.write(contribution_of(state.index, (), (edge,), ()), {})


def _bind(state: GraphState, entities: list[str]) -> None:
    """Give edges of other groups that waited for these entities their ends."""
    for uuid in entities:
        with state.store.reader() as reader:
            rows = reader.edges([edge for edge, _ in state.index.waiting_for(uuid)])
        whole = state.index.bind(uuid, rows.values())
        state.index.commit()
        state.derived.write(contribution_of(state.index, (), [rows[edge] for edge in whole], ()), {})


def _index(
    state: GraphState,
    entities: Iterable[Entity] = (),
    edges: Iterable[Edge] = (),
    episodes: Iterable[Episode] = (),
) -> None:
    state.derived.write(contribution_of(state.index, entities, edges, episodes), {})
