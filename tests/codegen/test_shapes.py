from typing import Any

import pytest

from codegen.model import Field, Record
from codegen.shapes import check_object, result_fields


def field(name: str, kind: str, **facets: Any) -> Field:
    return Field(name, kind, "What it says.", (), **facets)


PART = Record("Part", "A part.", (field("name", "string"),), ())
WARNING = Record("Warning", "A warning.", (field("type", "string"), field("message", "string")), ())
RECORDS = {"Part": PART, "Warning": WARNING}
FIELDS = (
    field("count", "integer"),
    field("score", "number", optional=True),
    field("parts", "array", items="object", record="Part", optional=True),
    field("tags", "array", items="string", optional=True),
    field("state", "string", enum=("good", "bad"), nullable=True, optional=True),
    field("done", "boolean", const_true=True, optional=True),
    field("inner", "object", fields=(field("a", "integer"),), optional=True),
    field("open", "object", optional=True),
    field("rows", "array", items="array", optional=True),
)


@pytest.mark.parametrize(
    "extra",
    [
        {},
        {"score": 1},
        {"score": 0.5},
        {"parts": [{"name": "x"}]},
        {"tags": []},
        {"state": None},
        {"state": "good"},
        {"done": True},
        {"inner": {"a": 1}},
        {"open": {"anything": [None]}},
        {"rows": [[1, None], []]},
        {"warnings": [{"type": "t", "message": "m"}]},
    ],
)
def test_a_declared_result_has_no_problems(extra: dict[str, Any]) -> None:
    assert check_object({"count": 1, **extra}, result_fields(FIELDS, RECORDS), RECORDS, "") == []


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ({}, "count is missing"),
        ({"count": True}, "count is boolean, declared integer"),
        ({"count": 1.0}, "count is number, declared integer"),
        ({"count": None}, "count is null, declared integer"),
        ({"count": 1, "score": float("nan")}, "score is float, declared number"),
        ({"count": 1, "other": 2}, "other is no declared key"),
        ({"count": 1, "parts": [{"name": 5}]}, "parts[0].name is integer, declared string"),
        ({"count": 1, "parts": [{}]}, "parts[0].name is missing"),
        ({"count": 1, "parts": ["x"]}, "parts[0] is no object"),
        ({"count": 1, "tags": ["a", 1]}, "tags[1] is integer, declared string"),
        ({"count": 1, "tags": ("a",)}, "tags is tuple, declared array"),
        ({"count": 1, "state": "odd"}, "state is 'odd', declared one of good, bad"),
        ({"count": 1, "done": False}, "done is false, declared always true"),
        ({"count": 1, "inner": {"b": 1}}, "inner.b is no declared key; inner.a is missing"),
        ({"count": 1, "rows": [{}]}, "rows[0] is object, declared array"),
        ({"count": 1, "warnings": ["x"]}, "warnings[0] is no object"),
        ([], "the result is no object"),
    ],
)
def test_problems_are_named_by_place(value: Any, problem: str) -> None:
    assert "; ".join(check_object(value, result_fields(FIELDS, RECORDS), RECORDS, "")) == problem


def test_a_partial_result_may_lack_keys_but_not_invent_them() -> None:
    value = {"parts": [{}], "other": 1}
    assert check_object(value, FIELDS, RECORDS, "", partial=True) == ["other is no declared key"]
