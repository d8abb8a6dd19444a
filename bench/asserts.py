"""Single assertions for a scenario: ours through the handlers, and the same statements on the bare engines.

Bare is an fsynced append of such a line, a transaction of the graph engine with the statements that the store would
run, and one of SQLite with those of the full-text index: on copies of the same files, without anything else.
"""

import os
import sqlite3
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import kuzu
import orjson

from lcg.generated.params import decode_assert_entity, decode_assert_relationship
from lcg.graph.planning import Planned, PlanView
from lcg.handlers.assertion import AssertionHandlers
from lcg.model.ids import new_uuid
from lcg.model.operations import EdgeDelete
from lcg.model.rows import Edge, Entity
from lcg.model.times import now
from lcg.ontology.workspace import Ontologies
from lcg.runtime.call import Call
from lcg.search.fts import TABLES
from lcg.search.protocol import TextKind
from lcg.server.log_opening import open_log
from lcg.server.models import Models
from lcg.server.startup import open_core
from lcg.settings import Settings
from lcg.store.kuzu.apply import NEW_POSITION
from lcg.store.kuzu.linking import edges_with_hops
from lcg.store.kuzu.rows import EDGE, ENTITY
from lcg.store.kuzu.schema import SHOW_BOOKKEEPING
from lcg.telemetry import Telemetry

GROUP: Final = "asserted"
_POOL_BYTES: Final = 256 << 20
_numbers = count()


def _name() -> str:
    return f"Harbour office {next(_numbers)}"


def _summary(name: str) -> str:
    return f"{name} keeps the tide tables and answers letters of fishermen."


def _fact(source: str, target: str) -> str:
    return f"{source} sends its tide tables to {target} at the end of each month."


