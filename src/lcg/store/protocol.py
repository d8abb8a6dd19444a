"""What the rest of the program may ask of a graph store.

A store is a view: every row in it can be restored from the log. It never sees a method name, never decides what a
write means, and validates nothing; it applies final rows in one transaction and answers reads.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from threading import Event
from typing import Any, Generic, Literal, Protocol, TypeVar

from lcg.errors import OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.model.plain import Plain
from lcg.model.rows import Edge, Entity, Episode, Mention, Row
from lcg.model.times import Micros

RowT = TypeVar("RowT", Entity, Edge, Episode)


@dataclass(frozen=True, slots=True)
class Position:
    """How far a group's log is applied: `applied_seq` (-1 = nothing), of which stream, with which digest (128 bits)."""

    group_id: str
    applied_seq: int
    generation: str | None
    digest: int = 0


@dataclass(frozen=True, slots=True)
class Change(Generic[RowT]):
    """One row's way from `old` (None: it is new) to `new` (None: it goes)."""

    old: RowT | None
    new: RowT | None


@dataclass(slots=True)
class Batch:
    """Everything that one transaction does. Each uuid occurs once; rows are final.

    `cleared` groups lose everything that they own first, so all their rows in the batch are new. Edges of other groups
    that ended at their entities stay, without that hop.
    Order of application: cleared groups, deletes, episodes, entities, edges (with their hops), mentions, positions.
    `attach` lists (entity uuid, edge uuid) pairs whose hop is due although the edge itself does not change: the
    entity arrived after an edge that names it. `episode_entities` is the present value of the derived column
    `entity_edges` for every episode whose mentions change.
    """

    entities: list[Change[Entity]] = field(default_factory=list)
    edges: list[Change[Edge]] = field(default_factory=list)
    episodes: list[Change[Episode]] = field(default_factory=list)
    mentions_added: list[Mention] = field(default_factory=list)
    mentions_removed: list[Mention] = field(default_factory=list)
    attach: list[tuple[str, str]] = field(default_factory=list)
    episode_entities: dict[str, tuple[str, ...]] = field(default_factory=dict)
    positions: list[Position] = field(default_factory=list)
    cleared: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class GroupLoad:
    """A whole group, to be put in place of what the store has of it.

    Its rows are plain values; `mentions` are the entities that each episode mentions. An edge gets a hop to an entity
    of the group, or one of another group that is `present`, which is asked for none of the group's own. `attach` lists
    edges of other groups whose hop to an entity of this group is due, as in `Batch`. `digest` takes the place of the
    position's where it is not known beforehand; it is called late. `meanwhile` starts what may run while the store
    copies; a store that has nothing to wait for need not call it.
    """

    position: Position
    entities: Collection[Plain]
    edges: Collection[Plain]
    episodes: Collection[Plain]
    mentions: Mapping[str, Collection[str]]
    present: Callable[[str], bool]
    attach: Sequence[tuple[str, str]] = ()
    digest: Callable[[], int] | None = None
    meanwhile: Callable[[], None] | None = None

    def settled(self) -> Position:
        """Return the position to record, with the digest that may have been worked out while the rows went in."""
        return self.position if self.digest is None else replace(self.position, digest=self.digest())


@dataclass(frozen=True, slots=True)
class CypherAnswer:
    """A query's answer: JSON-ready cells, row by row; `truncated` when more rows existed than were asked for."""

    columns: list[str]
    rows: list[list[Any]]
    truncated: bool


@dataclass(slots=True)
class RowChanges:
    """How a Cypher query changed the rows, in the order of their keys.

    `edges` also lists those that gained or lost an end though their row is the same.
    """

    entities: list[Change[Entity]]
    edges: list[Change[Edge]]
    episodes: list[Change[Episode]]
    mentions_removed: list[Mention]
    mentions_added: list[Mention]

    def __bool__(self) -> bool:
        return any((self.entities, self.edges, self.episodes, self.mentions_removed, self.mentions_added))


@dataclass(frozen=True, slots=True)
class Bookkeeping:
    """What is recorded together with the changes of a Cypher query: positions, and settings by key."""

    positions: list[Position]
    meta: dict[str, str]


class QueryWrites(OperationFailed):
    """A query that would change rows was given to a reader, which did nothing with it."""

    def __init__(self) -> None:
        super().__init__(ErrorKind.PRECONDITION, "knowledge_query_cypher: the query would change the graph.")


Direction = Literal["out", "in"]


