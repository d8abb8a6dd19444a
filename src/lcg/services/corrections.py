"""Checking and applying the corrections that people keep in a file."""

import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from lcg.errors import LcgError, OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.graph.graph import Graph
from lcg.graph.planning import Plan, Planned, PlanView
from lcg.model.names import normalise
from lcg.model.operations import EdgePut
from lcg.model.rows import Entity
from lcg.model.times import Micros, now
from lcg.runtime.groups import ALL_GROUPS
from lcg.services import warnings
from lcg.services.corrections_file import PLACE, Correction, CorrectionsUnreadable, mark_applied, read_corrections
from lcg.services.merge import Merged, merge
from lcg.services.merge_selection import Merge, already_merged
from lcg.services.warnings import Warnings

_TYPES = ("same_as", "retract")


@dataclass(slots=True)
class Applied:
    """What became of the entries; `entries` is None when there is no file or it is empty."""

    entries: list[Correction] | None = None
    done: list[Correction] = field(default_factory=list)
    skipped: int = 0
    errors: list[str] = field(default_factory=list)
    groups_done: dict[str, None] = field(default_factory=dict)
    warnings: Warnings = field(default_factory=list)
    would_bury: dict[str, str] = field(default_factory=dict)
    would_date: dict[str, Micros] = field(default_factory=dict)
    """What the entries before would have done on a dry run: who led where, and who would be older."""

    def age(self, row: Entity) -> tuple[Micros, str]:
        """Return what entities of one name are sorted by."""
        return self.would_date.get(row.uuid, row.created_at), row.uuid


class _Failed(Exception):
    """An entry cannot be applied; the text says why."""


