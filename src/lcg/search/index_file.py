"""A SQLite file that holds a derived index: one writer, many readers, and nothing in it that cannot be made again.

So a missing, foreign or damaged file is no error: it is replaced by an empty one, and the positions that the index
no longer holds tell its owner to fill it from the log.
"""

import logging
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

_log = logging.getLogger(__name__)

_DAMAGE_CODES = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_PRIMARY_CODE = 0xFF
"""SQLite's extended codes carry the primary one in their low byte."""
_BUSY_SECONDS = 5.0


class SearchIndexError(Exception):
    """A search index did not take a write. It holds what it held before; the message is safe to show."""


class SearchIndexReset(SearchIndexError):
    """The file was found damaged and is now empty: fill it again, for every group. Raised once per damage."""


class IndexFile:
    """One index file with its connections. Writes are serialised; reads run beside them and see whole writes only."""

    def __init__(
        self, path: Path, schema: Sequence[str], version: int, *, check_pages: bool, views: Sequence[str] = ()
    ) -> None:
        """Open the file, or make it anew when it is missing, damaged, or of another version.

        `check_pages` reads all of it to find damage now (about 1 ms for each MB); an owner that is going to read all
        of it anyway may do without. `views` are statements that give each reader temporary tables over the others.

        Raises:
            SearchIndexError: the file can be neither used nor replaced (permissions, a full disk, a lock).
        """
        self.path = path
        self.reset_reason: str | None = None
        self._schema = schema
        self._version = version
        self._check_pages = check_pages
        self._views = views
        self._write_lock = threading.Lock()
        self._pool_lock = threading.Lock()
        self._idle: list[sqlite3.Connection] = []
        self._generation = 0
        self._closed = False
        self._damage: str | None = None
        with _explained(path):
            self._writer = self._open()

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """Give the writer's connection in a transaction, committed at the end or rolled back on any exception.

        Raises:
            SearchIndexReset: the file was damaged; nothing was written, and the file is empty now.
            SearchIndexError: SQLite refused for another reason; nothing was written.
        """
        with self._write_lock:
            if self._closed:
                raise SearchIndexError(f"The search index {self.path} is closed.")
            if self._damage is not None:
                raise self._replace(self._damage)
            try:
                self._writer.execute("BEGIN IMMEDIATE")
                yield self._writer
                self._writer.execute("COMMIT")
            except BaseException as error:
                with suppress(sqlite3.Error):
                    self._writer.rollback()
                if not isinstance(error, sqlite3.Error):
                    raise
                if self._is_damage(error):
                    raise self._replace(str(error)) from error
                raise SearchIndexError(f"The search index {self.path} did not take a write: {error}.") from error

    @contextmanager
    def read(self) -> Iterator[sqlite3.Connection]:
        """Give a reader's connection in a transaction, so that all it reads is of one moment.

        Raises:
            SearchIndexError: the file cannot be read. Damage is remembered, and the next write replaces the file.
        """
        generation = self._generation
        try:
            connection = self._take()
            try:
                connection.execute("BEGIN")
                yield connection
            finally:
                self._give_back(connection, generation)
        except sqlite3.Error as error:
            self._note_damage(error, generation)
            raise SearchIndexError(f"The search index {self.path} cannot be read: {error}.") from error

    @property
    def is_damaged(self) -> bool:
        """Whether damage was met that no write has repaired yet."""
        return self._damage is not None

    def close(self) -> None:
        """Close every connection; one that is in use closes when its reader is done."""
        with self._write_lock, self._pool_lock:
            if not self._closed:
                self._closed = True
                self._close_idle()
                self._writer.close()

    def _take(self) -> sqlite3.Connection:
        with self._pool_lock:
            if self._closed:
                raise SearchIndexError(f"The search index {self.path} is closed.")
            if self._idle:
                return self._idle.pop()
        connection = _connect(self.path, "rw")
        for statement in (*self._views, "PRAGMA query_only=1"):
            connection.execute(statement)
        return connection

    def _give_back(self, connection: sqlite3.Connection, generation: int) -> None:
        with suppress(sqlite3.Error):
            connection.rollback()
        with self._pool_lock:
            if not self._closed and generation == self._generation and not connection.in_transaction:
                self._idle.append(connection)
                return
        connection.close()

    def _close_idle(self) -> None:
        self._generation += 1
        for connection in self._idle:
            connection.close()
        self._idle.clear()

    def _note_damage(self, error: sqlite3.Error, generation: int) -> None:
        with self._pool_lock:
            # A reader of a file that has been replaced meanwhile says nothing about the new one.
            if generation != self._generation or self._damage is not None or not self._is_damage(error):
                return
            self._damage = str(error)
        _log.error("The search index %s is damaged (%s); it will be made anew.", self.path, error)

    def _replace(self, reason: str) -> SearchIndexReset:
        """Put an empty file in the place of a damaged one."""
        with self._pool_lock:
            self._damage = reason
            self._close_idle()
        self._writer.close()
        with _explained(self.path):
            self._writer = self._create(f"it was damaged: {reason}")
        with self._pool_lock:
            self._damage = None
            self._close_idle()
        return SearchIndexReset(f"The search index {self.path} was made anew because {self.reset_reason}.")

    def _is_damage(self, error: sqlite3.Error) -> bool:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK) & _PRIMARY_CODE
        if code == sqlite3.SQLITE_CANTOPEN:
            return not self.path.exists()
        return code in _DAMAGE_CODES or "no such table" in str(error)

    def _open(self) -> sqlite3.Connection:
        if not self.path.exists():
            return self._create("there was none")
        connection: sqlite3.Connection | None = None
        try:
            connection = _connect(self.path, "rw")
            verdict = connection.execute(
                "PRAGMA quick_check(1)"
                if self._check_pages
                else "SELECT iif(count(*), 'ok', 'empty') FROM sqlite_master"
            ).fetchone()[0]
            found = connection.execute("PRAGMA user_version").fetchone()[0]
        except sqlite3.DatabaseError as error:
            if connection is not None:
                connection.close()
            if not self._is_damage(error):
                raise
            return self._create(f"it was damaged: {error}")
        if verdict == "ok" and found == self._version:
            return connection
        connection.close()
        if verdict != "ok":
            return self._create(f"it was damaged: {verdict}")
        return self._create(f"it was of version {found}, not {self._version}")

    def _create(self, reason: str) -> sqlite3.Connection:
        self.reset_reason = reason
        _log.info("Making the search index %s anew: %s.", self.path, reason)
        remove_index(self.path)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        connection = _connect(self.path, "rwc")
        try:
            connection.execute("BEGIN IMMEDIATE")
            for statement in self._schema:
                connection.execute(statement)
            # Last, so that a file whose making was cut short is recognised as unfinished.
            connection.execute(f"PRAGMA user_version={self._version}")
            connection.execute("COMMIT")
        except BaseException:
            connection.close()
            raise
        return connection


def remove_index(path: Path) -> None:
    """Delete an index that nobody has open, with what SQLite keeps beside it. Raises OSError."""
    for suffix in ("", "-wal", "-shm", "-journal"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    """Open a connection that any one thread at a time may use, without Python's own transactions."""
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=_BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=64,
    )
    try:
        connection.execute("PRAGMA journal_mode=WAL")
        # A power cut may cost the last transactions, positions included, but never the file's soundness.
        connection.execute("PRAGMA synchronous=NORMAL")
    except BaseException:
        connection.close()
        raise
    return connection


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        raise SearchIndexError(
            f"The search index {path} cannot be opened and not be made anew: {error}. "
            "Check the free space and the permissions of its folder."
        ) from error
