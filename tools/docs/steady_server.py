"""The real service with a steady clock and countable identifiers, so that what it answers is the same at every run.

Nothing else differs from `lcg`: the arguments are its own.
"""

import os
import sys
import uuid
from datetime import UTC, datetime, tzinfo
from itertools import count
from types import SimpleNamespace
from typing import Self

from lcg import __main__ as program
from lcg.model import ids, times
from lcg.wal import writer

BEGINNING = datetime(2026, 6, 1, 12, tzinfo=UTC)
_ticks = count()
_numbers = count(1)


class SteadyTime(datetime):
    """A clock that stands still."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Self:
        """Return the beginning, always."""
        return cls.fromtimestamp(BEGINNING.timestamp(), tz)


def _next_uuid() -> uuid.UUID:
    return uuid.UUID(int=next(_numbers), version=4)


def steady() -> None:
    """Put clock and identifiers in place."""
    millis = int(BEGINNING.timestamp() * 1000)
    replacements: list[tuple[object, str, object]] = [
        (ids, "time", SimpleNamespace(time_ns=lambda: (millis + next(_ticks)) * 1_000_000)),
        (ids, "os", SimpleNamespace(urandom=bytes)),
        (times, "datetime", SteadyTime),
        (writer, "datetime", SteadyTime),
        (uuid, "uuid4", _next_uuid),
        (os, "getpid", lambda: 4242),
    ]
    for owner, name, value in replacements:
        setattr(owner, name, value)


if __name__ == "__main__":
    steady()
    sys.exit(program.main())
