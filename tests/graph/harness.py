"""A graph over an in-memory store, a real log and real search indexes, with a tiny embedder; reopened at will."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lcg.graph.derived import Derived
from lcg.graph.disk_space import DiskSpace
from lcg.graph.followed import FollowedStreams
from lcg.graph.graph import Graph
from lcg.graph.opening import catch_up, load_graph
from lcg.graph.planning import Planned, PlanView
from lcg.graph.record_log import RecordLog
from lcg.graph.state import GraphState
from lcg.model.operations import Operation
from lcg.model.rows import Edge, Entity, Episode, Mention
from lcg.search.fts import SqliteTextIndex
from lcg.search.vectors import SqliteVectorIndex
from lcg.services.embedding import Embedding
from lcg.services.healing import heal
from lcg.store.memory import MemoryStore
from lcg.store.protocol import Store
from lcg.wal.log import Log

NOON = 1_772_452_800_000_000


class LetterEmbedder:
    """Counts letters: texts of the same letters mean the same. Deterministic and instant."""

    provider = "test"
    model = "letters"
    dim = 27

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one unit row per text."""
        rows = np.full((len(texts), self.dim), 1e-3, dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for letter in text.casefold():
                row[ord(letter) - ord("a") if "a" <= letter <= "z" else 26] += 1
        unit: NDArray[np.float32] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return unit

    def calibrate(self, cosine: float) -> float:
        """Return the cosine itself."""
        return cosine


class Workspace:
    """A graph in a directory. The store is in memory: `reopen` loses it and rebuilds from the log, unless kept."""

    def __init__(self, directory: Path, make_store: Callable[[], Store] = MemoryStore) -> None:
        self.directory = directory
        self.make_store = make_store
        self.open()

    def open(self, store: Store | None = None) -> None:
        """Open log, indexes and graph; a given store is taken as it is, else a new one is filled from the log."""
        self.embedder = LetterEmbedder()
        self.log = self.make_log(self.directory / "wal")
        self.text = self.make_text(self.directory / "text.db")
        self.vectors = self.make_vectors(self.directory / "vectors.db")
        self.derived = Derived(self.text, self.vectors)
        self.embedding = Embedding(self.embedder, self.vectors)
        self._given = store
        self.space = DiskSpace(self.directory / "store", self.directory)
        self.followed = FollowedStreams(self.directory / "streams")
        self.graph = Graph(self._state, RecordLog(self.log, self.followed, self.space))
        heal(self.graph, self.embedding)

    def make_log(self, root: Path) -> Log:
        """Open the logs."""
        return Log(root)

    def make_text(self, path: Path) -> SqliteTextIndex:
        """Open the text index."""
        return SqliteTextIndex(path)

    def make_vectors(self, path: Path) -> SqliteVectorIndex:
        """Open the vector index."""
        return SqliteVectorIndex(path, self.embedder.model, self.embedder.dim)

    def _state(self) -> GraphState:
        store, self._given = self._given, None
        if store is None:
            store = self.make_store()
            self.followed.replace({group: self.log.stream(group).generation for group in self.log.groups()})
        state = load_graph(store, self.derived)
        catch_up(state, self.log, self.followed)
        return state

    def close(self) -> None:
        """Close everything."""
        self.graph.close()
        self.derived.close()
        self.log.close()

    def rebuild(self) -> None:
        """Lose the store and open the workspace again."""
        self.close()
        self.open()

    def apply(self, group_id: str, *operations: Operation) -> None:
        """Write operations as one record."""
        self.graph.write(group_id, "test", lambda view: Planned(list(operations), None))

    def ask(self, question: Callable[[PlanView], Any]) -> Any:
        """Ask something on the writer's thread, changing nothing."""
        return self.graph.write("liminis", "test", lambda view: Planned([], question(view)))

    def digests(self) -> dict[str, int]:
        """Return every group's digest, empty groups left out."""
        return {group: digest for group, digest in self.graph.index.digests.items() if digest}

    def rows(self) -> tuple[list[Entity], list[Edge], list[Episode], list[Mention]]:
        """Return everything that the store holds, in a fixed order."""
        with self.graph.reader() as reader:
            return (
                sorted(reader.scan_entities(), key=lambda row: row.uuid),
                sorted(reader.scan_edges(), key=lambda row: row.uuid),
                sorted(reader.scan_episodes(), key=lambda row: row.uuid),
                sorted(reader.scan_mentions(), key=lambda row: (row.episode_uuid, row.entity_uuid)),
            )


def entity(uuid: str, group_id: str = "a", **fields: Any) -> Entity:
    """Return an entity with sensible defaults."""
    defaults: dict[str, Any] = {"name": f"name {uuid}", "labels": ("Entity",), "created_at": NOON}
    return Entity(uuid=uuid, group_id=group_id, **{**defaults, **fields})


def edge(uuid: str, source: str, target: str, group_id: str = "a", **fields: Any) -> Edge:
    """Return an edge with sensible defaults."""
    defaults: dict[str, Any] = {"name": "KNOWS", "fact": f"{source} knows {target}", "created_at": NOON}
    return Edge(uuid=uuid, group_id=group_id, source_uuid=source, target_uuid=target, **{**defaults, **fields})


def episode(uuid: str, group_id: str = "a", **fields: Any) -> Episode:
    """Return an episode with sensible defaults."""
    defaults: dict[str, Any] = {
        "name": uuid,
        "created_at": NOON,
        "source": "text",
        "source_description": f"{uuid}.md:1",
        "content": f"text of {uuid}",
    }
    return Episode(uuid=uuid, group_id=group_id, **{**defaults, **fields})
