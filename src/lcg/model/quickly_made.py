"""Immutable values of which a log makes hundreds of thousands: dataclasses that are frozen for the type checker alone.

A frozen dataclass sets each of its fields past its own guard, which makes one of a dozen fields cost six times as much
as it must; reading a log would spend a quarter of its time there. The type checker, which sees every line of the
program, refuses an assignment all the same.
"""

from dataclasses import MISSING, fields, make_dataclass
from typing import Any, TypeVar

T = TypeVar("T")


def quickly_made(kind: type[T]) -> type[T]:
    """Take the guard at run time from a frozen dataclass; equality, hash and `replace` stay as they are."""
    of_kind: tuple[Any, ...] = fields(kind)  # type: ignore[arg-type]
    unguarded: Any = make_dataclass(
        kind.__name__,
        [(f.name, f.type) if f.default is MISSING else (f.name, f.type, f.default) for f in of_kind],
        eq=False,
        repr=False,
    )
    for name in ("__setattr__", "__delattr__"):
        delattr(kind, name)
    kind.__init__ = unguarded.__init__  # type: ignore[method-assign]
    return kind
