from typing import Any

import pytest

from lcg.runtime import decode
from tests.runtime.helpers import TOOL, refusal


@pytest.mark.parametrize(
    ("value", "elements"),
    [
        (["a", "b"], ("a", "b")),
        ([], ()),
        ("a", ("a",)),
        ('["a","b"]', ("a", "b")),
        (' ["a"] ', ("a",)),
        ("[]", ()),
        ("[a", ("[a",)),
        ('{"a":1}', ('{"a":1}',)),
        ("null", ("null",)),
        ([" a ", "a", "b", "a"], ("a", "b")),
        (["e\u0301", "\u00e9"], ("\u00e9",)),
    ],
)
def test_arrays_of_text(value: Any, elements: Any) -> None:
    assert decode.required_strings(TOOL, {"p": value}, "p") == elements
    assert decode.optional_strings(TOOL, {"p": value}, "p", ()) == elements


@pytest.mark.parametrize(
    "value",
    ["", " ", [""], ["a", " "], [1], ["a", None], [["a"]], [True], "[1]", '["a",""]', '["a",null]', 1, True, {"a": 1}],
)
def test_blank_and_other_elements_are_refused_never_dropped(value: Any) -> None:
    refusal(decode.optional_strings, {"p": value}, "p", ())


def test_the_refusal_names_the_element() -> None:
    error = refusal(decode.required_strings, {"p": ["a", 7]}, "p")
    assert error.message == (
        "knowledge_tool: p: expected array of strings, none of them blank, got the number 7 at p[1]."
    )


def test_an_absent_array_is_the_default() -> None:
    assert decode.optional_strings(TOOL, {}, "p", ("Entity",)) == ("Entity",)
    assert decode.optional_strings(TOOL, {"p": None}, "p", None) is None
    refusal(decode.required_strings, {"p": None}, "p")


def test_elements_can_be_names_or_ids() -> None:
    refusal(decode.required_strings, {"p": ["a\x01b"]}, "p", text="name")
    assert decode.required_strings(TOOL, {"p": ["e\u0301"]}, "p", text="id") == ("e\u0301",)


def test_refused_elements_and_too_few_of_them() -> None:
    assert (
        "without Merged"
        in refusal(decode.optional_strings, {"p": ["a", "Merged"]}, "p", (), refused=("Merged",)).message
    )
    assert decode.optional_strings(TOOL, {"p": ["merged"]}, "p", (), refused=("Merged",)) == ("merged",)
    assert "at least 2" in refusal(decode.required_strings, {"p": ["a"]}, "p", min_items=2).message


@pytest.mark.parametrize("value", [{"a": [1, None]}, '{"a": [1, null]}'])
def test_an_object_or_the_json_text_of_one(value: Any) -> None:
    assert decode.required_object(TOOL, {"p": value}, "p") == {"a": [1, None]}
    assert decode.optional_object(TOOL, {"p": value}, "p") == {"a": [1, None]}
    assert decode.lenient_object(TOOL, {"p": value}, "p") == ({"a": [1, None]}, False)


@pytest.mark.parametrize("value", ["", "a", "[1]", "{", "null", 1, True, [], ["a"]])
def test_what_is_no_object_is_refused_or_reported(value: Any) -> None:
    refusal(decode.required_object, {"p": value}, "p")
    refusal(decode.optional_object, {"p": value}, "p")
    assert decode.lenient_object(TOOL, {"p": value}, "p") == (None, True)


def test_an_absent_object_is_none_and_not_malformed() -> None:
    assert decode.optional_object(TOOL, {"p": None}, "p") is None
    assert decode.lenient_object(TOOL, {}, "p") == (None, False)
    refusal(decode.required_object, {}, "p")


@pytest.mark.parametrize("helper", [decode.required_object, decode.optional_object, decode.lenient_object])
def test_keys_of_the_server_are_refused(helper: Any) -> None:
    error = refusal(helper, {"p": {"merged_into": "x"}}, "p", refused_keys=("merged_into",))
    assert "without the key merged_into" in error.message


@pytest.mark.parametrize("value", [{"a": "\ud800"}, {"\ud800": 1}, {"a": 2**70}, {1: 2}])
def test_objects_that_cannot_be_written_down_are_refused(value: Any) -> None:
    refusal(decode.lenient_object, {"p": value}, "p").message.encode()


def test_objects_nested_too_deeply_are_refused() -> None:
    value: dict[str, object] = {}
    for _ in range(2_000):
        value = {"a": value}
    refusal(decode.required_object, {"p": value}, "p")


def test_a_closed_object_has_known_text_keys_only() -> None:
    keys = {"uuid": "id", "endpoint_name": "name"}
    value = {"uuid": " u1 ", "endpoint_name": "  "}
    assert decode.required_closed_object(TOOL, {"p": value}, "p", keys) == {"uuid": "u1"}
    assert decode.optional_closed_object(TOOL, {}, "p", keys) is None
    error = refusal(decode.optional_closed_object, {"p": {"uid": "u1"}}, "p", keys)
    assert error.data["suggestion"] == "uuid"
    error = refusal(decode.required_closed_object, {"p": {"uuid": 7}}, "p", keys)
    assert error.data["parameter"] == "p.uuid"
