"""New rows whose columns are null, and entities that are changed and mentioned together, come out as they went in."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from lcg.model.rows import Entity
from lcg.store.kuzu.creating import new_rows
from lcg.store.kuzu.linking import _MENTIONS_TOGETHER
from lcg.store.kuzu.rows import EDGE, ENTITY
from lcg.store.kuzu.store import KuzuStore
from lcg.store.protocol import Batch, Change, StoreError
from tests.store.builders import NOON, batch, edge, entity, episode, mention, new_entities
from tests.store.engine_name import ENGINE


@pytest.fixture
def store(tmp_path: Path) -> Iterator[KuzuStore]:
    with closing(KuzuStore(tmp_path / "graph.kuzu", ENGINE)) as made:
        yield made


def entities_of(store: KuzuStore) -> list[Entity]:
    return sorted(store.writer_reader().scan_entities(), key=lambda row: row.uuid)


def test_what_all_rows_share_is_given_once_and_what_is_null_in_all_not_at_all() -> None:
    made = new_rows(ENTITY, [ENTITY.write(entity(uuid)) for uuid in "ab"])
    assert "name_embedded" not in made.pattern
    assert made.beside["all_group_id"] == "g"
    assert [set(row) for row in made.rows] == [{"uuid", "name", "summary"}] * 2


NULLS = {"valid_at": NOON, "invalid_at": NOON, "relation_type": "KNOWS", "fact_embedded": "a fact"}


@pytest.mark.parametrize("nulls", ["in the first", "in the last", "in all", "in none"])
@pytest.mark.parametrize("field", NULLS)
def test_edges_that_are_created_together_keep_their_nulls(store: KuzuStore, field: str, nulls: str) -> None:
    null_at = {"in the first": [0], "in the last": [2], "in all": [0, 1, 2], "in none": []}[nulls]
    rows = [edge(f"r{at}", "a", "b", **{field: None if at in null_at else NULLS[field]}) for at in range(3)]
    store.apply(batch([Change(None, entity("a")), Change(None, entity("b"))], [Change(None, row) for row in rows]))
    reader = store.writer_reader()
    assert reader.edges(row.uuid for row in rows) == {row.uuid: row for row in rows}
    assert sorted(found.uuid for found in reader.neighbour_edges("a", "out")) == ["r0", "r1", "r2"]


@pytest.mark.parametrize("mentioned", [True, False], ids=["mentioned", "not mentioned"])
@pytest.mark.parametrize("null_at", [{0}, {4}, {0, 1, 2, 3, 4}, set()], ids=str)
def test_entities_that_are_created_together_keep_their_nulls(
    store: KuzuStore, null_at: set[int], mentioned: bool
) -> None:
    rows = [
        entity(f"n{at}", labels=("L",) if at % 2 else (), summary_embedded=None if at in null_at else "text")
        for at in range(5)
    ]
    links = [mention("p", row.uuid) for row in rows] if mentioned else []
    new = [Change(None, row) for row in rows]
    store.apply(batch(new, episodes=[Change(None, episode("p"))], mentions_added=links))
    assert entities_of(store) == rows
    assert list(store.writer_reader().scan_mentions()) == links


def test_edges_with_and_without_a_time_come_from_one_pattern_of_nulls() -> None:
    made = new_rows(EDGE, [EDGE.write(edge("r1", "a", "b", valid_at=NOON)), EDGE.write(edge("r2", "a", "b"))])
    assert [row["valid_at"] is None for row in made.rows] == [False, True]


COUNTS = [1, 2, *range(_MENTIONS_TOGETHER[0] - 1, _MENTIONS_TOGETHER[0] + 3)]


@pytest.mark.parametrize("count", COUNTS)
def test_entities_that_a_new_episode_mentions_are_changed_each_in_its_own_columns(store: KuzuStore, count: int) -> None:
    old = [entity(f"n{at:02}", summary_embedded="before" if at % 2 else None) for at in range(count)]
    told = [
        replace(
            row,
            summary=f"told {at}",
            labels=("Entity", f"L{at}") if at % 3 else row.labels,
            summary_embedded=None if row.summary_embedded else "after",
        )
        for at, row in enumerate(old)
    ]
    store.apply(new_entities(*old))
    changes = [Change(before, after) for before, after in zip(old, told, strict=True)]
    links = [mention("p", row.uuid) for row in told]
    store.apply(batch(changes, episodes=[Change(None, episode("p"))], mentions_added=links))
    assert entities_of(store) == told
    assert list(store.writer_reader().scan_mentions()) == links


def test_an_entity_that_two_new_episodes_mention_is_changed_once_and_mentioned_by_both(store: KuzuStore) -> None:
    old, told = entity("n"), entity("n", summary="told")
    store.apply(new_entities(old))
    new = [Change(None, episode(uuid)) for uuid in ("p", "q")]
    links = [mention("p", "n"), mention("q", "n")]
    store.apply(batch([Change(old, told)], episodes=new, mentions_added=links))
    assert entities_of(store) == [told]
    assert list(store.writer_reader().scan_mentions()) == links


def test_a_changed_entity_that_is_mentioned_but_not_stored_is_an_error_that_changes_nothing(store: KuzuStore) -> None:
    there, gone = entity("there"), entity("gone")
    store.apply(new_entities(there))
    changes = [Change(row, replace(row, summary="told")) for row in (there, gone)]
    links = [mention("p", "there"), mention("p", "gone")]
    with pytest.raises(StoreError, match=r"no Entity .*gone"):
        store.apply(batch(changes, episodes=[Change(None, episode("p"))], mentions_added=links))
    assert entities_of(store) == [there]
    assert list(store.writer_reader().scan_episodes()) == []
    store.apply(Batch(entities=[changes[0]]))
    assert entities_of(store) == [changes[0].new]
