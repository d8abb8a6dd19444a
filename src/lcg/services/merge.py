"""Merging entities: aliases become tombstones that lead to the canonical entity, and what they had moves to it.

The plan is a list of steps, the same for a dry run and the real one, so their numbers agree. Of a merge that is too
big for one log record, each record takes as many steps as fit, and the next one is planned anew from what is left. An
alias becomes a tombstone only after its last edge has moved, so whatever is interrupted is completed by a rerun. Even
one edge may be too big to be moved and ended in one record; then it is moved first, and a rerun finds it there. What
no record can take is refused before the first one is written.
"""

import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from typing import Any

import orjson

from lcg.errors import OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.graph.entries import EdgeKey, Kind
from lcg.graph.graph import Graph
from lcg.graph.planning import Plan, Planned, PlanView
from lcg.model.ids import new_uuid
from lcg.model.operations import EdgePut, EntityPut, MentionPut, Operation
from lcg.model.rows import MERGED, Edge, Entity, Mention
from lcg.model.times import Micros
from lcg.services.merge_selection import Merge, Selection, select
from lcg.services.record_size import OPERATIONS_PER_RECORD, fits, within_a_record
from lcg.services.warnings import Warnings

Check = Callable[[Operation], None]
"""Raises when no record can take an operation."""


@dataclass(slots=True)
class MergedAlias:
    """What a merge does to one alias: edges that move, that are invalidated as duplicates, and that stay elsewhere.

    `buried` is 1 once it is a tombstone.
    """

    uuid: str
    name: str
    rewritten: int = 0
    duplicates: int = 0
    foreign: int = 0
    buried: int = 0


@dataclass(slots=True)
class Merged:
    """What became of a merge, or would; `canonical_uuid` is empty when there is no such entity."""

    canonical_uuid: str = ""
    aliases: dict[str, MergedAlias] = field(default_factory=dict)
    skipped: int = 0
    errors: list[str] = field(default_factory=list)
    success: bool = True
    warnings: Warnings = field(default_factory=list)
    logged: bool = False
    halves: set[str] = field(default_factory=set)

    def total(self, what: str) -> int:
        """Return the sum over all aliases of one of their numbers."""
        return sum(getattr(alias, what) for alias in self.aliases.values())


@dataclass(frozen=True, slots=True)
class _Step:
    """Operations that belong together, and what they count as for an alias. `half` is an edge that is still to end."""

    operations: tuple[Operation, ...]
    alias: Entity | None = None
    counts: Mapping[str, int] = field(default_factory=dict)
    half: str | None = None


@dataclass(frozen=True, slots=True)
class _Part:
    """What one record of a merge does."""

    selection: Selection
    steps: tuple[_Step, ...]
    complete: bool


def merge(
    graph: Graph, wish: Merge, origin: str, *, dry_run: bool = False, cancelled: threading.Event | None = None
) -> Merged:
    """Merge entities of one group, or only count what that would do.

    Raises:
        LcgError: the log refused, or the caller gave up between two records; what is logged stays, and a rerun goes on.
            `limit`, a row that no record can take: nothing was changed.
    """
    merged = Merged()
    rest = wish
    while True:
        check = None if merged.logged or dry_run else partial(graph.refuse_unloggable, wish.group_id)
        part, seq = graph.write_logged(wish.group_id, origin, plan_merge(rest, dry_run=dry_run, check=check))
        _add(merged, part)
        merged.logged |= seq is not None
        if part.complete:
            return merged
        if cancelled is not None and cancelled.is_set():
            raise OperationFailed(ErrorKind.CANCELLED, "operation cancelled")
        rest = _rest(wish, merged, part)


def plan_merge(wish: Merge, *, dry_run: bool, check: Check | None = None) -> Plan[_Part]:
    """Return the plan of a merge's next record. A dry run plans all of it and has no operations.

    `check` raises for an operation that no record can take; it is asked about those that later records would bring.
    """

    def plan(view: PlanView) -> Planned[_Part]:
        selection = select(view, wish)
        if selection.canonical is None:
            return Planned([], _Part(selection, (), complete=True))
        steps = _Steps(view, wish, selection.canonical, selection.aliases).all()
        if dry_run:
            return Planned([], _Part(selection, tuple(steps), complete=True))
        taken, beyond = within_a_record(_cut(steps), OPERATIONS_PER_RECORD)
        if beyond is not None and check is not None:
            for step in chain((beyond,), steps):
                _refuse_too_big(step, check)
        part = _Part(selection, tuple(taken), complete=beyond is None)
        return Planned([operation for step in taken for operation in step.operations], part)

    return plan


def _rest(wish: Merge, merged: Merged, part: _Part) -> Merge:
    left = (row.uuid for row in part.selection.aliases)
    return Merge(
        wish.group_id,
        wish.now,
        canonical_uuid=merged.canonical_uuid,
        counted=frozenset(merged.halves),
        alias_uuids=tuple(uuid for uuid in left if not (uuid in merged.aliases and merged.aliases[uuid].buried)),
    )