class Ours:
    """A workspace, opened as the service opens it; every call is one assertion of something new."""

    def __init__(self, folder: Path) -> None:
        """Open the workspace of a folder and assert what later assertions build on."""
        settings = Settings(
            db_path=folder / ".lcg" / "db" / "liminis.db",
            wal_dir=folder / ".lcg" / "wal",
            search_dir=folder / ".lcg" / "search",
            workspace_root=folder,
            telemetry=False,
        )
        self._log = open_log(settings)
        self._core, self._derived = open_core(
            settings, self._log, Models(None, None, None), Telemetry(enabled=False), Ontologies(folder)
        )
        self._handlers = AssertionHandlers(self._core.graph, self._core.embedding, refresh_vectors=False)
        self._ends = [self.entity() for _ in range(50)]
        self.relationship()

    def entity(self) -> str:
        """Assert an entity and return its name."""
        name = _name()
        wish = decode_assert_entity({"name": name, "group_id": GROUP, "summary": _summary(name), "labels": ["Place"]})
        self._handlers.assert_entity(wish, Call("knowledge_assert_entity"))
        return name

    def relationship(self) -> str:
        """Assert a relationship of two entities that are there and return its uuid."""
        number = next(_numbers)
        source, target = self._ends[number % 50], self._ends[(7 * number + 1) % 50]
        fact = f"{_fact(source, target)} This is letter {number}."
        raw = {"source_name": source, "target_name": target, "predicate": f"SENDS_{number}", "fact": fact}
        wish = decode_assert_relationship({**raw, "group_id": GROUP})
        done = self._handlers.assert_relationship(wish, Call("knowledge_assert_relationship"))
        return str(done["edge_uuid"])

    def settle(self) -> None:
        """Wait until the store has all that was acknowledged."""
        self._core.graph.state.store.positions()

    def delete(self, edge_uuid: str) -> None:
        """Delete a relationship."""

        def plan(_: PlanView) -> Planned[None]:
            return Planned([EdgeDelete(edge_uuid)], None)

        self._core.graph.write(GROUP, "bench", plan)

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Close."""
        self._core.graph.close()
        self._derived.close()
        self._log.close()


class Bare:
    """The engines alone, on files that a workspace left; a call is what one assertion needs of them at the least."""

    def __init__(self, folder: Path) -> None:
        """Open the files of a folder's workspace and write what later writes build on."""
        self._line = os.open(folder / "bare.jsonl", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        self._database = kuzu.Database(
            str(folder / ".lcg" / "db" / "liminis.db"),
            buffer_pool_size=_POOL_BYTES,
            max_db_size=1 << 34,
            auto_checkpoint=False,
        )
        self._graph = kuzu.Connection(self._database)
        self._graph.set_max_threads_for_exec(1)
        self._graph.execute(SHOW_BOOKKEEPING)
        self._prepared: dict[str, Any] = {}
        self._text = sqlite3.connect(folder / ".lcg" / "search" / "text.db", isolation_level=None)
        self._text.execute("PRAGMA synchronous=NORMAL")
        self._number = int(self._text.execute("SELECT coalesce(max(id), 0) FROM entry").fetchone()[0])
        self._ends = [self.entity() for _ in range(50)]
        self.relationship()

    def entity(self) -> str:
        """Write an entity and return its uuid."""
        name = _name()
        row = Entity(new_uuid(), GROUP, name, ("Entity", "Place"), now(), _summary(name))
        self._append(row)
        self._commit(ENTITY.create, ENTITY.write(row))
        self._index(TextKind.ENTITY, row.uuid, name, row.summary)
        return row.uuid

    def relationship(self) -> None:
        """Write a relationship of two entities that are there."""
        number = next(_numbers)
        source, target = self._ends[number % 50], self._ends[(7 * number + 1) % 50]
        row = Edge(new_uuid(), GROUP, f"SENDS_{number}", source, target, _fact(source, target), now())
        self._append(row)
        self._commit(edges_with_hops(None, 1), EDGE.write(row, "0"))
        self._index(TextKind.EDGE, row.uuid, row.name, row.fact)

    def _append(self, row: Entity | Edge) -> None:
        os.write(self._line, orjson.dumps({"seq": 1, "ts": "2026-01-01T00:00:00Z", "ops": [row]}) + b"\n")
        os.fsync(self._line)

    def _commit(self, statement: str, values: dict[str, Any]) -> None:
        self._graph.execute("BEGIN TRANSACTION")
        self._run(statement, values)
        # A new position each time costs what moving one costs, and needs no row of ours.
        self._run(NEW_POSITION, {"group_id": new_uuid(), "applied_seq": 1, "generation": "bare", "digest": "0" * 32})
        self._graph.execute("COMMIT")

    def _run(self, statement: str, values: dict[str, Any]) -> None:
        if statement not in self._prepared:
            self._prepared[statement] = self._graph.prepare(statement)
        result: Any = self._graph.execute(self._prepared[statement], values)
        result.close()

    def _index(self, kind: TextKind, uuid: str, head: str, body: str) -> None:
        self._number += 1
        db = self._text
        db.execute("BEGIN IMMEDIATE")
        db.execute("INSERT INTO entry (id, kind, uuid, gid) VALUES (?, ?, ?, 1)", (self._number, kind, uuid))
        insert = f"INSERT INTO {TABLES[kind]} (rowid, gid, head, body) VALUES (?, 'g1', ?, ?)"
        db.execute(insert, (self._number, head.lower(), body.lower()))
        db.execute("UPDATE groups SET position = ? WHERE id = 1", (self._number,))
        db.execute("COMMIT")

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Close."""
        self._graph.close()
        self._database.close()
        self._text.close()
        os.close(self._line)


def sustained(ours: Ours, writers: int, writes: int) -> float:
    """Let so many threads assert entities without a pause, together so often; return how many a second.

    The time ends when the store has them all.
    """
    left = iter(range(writes))
    lock = threading.Lock()

    def work() -> None:
        while True:
            with lock:
                if next(left, None) is None:
                    return
            ours.entity()

    with ThreadPoolExecutor(writers) as pool:
        begun = time.perf_counter()
        for done in [pool.submit(work) for _ in range(writers)]:
            done.result()
        ours.settle()
        return writes / (time.perf_counter() - begun)


def burst(ours: Ours, size: int, bursts: int) -> float:
    """Let so many assertions come at once, again and again; return how many a second until the store has a burst."""
    taken = 0.0
    with ThreadPoolExecutor(size) as pool:
        for _ in range(bursts):
            ready = threading.Barrier(size + 1)

            def work(ready: threading.Barrier = ready) -> None:
                ready.wait()
                ours.entity()

            waiting = [pool.submit(work) for _ in range(size)]
            ready.wait()
            begun = time.perf_counter()
            for done in waiting:
                done.result()
            ours.settle()
            taken += time.perf_counter() - begun
    return size * bursts / taken
