"""Translating the log of the reference implementation, line by line, into records of whole rows."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from lcg.model.operations import Record
from lcg.model.quickly_made import quickly_made
from lcg.model.times import Micros
from lcg.wal import fields
from lcg.wal.codec import MAX_SEQ
from lcg.wal.errors import LineError
from lcg.wal.reference import values
from lcg.wal.reference.actions import DropRows, Statement
from lcg.wal.reference.errors import Problem, Untranslated, failed
from lcg.wal.reference.rows import KnownRows
from lcg.wal.reference.statements import understand
from lcg.wal.reference.work import Embedding, Work

_SAMPLE_CHARS = 200


class _Line(NamedTuple):
    seq: int
    written_at: Micros
    cypher: str
    params: dict[str, Any]


@quickly_made
@dataclass(frozen=True, slots=True)
class Translated:
    """What became of a line: a `record` (without operations when it changes nothing), or the `problem` that it has.

    `legacy` lines wrote to tables that are passed over. `prefixed_match` lines updated rows that were there.
    `embeddings` are the vectors that the line brings, each with its text; of which model, no line says. `waiting` are
    entities that an edge names and that no line has made so far: the edge gets that end when they come. A line that
    `purges` deletes everything of one kind that the group has; three such lines empty a group.
    """

    record: Record | None = None
    problem: Problem | None = None
    embeddings: tuple[Embedding, ...] = ()
    prefixed_match: bool = False
    legacy: bool = False
    waiting: tuple[str, ...] = ()
    purges: bool = False


def is_reference_line(line: dict[str, Any]) -> bool:
    """Say whether a line, decoded from JSON, is one of the reference implementation's log."""
    return "cypher" in line and "v" not in line and "ops" not in line


class ReferenceTranslator:
    """The translator of one group's log. Lines come in the order of the log; each may change rows of earlier ones.

    `rows` are looked up as they are before a line. Whoever applies the records of the log, of whatever format, holds
    them, and applies a line's record before the next line is translated.
    """

    def __init__(self, group_id: str, rows: KnownRows) -> None:
        self.group_id = group_id
        self.rows = rows

    def translate(self, line: dict[str, Any] | bytes) -> Translated:
        """Translate one line, given as it stands in the file or decoded from JSON. Never raises for what is in it."""
        cypher = ""
        try:
            read = _read(line)
            cypher = read.cypher
            statement = understand(cypher)
            return self._carry_out(statement, read)
        except Untranslated as error:
            return Translated(problem=Problem(error.kind, error.reason, error.subject, _sample(cypher)))
        except RecursionError:
            return Translated(problem=Problem("failed", "the line nests too deeply", sample=_sample(cypher)))

    def _carry_out(self, statement: Statement, line: _Line) -> Translated:
        for expression in statement.groups:
            self._refuse_foreign(values.evaluate(expression, line.params))
        work = Work(self.group_id, self.rows, line.params, line.written_at)
        for action in statement.actions:
            work.do(action)
        return Translated(
            Record(self.group_id, line.seq, line.written_at, f"reference:{statement.name}", work.operations()),
            None,
            tuple(work.embeddings),
            statement.begins_with_match and not statement.legacy,
            statement.legacy,
            tuple(dict.fromkeys(work.waiting)),
            self._purges(statement, line),
        )

    def _purges(self, statement: Statement, line: _Line) -> bool:
        """Say whether the line does nothing but delete by group. That it is this group was checked before."""
        actions = statement.actions
        return bool(actions) and all(
            isinstance(action, DropRows)
            and action.selector == "group_id"
            and values.evaluate(action.values, line.params) not in ([], None, "")
            for action in actions
        )

    def _refuse_foreign(self, value: Any) -> None:
        groups = value if isinstance(value, list) else [value]
        if any(group not in (self.group_id, None, "") for group in groups):
            raise failed("the line writes to another group than that of its directory", f"group {_shown(groups)}")


def _read(line: dict[str, Any] | bytes) -> _Line:
    try:
        raw = fields.parse(line) if isinstance(line, bytes) else line
        seq = fields.number(raw, "seq", 0)
        cypher = fields.text(raw, "cypher")
    except LineError as error:
        raise Untranslated("unparseable", error.reason) from None
    params = raw.get("params")
    if params is not None and type(params) is not dict:
        raise Untranslated("unparseable", "params must be an object")
    try:
        written_at = values.moment(raw.get("ts"), "ts")
    except Untranslated:
        # The time of writing decides nothing but a time of creation that a line forgot.
        written_at = 0
    return _Line(min(seq, MAX_SEQ), written_at, cypher, params or {})


def _shown(groups: list[Any]) -> str:
    return ", ".join(repr(group)[:80] for group in groups[:3])


def _sample(cypher: str) -> str:
    start = cypher[: 2 * _SAMPLE_CHARS]
    return " ".join(start.split())[:_SAMPLE_CHARS]
