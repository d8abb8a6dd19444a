"""What every graph store does, asked of both."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from lcg.model.plain import plain
from lcg.model.times import parse_time
from lcg.store.kuzu.store import KuzuStore
from lcg.store.memory import MemoryStore
from lcg.store.protocol import Batch, Change, GroupLoad, Position, Store, StoreError
from tests.store.builders import NOON, at, batch, edge, entity, episode, mention, new_edges, new_entities, new_episodes
from tests.store.engine_name import ENGINE


@pytest.fixture(params=["memory", "kuzu"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    made: Store = MemoryStore() if request.param == "memory" else KuzuStore(tmp_path / "graph.kuzu", ENGINE)
    yield made
    made.close()


def out_edges(store: Store, uuid: str) -> list[str]:
    return [found.uuid for found in store.writer_reader().neighbour_edges(uuid, "out")]


def in_edges(store: Store, uuid: str) -> list[str]:
    return [found.uuid for found in store.writer_reader().neighbour_edges(uuid, "in")]


# --- rows ---

AWKWARD = [
    "",
    'it\'s "quoted" \\ `b`',
    "nul \x00 in it",
    "😀 東京タワー",
    "x" * 1_000_000,
    "line\nbreak\r\n\t",
    "$name; DROP",
]


@pytest.mark.parametrize("text", AWKWARD, ids=["empty", "quotes", "nul", "wide", "long", "breaks", "code"])
def test_awkward_text_comes_back_as_it_went_in(store: Store, text: str) -> None:
    rows = [entity(f"n{i}", name=text, summary=text, labels=("Entity", text)) for i in range(5)]
    fact = edge("e1", "n1", "n2", fact=text, relation_type=text, episodes=(text,))
    piece = episode("p1", content=text, source_file=text)
    store.apply(batch([Change(None, row) for row in rows], [Change(None, fact)], [Change(None, piece)]))
    reader = store.writer_reader()
    assert list(reader.entities(["n0", "n4"]).values()) == [rows[0], rows[4]]
    assert reader.edges(["e1"]) == {"e1": fact}
    assert reader.episodes(["p1"]) == {"p1": piece}


def test_empty_lists_and_missing_times_come_back(store: Store) -> None:
    rows = [entity(f"n{i}", labels=()) for i in range(6)]
    bare = edge("e1", "", "", valid_at=None, invalid_at=None, relation_type=None, episodes=())
    pieces = [episode(f"p{i}", valid_at=None, revision=None) for i in range(6)]
    store.apply(batch([Change(None, r) for r in rows], [Change(None, bare)], [Change(None, p) for p in pieces]))
    reader = store.writer_reader()
    assert sorted(reader.scan_entities(), key=lambda row: row.uuid) == rows
    assert list(reader.scan_edges()) == [bare]
    assert sorted(reader.scan_episodes(), key=lambda row: row.uuid) == pieces


def test_null_and_filled_values_mix_in_one_batch(store: Store) -> None:
    rows = [
        edge(
            f"e{i}", "a", "b", valid_at=i if i % 2 else None, invalid_at=None if i % 3 else i, episodes=("p",) * (i % 3)
        )
        for i in range(12)
    ]
    store.apply(new_edges(*rows))
    assert store.writer_reader().edges(row.uuid for row in rows) == {row.uuid: row for row in rows}


@pytest.mark.parametrize("time", ["0001-01-01", "1969-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999Z"])
def test_times_keep_their_microseconds(store: Store, time: str) -> None:
    row = entity("n1", created_at=parse_time(time))
    store.apply(new_entities(row))
    assert store.writer_reader().entities(["n1"])["n1"] == row


def test_reads_leave_out_what_is_missing_and_keep_the_order_asked_for(store: Store) -> None:
    store.apply(new_entities(*(entity(f"n{i:03}") for i in range(100))))
    asked = [f"n{i:03}" for i in range(120, -1, -1)]
    assert list(store.writer_reader().entities([*asked, "n005"])) == [f"n{i:03}" for i in range(99, -1, -1)]
    assert list(store.writer_reader().entities(["n003", "none", "n001"])) == ["n003", "n001"]
    assert store.writer_reader().entities([]) == {}


def test_an_update_replaces_the_whole_row(store: Store) -> None:
    old = edge("e1", "a", "b", valid_at=5, relation_type="T", attributes='{"a":1}', episodes=("p1", "p2"))
    new = edge("e1", "a", "b", fact="changed", invalid_at=9)
    store.apply(new_edges(old))
    store.apply(Batch(edges=[Change(old, new)]))
    assert store.writer_reader().edges(["e1"]) == {"e1": new}


def test_an_episode_update_replaces_the_whole_row(store: Store) -> None:
    old = episode("p1", source_file="f", chunk_id="c", revision=1, text_hash="h", extractor_key="k", valid_at=3)
    new = replace(old, revision=2, content="newer", extractor_key=None, valid_at=None)
    store.apply(new_episodes(old))
    store.apply(Batch(episodes=[Change(old, new)]))
    assert list(store.writer_reader().scan_episodes()) == [new]


def test_what_is_deleted_is_gone_and_deleting_again_is_nothing(store: Store) -> None:
    rows = entity("n1"), edge("e1", "n1", "n1"), episode("p1")
    store.apply(batch([Change(None, rows[0])], [Change(None, rows[1])], [Change(None, rows[2])]))
    gone = batch([Change(rows[0], None)], [Change(rows[1], None)], [Change(rows[2], None)])
    store.apply(gone)
    store.apply(gone)
    reader = store.writer_reader()
    assert [*reader.scan_entities(), *reader.scan_edges(), *reader.scan_episodes()] == []


def test_an_empty_batch_is_fine(store: Store) -> None:
    store.apply(Batch())
    assert store.positions() == {}


# --- hops ---


def test_an_edge_after_its_entities_has_both_hops(store: Store) -> None:
    fact = edge("e1", "a", "b")
    store.apply(new_entities(entity("a"), entity("b")))
    store.apply(new_edges(fact))
    assert store.writer_reader().neighbour_edges("a", "out") == [fact]
    assert store.writer_reader().neighbour_edges("b", "in") == [fact]
    assert (in_edges(store, "a"), out_edges(store, "b")) == ([], [])


def test_an_edge_in_the_batch_of_its_entities_has_both_hops(store: Store) -> None:
    store.apply(batch([Change(None, entity("a")), Change(None, entity("b"))], [Change(None, edge("e1", "a", "b"))]))
    assert out_edges(store, "a") == ["e1"]


def test_entities_that_arrive_after_the_edge_bring_their_hops(store: Store) -> None:
    store.apply(new_edges(edge("e1", "a", "b")))
    store.apply(new_entities(entity("a"), attach=[("a", "e1")]))
    assert (out_edges(store, "a"), in_edges(store, "b")) == ([], [])
    store.apply(new_entities(entity("b"), attach=[("b", "e1")]))
    assert (out_edges(store, "a"), in_edges(store, "b")) == (["e1"], ["e1"])


def test_attaching_twice_or_beside_the_edge_itself_makes_one_hop(store: Store) -> None:
    store.apply(
        batch(
            [Change(None, entity("a")), Change(None, entity("b"))],
            [Change(None, edge("e1", "a", "b"))],
            attach=[("a", "e1"), ("b", "e1")],
        )
    )
    store.apply(Batch(attach=[("a", "e1"), ("a", "e1"), ("nobody", "e1"), ("a", "nothing")]))
    assert (out_edges(store, "a"), in_edges(store, "b")) == (["e1"], ["e1"])


@pytest.mark.parametrize("edge_first", [True, False])
def test_a_self_edge_counts_as_out_only(store: Store, edge_first: bool) -> None:
    if edge_first:
        store.apply(new_edges(edge("e1", "a", "a")))
        store.apply(new_entities(entity("a"), attach=[("a", "e1")]))
    else:
        store.apply(new_entities(entity("a")))
        store.apply(new_edges(edge("e1", "a", "a")))
    assert (out_edges(store, "a"), in_edges(store, "a")) == (["e1"], [])


def test_an_unbound_edge_is_stored_but_nobody_s_neighbour(store: Store) -> None:
    store.apply(new_entities(entity("a")))
    store.apply(new_edges(edge("e1", "a", ""), edge("e2", "", "a"), edge("e3", "a", "gone"), edge("e4", "", "")))
    assert (out_edges(store, "a"), in_edges(store, "a")) == ([], [])
    assert len(store.writer_reader().edges(["e1", "e2", "e3", "e4"])) == 4


def test_a_changed_endpoint_moves_the_hop(store: Store) -> None:
    old = edge("e1", "a", "b")
    store.apply(new_entities(*(entity(uuid) for uuid in "abc")))
    store.apply(new_edges(old))
    moved = replace(old, target_uuid="c")
    store.apply(Batch(edges=[Change(old, moved)]))
    assert (out_edges(store, "a"), in_edges(store, "b"), in_edges(store, "c")) == (["e1"], [], ["e1"])
    turned = replace(old, source_uuid="c", target_uuid="a")
    store.apply(Batch(edges=[Change(moved, turned)]))
    assert (out_edges(store, "a"), out_edges(store, "c"), in_edges(store, "a")) == ([], ["e1"], ["e1"])


def test_binding_and_unbinding_an_endpoint_makes_and_drops_the_hop(store: Store) -> None:
    unbound, bound = edge("e1", "a", ""), edge("e1", "a", "b")
    store.apply(new_entities(entity("a"), entity("b")))
    store.apply(new_edges(unbound))
    store.apply(Batch(edges=[Change(unbound, bound)]))
    assert out_edges(store, "a") == ["e1"]
    store.apply(Batch(edges=[Change(bound, unbound)]))
    assert (out_edges(store, "a"), in_edges(store, "b")) == ([], [])


def test_an_edge_update_that_keeps_its_endpoints_keeps_one_hop_each(store: Store) -> None:
    old = edge("e1", "a", "b")
    store.apply(new_entities(entity("a"), entity("b")))
    store.apply(new_edges(old))
    store.apply(Batch(edges=[Change(old, replace(old, fact="other"))]))
    assert [found.fact for found in store.writer_reader().neighbour_edges("a", "out")] == ["other"]


def test_an_entity_that_goes_takes_its_hops_and_mentions_but_no_edge(store: Store) -> None:
    a = entity("a")
    store.apply(new_entities(a, entity("b")))
    store.apply(new_edges(edge("e1", "a", "b"), edge("e2", "b", "a")))
    store.apply(new_episodes(episode("p1"), mentions_added=[mention("p1", "a"), mention("p1", "b")]))
    store.apply(Batch(entities=[Change(a, None)]))
    assert (out_edges(store, "b"), in_edges(store, "b")) == ([], [])
    assert {row.uuid for row in store.writer_reader().scan_edges()} == {"e1", "e2"}
    assert list(store.writer_reader().scan_mentions()) == [mention("p1", "b")]
    store.apply(new_entities(a))
    assert out_edges(store, "a") == []
    store.apply(Batch(attach=[("a", "e1"), ("a", "e2")]))
    assert (out_edges(store, "a"), in_edges(store, "a")) == (["e1"], ["e2"])


def test_an_entity_update_keeps_its_hops(store: Store) -> None:
    a = entity("a")
    store.apply(new_entities(a, entity("b")))
    store.apply(new_edges(edge("e1", "a", "b")))
    store.apply(Batch(entities=[Change(a, replace(a, summary="new"))]))
    assert out_edges(store, "a") == ["e1"]


def test_neighbours_come_by_uuid_descending(store: Store) -> None:
    store.apply(new_entities(entity("a"), entity("b")))
    store.apply(new_edges(*(edge(f"e{i}", "a", "b") for i in (3, 1, 7, 5, 2))))
    assert out_edges(store, "a") == ["e7", "e5", "e3", "e2", "e1"]
    assert in_edges(store, "b") == ["e7", "e5", "e3", "e2", "e1"]


# --- mentions ---


def test_mentions_come_in_order_and_once(store: Store) -> None:
    links = [mention("p2", "a"), mention("p1", "b"), mention("p1", "a")]
    store.apply(new_entities(entity("a"), entity("b")))
    store.apply(new_episodes(episode("p1"), episode("p2"), mentions_added=links))
    store.apply(Batch(mentions_added=links))
    assert list(store.writer_reader().scan_mentions()) == [links[2], links[1], links[0]]


def test_a_removed_mention_is_gone_and_one_without_an_end_never_comes(store: Store) -> None:
    piece = episode("p1")
    store.apply(new_entities(entity("a"), entity("b")))
    store.apply(new_episodes(piece, mentions_added=[mention("p1", "a"), mention("p1", "b"), mention("p1", "gone")]))
    store.apply(Batch(mentions_removed=[mention("p1", "a"), mention("p9", "a")]))
    assert list(store.writer_reader().scan_mentions()) == [mention("p1", "b")]
    store.apply(Batch(episodes=[Change(piece, None)]))
    assert list(store.writer_reader().scan_mentions()) == []


# --- positions and settings ---


def test_positions_move_and_keep_every_field(store: Store) -> None:
    store.apply(Batch(positions=[Position("g", 1, None, 0), Position("h", 7, "gen", (1 << 128) - 1)]))
    store.apply(Batch(positions=[Position("g", 2, "gen", 1 << 64)]))
    assert store.positions() == {"g": Position("g", 2, "gen", 1 << 64), "h": Position("h", 7, "gen", (1 << 128) - 1)}


@pytest.mark.parametrize(
    "bad",
    [
        Batch(entities=[Change(None, entity("b")), Change(None, entity("a"))]),
        Batch(entities=[Change(None, entity(uuid)) for uuid in ("b", "c", "d", "f", "f")]),
        Batch(entities=[Change(None, entity("b")), Change(entity("gone"), entity("gone"))]),
        batch([Change(entity("a"), entity("a", name="n"))], [Change(edge("e9", "a", "b"), edge("e9", "a", "b"))]),
    ],
    ids=["already there", "twice in one statement", "change of nothing", "change of no edge"],
)
def test_a_batch_that_fails_leaves_nothing(store: Store, bad: Batch) -> None:
    store.apply(new_entities(entity("a"), positions=at(1)))
    bad.positions = at(2)
    with pytest.raises(StoreError):
        store.apply(bad)
    assert list(store.writer_reader().scan_entities()) == [entity("a")]
    assert store.positions()["g"].applied_seq == 1
    store.apply(new_entities(entity("b"), positions=at(2)))
    assert store.positions()["g"].applied_seq == 2


def test_settings_are_kept(store: Store) -> None:
    assert store.meta("unlogged_mutations") is None
    store.set_meta("unlogged_mutations", "1")
    store.set_meta("unlogged_mutations", "2")
    assert store.meta("unlogged_mutations") == "2"


def test_lent_readers_see_what_was_applied(store: Store) -> None:
    with store.reader() as reader:
        assert list(reader.scan_entities()) == []
    store.apply(new_entities(entity("a")))
    with store.reader() as reader:
        assert reader.entities(["a"]) == {"a": entity("a")}
        assert reader.probe()


def test_a_closed_store_says_so_and_closes_twice(store: Store) -> None:
    store.close()
    store.close()
    with pytest.raises(StoreError, match="closed"):
        store.apply(Batch())
    with pytest.raises(StoreError, match="closed"), store.reader():
        pass
    with pytest.raises(StoreError, match="closed"):
        store.positions()


def test_hops_that_have_no_counterpart_are_told(store: Store) -> None:
    store.apply(new_entities(entity("a"), entity("b")))
    store.apply(new_edges(edge("whole", "a", "b"), edge("out", "a", ""), edge("in", "gone", "b"), edge("none", "", "")))
    reader = store.writer_reader()
    assert reader.bound_edges() == {"whole"}
    assert reader.lone_hops() == {("a", "out"), ("b", "in")}


def test_a_cleared_group_loses_everything_and_edges_of_others_stay_without_their_hop(store: Store) -> None:
    store.apply(new_entities(entity("a1"), entity("a2"), entity("b1", group_id="h")))
    store.apply(new_edges(edge("own", "a1", "a2"), edge("into", "b1", "a1", group_id="h")))
    store.apply(new_episodes(episode("p1"), mentions_added=[mention("p1", "a1")], episode_entities={"p1": ("a1",)}))
    assert [row.uuid for row in store.writer_reader().edges_into("g")] == ["into"]
    assert store.writer_reader().edges_into("h") == []
    store.apply(Batch(cleared=["g"], entities=[Change(None, entity("a1", name="again"))], positions=at(3)))
    reader = store.writer_reader()
    assert sorted(row.uuid for row in reader.scan_entities()) == ["a1", "b1"]
    assert [row.uuid for row in reader.scan_edges()] == ["into"]
    assert (list(reader.scan_episodes()), list(reader.scan_mentions())) == ([], [])
    assert reader.neighbour_edges("b1", "out") == []
    assert reader.edges_into("g") == []
    store.apply(Batch(attach=[("a1", "into")]))
    assert [row.uuid for row in reader.neighbour_edges("b1", "out")] == ["into"]


def test_a_loaded_group_replaces_what_was_there_and_links_up(store: Store) -> None:
    store.apply(new_entities(entity("old"), entity("b1", group_id="h")))
    store.apply(new_edges(edge("into", "b1", "a1", group_id="h"), edge("gone", "old", "old")))
    rows = {
        "a1": entity("a1", labels=(), summary="", name_embedded="x"),
        "a2": entity("a2", labels=("Entity", "Person")),
    }
    links = [
        edge("e1", "a1", "a2", episodes=("p1",), valid_at=NOON),
        edge("e2", "a2", "b1"),
        edge("e3", "a1", "nobody"),
        edge("e4", "", "a1"),
        edge("e5", "a2", "a2"),
    ]
    pieces = [episode("p1", revision=3, source_file="f"), episode("p2", valid_at=NOON)]
    load = GroupLoad(
        Position("g", 7, "gen-1", 99),
        list(map(plain, rows.values())),
        list(map(plain, links)),
        list(map(plain, pieces)),
        {"p1": ["a2", "a1"]},
        {"b1"}.__contains__,
        [("a1", "into")],
    )
    store.load_group(load)
    reader = store.writer_reader()
    assert {row.uuid: row for row in reader.scan_entities() if row.group_id == "g"} == rows
    assert {row.uuid: row for row in reader.scan_edges() if row.group_id == "g"} == {row.uuid: row for row in links}
    assert {row.uuid: row for row in reader.scan_episodes()} == {row.uuid: row for row in pieces}
    assert list(reader.scan_mentions()) == [mention("p1", "a1"), mention("p1", "a2")]
    assert (out_edges(store, "a1"), in_edges(store, "a1")) == (["e1"], ["into"])
    assert (out_edges(store, "a2"), in_edges(store, "a2")) == (["e5", "e2"], ["e1"])
    assert store.positions()["g"] == load.position
    store.load_group(GroupLoad(Position("g", 0, None), [], [], [], {}, set().__contains__))
    assert [row.uuid for row in reader.scan_entities()] == ["b1"]
    store.apply(new_entities(entity("a1")))


def test_a_batch_of_many_links_makes_each_once(store: Store) -> None:
    store.apply(new_entities(entity("hub"), entity("late", name="old name")))
    store.apply(new_edges(edge("waiting", "hub", "spoke 1")))
    spokes = [entity(f"spoke {number}") for number in range(300)]
    links = [edge(f"e{number:03}", "hub", f"spoke {number}") for number in range(300)]
    links += [edge("to nobody", "hub", "nobody"), edge("self", "hub", "hub"), edge("back", "spoke 0", "late")]
    batch = new_entities(*spokes)
    batch.entities.append(Change(entity("late", name="old name"), entity("late")))
    batch.edges += [Change(None, link) for link in links]
    batch.episodes.append(Change(None, episode("p")))
    batch.mentions_added += [mention("p", spoke.uuid) for spoke in spokes]
    batch.attach.append(("spoke 1", "waiting"))
    store.apply(batch)
    shown = {*(link.uuid for link in links), "waiting"} - {"to nobody", "back"}
    assert sorted(out_edges(store, "hub"), reverse=True) == sorted(shown, reverse=True)
    assert (in_edges(store, "late"), in_edges(store, "spoke 7")) == (["back"], ["e007"])
    assert len(list(store.writer_reader().scan_mentions())) == 300