def _add(merged: Merged, part: _Part) -> None:
    selection = part.selection
    merged.canonical_uuid = selection.canonical.uuid if selection.canonical else ""
    merged.skipped += selection.skipped
    merged.errors += selection.errors
    merged.warnings += selection.warnings
    merged.success &= not selection.failed
    for step in part.steps:
        if step.half is not None:
            merged.halves.add(step.half)
        if step.alias is not None:
            told = merged.aliases.setdefault(step.alias.uuid, MergedAlias(step.alias.uuid, step.alias.name))
            for what, count in step.counts.items():
                setattr(told, what, getattr(told, what) + count)


def _cut(steps: Iterator[_Step]) -> Iterator[_Step]:
    """Cut the move of an edge that is too big for one record in two: it is moved, then ended where it was."""
    for step in steps:
        *first, last = step.operations
        if first and isinstance(last, EdgePut) and not fits(step.operations):
            yield replace(step, operations=tuple(first), half=last.row.uuid)
            yield _Step((last,), step.alias)
        else:
            yield step


def _refuse_too_big(step: _Step, check: Check) -> None:
    for operation in step.operations:
        if not fits((operation,)):
            check(operation)


class _Steps:
    """The steps of one merge, in the order in which they may be interrupted."""

    def __init__(self, view: PlanView, wish: Merge, canonical: Entity, aliases: list[Entity]) -> None:
        self._view = view
        self._group = wish.group_id
        self._counted = wish.counted
        self._now: Micros = wish.now
        self._canonical = canonical
        self._aliases = aliases
        self._into = {alias.uuid: canonical.uuid for alias in aliases}
        self._seen: set[str] = set()
        self._held: dict[EdgeKey, Edge] = {}
        self._mentioned = set(view.index.episodes_of(canonical.uuid))

    def all(self) -> Iterator[_Step]:
        """Yield the steps: the canonical's date, then for each alias its edges, its mentions, its tombstone."""
        earliest = min(row.created_at for row in (self._canonical, *self._aliases))
        if earliest < self._canonical.created_at:
            yield _Step((EntityPut(replace(self._canonical, created_at=earliest)),))
        for alias in self._aliases:
            yield from self._merge(alias)

    def _merge(self, alias: Entity) -> Iterator[_Step]:
        rows = self._view.edges_at(alias.uuid)
        live = [row for row in rows if row.invalid_at is None and row.uuid not in self._seen]
        self._seen.update(row.uuid for row in live)
        for edge in sorted(live, key=lambda row: (row.created_at, row.uuid)):
            if edge.group_id == self._group:
                yield self._move(alias, edge)
        yield from self._mentions(alias)
        foreign = sum(row.group_id != self._group and not self._view.index.is_unbound(row.uuid) for row in live)
        yield _Step((EntityPut(tombstone(alias, self._canonical.uuid)),), alias, {"buried": 1, "foreign": foreign})

    def _move(self, alias: Entity, edge: Edge) -> _Step:
        source, target = (self._into.get(end, end) for end in (edge.source_uuid, edge.target_uuid))
        ended = EdgePut(replace(edge, invalid_at=self._now))
        if source == target or edge.uuid in self._counted:
            return _Step((ended,), alias)
        key = (source, edge.name, target)
        # Without an endpoint the key says nothing: two pointers can wait for different names.
        known = self._known(key) if source and target else None
        if known is None:
            moved = replace(edge, uuid=new_uuid(), source_uuid=source, target_uuid=target)
            self._held[key] = moved
            return _Step((EdgePut(moved), ended), alias, {"rewritten": 1})
        told = replace(known, episodes=tuple(dict.fromkeys((*known.episodes, *edge.episodes))))
        self._held[key] = told
        return _Step((EdgePut(told), ended) if told != known else (ended,), alias, {"duplicates": 1})

    def _known(self, key: EdgeKey) -> Edge | None:
        if key in self._held:
            return self._held[key]
        found = self._view.active_edges(self._group, *key)
        return found[0] if found else None

    def _mentions(self, alias: Entity) -> Iterator[_Step]:
        index = self._view.index
        for episode in sorted(index.episodes_of(alias.uuid)):
            if episode not in self._mentioned and index.places.get(episode) == (Kind.EPISODE, self._group):
                self._mentioned.add(episode)
                yield _Step((MentionPut(Mention(self._group, episode, self._canonical.uuid)),), alias)


def tombstone(alias: Entity, canonical_uuid: str) -> Entity:
    """Return an entity as it is once it was merged into another one."""
    try:
        attributes: Any = orjson.loads(alias.attributes)
    except orjson.JSONDecodeError:
        attributes = None
    kept = attributes if isinstance(attributes, dict) else {}
    return replace(
        alias,
        labels=(*alias.labels, MERGED),
        attributes=orjson.dumps({**kept, "merged_into": canonical_uuid}).decode(),
    )
