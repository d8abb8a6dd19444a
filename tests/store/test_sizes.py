"""What a query would make out of little is reckoned before it runs."""

from typing import Any

import pytest

from lcg.errors import OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.store.kuzu.cypher import prepare

TOO_LARGE: list[tuple[str, dict[str, Any], str]] = [
    ("RETURN range(1, 100000000)", {}, "range(...) would make 100,000,000 elements"),
    ("RETURN Range(0, 1000000)", {}, "1,000,001 elements"),
    ("RETURN `range`(1, 1000001)", {}, "1,000,001 elements"),
    ("RETURN range(1, $n)", {"n": 10**9}, "1,000,000,000 elements"),
    ("RETURN range(1, $`an n`)", {"an n": 10**9}, "1,000,000,000 elements"),
    ("RETURN range($a, $b, $c)", {"a": 0, "b": 10**9, "c": 100}, "10,000,001 elements"),
    ("RETURN range(3000000, -5, -1)", {}, "3,000,006 elements"),
    ("RETURN range(-2000000, - 1)", {}, "2,000,000 elements"),
    ("RETURN range(1, 10 * 1000 * 1000)", {}, "10,000,000 elements"),
    ("RETURN range(1, (1000 + $k) * (2000 - 1))", {"k": 1000}, "3,998,000 elements"),
    ("RETURN range(1, 2 ^ 40)", {}, "1,099,511,627,776 elements"),
    ("RETURN range(1, 10 ^ 400)", {}, "far too many elements"),
    ("RETURN range(10 - 9, 2 * 10 - 3 + 2000000)", {}, "2,000,017 elements"),
    ("UNWIND range(1, 2000000000) AS x RETURN count(x)", {}, "2,000,000,000 elements"),
    ("UNWIND range(1, 3000000) AS i CREATE (:Entity {uuid: CAST(i AS STRING)})", {}, "3,000,000 elements"),
    ("RETURN repeat('x', 2000000000)", {}, "repeat(...) would make 2,000,000,000 characters"),
    ("RETURN repeat('1234567890', 200000)", {}, "2,000,000 characters"),
    ("RETURN repeat($t, 1000)", {"t": "x" * 2000}, "2,000,000 characters"),
    ("RETURN repeat(repeat('x', 10000), 10000)", {}, "100,000,000 characters"),
    ("MATCH (n:Entity) RETURN repeat(n.name, 1000000 + 1)", {}, "1,000,001 characters"),
    ("RETURN lpad('x', 1000000000, 'a')", {}, "lpad(...) would make 1,000,000,000 characters"),
    ("RETURN rpad('x', $n, 'a')", {"n": 10**9}, "rpad(...) would make 1,000,000,000 characters"),
    ("RETURN list_concat(range(1, 600000), range(1, 600000))", {}, "list_concat(...) would make 1,200,000 elements"),
    ("RETURN array_cat($l, range(1, 999999))", {"l": [1, 2]}, "1,000,001 elements"),
    ("RETURN concat(repeat('x', 900000), repeat('y', 200000))", {}, "concat(...) would make 1,100,000 characters"),
    ("RETURN list_transform(range(1, 1000), x -> range(1, 1000000))", {}, "1,000,000,000 elements"),
    ("WITH 100000000 AS n RETURN range(1, n)", {}, "100,000,000 elements"),
    ("WITH $top AS `N` MATCH (m:Entity) RETURN range(1, n + 1)", {"top": 10**8}, "100,000,001 elements"),
    ("RETURN size(range(1, /* a comment, too */ 9999999))", {}, "9,999,999 elements"),
]


@pytest.mark.parametrize(("query", "parameters", "words"), TOO_LARGE, ids=[query for query, *_ in TOO_LARGE])
def test_what_would_be_too_large_is_a_limit_that_says_how_large(
    query: str, parameters: dict[str, Any], words: str
) -> None:
    with pytest.raises(OperationFailed) as caught:
        prepare(query, parameters, allow_files=False)
    assert caught.value.kind == ErrorKind.LIMIT
    assert words in caught.value.message
    assert "at most 1,000,000 can be made" in caught.value.message


@pytest.mark.parametrize(
    ("query", "parameters"),
    [
        ("RETURN range(1, 1000000)", {}),
        ("RETURN range(1, 10000000, 10)", {}),
        ("RETURN range(5, 1)", {}),
        ("RETURN range(1, 10, 0)", {}),
        ("RETURN range(1, 10 / 0), range(1, 10 % 0), range(1, (0 - 1) ^ 0.5)", {}),
        ("RETURN range(1, $n)", {"n": True}),
        ("RETURN range(1, $n)", {"n": "9000000000"}),
        ("RETURN range()", {}),
        ("RETURN range(", {}),
        ("RETURN repeat(), lpad('x'), concat(), list_concat()", {}),
        ("RETURN range(1, size($l))", {"l": [1, 2]}),
        ("MATCH (n:Entity) WHERE n.name = 'range(1, 1000000000)' RETURN n.name AS range", {}),
        ("MATCH (n:Entity) RETURN n.name // repeat('x', 1000000000)", {}),
        ("WITH 100000000 AS n WITH n / 1000 AS k, 5 AS n RETURN range(1, n)", {}),
        ("WITH 100000000 AS n RETURN range(1, size(n))", {}),
        ("WITH 1 AS range RETURN range, (1000000000)", {}),
        ("RETURN 1000000000 * 1000000000 - 5", {}),
    ],
)
def test_what_is_small_or_cannot_be_told_passes(query: str, parameters: dict[str, Any]) -> None:
    prepare(query, parameters, allow_files=False)


def test_deep_and_long_queries_are_reckoned_or_left_alone_at_once() -> None:
    calls = "list_transform(range(1, 1), x -> " * 40 + "1" + ")" * 40
    prepare(f"RETURN {calls}", {}, allow_files=False)
    prepare("RETURN range(1, 1" + " + 1" * 2400 + ")", {}, allow_files=False)
    prepare("RETURN range(1, " + "(1 + " * 50 + "1" + ")" * 50 + ")", {}, allow_files=False)
    prepare("RETURN " + " + ".join(["size(range(1, 2))"] * 400), {}, allow_files=False)
