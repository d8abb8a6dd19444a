"""The graph store on an embedded property-graph engine."""

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Any

from lcg.store.kuzu.apply import (
    READ_META,
    WRITE_META,
    apply_batch,
    move_position,
    read_positions,
)
from lcg.store.kuzu.cypher import Clock, prepare
from lcg.store.kuzu.engine import Engine, Session
from lcg.store.kuzu.linking import attach, new_links
from lcg.store.kuzu.machine import growth_bytes
from lcg.store.kuzu.mutation import run_mutation
from lcg.store.kuzu.pool import ReaderPool
from lcg.store.kuzu.reads import KuzuReader
from lcg.store.kuzu.schema import (
    BOOKKEEPING_TABLES,
    GRAPH_TABLES,
    SCHEMA_VERSION,
    SCHEMA_VERSION_KEY,
    SHOW_BOOKKEEPING,
)
from lcg.store.protocol import Batch, Bookkeeping, CypherAnswer, GroupLoad, Position, RowChanges, Snapshot, StoreError

READERS = 3
CHECKPOINT_BYTES = 16 << 20
"""Size of the engine's log at which `apply` makes a checkpoint first: until then the rows take up the buffer pool."""
CHECKPOINT_AGAIN_BYTES = 4 << 20
LOOK_TRANSACTIONS = 20
"""After so many transactions it is looked how much memory the engine uses."""
CHECKPOINT_PATIENCE_SECONDS = 2.0
BULK_LINKS = 400
"""Links from which a batch copies them, which costs some tenths of a second however few they are."""
CLOSE_PATIENCE_SECONDS = 5.0
WORTH_GIVING_BACK_BYTES = 32 << 20
"""Size of a file from which on opening it once more costs little beside what reading it took."""
RENEW_PATIENCE_SECONDS = 1.0
LOAD_PATIENCE_SECONDS = 30.0


