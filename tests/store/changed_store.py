"""A small graph that Cypher changes, and what a test sees of it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from lcg.errors import LcgError
from lcg.store.kuzu.store import KuzuStore
from lcg.store.protocol import Bookkeeping, Change, CypherAnswer, RowChanges
from tests.store.builders import at, batch, edge, entity, episode, mention
from tests.store.engine_name import ENGINE


@contextmanager
def changed_store(directory: Path) -> Iterator[KuzuStore]:
    """Fill a store of little memory in a directory."""
    with pytest.MonkeyPatch.context() as small:
        small.setattr("lcg.store.kuzu.engine.pool_bytes", lambda: 128 << 20)
        made = KuzuStore(directory / "graph.kuzu", ENGINE)
    made.apply(
        batch(
            [Change(None, entity("n1", name="Mira")), Change(None, entity("n2", name="Tern"))],
            [Change(None, edge("e1", "n1", "n2", name="PILOTS"))],
            [Change(None, episode("p1"))],
            mentions_added=[mention("p1", "n1")],
            episode_entities={"p1": ("n1",)},
            positions=at(1),
        )
    )
    try:
        yield made
    finally:
        made.close()


class Run:
    """Mutates a store and keeps what the last query changed (None: nothing, or it was refused)."""

    def __init__(self, store: KuzuStore) -> None:
        self.store = store
        self.changes: RowChanges | None = None

    def __call__(
        self, query: str, parameters: dict[str, Any] | None = None, *, max_rows: int = 1000, timeout_ms: int = 30_000
    ) -> CypherAnswer:
        self.changes = None
        return self.store.mutate(query, parameters or {}, max_rows=max_rows, timeout_ms=timeout_ms, accept=self._accept)

    def refusal(self, query: str, parameters: dict[str, Any] | None = None, **bounds: int) -> LcgError:
        before = everything(self.store)
        with pytest.raises(LcgError) as caught:
            self(query, parameters, **bounds)
        assert everything(self.store) == before
        # Nothing of it stands in the way of what comes next.
        assert self.store.checkpoint() is True
        return caught.value

    def _accept(self, changes: RowChanges) -> Bookkeeping:
        self.changes = changes
        return Bookkeeping([], {})


def everything(store: KuzuStore) -> list[Any]:
    with store.reader() as reader:
        scans = (reader.scan_entities(), reader.scan_edges(), reader.scan_episodes(), reader.scan_mentions())
        return [sorted(map(repr, scan)) for scan in scans]


def read(store: KuzuStore, query: str) -> list[list[Any]]:
    with store.reader() as reader:
        return reader.cypher(query, {}, max_rows=1000, timeout_ms=30_000).rows


def hops(store: KuzuStore) -> list[list[Any]]:
    return read(
        store,
        "MATCH (a:Entity)-[:RELATES_TO]->(n:RelatesToNode_)-[:RELATES_TO]->(b:Entity) RETURN a.uuid, n.uuid, b.uuid",
    )