class StoreReader(Protocol):
    """Reads on one connection, by one thread at a time. Missing rows are simply not in the answer."""

    def entities(self, uuids: Iterable[str]) -> dict[str, Entity]:
        """Return entities by uuid."""
        ...

    def edges(self, uuids: Iterable[str]) -> dict[str, Edge]:
        """Return relationships by uuid, unbound ones included."""
        ...

    def episodes(self, uuids: Iterable[str]) -> dict[str, Episode]:
        """Return episodes by uuid."""
        ...

    def neighbour_edges(self, entity_uuid: str, direction: Direction) -> list[Edge]:
        """Return the edges of an entity that have both hops, by uuid descending. A self-edge counts as `out` only."""
        ...

    def edges_into(self, group_id: str) -> list[Edge]:
        """Return the edges of other groups that have a hop to an entity of this group."""
        ...

    def edges_holding_at(self, moment: Micros) -> set[str]:
        """Return the edges whose fact holds at a time: begun by then (or always), and not ended by then."""
        ...

    def bound_edges(self) -> set[str]:
        """Return the edges that have both hops."""
        ...

    def lone_hops(self) -> set[tuple[str, str]]:
        """Return the hops of edges that have one only, as (entity uuid, edge uuid)."""
        ...

    def scan_entities(self) -> Iterator[Entity]:
        """Yield every entity."""
        ...

    def scan_edges(self) -> Iterator[Edge]:
        """Yield every relationship."""
        ...

    def scan_episodes(self) -> Iterator[Episode]:
        """Yield every episode, `content` included."""
        ...

    def scan_mentions(self) -> Iterator[Mention]:
        """Yield every mention, in the order of episode uuid, entity uuid."""
        ...

    def outlined_entities(self) -> Iterator[Plain]:
        """Yield the values of every entity. Texts that no index looks a row up by may be left out, here its summary."""
        ...

    def outlined_edges(self) -> Iterator[Plain]:
        """Yield the values of every relationship, perhaps without its fact, or attributes that hold no pointers."""
        ...

    def outlined_episodes(self) -> Iterator[Plain]:
        """Yield the values of every episode, perhaps without its source and its content."""
        ...

    def whole_rows(self, kind: type[Row]) -> Iterator[Plain]:
        """Yield the values of every row of a kind, in no order: quicker than the scans, and with much more memory.

        `Store.give_back` gives that back.
        """
        ...

    def probe(self) -> bool:
        """Say whether a trivial query over every core table answers."""
        ...

    def cypher(
        self,
        query: str,
        parameters: dict[str, Any],
        *,
        max_rows: int,
        timeout_ms: int,
        spent_ms: int = 0,
        cancelled: Event | None = None,
    ) -> CypherAnswer:
        """Run one guarded Cypher query that only reads. `spent_ms` of its time its caller has waited already.

        It ends soon once `cancelled` is set.

        Raises:
            InvalidParams: the query's `$names` and the keys of `parameters` differ.
            QueryWrites: it would change rows.
            OperationFailed: `precondition` (refused by the guard or the engine), `limit` (time or memory), `cancelled`.
        """
        ...


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A store at one moment: each group's position, and a reader that sees the rows as they were then."""

    positions: dict[str, Position]
    reader: StoreReader


class Store(Protocol):
    """A graph store. One writer thread calls `apply`; readers come from a fixed pool."""

    def apply(self, batch: Batch) -> None:
        """Apply a batch in one transaction: all of it or nothing.

        Raises:
            StoreError: it was not applied, or that is unknown; read `positions` before trying again.
        """
        ...

    def apply_later(self, batch: Batch, failed: Callable[["StoreError"], None]) -> None:
        """Take a batch that may be applied after this returns; everything that is asked of the store waits for it.

        `failed` is called, by any thread, when it could not be applied; the store raises StoreError from then on.

        Raises:
            StoreError: it was not taken, or not applied.
        """
        ...

    def settle(self) -> None:
        """Wait until what was taken is applied. Raises StoreError: it could not be applied."""
        ...

    def load_group(self, load: GroupLoad) -> None:
        """Replace everything that a group owns, and its position, in one transaction. Errors as in `apply`."""
        ...

    def mutate(
        self,
        query: str,
        parameters: dict[str, Any],
        *,
        max_rows: int,
        timeout_ms: int,
        spent_ms: int = 0,
        accept: Callable[[RowChanges], Bookkeeping],
        cancelled: Event | None = None,
    ) -> CypherAnswer:
        """Run one guarded Cypher query that may change rows, in one transaction. Called by the writer thread only.

        What it leaves half made is put right first. Then `accept` is given the changes, if there are any; what it
        returns is recorded with them, and what it raises takes everything back, as `cancelled` does until then.

        Raises:
            InvalidParams, OperationFailed: as `StoreReader.cypher`; nothing was changed.
            StoreError: nothing was changed, or that is unknown and the store refuses everything from now on.
        """
        ...

    def positions(self) -> dict[str, Position]:
        """Return each group's recorded position."""
        ...

    def meta(self, key: str) -> str | None:
        """Return a workspace-wide setting of the store, such as `unlogged_mutations`."""
        ...

    def set_meta(self, key: str, value: str) -> None:
        """Keep such a setting."""
        ...

    def reader(self) -> AbstractContextManager[StoreReader]:
        """Lend a reader; waits while all are lent or a checkpoint runs.

        A thread that holds one must neither ask for a second one nor wait for a write.
        """
        ...

    def snapshot(self) -> AbstractContextManager[Snapshot]:
        """Lend a reader that does not see what is applied meanwhile. It takes one of the readers of `reader`.

        Writers go on, but as long as it is lent there is no checkpoint, and `load_group` waits and may give up.
        """
        ...

    def writer_reader(self) -> StoreReader:
        """Return the reader that belongs to the writer thread and sees what it last applied. Ask anew for each use."""
        ...

    def checkpoint(self) -> bool:
        """Fold the engine's own log into its file, with readers held back. Called by the writer thread only.

        Returns:
            Whether it was done; False when a reader did not come back in time (a long query). Try again later.
        """
        ...

    def give_back(self) -> None:
        """Give back memory that only reading everything needed; reads may wait for a moment. Raises StoreError."""
        ...

    def close(self) -> None:
        """Checkpoint and close. Safe to call twice."""
        ...


class StoreError(Exception):
    """The engine failed; carries its text. Never shown to a client without a sentence of ours before it."""


class OtherEngine(StoreError):
    """The store was made by another engine, or by another version of it; nothing is known to be wrong with it.

    Attributes:
        engine: the engine that made it.
    """

    def __init__(self, message: str, engine: str) -> None:
        super().__init__(message)
        self.engine = engine
