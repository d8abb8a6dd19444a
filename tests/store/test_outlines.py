"""Rows in outline have everything by which an index knows them, and come also where the engine has little room."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from lcg.graph.filling import mentioned
from lcg.model.plain import Plain, plain
from lcg.model.rows import Edge, Entity, Episode, Mention, Row
from lcg.store.kuzu import outlines
from lcg.store.kuzu.store import KuzuStore
from lcg.store.memory import MemoryStore
from lcg.store.protocol import Change, Store
from tests.store.builders import NOON, batch, edge, entity, episode, mention
from tests.store.engine_name import ENGINE

POINTING = '{"cross_group_pointers":{"src":{}},"more":1}'
ENTITIES = [
    entity("n1", labels=(), summary="long", name="Ünïcode \x00"),
    entity("n2", labels=("Entity", "Merged"), group_id="h", created_at=-1),
    entity("n3", created_at=NOON + 1, attributes='{"a":1}', name_embedded="x", summary_embedded="y"),
]
EDGES = [
    edge("e1", "n1", "n2", invalid_at=0, valid_at=5, episodes=("p1", "p2"), attributes=POINTING),
    edge("e2", "", "nobody", invalid_at=NOON + 7, relation_type="T", attributes='{"a":1}', fact_embedded="z"),
]
EPISODES = [
    episode("p1", source_file="f", chunk_id="", revision=0, text_hash="h", extractor_key="k", valid_at=3),
    episode("p2", group_id="h", content="long", source_file="f"),
]


@pytest.fixture(params=["memory", "kuzu"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    made: Store = MemoryStore() if request.param == "memory" else KuzuStore(tmp_path / "graph.kuzu", ENGINE)
    links = [mention("p1", "n1"), mention("p1", "n3"), mention("p2", "n2", "h")]
    entities, edges = [Change(None, row) for row in ENTITIES], [Change(None, row) for row in EDGES]
    made.apply(batch(entities, edges, [Change(None, row) for row in EPISODES], mentions_added=links))
    yield made
    made.close()


def by_uuid(rows: Iterator[Plain]) -> list[Plain]:
    return sorted(rows)


def test_entities_keep_what_finds_them(store: Store) -> None:
    found = by_uuid(store.writer_reader().outlined_entities())
    assert [row[:5] for row in found] == [plain(row)[:5] for row in ENTITIES]
    assert {len(row) for row in found} == {len(plain(ENTITIES[0]))}


def test_relationships_keep_their_keys_times_sources_and_pointers(store: Store) -> None:
    found = by_uuid(store.writer_reader().outlined_edges())
    kept = (0, 1, 2, 3, 4, 6, 8, 11)
    assert [[row[at] for at in kept] for row in found] == [[plain(row)[at] for at in kept] for row in EDGES]
    assert found[0][9] == POINTING
    assert {len(row) for row in found} == {len(plain(EDGES[0]))}


def test_episodes_keep_their_chunks(store: Store) -> None:
    found = by_uuid(store.writer_reader().outlined_episodes())
    kept = (0, 1, 2, 3, 5, 8, 9, 10, 11, 12)
    assert [[row[at] for at in kept] for row in found] == [[plain(row)[at] for at in kept] for row in EPISODES]
    assert {len(row) for row in found} == {len(plain(EPISODES[0]))}


@pytest.mark.parametrize("at_once", [1, 2, 1_000])
def test_whole_rows_are_those_of_a_scan(store: Store, at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outlines, "_ROWS_AT_ONCE", at_once)
    reader = store.writer_reader()
    scans: dict[type[Row], Iterator[Row]] = {
        Entity: reader.scan_entities(),
        Edge: reader.scan_edges(),
        Episode: reader.scan_episodes(),
        Mention: reader.scan_mentions(),
    }
    for kind, scanned in scans.items():
        assert by_uuid(reader.whole_rows(kind)) == sorted(map(plain, scanned))


def test_mentions_come_by_episode(store: Store) -> None:
    found = mentioned(store.writer_reader().whole_rows(Mention))
    assert {uuid: sorted(ends) for uuid, ends in found.items()} == {"p1": ["n1", "n3"], "p2": ["n2"]}


def test_nulls_that_a_query_left_become_what_rows_have_instead(tmp_path: Path) -> None:
    store = KuzuStore(tmp_path / "graph.kuzu", ENGINE)
    for label in ("Entity", "RelatesToNode_", "Episodic"):
        store.writer_reader().session.command(f"CREATE (:{label} {{uuid: '{label}'}})")
    reader = store.writer_reader()
    for outlined, whole in (
        (reader.outlined_entities(), reader.scan_entities()),
        (reader.outlined_edges(), reader.scan_edges()),
        (reader.outlined_episodes(), reader.scan_episodes()),
        (reader.whole_rows(Entity), reader.scan_entities()),
        (reader.whole_rows(Edge), reader.scan_edges()),
        (reader.whole_rows(Episode), reader.scan_episodes()),
    ):
        assert list(outlined) == [plain(row) for row in whole]
    store.close()


def test_where_a_result_is_too_big_whole_rows_come(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = KuzuStore(tmp_path / "graph.kuzu", ENGINE)
    store.apply(batch([Change(None, row) for row in ENTITIES]))
    for statements in (outlines._OUTLINES, outlines._WHOLE):
        monkeypatch.setattr(statements[Entity], "statement", "MATCH (n:Entity) RETURN repeat_too_often(n.uuid)")
    assert by_uuid(store.writer_reader().outlined_entities()) == [plain(row) for row in ENTITIES]
    assert by_uuid(store.writer_reader().whole_rows(Entity)) == [plain(row) for row in ENTITIES]
    store.close()
