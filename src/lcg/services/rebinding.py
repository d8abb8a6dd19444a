"""Looking up again the pointers into a group, each change in the log of the edge's own group."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from lcg.errors import LcgError
from lcg.graph.graph import Graph
from lcg.graph.planning import Plan, Planned, PlanView
from lcg.graph.pointer_counts import edges_pointing_into, is_target_there
from lcg.model.operations import EdgePut, Operation
from lcg.model.pointers import Pointer, Side, pointers_of, with_pointers
from lcg.model.rows import Edge
from lcg.model.times import now
from lcg.runtime.call import Call
from lcg.services.passes import refuse_if_cancelled
from lcg.services.pointers import resolve
from lcg.services.record_size import within_a_record

_EDGES_PER_RECORD = 500


@dataclass(slots=True)
class Rebound:
    """What a pass did. `checked` pointers were looked up; the two `invalidated_*` count edges."""

    checked: int = 0
    bound: int = 0
    unbound: int = 0
    ambiguous: int = 0
    invalidated_self_loop: int = 0
    invalidated_duplicate: int = 0
    staleness_skipped: int = 0
    groups_done: list[str] = field(default_factory=list)

    def add(self, other: "Rebound") -> None:
        """Take in what a part of the pass did."""
        self.checked += other.checked
        self.bound += other.bound
        self.unbound += other.unbound
        self.ambiguous += other.ambiguous
        self.invalidated_self_loop += other.invalidated_self_loop
        self.invalidated_duplicate += other.invalidated_duplicate
        self.staleness_skipped += other.staleness_skipped


IsCurrent = Callable[[PlanView, Pointer], bool]
"""Says whether a pointer need not be looked up."""


def rebind_pointers(graph: Graph, source_group_id: str, call: Call) -> Rebound:
    """Look up every pointer into a group that is not known to be up to date.

    Raises:
        LcgError: a log refused, or the call was cancelled; its data has `groups_done`, and calling again does the rest.
    """

    def is_current(view: PlanView, pointer: Pointer) -> bool:
        position = graph.state.positions.get(source_group_id)
        if position is None or position.generation is None or pointer.bound_at_seq is None:
            return False
        same = pointer.bound_generation == position.generation and pointer.bound_at_seq >= position.applied_seq
        return same and _is_whole(view, pointer)

    return _rebind(graph, source_group_id, call, is_current)


def rebind_lost(graph: Graph, source_group_id: str, call: Call) -> Rebound:
    """Look up the pointers into a group that has been replaced, where they lead to no entity; the others stay.

    Raises:
        LcgError: as `rebind_pointers`.
    """
    return _rebind(graph, source_group_id, call, _is_whole)


def _is_whole(view: PlanView, pointer: Pointer) -> bool:
    return pointer.binding == "bound" and is_target_there(view.index, pointer)


def _rebind(graph: Graph, source_group_id: str, call: Call, is_current: IsCurrent) -> Rebound:
    done = Rebound()
    try:
        for group_id, uuids in edges_pointing_into(graph.index, source_group_id).items():
            left = uuids
            while left:
                refuse_if_cancelled(call)
                part = _Part(graph, source_group_id, is_current, left[:_EDGES_PER_RECORD])
                (rebound, looked_at), seq = graph.write_logged(group_id, call.method, part.plan())
                left = left[looked_at:]
                done.add(rebound)
                if seq is not None and group_id not in done.groups_done:
                    done.groups_done.append(group_id)
    except LcgError as error:
        error.data["groups_done"] = list(done.groups_done)
        raise
    return done


@dataclass(frozen=True, slots=True)
class _Piece:
    """What becomes of one edge, and what it counts as."""

    operations: tuple[Operation, ...]
    told: Rebound


@dataclass(frozen=True, slots=True)
class _Part:
    """Some edges of one group, rebound in one record as far as they fit."""

    graph: Graph
    source_group_id: str
    is_current: IsCurrent
    uuids: Sequence[str]

    def plan(self) -> Plan[tuple[Rebound, int]]:
        """Return a plan that tells what it did and how many of the edges it looked at, from the first on."""

        def plan(view: PlanView) -> Planned[tuple[Rebound, int]]:
            taken, _ = within_a_record(self._pieces(view))
            done = Rebound()
            for piece in taken:
                done.add(piece.told)
            return Planned([operation for piece in taken for operation in piece.operations], (done, len(taken)))

        return plan

    def _pieces(self, view: PlanView) -> Iterator["_Piece"]:
        changed, rows = _Changed(view), view.edges(self.uuids)
        for uuid in self.uuids:
            edge, told = rows.get(uuid), Rebound()
            row = None if edge is None or edge.invalid_at is not None else self._rebind_edge(view, edge, changed, told)
            if row is None or row == edge:
                yield _Piece((), told)
            else:
                changed.rows[uuid] = row
                yield _Piece((EdgePut(row),), told)

    def _rebind_edge(self, view: PlanView, edge: Edge, changed: "_Changed", done: Rebound) -> Edge:
        """Return the edge as it is to be, and count for `done` what that means."""
        pointers = pointers_of(edge.attributes)
        due = {side: pointer for side, pointer in pointers.items() if pointer.source_group_id == self.source_group_id}
        fresh: dict[Side, Pointer] = {}
        for side, pointer in due.items():
            if self.is_current(view, pointer):
                done.staleness_skipped += 1
            else:
                fresh[side] = resolve(self.graph, view, pointer.source_group_id, pointer.endpoint_name)
        done.checked += len(fresh)
        for pointer in fresh.values():
            done.bound += pointer.binding == "bound"
            done.unbound += pointer.binding == "unbound"
            done.ambiguous += pointer.binding == "ambiguous"
        row = _rebound_row(edge, pointers, fresh)
        moved = (row.source_uuid, row.target_uuid) != (edge.source_uuid, edge.target_uuid)
        if moved and row.source_uuid and row.source_uuid == row.target_uuid:
            done.invalidated_self_loop += 1
            return replace(edge, invalid_at=now())
        if moved and changed.has_twin(row):
            done.invalidated_duplicate += 1
            return replace(edge, invalid_at=now())
        return row


def _rebound_row(edge: Edge, pointers: dict[Side, Pointer], fresh: dict[Side, Pointer]) -> Edge:
    """Return the edge with what was looked up; what is as broken as before stays as it is recorded."""
    news = {
        side: pointer
        for side, pointer in fresh.items()
        if pointer.binding == "bound" or pointer.binding != pointers[side].binding
    }
    if not news:
        return edge
    ends: dict[Side, str] = {"src": edge.source_uuid, "dst": edge.target_uuid}
    ends |= {side: pointer.resolved_uuid or "" for side, pointer in news.items()}
    attributes = with_pointers(edge.attributes, {**pointers, **news})
    return replace(edge, source_uuid=ends["src"], target_uuid=ends["dst"], attributes=attributes)


class _Changed:
    """The rows that a plan changes, and whether another edge says the same already."""

    def __init__(self, view: PlanView) -> None:
        self._view = view
        self.rows: dict[str, Edge] = {}

    def has_twin(self, row: Edge) -> bool:
        """Say whether another edge that holds joins the same ends by the same predicate, these changes included."""
        if not row.source_uuid or not row.target_uuid:
            return False
        stored = self._view.index.active_edges(row.group_id, row.source_uuid, row.name, row.target_uuid)
        if any(dated.uuid != row.uuid and dated.uuid not in self.rows for dated in stored):
            return True
        return any(_key(other) == _key(row) for other in self.rows.values() if other.invalid_at is None)


def _key(row: Edge) -> tuple[str, str, str]:
    return row.source_uuid, row.name, row.target_uuid