class Corrections:
    """The corrections file of a workspace, over an open graph."""

    def __init__(self, graph: Graph, workspace_root: Path) -> None:
        self._graph = graph
        self._path = workspace_root / PLACE
        self._turn = threading.Lock()

    def validate(self) -> tuple[list[Correction] | None, list[str]]:
        """Return the entries (None: no file, or an empty one) and what is wrong with them, applied ones included."""
        try:
            entries = read_corrections(self._path)
        except CorrectionsUnreadable as error:
            return [], [str(error)]
        issues = [f"{entry.id}: {fault}" for entry in entries or [] for fault in self._faults(entry)]
        return entries, [*issues, *_repeated(entries or []), *self._circles(entries or [])]

    def apply(self, origin: str, *, dry_run: bool, cancelled: threading.Event) -> Applied:
        """Apply what was not applied yet, entry by entry, and mark it in the file; a dry run only looks.

        Raises:
            OperationFailed: `cancelled` between two entries; those before are applied and marked.
        """
        with self._turn:
            result = Applied()
            try:
                result.entries = read_corrections(self._path)
            except CorrectionsUnreadable as error:
                result.errors.append(str(error))
                return result
            try:
                self._apply_all(result, origin, dry_run, cancelled)
            finally:
                if result.done and not dry_run:
                    self._mark(result)
            return result

    def _apply_all(self, result: Applied, origin: str, dry_run: bool, cancelled: threading.Event) -> None:
        entries = result.entries or []
        twice = {ident for ident, count in Counter(entry.id for entry in entries).items() if count > 1}
        for entry in entries:
            if entry.applied:
                result.skipped += 1
                continue
            if cancelled.is_set():
                raise OperationFailed(ErrorKind.CANCELLED, "operation cancelled", groups_done=list(result.groups_done))
            try:
                if entry.id in twice:
                    raise _Failed("the id is used more than once")
                self._apply(entry, result, origin, dry_run, cancelled)
            except (_Failed, LcgError) as error:
                result.errors.append(f"{entry.id}: {error}")
            else:
                result.done.append(entry)

    def _mark(self, result: Applied) -> None:
        moment = now()
        try:
            mark_applied(self._path, {entry.id: moment for entry in result.done})
        except (OSError, ValueError, CorrectionsUnreadable) as error:
            result.errors.append(
                "The file could not be marked. What was applied will be applied again, which changes nothing. "
                f"Cause: {error}"
            )

    def _apply(
        self, entry: Correction, result: Applied, origin: str, dry_run: bool, cancelled: threading.Event
    ) -> None:
        faults = self._faults(entry)
        if faults:
            raise _Failed("; ".join(faults))
        if entry.type == "retract":
            self._retract(entry, result, origin, dry_run)
            return
        canonical = self._canonical(entry, result)
        wish = Merge(canonical.group_id, now(), canonical_uuid=canonical.uuid, alias_names=entry.aliases)
        done = merge(self._graph, wish, origin, dry_run=dry_run, cancelled=cancelled)
        if done.logged:
            result.groups_done[canonical.group_id] = None
        if dry_run:
            self._foresee(canonical, done, result)
        if done.errors:
            raise _Failed("; ".join(done.errors))

    def _foresee(self, canonical: Entity, done: Merged, result: Applied) -> None:
        """Remember what a merge would have done, since the entries after it would have found that."""
        buried = [uuid for uuid, alias in done.aliases.items() if alias.buried and uuid not in result.would_bury]
        result.would_bury.update(dict.fromkeys(buried, canonical.uuid))
        rows = [canonical, *self._graph.entities(buried).values()]
        result.would_date[canonical.uuid] = min(result.age(row)[0] for row in rows)

    def _canonical(self, entry: Correction, result: Applied) -> Entity:
        if entry.canonical_uuid:
            found = self._graph.entities([entry.canonical_uuid]).get(entry.canonical_uuid)
            if found is None:
                raise _Failed(f"canonical entity {entry.canonical_uuid} not found")
            if found.uuid in result.would_bury:
                raise _Failed(already_merged(found.uuid, result.would_bury[found.uuid]))
            return found
        rows = sorted(self._named(entry.canonical, result), key=result.age)
        if not rows:
            raise _Failed(f"canonical entity {entry.canonical!r} not found: no group has a live entity of that name")
        if len(rows) > 1:
            result.warnings.append(warnings.duplicate_name(entry.canonical, rows[0].group_id, rows[0].uuid))
        return rows[0]

    def _named(self, name: str, result: Applied) -> list[Entity]:
        """Return the live entities of exactly that name in any group."""
        rows = self._graph.entities(self._graph.index.named_in(ALL_GROUPS, name)).values()
        live = [row for row in rows if not row.is_tombstone and row.uuid not in result.would_bury]
        return [row for row in live if normalise(row.name) == normalise(name)]

    def _retract(self, entry: Correction, result: Applied, origin: str, dry_run: bool) -> None:
        edge = self._graph.edges([entry.edge_uuid])[entry.edge_uuid]
        if not dry_run:
            _, seq = self._graph.write_logged(edge.group_id, origin, _plan_retraction(entry.edge_uuid, now()))
            if seq is not None:
                result.groups_done[edge.group_id] = None

    def _faults(self, entry: Correction) -> list[str]:
        faults = list(entry.faults)
        if entry.type not in _TYPES:
            faults.append(f"unknown type {entry.type!r}; it must be same_as or retract")
        elif entry.type == "same_as":
            if not (entry.canonical or entry.canonical_uuid):
                faults.append("same_as needs canonical or canonical_uuid")
            if not entry.aliases:
                faults.append("same_as needs aliases, a list of names")
            if entry.canonical_uuid and not self._graph.entities([entry.canonical_uuid]):
                faults.append(f"canonical_uuid {entry.canonical_uuid} not found")
            if self._name_of(entry) in map(normalise, entry.aliases):
                faults.append(_circle(self._name_of(entry)))
        elif not entry.edge_uuid:
            faults.append("retract needs edge_uuid")
        elif not self._graph.edges([entry.edge_uuid]):
            faults.append(f"edge_uuid {entry.edge_uuid} not found")
        return faults

    def _circles(self, entries: Sequence[Correction]) -> list[str]:
        """Tell of names that are, by way of others, aliases of themselves."""
        into: dict[str, set[str]] = {}
        for entry in entries:
            if entry.type == "same_as" and (name := self._name_of(entry)):
                for alias in map(normalise, entry.aliases):
                    if alias != name:  # else a fault of the entry itself
                        into.setdefault(alias, set()).add(name)
        circles = []
        for start in into:
            reached: set[str] = set()
            waiting = list(into[start])
            while waiting:
                name = waiting.pop()
                if name not in reached:
                    reached.add(name)
                    waiting += into.get(name, ())
            if start in reached:
                circles.append(_circle(start))
        return circles

    def _name_of(self, entry: Correction) -> str:
        known = self._graph.entities([entry.canonical_uuid]) if entry.canonical_uuid else {}
        return normalise(known[entry.canonical_uuid].name if known else entry.canonical)


def _circle(name: str) -> str:
    return f"aliases in a circle: {name!r} becomes an alias of itself"


def _repeated(entries: Sequence[Correction]) -> list[str]:
    counts = Counter(entry.id for entry in entries)
    return [f"{ident}: the id is used {count} times" for ident, count in counts.items() if count > 1]


def _plan_retraction(edge_uuid: str, moment: Micros) -> Plan[None]:
    def plan(view: PlanView) -> Planned[None]:
        row = view.edge(edge_uuid)
        if row is None or row.invalid_at is not None:
            return Planned([], None)
        return Planned([EdgePut(replace(row, invalid_at=moment))], None)

    return plan
