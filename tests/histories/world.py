"""A workspace that a history is played in: the real service, with a clock, row ids and models that tell no surprises.

The store is the engine's, or one in memory that is written to its file when it is closed or checkpointed, so that both
can be closed, killed, lost and brought back in the same ways.
"""

import hashlib
import logging
import pickle
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from datetime import datetime, timedelta, tzinfo
from functools import partial
from itertools import count
from pathlib import Path
from threading import Lock
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from lcg.errors import OperationFailed
from lcg.graph.committer import Committer, _Write
from lcg.graph.graph import Graph
from lcg.graph.planning import Planned
from lcg.graph.state import GraphState
from lcg.model import times
from lcg.model.names import name_key
from lcg.model.operations import Operation
from lcg.model.times import Micros
from lcg.ontology.reading import OntologyFile, read_file
from lcg.providers.embedder.builtin import BuiltinEmbedder
from lcg.providers.extractor.protocol import ExtractedEdge, ExtractedEntity, Extraction, SourceType, Surroundings
from lcg.runtime.call import Call
from lcg.server.app import open_service
from lcg.services.verification import Report, verify
from lcg.store.files import StoreFiles
from lcg.store.kuzu.store import KuzuStore
from lcg.store.memory import MemoryStore
from lcg.store.protocol import Store
from lcg.wal.directory import list_groups
from tests.graph.harness import LetterEmbedder
from tests.workspaces import workspace_settings, write_ontology

NOON = datetime(2026, 3, 2, 12)
_ROOM = Path("/dev/shm")
"""Memory that looks like a disk, where there is some: a history writes many small files."""

ONTOLOGY = """\
entity_types:
  - {name: Person, description: a human being}
  - {name: Pilot, description: flies a ship, parent: Person}
  - {name: Ship, description: sails the sea}
relation_types:
  - {name: KNOWS, description: somebody knows somebody, aliases: [MET]}
  - {name: USES, description: somebody uses something, keywords: [use], single_valued: true}
"""


class Refused(Exception):
    """A call was refused, and for a reason that a client is told."""


class _Clock(datetime):
    """A clock that goes on by a millisecond every second time that somebody looks, so that some rows are of one age."""

    looks: Iterator[int] = count()

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> "_Clock":
        return cls(2026, 3, 2, 12, tzinfo=tz) + timedelta(milliseconds=next(cls.looks) // 2)


class _Chance:
    """What stands for chance in row ids: other bits in every history, the same whenever it is played again."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._drawn = count()

    def urandom(self, size: int) -> bytes:
        return hashlib.sha256(f"{self._seed} {next(self._drawn)}".encode()).digest()[:size]


class WordExtractor:
    """Reads sentences of one or three words: a name, or `<name> <relation> <name>`. Deterministic and instant."""

    provider = "builtin"
    model = None

    def extract(
        self, text: str, source_type: SourceType, reference_time: Micros, surroundings: Surroundings | None = None
    ) -> Extraction:
        """Find a name in each sentence of one word, a fact in each other one; names of facts count only if capital."""
        found = Extraction()
        for sentence in filter(None, (part.split() for part in text.split("."))):
            # A name in small letters is one that the extractor speaks of without having found it.
            names = [word for word in (sentence[0], sentence[-1]) if word[0].isupper()]
            found.entities += [ExtractedEntity(name, "Person", f"{name} is here.") for name in names]
            if len(sentence) == 3:
                fact = " ".join(sentence)
                found.edges.append(ExtractedEdge(sentence[0], sentence[2], fact, sentence[1]))
        distinct = {name_key(entity.name): entity for entity in reversed(found.entities)}
        found.entities = list(reversed(distinct.values()))
        return found


def _letters(embedder: BuiltinEmbedder, texts: Sequence[str]) -> NDArray[np.float32]:
    """Count letters in place of reading a model's files: texts of the same letters mean the same."""
    rows = LetterEmbedder().embed(texts)
    return np.pad(rows, ((0, 0), (0, embedder.dim - rows.shape[1])))


def _read_once(path: Path) -> OntologyFile:
    """Read an ontology once for all histories: it is always the same, and reading YAML takes long."""
    text = path.read_text()
    if text not in _ontologies:
        _ontologies[text] = read_file(path)
    return _ontologies[text]


_ontologies: dict[str, OntologyFile] = {}


def _quick_connection(path: Path, mode: str) -> sqlite3.Connection:
    """Open a search index for one client that never loses power: without SQLite's own log, which costs most."""
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}", uri=True, isolation_level=None, check_same_thread=False
    )
    connection.execute("PRAGMA journal_mode=MEMORY")
    connection.execute("PRAGMA synchronous=OFF")
    return connection


