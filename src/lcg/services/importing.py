"""Taking staged rows into the graph: everything is looked at before anything is written.

The rows of a group are one record of its log while they fit, so they come all or not at all. More of them are several
records in the order in which rows refer to each other: what a crash leaves is whole by itself, and doing the same once
more finds it there by its uuids and writes the rest.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from lcg.errors import LcgError, OperationFailed
from lcg.exchange.lines import KINDS
from lcg.exchange.staged import Staged, StagedRow
from lcg.generated.errors import ErrorKind
from lcg.graph.graph import Graph
from lcg.graph.planning import Plan, Planned, PlanView
from lcg.model.rows import Edge, Entity, Episode, Mention
from lcg.runtime.call import Call
from lcg.services.embedding import Embedding
from lcg.services.import_rules import OUTCOMES, Judge, Known, Learned, Rules, Verdict
from lcg.services.passes import refuse_if_cancelled
from lcg.services.record_size import CHARACTERS_PER_RECORD, OPERATIONS_PER_RECORD, characters

REFUSED_SHOWN: Final = 1_000
"""Of the refused rows no more are told one by one."""
_Judged = tuple[list[Verdict], dict[str, str]]
_KIND_OF: Final[dict[type, str]] = {Entity: "entity", Edge: "edge", Episode: "episode", Mention: "mention"}


@dataclass(slots=True)
class Imported:
    """What became of the rows: `counts` by kind and outcome, and the first of the refused by line and reason."""

    written: bool
    counts: dict[str, dict[str, int]] = field(
        default_factory=lambda: {kind: dict.fromkeys(OUTCOMES, 0) for kind in KINDS}
    )
    refused: list[tuple[int, str]] = field(default_factory=list)
    refused_count: int = 0
    groups_done: list[str] = field(default_factory=list)
    embedding_warning: str | None = None

    def note(self, verdicts: Iterable[Verdict]) -> None:
        """Count verdicts."""
        for verdict in verdicts:
            self.counts[_KIND_OF[type(verdict.staged.row)]][verdict.outcome] += 1
            if verdict.outcome == "refused":
                self.refused_count += 1
                if len(self.refused) < REFUSED_SHOWN:
                    self.refused.append((verdict.staged.number, verdict.reason))


class Importer:
    """One import. `skips` leaves refused rows out; otherwise one of them keeps everything from being written."""

    def __init__(
        self, graph: Graph, embedding: Embedding, staged: Staged, rules: Rules, call: Call, *, skips: bool
    ) -> None:
        self._graph = graph
        self._embedding = embedding
        self._staged = staged
        self._rules = rules
        self._call = call
        self._skips = skips

    def run(self, *, dry_run: bool) -> Imported:
        """Look at every row, then write, unless it is a dry run or a row is refused.

        Raises:
            LcgError: a log refused, or the caller gave up; `groups_done` in its data says which groups took rows.
        """
        checked = self._check()
        if dry_run or (checked.refused_count and not self._skips):
            return checked
        done = Imported(written=True)
        try:
            self._write(done)
        except LcgError as error:
            error.data["groups_done"] = done.groups_done
            raise
        return done

    def _check(self) -> Imported:
        done, learned = Imported(written=False), Learned()
        for _, piece in self._pieces("checking"):
            verdicts, stands_for = self._judge(self._graph, piece, learned)
            done.note(verdicts)
            learned.take(verdicts, stands_for)
        return done

    def _write(self, done: Imported) -> None:
        learned = Learned()
        for group_id, piece in self._pieces("writing"):
            foreseen, _ = self._judge(self._graph, piece, learned)
            warning = self._embedding.prepare(_texts(foreseen))
            done.embedding_warning = done.embedding_warning or warning
            (verdicts, stands_for), seq = self._graph.write_logged(
                group_id, self._call.method, self._plan(group_id, piece, learned)
            )
            done.note(verdicts)
            learned.take(verdicts, stands_for)
            if seq is not None and group_id not in done.groups_done:
                done.groups_done.append(group_id)

    def _plan(self, group_id: str, piece: list[StagedRow], learned: Learned) -> Plan[_Judged]:
        def plan(view: PlanView) -> Planned[_Judged]:
            verdicts, stands_for = self._judge(view, piece, learned)
            refused = next((verdict for verdict in verdicts if verdict.outcome == "refused"), None)
            if refused is not None and not self._skips:
                raise OperationFailed(
                    ErrorKind.CONFLICT,
                    f"The graph changed while rows were looked at, and line {refused.staged.number} does not fit any "
                    f"more: {refused.reason}. Run the import again.",
                    group_id=group_id,
                )
            operations = [operation for verdict in verdicts for operation in verdict.operations]
            return Planned(operations, (verdicts, stands_for))

        return plan

    def _judge(self, known: Known, piece: list[StagedRow], learned: Learned) -> _Judged:
        judge = Judge(known, self._staged, self._rules, learned)
        return [self._loggable(verdict) for verdict in judge.judge(piece)], judge.stands_for

    def _loggable(self, verdict: Verdict) -> Verdict:
        """Refuse a row that no record can take. Those that surely fit are not tried."""
        for operation in verdict.operations:
            if characters(operation) > CHARACTERS_PER_RECORD:
                try:
                    self._graph.refuse_unloggable(verdict.staged.row.group_id, operation)
                except OperationFailed as error:
                    return Verdict(verdict.staged, "refused", reason=error.message)
        return verdict

    def _pieces(self, phase: str) -> Iterator[tuple[str, list[StagedRow]]]:
        """Yield the rows of each group in pieces of which a record takes one, and report how far it has come."""
        processed, total = 0, sum(self._staged.counts().values())
        self._report(phase, processed, total)
        for group_id in self._staged.groups():
            self._graph.refuse_colliding(group_id)
            for piece in _cut(self._staged.rows(group_id)):
                refuse_if_cancelled(self._call)
                yield group_id, piece
                processed += len(piece)
                self._report(phase, processed, total)

    def _report(self, phase: str, processed: int, total: int) -> None:
        if self._call.report is not None:
            message = f"{phase}: {processed:,} of {total:,} rows"
            self._call.report({"phase": phase, "processed": processed, "total": total, "message": message})


def _cut(rows: Iterable[StagedRow]) -> Iterator[list[StagedRow]]:
    piece: list[StagedRow] = []
    size = 0
    for staged in rows:
        room = characters(Verdict(staged, "created", staged.row).operations[0])
        if piece and (len(piece) == OPERATIONS_PER_RECORD or size + room > CHARACTERS_PER_RECORD):
            yield piece
            piece, size = [], 0
        piece.append(staged)
        size += room
    if piece:
        yield piece


def _texts(verdicts: Iterable[Verdict]) -> Iterator[str]:
    """Yield the texts whose vectors the rows to be written need."""
    for verdict in verdicts:
        match verdict.row:
            case Entity() as row if not row.is_tombstone:
                yield row.name if row.name_embedded is None else row.name_embedded
                yield row.summary if row.summary_embedded is None else row.summary_embedded
            case Edge() as row:
                yield row.fact if row.fact_embedded is None else row.fact_embedded
            case Episode() as row:
                yield row.content
