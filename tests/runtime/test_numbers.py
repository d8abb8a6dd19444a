import math
from typing import Any

import pytest

from lcg.runtime import decode
from tests.runtime.helpers import TOOL, refusal

HUGE = pytest.param(10**5000, id="huge")


@pytest.mark.parametrize(
    ("value", "number"), [(5, 5), (5.0, 5), ("5", 5), ("-5", -5), ("007", 7), (-0.0, 0), (1e3, 1000)]
)
def test_integral_numbers_are_integers_however_they_are_written(value: Any, number: Any) -> None:
    decoded = decode.required_integer(TOOL, {"p": value}, "p")
    assert decoded == number
    assert type(decoded) is int


@pytest.mark.parametrize(
    "value",
    [
        2.5,
        "2.5",
        " 5 ",
        "1e1",
        "+5",
        "5.0",
        "0x5",
        "٥",
        "5_0",
        "-",
        True,
        False,
        [5],
        {"p": 5},
        math.inf,
        -math.inf,
        math.nan,
    ],
)
def test_everything_else_is_no_integer(value: Any) -> None:
    assert "expected integer, got " in refusal(decode.required_integer, {"p": value}, "p").message


@pytest.mark.parametrize("raw", [{}, {"p": None}, {"p": ""}, {"p": " "}])
def test_a_blank_number_is_the_default(raw: Any) -> None:
    assert decode.optional_integer(TOOL, raw, "p", 10, minimum=1) == 10
    assert decode.optional_integer(TOOL, raw, "p", None) is None
    assert decode.optional_number(TOOL, raw, "p", 0.5) == 0.5


@pytest.mark.parametrize("raw", [{}, {"p": None}, {"p": ""}])
def test_a_required_number_must_be_there(raw: Any) -> None:
    refusal(decode.required_integer, raw, "p")
    refusal(decode.required_number, raw, "p")


def test_below_the_minimum_is_refused() -> None:
    error = refusal(decode.optional_integer, {"p": 0}, "p", 10, minimum=1)
    assert error.message == "knowledge_tool: p: expected integer of at least 1, got the number 0."


def test_above_the_maximum_is_refused_or_clamped_as_declared() -> None:
    assert "from 1 to 9" in refusal(decode.required_integer, {"p": 10}, "p", minimum=1, maximum=9).message
    assert decode.required_integer(TOOL, {"p": 10}, "p", minimum=1, maximum=9, clamp_high=True) == 9
    assert decode.required_integer(TOOL, {"p": "1" + "0" * 25}, "p", maximum=9, clamp_high=True) == 9


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (-0.1, 0.0),
        (0.25, 0.25),
        (1, 1.0),
        ("1", 1.0),
        (7, 1.0),
        (1e300, 1.0),
        (2**63, 1.0),
        (-(2**63), 0.0),
        ("9" * 30, 1.0),
    ],
)
def test_thresholds_are_kept_between_their_bounds(value: Any, number: Any) -> None:
    options: dict[str, Any] = {"minimum": 0, "maximum": 1, "clamp_low": True, "clamp_high": True}
    decoded = decode.optional_number(TOOL, {"p": value}, "p", 0.5, **options)
    assert decoded == number
    assert type(decoded) is float


@pytest.mark.parametrize("value", [math.inf, math.nan, "0.5", True, [0.5], pytest.param(10**400, id="large")])
def test_everything_else_is_no_number(value: Any) -> None:
    refusal(decode.required_number, {"p": value}, "p")


@pytest.mark.parametrize("value", [2**63, -(2**63), 1e30, "9" * 30, HUGE])
def test_integers_beyond_64_bits_are_refused(value: Any) -> None:
    assert "64 bits" in refusal(decode.required_integer, {"p": value}, "p").message


def test_an_endless_number_in_a_text_is_refused() -> None:
    refusal(decode.required_integer, {"p": "9" * 100_000}, "p")


@pytest.mark.parametrize("value", [True, False])
def test_booleans_are_booleans(value: Any) -> None:
    assert decode.required_boolean(TOOL, {"p": value}, "p") is value
    assert decode.optional_boolean(TOOL, {"p": value}, "p", None) is value


@pytest.mark.parametrize("value", [1, 0, "true", "false", "", "yes", [True], {}, 1.0])
def test_nothing_else_is_a_boolean(value: Any) -> None:
    assert "expected boolean, got " in refusal(decode.optional_boolean, {"p": value}, "p", False).message
    refusal(decode.required_boolean, {"p": value}, "p")


def test_an_absent_boolean_is_the_default() -> None:
    assert decode.optional_boolean(TOOL, {}, "p", True) is True
    assert decode.optional_boolean(TOOL, {"p": None}, "p", False) is False
    refusal(decode.required_boolean, {"p": None}, "p")
