"""How many new rows of a table become the pattern of one statement.

The engine plans a statement anew each time that it runs, and most of what that takes goes into the values of its rows:
an expression for each. So a value that all rows share is given once, beside the rows, and a null is not given at all.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from lcg.store.kuzu.rows import EDGE, ENTITY, EPISODE, TEXT, TEXTS, Table
from lcg.store.protocol import RowT

Values = dict[str, Any]

_OF_EACH_ROW = frozenset({"uuid", "name", "summary", "fact", "content"})
"""Fields that hardly ever are the same in all rows; to look costs time, and each choice is a statement to prepare."""
_TABLES = {table.label: table for table in (ENTITY, EDGE, EPISODE)}


@dataclass(frozen=True, slots=True)
class NewRows:
    """The pattern of a new row `r`, what it takes from `rows` as they are unwound, and what it takes beside them."""

    pattern: str
    rows: list[Values]
    beside: Values


def new_rows(table: Table[RowT], written: Sequence[Values]) -> NewRows:
    """Return how rows are created together, given as `Table.write` returns them; there is at least one."""
    first = written[0]
    of_each = tuple(
        field
        for field, value in first.items()
        if field in _OF_EACH_ROW or value == [] or any(row[field] != value for row in written)
    )
    shared = {field: value for field, value in first.items() if value is not None and field not in of_each}
    rows = [{field: row[field] for field in of_each} for row in written]
    beside = {_beside(field): value for field, value in shared.items()}
    return NewRows(_pattern(table.label, of_each, tuple(shared)), rows, beside)


def _beside(field: str) -> str:
    return f"all_{field}"


@cache
def _pattern(label: str, of_each: tuple[str, ...], shared: tuple[str, ...]) -> str:
    table = _TABLES[label]
    types = {column.field: column.type for column in table.columns}
    values = {field: _typed(field, types.get(field, TEXTS)) for field in of_each}
    values |= {field: f"${_beside(field)}" for field in shared}
    return f":{label} {{{', '.join(f'{name}: {values[field]}' for name, field in table.written if field in values)}}}"


def _typed(field: str, type_: str) -> str:
    """Name a value of an unwound row, with its type: the engine would guess it from values that are null or empty."""
    return f"r.{field}" if type_ == TEXT else f"CAST(r.{field} AS {type_})"
