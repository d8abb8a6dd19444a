"""What a page is given: the best-connected entities, the facts between them, and no more text than is bearable."""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lcg.exchange.graph_reader import GraphReader
from lcg.explorer.reading import MOST_TEXT_CHARS, Budget, Details, read_graph
from lcg.explorer.records import MOST_SOURCES
from lcg.explorer.selection import select
from lcg.model.rows import Entity, Row
from tests.explorer.rows import edge, entity, episode, mention, reading, tombstone

PLENTY = 10**9


def star() -> list[Row]:
    """A hub with four neighbours, two of which know each other; a loner; somebody merged; ends that are elsewhere."""
    names = ("hub", "a", "b", "c", "d", "loner")
    ends = [
        ("hub", "a"),
        ("hub", "b"),
        ("hub", "c"),
        ("hub", "d"),
        ("a", "b"),
        ("hub", "hub"),
        ("a", "gone"),
        ("b", ""),
    ]
    return [
        *(entity(name) for name in names),
        tombstone("gone"),
        *(edge(f"{source}-{target}", source, target) for source, target in ends),
    ]


def test_degrees_count_facts_with_two_ends_that_can_be_shown_and_a_loop_once(tmp_path: Path) -> None:
    with reading(tmp_path, star()) as graph:
        selection = select(graph)
    assert selection.degrees == {"hub": 5, "a": 2, "b": 2, "c": 1, "d": 1, "loner": 0}
    assert selection.chosen == ("hub", "a", "b", "c", "d", "loner")
    assert selection.total_facts == 6


def test_the_best_connected_are_kept_when_there_are_too_many(tmp_path: Path) -> None:
    with reading(tmp_path, star()) as graph:
        selection = select(graph, most_entities=3)
        record = read_graph(graph, selection, "t", None, Budget(PLENTY))
    assert [node["uuid"] for node in record["nodes"]] == ["hub", "a", "b"]
    assert {fact["uuid"] for fact in record["facts"]} == {"hub-a", "hub-b", "a-b", "hub-hub"}
    assert (record["total_nodes"], record["total_facts"]) == (6, 6)
    assert record["nodes"][0]["degree"] == 5


def test_fewer_are_kept_when_their_facts_are_too_many(tmp_path: Path) -> None:
    with reading(tmp_path, star()) as graph:
        assert select(graph, most_facts=4).chosen == ("hub", "a", "b")
        assert select(graph, most_facts=3).chosen == ("hub", "a")
        assert select(graph, most_facts=0).chosen == ()


@given(st.integers(0, 2**32), st.integers(1, 12), st.integers(0, 30))
def test_no_bound_is_ever_passed_and_one_more_entity_would_pass_it(seed: int, most: int, most_facts: int) -> None:
    dice = random.Random(seed)
    size, count = dice.randint(0, 10), dice.randint(0, 40)
    ends = [(f"n{dice.randrange(size)}", f"n{dice.randrange(size)}") for _ in range(count)] if size else []

    class Rows(GraphReader):
        def __init__(self) -> None: ...

        def entities(self) -> Iterator[Entity]:
            return (entity(f"n{number}") for number in range(size))

        def ends(self) -> Iterator[tuple[str, str]]:
            return iter(ends)

    def facts_of(chosen: tuple[str, ...]) -> int:
        return sum(source in chosen and target in chosen for source, target in ends)

    selection = select(Rows(), most, most_facts)
    degrees = Counter(uuid for pair in ends for uuid in set(pair))
    ranked = sorted((f"n{number}" for number in range(size)), key=lambda uuid: (-degrees[uuid], uuid))
    chosen = selection.chosen
    assert list(chosen) == ranked[: len(chosen)]
    assert len(chosen) <= most
    assert facts_of(chosen) <= most_facts
    if len(chosen) < min(most, size):
        assert facts_of(tuple(ranked[: len(chosen) + 1])) > most_facts


