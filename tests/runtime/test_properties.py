"""What holds for any JSON value at all."""

from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lcg.errors import InvalidParams
from lcg.runtime import decode
from tests.runtime.helpers import TOOL

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(alphabet=st.characters(codec=None))
    | st.sampled_from(["", " ", "[]", "{}", "null", '["a"]', '[""]', '{"a":1}', "5", "1e1", "2026-01-01", "a\x00"])
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4), max_leaves=8
)
HELPERS = [
    decode.required_name,
    decode.required_term,
    decode.required_id,
    decode.required_prose,
    decode.required_time,
    decode.optional_time,
    decode.required_integer,
    decode.required_number,
    decode.required_boolean,
    decode.required_strings,
    decode.required_object,
    decode.optional_object,
    decode.lenient_object,
    decode.one_required,
    decode.one_or_all,
    decode.many_zero,
    decode.many_all,
    decode.many_required,
]


@pytest.mark.parametrize("helper", HELPERS)
@settings(max_examples=60)
@given(value=VALUES)
def test_nothing_but_a_refusal_ever_escapes(helper: Any, value: Any) -> None:
    try:
        helper(TOOL, {"p": value}, "p")
    except InvalidParams as error:
        assert error.message.startswith("knowledge_tool: p")
        orjson.dumps({"message": error.message, "data": error.data})


@given(names=st.dictionaries(st.text(alphabet=st.characters(codec=None)), st.none(), max_size=3))
def test_no_name_breaks_the_check_of_names(names: dict[str, None]) -> None:
    try:
        decode.refuse_unknown(TOOL, names, ("query", "group_ids"))
    except InvalidParams as error:
        orjson.dumps({"message": error.message, "data": error.data})
    else:
        assert set(names) <= {"query", "group_ids"}


def named_groups(value: Any) -> set[str]:
    """Every group that a value could mean, read as generously as possible."""
    if isinstance(value, str):
        try:
            parsed = orjson.loads(value)
        except ValueError:
            parsed = None
        inner = (
            {element.strip() for element in parsed if isinstance(element, str)} if isinstance(parsed, list) else set()
        )
        return inner | {value.strip()}
    if isinstance(value, list):
        return {element.strip() for element in value if isinstance(element, str)}
    return set()


@pytest.mark.parametrize("rule", [decode.many_zero, decode.many_all, decode.one_or_all])
@given(value=VALUES)
def test_a_filter_covers_only_groups_that_the_caller_wrote(rule: Any, value: Any) -> None:
    try:
        groups = rule(TOOL, {"p": value}, "p")
    except InvalidParams:
        return
    if groups.ids is None:
        empty_list = rule is decode.many_all and (value == [] or (isinstance(value, str) and orjson.loads(value) == []))
        assert value is None or empty_list
    else:
        assert set(groups.ids) <= named_groups(value)
        assert all(groups.ids)


@given(value=VALUES)
def test_a_deletion_covers_only_groups_that_the_caller_wrote(value: Any) -> None:
    try:
        groups = decode.many_required(TOOL, {"p": value}, "p")
    except InvalidParams:
        return
    assert groups
    assert set(groups) <= named_groups(value)


@given(value=VALUES)
def test_one_group_is_the_one_written_or_the_default_for_a_blank(value: Any) -> None:
    try:
        group = decode.one_default(TOOL, {"p": value}, "p", "home")
    except InvalidParams:
        return
    assert group == (value.strip() if isinstance(value, str) and value.strip() else "home")


@given(text=st.text())
def test_decoding_a_decoded_text_changes_nothing(text: str) -> None:
    for helper in (decode.required_name, decode.required_term, decode.required_id, decode.required_prose):
        try:
            once = helper(TOOL, {"p": text}, "p")
        except InvalidParams:
            continue
        assert helper(TOOL, {"p": once}, "p") == once


@given(value=VALUES)
def test_integers_come_out_exactly_or_not_at_all(value: Any) -> None:
    try:
        number = decode.required_integer(TOOL, {"p": value}, "p")
    except InvalidParams:
        return
    assert type(number) is int
    assert not isinstance(value, bool)
    assert number == (int(value) if isinstance(value, str) else value)
