"""A small graph that Cypher is asked of, and how a test asks."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from lcg.errors import LcgError
from lcg.store.kuzu.store import KuzuStore
from lcg.store.protocol import Change, CypherAnswer
from tests.store.builders import at, batch, edge, entity, episode, mention
from tests.store.engine_name import ENGINE


@contextmanager
def asked_store(directory: Path) -> Iterator[KuzuStore]:
    """Fill a store of little memory in a directory."""
    with pytest.MonkeyPatch.context() as small:
        small.setattr("lcg.store.kuzu.engine.pool_bytes", lambda: 128 << 20)
        made = KuzuStore(directory / "graph.kuzu", ENGINE)
    made.apply(
        batch(
            [
                Change(None, entity("n1", name="Mira", name_embedded="old")),
                Change(None, entity("n2", name="Port Vell")),
            ],
            [Change(None, edge("e1", "n1", "n2", name="SAILED_TO"))],
            [Change(None, episode("p1", source_file="log.md"))],
            mentions_added=[mention("p1", "n1")],
            episode_entities={"p1": ("n1",)},
            positions=at(1),
        )
    )
    try:
        yield made
    finally:
        made.close()


def ask(store: KuzuStore, query: str, parameters: dict[str, Any] | None = None, **bounds: int) -> CypherAnswer:
    bounds = {"max_rows": 1000, "timeout_ms": 30000, **bounds}
    with store.reader() as reader:
        return reader.cypher(query, parameters or {}, max_rows=bounds["max_rows"], timeout_ms=bounds["timeout_ms"])


def refusal(store: KuzuStore, query: str, parameters: dict[str, Any] | None = None, **bounds: int) -> LcgError:
    with pytest.raises(LcgError) as caught:
        ask(store, query, parameters, **bounds)
    # Whatever was refused, the same reader works on and the graph is as it was.
    assert ask(store, "MATCH (n) RETURN count(*)").rows == [[4]]
    return caught.value


def one(store: KuzuStore, expression: str, parameters: dict[str, Any] | None = None) -> Any:
    [[value]] = ask(store, f"RETURN {expression} AS it", parameters).rows
    return value
