"""The truth table of the group rules."""

from typing import Any

import pytest

from lcg.runtime import decode
from lcg.runtime.groups import ALL_GROUPS, GroupFilter
from tests.runtime.helpers import TOOL, refusal

REFUSED = "refused"


def one_default(tool: str, raw: dict[str, Any], parameter: str) -> str:
    return decode.one_default(tool, raw, parameter, "home")


ABSENT: dict[str, Any] = {}
NULL = {"p": None}
RULES: dict[Any, dict[str, Any]] = {
    one_default: {"omitted": "home", "empty": "home", "one": "a"},
    decode.one_required: {"omitted": REFUSED, "empty": REFUSED, "one": "a"},
    decode.one_or_all: {"omitted": ALL_GROUPS, "empty": REFUSED, "one": GroupFilter(("a",))},
    decode.many_zero: {"omitted": ALL_GROUPS, "empty": GroupFilter(()), "one": GroupFilter(("a",))},
    decode.many_all: {"omitted": ALL_GROUPS, "empty": ALL_GROUPS, "one": GroupFilter(("a",))},
    decode.many_required: {"omitted": REFUSED, "empty": REFUSED, "one": ("a",)},
}
ONE = (one_default, decode.one_required, decode.one_or_all)
MANY = (decode.many_zero, decode.many_all, decode.many_required)


def holds(rule: Any, raw: Any, outcome: Any) -> None:
    if outcome == REFUSED:
        refusal(rule, raw, "p")
    else:
        assert rule(TOOL, raw, "p") == outcome


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("raw", [ABSENT, NULL])
def test_omitted_and_null_mean_the_same(rule: Any, raw: Any) -> None:
    holds(rule, raw, RULES[rule]["omitted"])


@pytest.mark.parametrize("rule", ONE)
@pytest.mark.parametrize("blank", ["", " ", "\n\t"])
def test_a_blank_group(rule: Any, blank: Any) -> None:
    holds(rule, {"p": blank}, RULES[rule]["empty"])


@pytest.mark.parametrize("rule", MANY)
@pytest.mark.parametrize("empty", [[], "[]", " [ ] "])
def test_an_empty_array(rule: Any, empty: Any) -> None:
    holds(rule, {"p": empty}, RULES[rule]["empty"])


@pytest.mark.parametrize("rule", ONE)
@pytest.mark.parametrize("value", ["a", " a "])
def test_one_group(rule: Any, value: Any) -> None:
    holds(rule, {"p": value}, RULES[rule]["one"])


@pytest.mark.parametrize("rule", MANY)
@pytest.mark.parametrize("value", ["a", ["a"], '["a"]', [" a "], ["a", "a "]])
def test_a_lone_group_is_an_array_of_one(rule: Any, value: Any) -> None:
    holds(rule, {"p": value}, RULES[rule]["one"])


@pytest.mark.parametrize("rule", MANY)
@pytest.mark.parametrize("value", ["", "  ", [""], ["a", ""], [1], ["a", None], '["a",null]', 0, False, {}, {"a": 1}])
def test_nothing_malformed_is_widened(rule: Any, value: Any) -> None:
    refusal(rule, {"p": value}, "p")


@pytest.mark.parametrize("rule", ONE)
@pytest.mark.parametrize("value", [0, 1, True, False, [], ["a"], {}])
def test_one_group_is_a_text(rule: Any, value: Any) -> None:
    refusal(rule, {"p": value}, "p")


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("group", ["a\x00b", "a\nb", "\x7f", "a\ud800", "é" * 34, "a" * 201, "/" * 67])
def test_group_ids_that_no_directory_can_hold_are_refused(rule: Any, group: Any) -> None:
    refusal(rule, {"p": group}, "p").message.encode()


@pytest.mark.parametrize("group", ["a" * 200, "/" * 66, "é" * 33, "../../etc", "Ω mega", "."])
def test_any_other_text_is_a_group_id(group: Any) -> None:
    assert one_default(TOOL, {"p": group}, "p") == group
    assert decode.many_zero(TOOL, {"p": [group]}, "p").ids == (group,)