def test_sources_are_those_that_are_here_and_a_long_list_is_cut_and_counted(tmp_path: Path) -> None:
    number = MOST_SOURCES + 3
    rows: list[Row] = [
        entity("a"),
        edge("f", "a", "a", episodes=("p000", "elsewhere")),
        *(episode(f"p{each:03}", "text") for each in range(number)),
        *(mention(f"p{each:03}", "a") for each in range(number)),
    ]
    with reading(tmp_path, rows) as graph:
        record = read_graph(graph, select(graph), "t", ["g"], Budget(PLENTY))
    (node,), (fact,) = record["nodes"], record["facts"]
    assert (len(node["sources"]), node["source_count"]) == (MOST_SOURCES, number)
    assert (fact["sources"], fact["source_count"]) == (["p000"], 1)
    assert {source["uuid"] for source in record["sources"]} == set(node["sources"])


@pytest.mark.parametrize(
    ("chars", "texts", "left_out"),
    [(0, [None, None], 2), (5, ["short", None], 1), (PLENTY, ["short", "longer text"], 0)],
)
def test_texts_are_left_out_where_the_budget_ends(
    tmp_path: Path, chars: int, texts: list[str | None], left_out: int
) -> None:
    rows: list[Row] = [
        entity("a"),
        episode("p1", "short"),
        episode("p2", "longer text"),
        mention("p1", "a"),
        mention("p2", "a"),
    ]
    budget = Budget(chars)
    with reading(tmp_path, rows) as graph:
        record = read_graph(graph, select(graph), "t", None, budget)
    assert [source["text"] for source in record["sources"]] == texts
    assert budget.left_out == left_out


def test_a_very_long_text_is_cut_and_says_so(tmp_path: Path) -> None:
    with reading(tmp_path, [entity("a"), episode("p", "x" * (MOST_TEXT_CHARS + 1)), mention("p", "a")]) as graph:
        (source,) = read_graph(graph, select(graph), "t", None, Budget(PLENTY))["sources"]
    assert (len(source["text"] or ""), source["cut"]) == (MOST_TEXT_CHARS, True)


def test_attributes_that_are_no_object_or_too_much_for_json_do_no_harm(tmp_path: Path) -> None:
    attributes = {"a": "{}", "b": '{"n": 123456789012345678901234567890}', "c": '{"k": ["v", null]}'}
    with reading(tmp_path, [replace(entity(uuid), attributes=text) for uuid, text in attributes.items()]) as graph:
        nodes = read_graph(graph, select(graph), "t", None, Budget(0))["nodes"]
    assert [sorted(node["attributes"]) for node in nodes] == [[], ["n"], ["k"]]


# -- Details, on demand


def test_the_facts_around_an_entity_come_page_by_page_with_both_ends(tmp_path: Path) -> None:
    number = 450
    rows: list[Row] = [entity("hub"), *(entity(f"n{each:03}") for each in range(number))]
    rows += [edge(f"f{each:03}", "hub", f"n{each:03}") for each in range(number)]
    with reading(tmp_path, rows) as graph:
        details = Details(graph, select(graph, most_entities=1))
        offset, seen, more = 0, set[str](), True
        while more:
            part = details.around("hub", offset)
            ends = {node["uuid"] for node in part["nodes"]}
            assert all({fact["source"], fact["target"]} <= ends for fact in part["facts"])
            seen |= {fact["uuid"] for fact in part["facts"]}
            offset, more = part["next"], part["has_more"]
    assert len(seen) == number == offset


def test_around_an_entity_without_facts_is_itself_and_around_an_unknown_one_nothing(tmp_path: Path) -> None:
    with reading(tmp_path, star()) as graph:
        details = Details(graph, select(graph))
        assert [node["uuid"] for node in details.around("loner", 0)["nodes"]] == ["loner"]
        for unknown in ("nobody", "gone"):
            assert details.around(unknown, 0)["nodes"] == []
        assert details.nodes(["loner", "gone", "nobody", "a"]) == [*details.nodes(["loner"]), *details.nodes(["a"])]
        assert details.source("nobody") is None
