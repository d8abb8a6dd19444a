"""Embedding the current summaries of a group's entities, whatever was embedded of them before."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from itertools import islice

from lcg.errors import OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.graph.entries import Kind
from lcg.graph.graph import Graph
from lcg.graph.planning import Plan, Planned, PlanView
from lcg.graph.state import GraphState
from lcg.model.names import is_blank
from lcg.model.operations import EntityPut
from lcg.model.rows import Entity
from lcg.providers.embedder.protocol import EmbedderError
from lcg.runtime.call import Call
from lcg.runtime.groups import GroupFilter
from lcg.runtime.parts import parts
from lcg.search.protocol import VectorKind
from lcg.services.embedding import Embedding
from lcg.services.passes import in_batches
from lcg.services.record_size import Piece, within_a_record

_ROWS_PER_READ = 1_000
_SUMMARIES_PER_RECORD = 250


def backfill_summaries(
    graph: Graph, embedding: Embedding, group_id: str, call: Call, *, dry_run: bool
) -> tuple[int, int]:
    """Embed every summary of a group; return how many live entities it has, and how many of them have a summary.

    A row's embedded text becomes its current summary, in the group's log where that is a change. A dry run counts.

    Raises:
        OperationFailed: `provider_failed`, no answer of the embedder, with `backfilled` so far in its data;
            `cancelled`. The batches before are stored.
        LcgError: the log refused a batch.
    """
    uuids = graph.index.visible(Kind.ENTITY, GroupFilter((group_id,)))
    wanted = [uuid for part in parts(uuids, _ROWS_PER_READ) for uuid in sorted(_summaries(graph, part))]
    if dry_run or not wanted:
        return len(uuids), len(wanted)
    done = 0
    for batch in in_batches(call, "writing", wanted, _SUMMARIES_PER_RECORD, total_mutations=len(wanted)):
        seen = _summaries(graph, batch)
        try:
            embedding.learn(seen.values())
        except EmbedderError as error:
            raise OperationFailed(
                ErrorKind.PROVIDER_FAILED,
                f"The embedder gave no usable answer after {done} of {len(wanted)} summaries; those stay embedded. "
                f"Call again when it answers, which does all of them anew. {error}",
                backfilled=done,
            ) from error
        left = seen
        while left:
            stored: int = graph.write(group_id, call.method, _plan(group_id, left))
            left = dict(islice(left.items(), stored, None))
        graph.run(partial(_fill_gaps, seen=seen))
        done += len(batch)
    return len(uuids), done


def _summaries(graph: Graph, uuids: Iterable[str]) -> dict[str, str]:
    rows = graph.entities(uuids).values()
    return {row.uuid: row.summary for row in rows if not row.is_tombstone and not is_blank(row.summary)}


def _plan(group_id: str, seen: Mapping[str, str]) -> Plan[int]:
    """Return the plan that makes each row stand for the summary that was embedded, even if it has another by now.

    It takes the first of them, as many as a record takes, and tells how many these are.
    """

    def plan(view: PlanView) -> Planned[int]:
        rows = view.entities(seen)
        taken, _ = within_a_record(_piece(rows.get(uuid), group_id, summary) for uuid, summary in seen.items())
        return Planned([operation for piece in taken for operation in piece.operations], len(taken))

    return plan


def _piece(row: Entity | None, group_id: str, summary: str) -> Piece:
    if row is None or row.group_id != group_id or row.is_tombstone:
        return Piece()
    changed = replace(row, summary_embedded=None if row.summary == summary else summary)
    return Piece() if changed == row else Piece((EntityPut(changed),))


def _fill_gaps(state: GraphState, seen: Mapping[str, str]) -> None:
    """Give their vector to rows that stood for this summary already and had none, since no write touches them."""
    vectors = state.derived.vectors
    if vectors.missing():
        entries = vectors.missing_entries()
        vectors.update([e for e in entries if e.kind is VectorKind.ENTITY_SUMMARY and e.uuid in seen], (), {})
