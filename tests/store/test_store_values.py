"""Any values at all come back from every graph store."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lcg.model.rows import Edge, Entity, Episode
from lcg.model.times import parse_time
from lcg.store.kuzu.store import KuzuStore
from lcg.store.memory import MemoryStore
from lcg.store.protocol import Change, Store
from tests.store.builders import batch
from tests.store.engine_name import ENGINE

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
times = st.integers(parse_time("0001-01-01"), parse_time("9999-12-31T23:59:59.999999Z"))
maybe_text, maybe_time = st.none() | texts, st.none() | times
lists = st.lists(texts, max_size=3).map(tuple)
uuids = st.just("")

entities = st.builds(Entity, uuids, texts, texts, lists, times, texts, texts, maybe_text, maybe_text)
edges = st.builds(
    Edge, uuids, texts, texts, texts, texts, texts, times, maybe_time, maybe_time, texts, maybe_text, lists, maybe_text
)
numbers = st.none() | st.integers(-(2**63), 2**63 - 1)
episodes = st.builds(
    Episode,
    uuids,
    texts,
    texts,
    times,
    texts,
    texts,
    texts,
    maybe_time,
    maybe_text,
    maybe_text,
    numbers,
    maybe_text,
    maybe_text,
)


@pytest.fixture(scope="module", params=["memory", "kuzu"])
def lasting_store(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    path = tmp_path_factory.mktemp("store") / "graph.kuzu"
    made: Store = MemoryStore() if request.param == "memory" else KuzuStore(path, ENGINE)
    yield made
    made.close()


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.tuples(entities, entities), max_size=6),
    st.lists(st.tuples(edges, edges), max_size=6),
    st.lists(st.tuples(episodes, episodes), max_size=6),
)
def test_any_rows_come_back_when_new_when_changed_and_not_when_gone(
    lasting_store: Store,
    some_entities: list[tuple[Entity, Entity]],
    some_edges: list[tuple[Edge, Edge]],
    some_episodes: list[tuple[Episode, Episode]],
) -> None:
    nodes = [tuple(replace(row, uuid=f"n{i}") for row in pair) for i, pair in enumerate(some_entities)]
    facts = [tuple(replace(row, uuid=f"e{i}") for row in pair) for i, pair in enumerate(some_edges)]
    pieces = [tuple(replace(row, uuid=f"p{i}") for row in pair) for i, pair in enumerate(some_episodes)]

    def stored() -> tuple[list[Entity], list[Edge], list[Episode]]:
        reader = lasting_store.writer_reader()
        return (
            list(reader.entities(old.uuid for old, _ in nodes).values()),
            list(reader.edges(old.uuid for old, _ in facts).values()),
            list(reader.episodes(old.uuid for old, _ in pieces).values()),
        )

    lasting_store.apply(
        batch(
            [Change(None, old) for old, _ in nodes],
            [Change(None, old) for old, _ in facts],
            [Change(None, old) for old, _ in pieces],
        )
    )
    assert stored() == tuple([old for old, _ in pairs] for pairs in (nodes, facts, pieces))
    lasting_store.apply(
        batch(
            [Change(old, new) for old, new in nodes],
            [Change(old, new) for old, new in facts],
            [Change(old, new) for old, new in pieces],
        )
    )
    assert stored() == tuple([new for _, new in pairs] for pairs in (nodes, facts, pieces))
    lasting_store.apply(
        batch(
            [Change(new, None) for _, new in nodes],
            [Change(new, None) for _, new in facts],
            [Change(new, None) for _, new in pieces],
        )
    )
    assert stored() == ([], [], [])