class KeptStore(MemoryStore):
    """A store in memory that has a file: what was there at the last checkpoint, or when it was closed."""

    _PARTS = ("_entities", "_edges", "_episodes", "_mentions", "_hops", "_positions", "_meta")

    def __init__(self, path: Path, engine: str = "", *, cypher_allow_files: bool = False) -> None:
        super().__init__()
        self._path = path
        if path.exists():
            for part, value in pickle.loads(path.read_bytes()).items():
                setattr(self, part, value)
        else:
            self._write()

    def checkpoint(self) -> bool:
        """Write everything to the file."""
        self._write()
        return super().checkpoint()

    def close(self) -> None:
        """Write everything to the file, then refuse all else."""
        if not self._closed:
            self._write()
        super().close()

    def _write(self) -> None:
        self._path.write_bytes(pickle.dumps({part: getattr(self, part) for part in self._PARTS}))


class _InlineCommitter(Committer):
    """Serves whoever calls on the caller's own thread: one client needs no other, and a history is quicker so."""

    def start(self) -> None:
        """Do nothing: there is no thread."""

    def write(self, group_id: str, origin: str, plan: Callable[..., Any]) -> tuple[Any, int | None]:
        future: Future[Any] = Future()
        self._serve([_Write(group_id, origin, plan, future)])
        outcome: tuple[Any, int | None] = future.result(0)
        return outcome

    def run(self, job: Callable[[GraphState], Any]) -> Any:
        future: Future[Any] = Future()
        self._serve_job(job, future)
        return future.result(0)


class _Inline:
    """A thread that is none: what it has to do is done when it is started."""

    def __init__(self, target: Callable[..., None], args: Sequence[Any] = (), **_: Any) -> None:
        self.start = partial(target, *args)

    def join(self) -> None:
        """Do nothing."""


class World:
    """One workspace over its whole life. `is_memory` chooses the store."""

    def __init__(self, root: Path, *, is_memory: bool) -> None:
        self._lives = count(1)
        self._is_memory = is_memory
        self._place = root
        self.root = root / "0"
        self.root.mkdir()
        write_ontology(self.root, ONTOLOGY)
        self._open()

    def _open(self) -> None:
        self._settings = workspace_settings(self.root, telemetry=False)
        self.service = open_service(self._settings)

    @property
    def graph(self) -> Graph:
        """The open graph."""
        return self.service._situation.wait(Call("test").cancelled).graph

    @property
    def files(self) -> StoreFiles:
        """The store's files."""
        return StoreFiles(self._settings.db_path)

    @property
    def log(self) -> Any:
        """The logs."""
        return self.service._log

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """Call a method as a client does.

        Raises:
            Refused: the service refused for a reason that it tells. A fault of the service comes as it is.
        """
        try:
            return self.service.call(f"knowledge_{method}", params, Call(f"knowledge_{method}"))
        except OperationFailed as error:
            raise Refused(f"{error.kind}: {error.message}") from error

    def apply(self, group_id: str, *operations: Operation) -> None:
        """Write operations as one record, whatever they are: what logs of other programs may hold."""
        try:
            self.graph.write(group_id, "test", lambda view: Planned(list(operations), None))
        except OperationFailed as error:
            raise Refused(str(error)) from error

    # Ends and new beginnings

    def restart(self) -> None:
        """End the service and start it again."""
        self.close()
        self._open()

    def lose(self, *, store: bool, search: bool) -> None:
        """End the service, lose its store or its search indexes, and start it again."""
        self.close()
        if store:
            for path in (self.files.store, *self.files.engine_files):
                path.unlink(missing_ok=True)
        if search:
            shutil.rmtree(self._settings.search_dir)
        self._open()

    def kill(self, *, keep_engine_log: bool) -> None:
        """Go on with the files as a kill leaves them; without the engine's log as they were at its last checkpoint."""
        if self._is_memory and keep_engine_log:
            self.checkpoint()
        left = self._place / str(next(self._lives))
        shutil.copytree(self.root, left, ignore=shutil.ignore_patterns("*.sock"))
        self.close()
        shutil.rmtree(self.root)
        self.root = left
        if not keep_engine_log:
            StoreFiles(workspace_settings(left).db_path).engine_log.unlink(missing_ok=True)
        self._open()

    def checkpoint(self) -> None:
        """Have the store write everything to its file."""
        self.graph.run(lambda state: state.store.checkpoint())

    def close(self) -> None:
        """End the service."""
        self.service.close()

    def verify(self) -> Report:
        """Hold log, store and search indexes against each other, as the command does."""
        self.checkpoint()
        opened: Callable[[Path], Store] = (
            KeptStore if self._is_memory else partial(KuzuStore, engine=self._settings.engine)
        )
        return verify(self.files, self._settings.search_dir, self.log, lambda path: True, opened)


