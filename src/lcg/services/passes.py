"""Long passes over the rows of a group: batches, progress, and where a caller can stop them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol, TypeVar

from lcg.errors import OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.graph.graph import Graph
from lcg.graph.planning import Planned, PlanView
from lcg.model.operations import Operation
from lcg.runtime.call import Call
from lcg.services.record_size import Piece, within_a_record

READ_BATCH = 2_000
"""Rows that are read at once: the engine goes over its table for them, however few they are."""
WRITE_BATCH = 250
"""Changes per log record, if they are short. The writes of others go on between two."""
ItemT = TypeVar("ItemT")


class Change(Protocol):
    """What is to be changed of a row."""

    @property
    def uuid(self) -> str:
        """The row."""
        ...


ChangeT = TypeVar("ChangeT", bound=Change)


def in_batches(call: Call, phase: str, items: Sequence[ItemT], size: int, **fields: int) -> Iterator[Sequence[ItemT]]:
    """Yield items in batches as one phase: a frame at its start and after each batch, the last one at its end.

    Raises:
        OperationFailed: `cancelled`, between two batches.
    """
    _report(call, phase, 0, len(items), fields)
    for start in range(0, len(items), size):
        refuse_if_cancelled(call)
        batch = items[start : start + size]
        yield batch
        _report(call, phase, start + len(batch), len(items), fields)


def write_changes(
    graph: Graph,
    group_id: str,
    call: Call,
    phase: str,
    changes: Sequence[ChangeT],
    read: Callable[[Iterable[str]], object],
    plan: Callable[[PlanView, Sequence[ChangeT]], Iterator[Operation | None]],
) -> int:
    """Write changes in batches, each a record of its own, and return how many still were to be made.

    Args:
        graph: where to write.
        group_id: whose log takes them.
        call: the call that asks for it.
        phase: what progress calls it.
        changes: what was found to be changed.
        read: brings rows into the graph's cache. The writer's thread finds them there, and reading many is cheaper.
        plan: gives the operation of each change in turn; None where the row is no longer as it was then.

    Raises:
        LcgError: the log refused, or the caller gave up. The batches before are stored.
    """
    at = ahead = written = 0
    _report(call, phase, 0, len(changes), {"total_mutations": len(changes)})
    while at < len(changes):
        refuse_if_cancelled(call)
        if at >= ahead:
            ahead = at + READ_BATCH
            read([change.uuid for change in changes[at:ahead]])
        batch = changes[at : min(at + WRITE_BATCH, ahead)]

        def plan_batch(view: PlanView, batch: Sequence[ChangeT] = batch) -> Planned[tuple[int, int]]:
            pieces = (Piece(() if operation is None else (operation,)) for operation in plan(view, batch))
            taken, _ = within_a_record(pieces)
            operations = [operation for piece in taken for operation in piece.operations]
            return Planned(operations, (len(taken), len(operations)))

        looked_at, done = graph.write(group_id, call.method, plan_batch)
        at += looked_at
        written += done
        _report(call, phase, at, len(changes), {"total_mutations": len(changes)})
    return written


def refuse_if_cancelled(call: Call) -> None:
    """Raise OperationFailed of kind `cancelled` when nobody waits for the call any more."""
    if call.cancelled.is_set():
        raise OperationFailed(ErrorKind.CANCELLED, "operation cancelled")


def _report(call: Call, phase: str, processed: int, total: int, fields: dict[str, int]) -> None:
    if call.report is not None:
        message = f"{phase.replace('_', ' ')}: {processed} of {total}"
        call.report({"phase": phase, "processed": processed, "total": total, "message": message, **fields})
