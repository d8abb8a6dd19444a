from typing import Any

import pytest

from lcg.runtime import decode
from tests.runtime.helpers import TOOL, refusal

KNOWN = ("query", "num_results", "group_ids")


@pytest.mark.parametrize(
    ("name", "meant"),
    [("groupid", "group_ids"), ("group_id", "group_ids"), ("GroupIds", "group_ids"), ("num-results", "num_results")],
)
def test_a_mistyped_name_is_refused_and_the_nearest_one_named(name: Any, meant: Any) -> None:
    error = refusal(decode.refuse_unknown, {"query": "x", name: "a"}, KNOWN)
    assert f"there is no parameter `{name}`. Did you mean `{meant}`?" in error.message
    assert error.data["parameter"] == name
    assert error.data["suggestion"] == meant


def test_a_name_like_no_other_lists_what_there_is() -> None:
    error = refusal(decode.refuse_unknown, {"zzz": 1}, KNOWN)
    assert error.message == ("knowledge_tool: there is no parameter `zzz`. It takes query, num_results, group_ids.")
    assert "suggestion" not in error.data


def test_a_tool_without_parameters_says_so() -> None:
    assert refusal(decode.refuse_unknown, {"a": 1}, ()).message.endswith("It takes no parameters.")
    decode.refuse_unknown(TOOL, {}, ())


def test_known_names_pass_in_any_order() -> None:
    decode.refuse_unknown(TOOL, {"group_ids": None, "query": 1}, KNOWN)


@pytest.mark.parametrize("name", ["\ud800", "a\nb\x00", "x" * 100_000, "", "`query`"])
def test_strange_names_cannot_break_the_answer(name: Any) -> None:
    error = refusal(decode.refuse_unknown, {name: 1}, KNOWN)
    assert len(error.message.encode()) < 400
    assert error.message.isprintable()
