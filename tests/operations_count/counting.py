"""Counts what a call makes the program do, at the seams where it leaves it: statements, syncs, texts to embed."""

import os
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from lcg.providers.embedder.builtin import BuiltinEmbedder
from lcg.store.kuzu.engine import Session

GRAPH, COMMANDS, SQL, SYNCS, EMBEDDINGS, TEXTS = (
    "statements of the graph engine",
    "commands of the graph engine",
    "statements of the search indexes",
    "syncs of the log",
    "calls of the embedder",
    "texts to embed",
)


_NO_CALLS_DOING = ("PRAGMA ", "CREATE VIRTUAL TABLE temp.", "CALL bm_info()")
"""How statements begin that set up a connection, of which there are as many as calls at one time, and that look every
now and then how full the engine's memory is."""


class Counts:
    """What happened since the last `taken`."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        """Put the counters in. Connections that are open already are not counted."""
        self._seen: Counter[str] = Counter()
        for name in ("stream", "execute", "copy"):
            self._count(patch, Session, name, GRAPH)
        self._count(patch, Session, "command", COMMANDS)
        for name in ("fsync", "fdatasync"):
            self._count(patch, os, name, SYNCS)
        seen = self._seen

        class Counting(sqlite3.Connection):
            def execute(self, statement: str, *arguments: Any) -> sqlite3.Cursor:
                seen[SQL] += not statement.startswith(_NO_CALLS_DOING)
                return super().execute(statement, *arguments)

            def executemany(self, *arguments: Any) -> sqlite3.Cursor:
                seen[SQL] += 1
                return super().executemany(*arguments)

        connect = sqlite3.connect
        patch.setattr(sqlite3, "connect", lambda *a, **options: connect(*a, factory=Counting, **options))
        embed = BuiltinEmbedder.embed

        def counted(embedder: BuiltinEmbedder, texts: Any) -> Any:
            if texts:
                seen[EMBEDDINGS] += 1
                seen[TEXTS] += len(texts)
            return embed(embedder, texts)

        patch.setattr(BuiltinEmbedder, "embed", counted)

    def _count(self, patch: pytest.MonkeyPatch, owner: Any, name: str, what: str) -> None:
        original = getattr(owner, name)

        def counted(*arguments: Any, **options: Any) -> Any:
            statement = arguments[1] if len(arguments) > 1 else ""
            self._seen[what] += not statement.startswith(_NO_CALLS_DOING)
            return original(*arguments, **options)

        patch.setattr(owner, name, counted)

    def taken(self) -> dict[str, int]:
        """Return the counts, and begin anew."""
        taken = dict(self._seen)
        self._seen.clear()
        return taken


@contextmanager
def counting() -> Iterator[Counts]:
    """Count for the length of a `with` block."""
    with pytest.MonkeyPatch.context() as patch:
        yield Counts(patch)


def log_bytes(root: Path) -> int:
    """Return the size of all logs of a workspace."""
    return sum(path.stat().st_size for path in (root / "wal").rglob("*.jsonl"))
