"""Rows as plain values are the rows, and add as much to a digest."""

from hypothesis import given
from hypothesis import strategies as st

from lcg.model.digest import MODULUS, digest_of_plain, row_hash
from lcg.model.plain import RowTable, place, plain
from lcg.model.rows import Edge, Entity, Episode, Mention, Row

POINTERS = st.sampled_from(
    ["{}", '{"a":1}', '{"cross_group_pointers":{"src":{"bound_at_seq":4,"endpoint_name":"n"}}}', "cross_group_pointers"]
)
ENTITIES = st.builds(Entity, st.text(), st.just("g"), st.text(), st.tuples(st.text()), st.integers(-9, 9), st.text())
EDGES = st.builds(
    Edge,
    st.text(),
    st.just("g"),
    st.text(),
    st.text(),
    st.text(),
    st.text(),
    st.just(0),
    attributes=POINTERS,
    episodes=st.tuples(st.text()) | st.just(()),
)


@given(st.lists(ENTITIES, max_size=4), st.lists(EDGES, max_size=4))
def test_plain_values_have_the_digest_of_their_rows(entities: list[Entity], edges: list[Edge]) -> None:
    episode, mention = Episode("p", "g", "n", 0, "text", "", "c"), Mention("g", "p", "n")
    rows: list[Row] = [*entities, *edges, episode, mention]
    total = sum(map(row_hash, rows)) % MODULUS
    parts = (
        digest_of_plain(Entity, map(plain, entities)),
        digest_of_plain(Edge, map(plain, edges)),
        digest_of_plain(Episode, [plain(episode)]),
        digest_of_plain(Mention, [plain(mention)]),
    )
    assert sum(parts) % 2**128 == total


@given(st.lists(EDGES, max_size=4))
def test_a_table_makes_the_rows_that_it_keeps(edges: list[Edge]) -> None:
    table, rows = RowTable(Edge), {edge.uuid: edge for edge in edges}
    table.plain.update((uuid, plain(edge)) for uuid, edge in rows.items())
    assert dict(table) == rows
    assert (list(table.values()), len(table)) == (list(rows.values()), len(rows))
    assert ("no such uuid", table.get("no such uuid")) not in table.items()


def test_a_place_is_that_of_the_field() -> None:
    edge = Edge("e", "g", "n", "a", "b", "f", 0, fact_embedded="x")
    assert plain(edge)[place(Edge, "fact_embedded")] == "x"
