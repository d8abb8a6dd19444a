"""Deleting episodes and purging groups. Entities and facts outlive the episodes that stated them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from lcg.errors import LcgError
from lcg.graph.entries import Count, Kind
from lcg.graph.graph import Graph
from lcg.graph.index import GraphIndex
from lcg.graph.planning import Plan, Planned, PlanView
from lcg.model.operations import EdgePut, EpisodeDelete, GroupClear, Operation
from lcg.runtime.groups import GroupFilter
from lcg.services.record_size import Piece, within_a_record

_EPISODES_PER_RECORD = 1_000
"""A source with more episodes is deleted in several records, so that none outgrows a log line. So is one whose facts do
not fit: they are changed first, and an episode goes only after the last of its facts, so a rerun completes it."""


@dataclass(slots=True)
class Deleted:
    """What went: episodes, how many entities nobody mentions any more, and the groups whose log took records."""

    uuids: list[str] = field(default_factory=list)
    orphaned: int = 0
    groups_done: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class GroupCounts:
    """What a group owns, tombstones and unbound edges included. `purge_seq` is the log line that removed it."""

    group_id: str
    entities: int
    episodes: int
    edges: int
    purge_seq: int | None = None


@dataclass(slots=True)
class Purged:
    """What a purge removed, or would remove, and which other groups lose pointers by it."""

    groups: list[GroupCounts] = field(default_factory=list)
    unbound_impacts: dict[str, int] = field(default_factory=dict)
    groups_done: list[str] = field(default_factory=list)


def delete_episode(graph: Graph, uuid: str, origin: str) -> Deleted:
    """Delete one episode, wherever it is; an unknown uuid deletes nothing."""
    place = graph.index.places.get(uuid)
    if place is None or place[0] is not Kind.EPISODE:
        return Deleted()
    return _delete_in(graph, place[1], lambda index: [uuid], origin)


def delete_by_source(graph: Graph, source_file: str, groups: Sequence[str], origin: str) -> Deleted:
    """Delete the episodes of a file: those described as the file itself or as a chunk of it."""

    def matches(index: GraphIndex, uuid: str) -> bool:
        source = index.source_of(uuid)
        text = source.description if source else ""
        return text == source_file or text.startswith(f"{source_file}:")

    return _delete_matching(graph, groups, matches, origin)


def delete_chunk(graph: Graph, chunk_id: str, groups: Sequence[str], origin: str) -> Deleted:
    """Delete the episodes of a name: every revision, of every file."""

    def matches(index: GraphIndex, uuid: str) -> bool:
        source = index.source_of(uuid)
        return source is not None and source.name == chunk_id

    return _delete_matching(graph, groups, matches, origin)


def purge_groups(graph: Graph, groups: Sequence[str], origin: str, *, dry_run: bool) -> Purged:
    """Remove everything that groups own, each in its own log; a dry run only counts.

    Raises:
        LcgError: a group's log refused; `groups_done` in its data says which groups are purged.
    """
    purged = Purged(unbound_impacts=_impacts(graph, groups))
    if dry_run:
        purged.groups = [_counts(graph.index, group_id) for group_id in groups]
        return purged
    with _telling(purged.groups_done):
        for group_id in groups:
            counts, seq = graph.write_logged(group_id, origin, _plan_purge(group_id))
            purged.groups.append(replace(counts, purge_seq=seq))
            if seq is not None:
                purged.groups_done.append(group_id)
    return purged


def _plan_purge(group_id: str) -> Plan[GroupCounts]:
    def plan(view: PlanView) -> Planned[GroupCounts]:
        counts = _counts(view.index, group_id)
        empty = not (counts.entities or counts.episodes or counts.edges)
        return Planned([] if empty else [GroupClear()], counts)

    return plan


def _counts(index: GraphIndex, group_id: str) -> GroupCounts:
    count = index.count
    return GroupCounts(
        group_id,
        entities=count(Count.ENTITIES, group_id) + count(Count.TOMBSTONES, group_id),
        episodes=count(Count.EPISODES, group_id),
        edges=count(Count.EDGES, group_id) + count(Count.UNBOUND, group_id),
    )


def _impacts(graph: Graph, groups: Sequence[str]) -> dict[str, int]:
    """Return, per group outside the call, how many ends of its edges lie in these groups."""
    impacts: dict[str, int] = {}
    places = graph.index.places
    for group_id in groups:
        with graph.reader() as reader:
            edges = reader.edges_into(group_id)
        for edge in edges:
            ends = [end for end in (edge.source_uuid, edge.target_uuid) if places.get(end, ("", ""))[1] == group_id]
            if edge.group_id not in groups:
                impacts[edge.group_id] = impacts.get(edge.group_id, 0) + len(ends)
    return dict(sorted(impacts.items()))


def _delete_matching(
    graph: Graph, groups: Sequence[str], matches: Callable[[GraphIndex, str], bool], origin: str
) -> Deleted:
    deleted = Deleted()
    with _telling(deleted.groups_done):
        for group_id in groups:
            done = _delete_in(graph, group_id, _matching(group_id, matches), origin)
            deleted.uuids += done.uuids
            deleted.orphaned += done.orphaned
            deleted.groups_done += done.groups_done
    return deleted


def _matching(group_id: str, matches: Callable[[GraphIndex, str], bool]) -> Callable[[GraphIndex], Iterable[str]]:
    def find(index: GraphIndex) -> list[str]:
        return [uuid for uuid in index.visible(Kind.EPISODE, GroupFilter((group_id,))) if matches(index, uuid)]

    return find


def _delete_in(graph: Graph, group_id: str, find: Callable[[GraphIndex], Iterable[str]], origin: str) -> Deleted:
    deleted = Deleted()
    while True:
        (done, is_all), seq = graph.write_logged(group_id, origin, _plan_delete(group_id, find))
        deleted.uuids += done.uuids
        deleted.orphaned += done.orphaned
        if seq is not None:
            deleted.groups_done = [group_id]
        if is_all:
            return deleted


def _plan_delete(group_id: str, find: Callable[[GraphIndex], Iterable[str]]) -> Plan[tuple[Deleted, bool]]:
    """Return the plan of a deletion's next record, which also tells whether it is the last one."""

    def plan(view: PlanView) -> Planned[tuple[Deleted, bool]]:
        index = view.index
        known = [uuid for uuid in find(index) if index.places.get(uuid) == (Kind.EPISODE, group_id)]
        doomed = known[:_EPISODES_PER_RECORD]
        wanted: list[Operation] = [*_facts_without(view, set(doomed)), *map(EpisodeDelete, doomed)]
        taken, beyond = within_a_record(Piece((operation,)) for operation in wanted)
        operations = [operation for piece in taken for operation in piece.operations]
        gone = {operation.uuid for operation in operations if isinstance(operation, EpisodeDelete)}
        mentioned = {entity for uuid in gone for entity in index.entities_of(uuid)}
        orphaned = sum(gone.issuperset(index.episodes_of(entity)) for entity in mentioned)
        is_all = beyond is None and len(doomed) == len(known)
        return Planned(operations, (Deleted([uuid for uuid in doomed if uuid in gone], orphaned), is_all))

    return plan


def _facts_without(view: PlanView, gone: set[str]) -> list[EdgePut]:
    """Return the facts that these episodes stated, with the episodes taken out of their provenance."""
    stated = {edge for uuid in gone for edge in view.index.stated_by(uuid)}
    rows = [row for row in map(view.edge, sorted(stated)) if row is not None]
    return [EdgePut(replace(row, episodes=tuple(uuid for uuid in row.episodes if uuid not in gone))) for row in rows]


@contextmanager
def _telling(done: list[str]) -> Iterator[None]:
    """Add the groups that are done to the data of an error that ends a call midway."""
    try:
        yield
    except LcgError as error:
        error.data["groups_done"] = list(done)
        raise
