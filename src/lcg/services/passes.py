"""Long passes over the rows of a group: batches, progress, and where a caller can stop them."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from lcg.errors import OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.graph.graph import Graph
from lcg.graph.planning import Planned, PlanView
from lcg.model.operations import Operation
from lcg.runtime.call import Call

WRITE_BATCH = 250
"""Changes per log record. Reads, and the writes of others, go on between two."""
ItemT = TypeVar("ItemT")


def in_batches(call: Call, phase: str, items: Sequence[ItemT], size: int, **fields: int) -> Iterator[Sequence[ItemT]]:
    """Yield items in batches as one phase: a frame at its start and after each batch, the last one at its end.

    Raises:
        OperationFailed: `cancelled`, between two batches.
    """
    _report(call, phase, 0, len(items), fields)
    for start in range(0, len(items), size):
        if call.cancelled.is_set():
            raise OperationFailed(ErrorKind.CANCELLED, "operation cancelled")
        batch = items[start : start + size]
        yield batch
        _report(call, phase, start + len(batch), len(items), fields)


def write_changes(
    graph: Graph,
    group_id: str,
    call: Call,
    phase: str,
    changes: Sequence[ItemT],
    plan: Callable[[PlanView, Sequence[ItemT]], Sequence[Operation]],
) -> int:
    """Write changes in batches, each a record of its own, and return how many still were to be made.

    Args:
        graph: where to write.
        group_id: whose log takes them.
        call: the call that asks for it.
        phase: what progress calls it.
        changes: what was found to be changed.
        plan: turns changes into operations, without those whose row is no longer as it was then.

    Raises:
        LcgError: the log refused, or the caller gave up. The batches before are stored.
    """
    written = 0
    for batch in in_batches(call, phase, changes, WRITE_BATCH, total_mutations=len(changes)):

        def plan_batch(view: PlanView, batch: Sequence[ItemT] = batch) -> Planned[int]:
            operations = plan(view, batch)
            return Planned(operations, len(operations))

        done: int = graph.write(group_id, call.method, plan_batch)
        written += done
    return written


def _report(call: Call, phase: str, processed: int, total: int, fields: dict[str, int]) -> None:
    if call.report is not None:
        message = f"{phase.replace('_', ' ')}: {processed} of {total}"
        call.report({"phase": phase, "processed": processed, "total": total, "message": message, **fields})