class KuzuStore:
    """A `Store` in one file (and, between checkpoints, the engine's own log beside it).

    Args:
        path: the file; a missing one is made, its directory must exist.
        engine: the module that does the work, `kuzu` or `ladybug`. Neither reads the other's files.
        cypher_allow_files: whether Cypher may touch files and extensions.

    Raises:
        StoreError: the file is damaged, empty, in use by another process, or of another schema version.
    """

    def __init__(self, path: str | Path, engine: str, *, cypher_allow_files: bool = False) -> None:
        self._engine = Engine(Path(path), engine)
        self._allow_files = cypher_allow_files
        self._write_lock = threading.RLock()
        self._checkpoint_due_at = CHECKPOINT_BYTES
        self._applied = 0
        self._used_before: int | None = None
        self._fault: str | None = None
        self._closed = False
        self._snapshots = 0
        try:
            self._writer = self._engine.session()
            self._prepare_schema()
            self._readers = [KuzuReader(self._engine.session(), allow_files=cypher_allow_files) for _ in range(READERS)]
        except StoreError:
            self._engine.close()
            raise
        self._writer_reader = KuzuReader(self._writer)
        self._pool = ReaderPool(self._readers)

    def _prepare_schema(self) -> None:
        for statement in (*GRAPH_TABLES, SHOW_BOOKKEEPING, *BOOKKEEPING_TABLES):
            self._writer.command(statement)
        version = self.meta(SCHEMA_VERSION_KEY)
        if version is None:
            self.set_meta(SCHEMA_VERSION_KEY, SCHEMA_VERSION)
        elif version != SCHEMA_VERSION:
            raise StoreError(f"schema version {version}; this build reads version {SCHEMA_VERSION}")

    def apply(self, batch: Batch) -> None:
        """Apply a batch in one transaction: all of it or nothing.

        Raises:
            StoreError: it was not applied, or that is unknown; read `positions` before trying again.
        """
        with self._writing():
            self._checkpoint_when_due()
        with self._writing() as session:
            if new_links(batch) >= BULK_LINKS:
                from lcg.store.kuzu.bulk import link_in_bulk

                # The engine checkpoints after a COPY, and needs readers to be away then.
                with self._pool.quiet(CHECKPOINT_PATIENCE_SECONDS) as is_quiet:
                    if is_quiet:
                        self._apply(session, batch, link_in_bulk)
                        self._keep_copies(session)
                        self._reopen()
                        return
            self._apply(session, batch)

    def apply_later(self, batch: Batch, failed: Callable[[StoreError], None]) -> None:
        """Apply a batch now."""
        self.apply(batch)

    def settle(self) -> None:
        """Do nothing: what was taken is applied."""

    def _apply(
        self, session: Session, batch: Batch, link_in_bulk: Callable[[Session, Batch], None] | None = None
    ) -> None:
        session.command("BEGIN TRANSACTION")
        try:
            apply_batch(session, batch, link_in_bulk)
        except BaseException:
            session.rollback()
            raise
        self._seal(session, "COMMIT")

    def load_group(self, load: GroupLoad) -> None:
        """Replace everything that a group owns, and its position, in one transaction.

        Raises:
            StoreError: it was not loaded, or that is unknown; read `positions` before trying again.
        """
        # Arrow takes a while to import, and most runs of the program never load a group.
        from lcg.store.kuzu.bulk import copy_group

        with self._writing() as session:
            session.command("BEGIN TRANSACTION")
            try:
                copy_group(session, load)
                attach(session, load.attach)
                position = load.settled()
                # The engine checkpoints with this commit. Under readers that would fail, with the commit done.
                with self._pool.quiet(LOAD_PATIENCE_SECONDS) as is_quiet:
                    if not is_quiet:
                        raise StoreError("queries that run for long stand in the way; end them, then try again")
                    move_position(session, position)
                    session.command("COMMIT")
                    self._keep_copies(session)
                    self._reopen()
            except BaseException:
                self._renew(session)
                raise

    def mutate(
        self,
        query: str,
        parameters: dict[str, Any],
        *,
        max_rows: int,
        timeout_ms: int,
        spent_ms: int = 0,
        accept: Callable[[RowChanges], Bookkeeping],
        cancelled: threading.Event | None = None,
    ) -> CypherAnswer:
        """Run one guarded Cypher query that may change rows; see `Store.mutate`."""
        prepared = prepare(query, parameters, allow_files=self._allow_files)
        with self._writing():
            self._checkpoint_when_due()
        # Status asks for positions and settings meanwhile, so the lock is not kept: nobody else writes.
        session = self._engine.session()
        try:
            answer = run_mutation(
                session,
                self._writer_reader,
                prepared,
                max_rows=max_rows,
                clock=Clock(timeout_ms, spent_ms, cancelled),
                accept=accept,
                commit=lambda: self._seal(session, "COMMIT"),
                take_back=lambda: self._renew(session),
            )
        finally:
            session.close()
        if "DETACH" in query.upper():
            # What the engine logs of it can cost other rows their links when the log is taken in again.
            self.checkpoint()
        return answer

    def _renew(self, session: Session) -> None:
        """Take back a transaction of a session by opening the file anew.

        The engine's own rollback of changed rows leaves them so that the next change of them is refused, or ends the
        process; that of rows that were deleted and copied in again leaves their keys twice. Readers are held back
        meanwhile; queries of callers that run for long are stopped, and run again.
        """
        with self._write_lock:
            with self._pool.quiet(RENEW_PATIENCE_SECONDS) as is_quiet:
                if is_quiet:
                    self._reopen(session)
                    return
            for reader in self._readers:
                if reader.runs_cypher:
                    reader.session.interrupt()
            with self._pool.quiet(CLOSE_PATIENCE_SECONDS) as is_quiet:
                if not is_quiet:
                    self._fault = "a query that was taken back has left the engine in doubt; open the store again"
                    raise StoreError(self._fault)
                self._reopen(session)

    def _reopen(self, *others: Session) -> None:
        """Open the file anew, with every connection; `others` are connections beside those of readers and writer.

        After each checkpoint too: from the second one of an opening on, the engine writes into pages that it should
        leave alone until that checkpoint is whole. Whoever opened the file after a kill at that moment would find
        keys without rows, rows without links, or nothing at all.
        """
        for old in (*others, *(reader.session for reader in self._readers), self._writer):
            old.close()
        try:
            self._engine.reopen()
            self._used_before = None
            self._writer = self._writer_reader.session = self._engine.session()
            self._writer.command(SHOW_BOOKKEEPING)
            for reader in self._readers:
                reader.session = self._engine.session()
        except StoreError as error:
            self._fault = f"it could not be opened again ({error})"
            raise

    def _checkpoint_when_due(self) -> None:
        size = self._engine.log_bytes()
        if size < self._checkpoint_due_at and not self._uses_much():
            return
        done = self.checkpoint()
        # Where a long query stands in the way, do not make every batch wait for it.
        self._checkpoint_due_at = CHECKPOINT_BYTES if done else size + CHECKPOINT_AGAIN_BYTES
        self._used_before = None

    def _uses_much(self) -> bool:
        """Tell, now and then, whether the engine uses much more memory than after it was opened."""
        self._applied += 1
        if self._applied % LOOK_TRANSACTIONS:
            return False
        used = self._engine.used_bytes(self._writer)
        if self._used_before is None:
            self._used_before = used
        return used - self._used_before > growth_bytes()

    def _seal(self, session: Session, statement: str) -> None:
        """Run what cannot be taken back. Where it fails, nobody knows what the engine's memory now holds."""
        with self._in_doubt(statement):
            session.command(statement)

    def _keep_copies(self, session: Session) -> None:
        with self._in_doubt("keeping what was copied"):
            self._engine.keep_copies(session)

    @contextmanager
    def _in_doubt(self, what: str) -> Iterator[None]:
        try:
            yield
        except StoreError as error:
            self._fault = f"{what} failed ({error}); open the store again"
            raise

    def positions(self) -> dict[str, Position]:
        """Return each group's recorded position."""
        with self._writing() as session:
            return read_positions(session)

    def meta(self, key: str) -> str | None:
        """Return a workspace-wide setting of the store, or None."""
        with self._writing() as session:
            found = session.rows(READ_META, {"key": key})
            return str(found[0][0]) if found else None

    def set_meta(self, key: str, value: str) -> None:
        """Keep such a setting."""
        with self._writing() as session:
            session.rows(WRITE_META, {"key": key, "value": value})

    def reader(self) -> AbstractContextManager[KuzuReader]:
        """Lend a reader; waits while all are lent or a checkpoint runs. Never hold one while waiting for a write."""
        return self._pool.lend()

    @contextmanager
    def snapshot(self) -> Iterator[Snapshot]:
        """Lend a reader that does not see what is applied meanwhile; see `Store.snapshot`."""
        # The lent reader is not used: it keeps checkpoints away, which would fail under the open transaction. The
        # snapshot has a connection of its own, since only one that shows the bookkeeping tables can read positions.
        with self._pool.lend():
            session = self._engine.session()
            self._count_snapshots(1)
            try:
                session.command(SHOW_BOOKKEEPING)
                session.command("BEGIN TRANSACTION READ ONLY")
                yield Snapshot(read_positions(session), KuzuReader(session))
                session.rollback()
            finally:
                session.close()
                self._count_snapshots(-1)

    def _count_snapshots(self, by: int) -> None:
        with self._write_lock:
            self._snapshots += by

    def writer_reader(self) -> KuzuReader:
        """Return the reader that belongs to the writer thread and sees what it last applied. It takes no Cypher."""
        return self._writer_reader

    def checkpoint(self) -> bool:
        """Fold the engine's own log into its file, with readers held back. Called by the writer thread only.

        Returns:
            Whether it was done; False when a reader did not come back in time, and then a later call may do it.

        Raises:
            StoreError: it failed. What was applied is safe in the engine's log, but only for whoever opens the store
                again: from now on this object refuses every write.
        """
        if self._snapshots:
            # It will not come back in time, and waiting for it would hold every reader back.
            return False
        with self._writing() as session, self._pool.quiet(CHECKPOINT_PATIENCE_SECONDS) as is_quiet:
            if is_quiet:
                self._seal(session, "CHECKPOINT")
                self._reopen()
            return is_quiet

    def give_back(self) -> None:
        """Give back memory that only reading everything needed: the engine keeps what it read as long as it is open.

        Raises:
            StoreError: the file cannot be opened any more.
        """
        if self._snapshots or self._engine.file_bytes() < WORTH_GIVING_BACK_BYTES:
            return
        with self._writing(), self._pool.quiet(CHECKPOINT_PATIENCE_SECONDS) as is_quiet:
            if is_quiet:
                self._reopen()

    def close(self) -> None:
        """Checkpoint and close; what readers still run is interrupted after a while. Safe to call twice."""
        with self._write_lock:
            if self._closed:
                return
            self._closed = True
            is_quiet = self._pool.close(CLOSE_PATIENCE_SECONDS)
            if not is_quiet:
                for reader in self._readers:
                    reader.session.interrupt()
                is_quiet = self._pool.close(CLOSE_PATIENCE_SECONDS)
            if is_quiet and self._fault is None:
                with suppress(StoreError):
                    self._writer.command("CHECKPOINT")
            for session in (*(reader.session for reader in self._readers), self._writer):
                session.close()
            self._engine.close()

    @contextmanager
    def _writing(self) -> Iterator[Session]:
        with self._write_lock:
            if self._closed:
                raise StoreError("the store is closed")
            if self._fault:
                raise StoreError(self._fault)
            yield self._writer
