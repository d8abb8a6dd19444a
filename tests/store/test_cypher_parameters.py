"""Values that a Cypher query is given: bound as they are, never part of the text, named when they are wrong."""

from collections.abc import Iterator
from typing import Any

import pytest

from lcg.errors import InvalidParams
from lcg.generated.errors import ErrorKind
from lcg.store.kuzu.store import KuzuStore
from tests.store.cypher_store import ask, asked_store, one, refusal


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KuzuStore]:
    with asked_store(tmp_path_factory.mktemp("cypher")) as made:
        yield made


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        0,
        -(2**63),
        2**63 - 1,
        1.5,
        "",
        'it\'s "x" \\ \x00 東😀',
        [1, 2.5],
        [1, None],
        [[1], []],
        [{"a": 1}, {"a": None}],
        {"a": {"b": [1, "x"][:1]}},
        {"b": 1, "a": {"d": 2, "c": 3}},
        [{"a": 1, "b": 5}, {"b": 6, "a": 2}],
        [{"a": "x", "b": {"c": 1, "d": 2}}, {"b": {"d": 4, "c": 3}, "a": None}],
        [[{"a": 1, "b": 2}], [], [{"b": 4, "a": 3}]],
    ],
)
def test_parameters_are_bound_as_they_are(store: KuzuStore, value: Any) -> None:
    assert one(store, "$v", {"v": value}) == value


def test_an_empty_list_can_be_unwound_and_searched(store: KuzuStore) -> None:
    assert ask(store, "UNWIND $v AS x RETURN x", {"v": []}).rows == []
    assert ask(store, "MATCH (n:Entity) WHERE n.uuid IN $v RETURN n", {"v": []}).rows == []


@pytest.mark.parametrize("value", [[], [None], [[]], [[None]], [[], []], [{"a": None}], [{"a": []}], [None, None]])
def test_a_list_whose_type_nobody_can_tell_is_taken_where_the_engine_takes_it(store: KuzuStore, value: Any) -> None:
    assert ask(store, "UNWIND $v AS x RETURN x", {"v": value}).rows == [[item] for item in value]
    for query in ("RETURN $v", "RETURN list_sort($v)", "RETURN $v[1]", "RETURN size($v)", "RETURN hash($v)"):
        error = refusal(store, query, {"v": value})
        assert isinstance(error, InvalidParams)
        assert "such that v" in error.message
        assert "CAST($v AS STRING[])" in error.message
        assert "ANY" not in error.message


def test_a_list_without_values_is_taken_where_the_query_says_its_type(store: KuzuStore) -> None:
    for value in ([], [None]):
        assert one(store, "CAST($v AS STRING[])", {"v": value}) == value
    assert one(store, "CAST($v AS INT64[][])", {"v": [[]]}) == [[]]


def test_a_fault_of_the_engine_shows_none_of_its_insides(store: KuzuStore) -> None:
    error = refusal(store, "RETURN hash(NULL)")
    assert error.data["kind"] == ErrorKind.PRECONDITION
    assert "fault of its own" in error.message
    assert "ANY" not in error.message


def test_names_are_found_in_quotes_and_not_in_strings_or_comments(store: KuzuStore) -> None:
    assert one(store, "$`a b` + $a + size('$c') /* $d */", {"a b": 1, "a": 2}) == 5


def test_a_parameter_never_becomes_query_text(store: KuzuStore) -> None:
    evil = "x' OR 1=1; MATCH (n) DETACH DELETE n //"
    assert ask(store, "MATCH (n:Entity) WHERE n.name = $n RETURN n", {"n": evil}).rows == []


@pytest.mark.parametrize(
    ("query", "parameters", "words"),
    [
        ("MATCH (n:Entity) WHERE n.name = $n RETURN n", {}, "no `n`"),
        ("RETURN $a, $b", {"a": 1}, "no `b`"),
        ("RETURN 1", {"a": 1}, "`a`, which the query does not use"),
        ("RETURN $A", {"a": 1}, "no `A` and `a`, which"),
        ("RETURN '$a'", {"a": 1}, "`a`, which"),
        ("RETURN $v", {"v": 2**63}, "64-bit"),
        ("RETURN $v", {"v": [{"a": 1}, {"b": 2}]}, "same keys"),
        ("RETURN $v", {"v": {"deep": [1, "a"]}}, "v.deep is a list of values of one type"),
        ("RETURN $v", {"v": [True, 1]}, "booleans and numbers"),
        ("RETURN $v", {"v": "\ud800"}, "surrogates"),
        ("RETURN $v", {"v": [{"a": 1}, None]}, "v is a list of values of one type, got objects and null"),
        ("RETURN $v", {"v": [None, [1]]}, "lists and null. Leave the nulls out"),
        ("RETURN $v", {"v": [{"a": {"b": 1}}, {"a": None}]}, "v[].a is of one type in every object"),
        ("RETURN $v", {"v": [{"a": [1]}, {"a": None}]}, "v[].a is of one type in every object"),
        ("RETURN $v", {"v": [{"a": 1}, {"a": "x"}]}, "v[].a is of one type in every object, got numbers and texts"),
        ("RETURN $v", {"v": [[1], ["x"]]}, "v[] is a list of values of one type"),
        ("RETURN $v", {"v": [[{"a": 1}], [{"b": 1}]]}, "same keys"),
        ("RETURN $v", {"v": [{"a": [{"b": 1}]}, {"a": [{"c": 1}]}]}, "v[].a is a list of objects with the same keys"),
        ("RETURN $v", {"v": [0.5, 2**53 + 1]}, "fractions and 9007199254740993, which would be rounded"),
        ("RETURN $v", {"v": {}}, "an object with at least one key"),
        ("RETURN $v", {"v": [{"a": {}}]}, "v[0].a is an object with at least one key"),
        ("RETURN $v", {"v": {"a": None}}, "v.a is a value that has a type, got a null or an empty list"),
        ("RETURN $v.b", {"v": {"a": {"c": []}, "b": 1}}, "v.a.c[] is a value that has a type"),
    ],
)
def test_wrong_parameters_are_named(store: KuzuStore, query: str, parameters: dict[str, Any], words: str) -> None:
    error = refusal(store, query, parameters)
    assert isinstance(error, InvalidParams)
    assert words in error.message
    assert (error.data["tool"], error.data["parameter"]) == ("knowledge_query_cypher", "parameters")


def test_a_very_deep_parameter_is_refused(store: KuzuStore) -> None:
    deep: Any = 1
    for _ in range(200):
        deep = [deep]
    assert isinstance(refusal(store, "RETURN $v", {"v": deep}), InvalidParams)
