"""The graph engine: which one, how it is opened, and one connection with its prepared statements."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from lcg.engines import EngineKind, kind_of, what_is_missing
from lcg.runtime.given_back import give_back_memory
from lcg.store.kuzu.formats import Format, refuse_another
from lcg.store.kuzu.machine import pool_bytes
from lcg.store.kuzu.memory_bound import memory_bound
from lcg.store.protocol import StoreError

MAX_FILE_BYTES = 1 << 34
"""Bounds the address space that the engine reserves; it takes powers of two only."""
THREADS = 4
"""One for each reader and one for the writer: a statement holds its thread as long as it runs, and a caller's query may
run for minutes. With fewer, everybody waits for two of them."""
COPY_THREADS = 2
"""Those that a COPY may have, so that readers always find some."""


def format_of_engine(name: str) -> Format:
    """Return what an engine writes. Imports it, and a process can have one only: they register the same types.

    Raises:
        ValueError: there is no such engine.
        StoreError: it is not installed.
    """
    return Format(name, _module(kind_of(name)).storage_version)


def _module(kind: EngineKind) -> Any:
    missing = what_is_missing(kind)
    if missing:
        raise StoreError(missing)
    return import_module(kind.name)


class Session:
    """One connection and the statements prepared on it; a statement cannot be used on another connection."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self._prepared: dict[str, Any] = {}
        # Small statements, which nearly all of ours are, run a fifth faster on one thread.
        connection.set_max_threads_for_exec(1)

    def rows(self, statement: str, parameters: Mapping[str, Any] | None = None) -> list[list[Any]]:
        """Run one of the program's own statements and return all its rows.

        Raises:
            StoreError: the engine's text.
        """
        return list(self.stream(statement, parameters))

    def stream(self, statement: str, parameters: Mapping[str, Any] | None = None) -> Iterator[list[Any]]:
        """Run a statement and yield its rows as they are converted. It has run when the first row is asked for."""
        try:
            prepared = self._prepared.get(statement)
            if prepared is None:
                prepared = self._prepared[statement] = self._connection.prepare(statement)
            result = self._connection.execute(prepared, dict(parameters or {}))
            try:
                while result.has_next():
                    yield result.get_next()
            finally:
                result.close()
        except Exception as error:
            # Not only RuntimeError: the engine's binding lets IndexError and others through.
            raise StoreError(str(error)) from error

    def execute(self, text: str, parameters: Mapping[str, Any] | None = None) -> Any:
        """Run a text as it is, unprepared, and return the engine's result. Errors are the engine's own."""
        return self._connection.execute(text, dict(parameters or {}))

    def copy(self, statement: str, table: Any) -> None:
        """Run a COPY from an Arrow table, which the statement calls `$rows`."""
        self._connection.set_max_threads_for_exec(COPY_THREADS)
        try:
            self._connection.execute(statement, {"rows": table}).close()
        except Exception as error:
            raise StoreError(str(error)) from error
        finally:
            self._connection.set_max_threads_for_exec(1)

    def command(self, text: str) -> None:
        """Run a statement that has no result and is not worth preparing: transaction control, definitions."""
        try:
            self._connection.execute(text).close()
        except Exception as error:
            raise StoreError(str(error)) from error

    def rollback(self) -> None:
        """End the transaction that may or may not be open still. An error usually ends it, but not always."""
        with suppress(StoreError):
            self.command("ROLLBACK")

    def set_timeout(self, milliseconds: int) -> None:
        """Bound every later execution on this connection; 0 lifts the bound."""
        self._connection.set_query_timeout(milliseconds)

    def interrupt(self) -> None:
        """Make what runs on this connection fail soon. Safe from any thread."""
        self._connection.interrupt()

    def close(self) -> None:
        """Close the connection."""
        self._prepared.clear()
        self._connection.close()


class Engine:
    """An open database file. One process at a time can have it."""

    def __init__(self, path: Path, name: str) -> None:
        self._kind = kind_of(name)
        self._module = _module(self._kind)
        if path.exists() and (path.is_dir() or path.stat().st_size == 0):
            # The engine takes an empty file for a new store, and so would hide a loss.
            raise StoreError(f"{path.name} is not a database file")
        self._log = path.with_name(f"{path.name}.wal")
        if not path.exists() and self._log.exists():
            raise StoreError(f"{path.name} is missing, although the engine's log of it is there")
        refuse_another(path, format_of_engine(name))
        self._lock = threading.Lock()
        self._path = path
        self._database: Any = None
        self._open()

    def _open(self) -> None:
        try:
            with memory_bound.lifted():
                self._database = self._module.Database(
                    str(self._path),
                    buffer_pool_size=pool_bytes(),
                    max_db_size=MAX_FILE_BYTES,
                    max_num_threads=THREADS,
                    # Without it a checkpoint mixes up the lists of a column of which one was changed, labels for one.
                    compression=True,
                    # An automatic checkpoint under readers stalls everybody and fails writes that are committed.
                    auto_checkpoint=False,
                )
            # Closing would checkpoint again after a checkpoint that failed, and that ruins the file.
            self._module.Connection(self._database).execute("CALL force_checkpoint_on_close=false").close()
        except Exception as error:
            raise StoreError(str(error)) from error

    def session(self) -> Session:
        """Open a connection."""
        try:
            return Session(self._module.Connection(self._database))
        except Exception as error:
            raise StoreError(str(error)) from error

    def file_bytes(self) -> int:
        """Return the size of the file."""
        return self._path.stat().st_size

    def log_bytes(self) -> int:
        """Return the size of the engine's own log, which a checkpoint empties."""
        try:
            return self._log.stat().st_size
        except FileNotFoundError:
            return 0

    def keep_copies(self, session: Session) -> None:
        """Make what a COPY brought as safe as its commit says it is. Readers must be held back.

        Raises:
            StoreError: nobody knows what the file holds now; it has to be opened anew and checked.
        """
        if not self._kind.keeps_copies:
            # The engine logs that there was a COPY, and none of its rows.
            session.command("CHECKPOINT")

    def used_bytes(self, session: Session) -> int:
        """Return how much of its pool the engine uses: for pages of the file, and for what it cannot do without."""
        return int(session.rows("CALL bm_info() RETURN *")[0][1])

    def reopen(self) -> None:
        """Close the file without a checkpoint and open it anew; every session must be closed before.

        Raises:
            StoreError: it cannot be opened any more.
        """
        self.close()
        give_back_memory()
        self._open()

    def close(self) -> None:
        """Close the file; every session must be closed before."""
        with self._lock:
            if self._database is not None:
                self._database.close()
                self._database = None
