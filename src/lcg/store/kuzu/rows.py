"""The node tables, and how a row becomes columns and comes back. Everything about a table is derived from one line.

A column stands in the order of its row's fields and has the field's name; a hidden one has a `_` before it. Reading
never fails on a value that something else left null: such a field gets its fallback.
"""

from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import MISSING, Field, dataclass, fields
from datetime import datetime
from functools import cache
from typing import Any, Generic, get_args

from lcg.model.rows import Edge, Entity, Episode
from lcg.model.times import from_naive_utc, to_naive_utc
from lcg.store.protocol import RowT

TEXT, TIME, NUMBER, TEXTS = "STRING", "TIMESTAMP", "INT64", "STRING[]"
_EMPTY: dict[str, Any] = {TEXT: "", TIME: 0, NUMBER: 0, TEXTS: ()}


@dataclass(frozen=True, slots=True)
class Column:
    """One field of a row: its name in the row, in the table, its engine type, and what stands in for a null."""

    field: str
    name: str
    type: str
    fallback: Any

    def write(self, value: Any) -> Any:
        """Turn a field into what the engine takes."""
        if self.type == TIME:
            return None if value is None else to_naive_utc(value)
        return list(value) if self.type == TEXTS else value

    def read(self, value: Any) -> Any:
        """Turn what the engine returned into a field."""
        if value is None:
            return self.fallback
        if self.type == TIME:
            moment: datetime = value
            return from_naive_utc(moment)
        return tuple(text for text in value if text is not None) if self.type == TEXTS else value


class Table(Generic[RowT]):
    """A node table whose primary key is `uuid`, with every statement that touches its columns.

    A `derived` column, which holds a list of texts, is part of no row: it is written with a new row, and never read.
    """

    def __init__(
        self, label: str, row: type[RowT], types: dict[str, str], hidden: Iterable[str], derived: str | None = None
    ) -> None:
        self.label = label
        self.derived = derived
        self._make: Callable[..., RowT] = row
        concealed = set(hidden)
        self.columns = tuple(
            _column(field, types.get(field.name, TEXT), field.name in concealed) for field in fields(row)
        )
        self.visible = frozenset(c.name for c in self.columns if not c.name.startswith("_"))
        written = (*self.columns, *([Column(derived, derived, TEXTS, ())] if derived else []))
        self.written = tuple((c.name, c.field) for c in written)
        """The name in the table and in `write` of each column that a new row has."""
        self.returned = ", ".join(f"n.{c.name}" for c in self.columns)
        self.create = f"CREATE ({self.node()})"
        self.get = f"MATCH (n:{label} {{uuid: $uuid}}) RETURN {self.returned}"
        self.get_many = f"UNWIND $uuids AS u MATCH (n:{label} {{uuid: u}}) RETURN {self.returned}"
        self.list_uuids = f"MATCH (n:{label}) RETURN n.uuid"
        self.first = f"MATCH (n:{label}) RETURN n.uuid LIMIT 1"

    def node(self, suffix: str = "", fields: Container[str] | None = None) -> str:
        """Return the pattern of a new row whose values are parameters, named as `write` names them, or some of these.

        A value that is not given is null.
        """
        values = (f"{name}: ${field}{suffix}" for name, field in self.written if fields is None or field in fields)
        return f":{self.label} {{{', '.join(values)}}}"

    def write(self, row: RowT, suffix: str = "", derived: Sequence[str] = ()) -> dict[str, Any]:
        """Turn a row into the parameters of `create` and `node`.

        The derived column, where there is one, gets `derived`.
        """
        values = {f"{c.field}{suffix}": c.write(getattr(row, c.field)) for c in self.columns}
        if self.derived is not None:
            values[f"{self.derived}{suffix}"] = list(derived)
        return values

    def differing(self, old: RowT, new: RowT) -> tuple[str, ...]:
        """Return the names of the fields in which two states of a row differ, in order."""
        return tuple(c.field for c in self.columns if getattr(old, c.field) != getattr(new, c.field))

    def update(self, fields: tuple[str, ...], rows: Sequence[RowT]) -> tuple[str, dict[str, Any]]:
        """Return the statement that sets fields of rows, and its parameters. It returns nothing if a row is missing.

        Few columns change at once, and to set all of them takes half as long again.
        """
        columns = [c for c in self.columns if c.field in fields]
        values = {f"uuid{at}": row.uuid for at, row in enumerate(rows)}
        for c in columns:
            values |= {f"{c.field}{at}": c.write(getattr(row, c.field)) for at, row in enumerate(rows)}
        return _update(self.label, tuple((c.name, c.field) for c in columns), len(rows)), values

    def read(self, values: Sequence[Any]) -> RowT:
        """Turn values in the order of `returned` into a row."""
        return self._make(*[column.read(value) for column, value in zip(self.columns, values, strict=True)])


@cache
def _update(label: str, columns: tuple[tuple[str, str], ...], count: int) -> str:
    """Write the statement that sets columns, given with the fields that they are of, in so many rows."""
    found = " ".join(f"MATCH (n{at}:{label} {{uuid: $uuid{at}}})" for at in range(count))
    settings = ", ".join(f"n{at}.{name} = ${field}{at}" for at in range(count) for name, field in columns)
    return f"{found} {f'SET {settings} ' if columns else ''}RETURN 1"


def _column(field: Field[Any], type_: str, is_hidden: bool) -> Column:
    fallback = field.default if field.default is not MISSING else None
    if fallback is None and type(None) not in get_args(field.type):
        fallback = _EMPTY[type_]
    return Column(field.name, f"_{field.name}" if is_hidden else field.name, type_, fallback)


ENTITY = Table("Entity", Entity, {"labels": TEXTS, "created_at": TIME}, ["name_embedded", "summary_embedded"])
EDGE = Table(
    "RelatesToNode_",
    Edge,
    {"created_at": TIME, "valid_at": TIME, "invalid_at": TIME, "episodes": TEXTS},
    ["source_uuid", "target_uuid", "fact_embedded"],
)
EPISODE = Table(
    "Episodic",
    Episode,
    {"created_at": TIME, "valid_at": TIME, "revision": NUMBER},
    ["source_file", "chunk_id", "revision", "text_hash", "extractor_key"],
    derived="entity_edges",
)
