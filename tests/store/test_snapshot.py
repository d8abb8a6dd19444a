"""A snapshot shows one moment, whatever is written meanwhile, and keeps nobody from writing."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from lcg.store.kuzu.store import KuzuStore
from lcg.store.memory import MemoryStore
from lcg.store.protocol import Change, Position, Store, StoreError
from tests.store.builders import batch, edge, entity, episode, mention, new_entities
from tests.store.engine_name import ENGINE


@pytest.fixture(params=["memory", "kuzu"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    made: Store = MemoryStore() if request.param == "memory" else KuzuStore(tmp_path / "graph.kuzu", ENGINE)
    yield made
    made.close()


def test_what_is_applied_meanwhile_is_not_in_it(store: Store) -> None:
    rows = [entity(f"n{i}") for i in range(5)]
    fact, text = edge("e", "n0", "n1"), episode("p")
    at_first = Position("g", 1, "a", 11)
    store.apply(
        batch(
            [Change(None, row) for row in rows],
            [Change(None, fact)],
            [Change(None, text)],
            mentions_added=[mention("p", "n0")],
            positions=[at_first],
        )
    )
    with store.snapshot() as snapshot:
        store.apply(
            batch(
                [
                    Change(rows[0], None),
                    Change(rows[1], entity("n1", summary="new")),
                    Change(None, entity("new", group_id="h")),
                ],
                [Change(fact, edge("e", "n0", "n1", fact="other"))],
                [Change(text, None)],
                mentions_removed=[mention("p", "n0")],
                positions=[Position("g", 2, "a", 12), Position("h", 1, "b", 1)],
            )
        )
        reader = snapshot.reader
        assert snapshot.positions == {"g": at_first}
        assert sorted(reader.scan_entities(), key=lambda row: row.uuid) == rows
        assert list(reader.scan_edges()) == [fact]
        assert list(reader.scan_episodes()) == [text]
        assert list(reader.scan_mentions()) == [mention("p", "n0")]
        with store.reader() as another:
            assert set(another.entities(["n0", "new"])) == {"new"}
    with store.snapshot() as later:
        assert later.positions["g"].applied_seq == 2
        assert len(list(later.reader.scan_entities())) == 5


def test_after_it_the_store_makes_checkpoints_again(tmp_path: Path) -> None:
    store = KuzuStore(tmp_path / "graph.kuzu", ENGINE)
    with pytest.raises(KeyError), store.snapshot() as snapshot:
        store.apply(new_entities(entity("n")))
        assert list(snapshot.reader.scan_entities()) == []
        assert store.checkpoint() is False
        raise KeyError
    assert store.checkpoint() is True
    assert set(store.writer_reader().entities(["n"])) == {"n"}
    store.close()
    with pytest.raises(StoreError, match="closed"), store.snapshot():
        pass