@contextmanager
def prepared(seed: int, *, is_memory: bool) -> Iterator[None]:
    """Put the clock, chance, models, and for the store in memory that store, in the place of the real ones."""
    chance = _Chance(seed)
    _Clock.looks = count()
    replaced: Sequence[tuple[str, Any]] = [
        ("lcg.model.times.datetime", _Clock),
        ("lcg.model.ids._last_millis", 0),
        ("lcg.model.ids.os", chance),
        ("lcg.model.ids.time", SimpleNamespace(time_ns=lambda: times.now() * 1_000)),
        ("lcg.providers.embedder.builtin.BuiltinEmbedder.load", lambda embedder: None),
        ("lcg.providers.embedder.builtin.BuiltinEmbedder.embed", _letters),
        ("lcg.providers.extractor.rules.extractor.RuleExtractor", WordExtractor),
        ("lcg.server.app.is_sound", lambda path, engine: True),
        ("lcg.server.store_opening.is_sound", lambda path, engine: True),
        ("lcg.wal.fileops.SystemFileOps.fsync", lambda self, fd: None),
        ("lcg.graph.graph.Committer", _InlineCommitter),
        ("lcg.ontology.workspace.read_file", _read_once),
        # Whatever is done group by group may not depend on which comes first.
        ("lcg.wal.log.list_groups", lambda root: sorted(list_groups(root), reverse=bool(seed % 2))),
        ("lcg.search.index_file._connect", _quick_connection),
        ("lcg.server.app.threading", SimpleNamespace(Lock=Lock, Thread=_Inline)),
        ("lcg.server.startup.threading", SimpleNamespace(Thread=_Inline)),
    ]
    if is_memory:
        replaced = [*replaced, ("lcg.server.store_opening.KuzuStore", KeptStore)]
    with ExitStack() as stack:
        # Lost stores and refused calls are told in the service's log, and there are many.
        stack.callback(logging.disable, logging.root.manager.disable)
        logging.disable(logging.CRITICAL)
        for target, value in replaced:
            stack.enter_context(patch(target, value))
        yield


@contextmanager
def fresh_world(seed: int, *, is_memory: bool) -> Iterator[World]:
    """Make a workspace, and take it away afterwards."""
    place = str(_ROOM) if _ROOM.is_dir() else None
    with (
        patch("tempfile.tempdir", place),
        tempfile.TemporaryDirectory(prefix="lcg-history-") as directory,
        prepared(seed, is_memory=is_memory),
    ):
        world = World(Path(directory), is_memory=is_memory)
        try:
            yield world
        finally:
            world.close()
