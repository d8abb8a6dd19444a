"""One line is read as a request or answered with an error that says what is wrong with it."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lcg.errors import LcgError, OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.server.envelope import (
    MAX_DEPTH,
    InvalidRequest,
    ParseError,
    encode_error,
    encode_result,
    parse_request,
    read_json,
    to_json,
)

UNREADABLE = [
    b"{",
    b"hello",
    b"{} {}",
    b'{"a": NaN}',
    b"[Infinity]",
    b"-Infinity",
    b"1e999",
    b'{"a": -1e999}',
    b'"\xff"',
    b'"\xed\xa0\x80"',
    b'"\\ud800"',
    b'"\\udc00\\ud800"',
    b'{"\\ud800": 1}',
    b"01",
    b"[" * (MAX_DEPTH + 1) + b"]" * (MAX_DEPTH + 1),
    b"[" * 100_000,
]


@pytest.mark.parametrize("line", UNREADABLE, ids=lambda line: ascii(line[:20]))
def test_unreadable_json_is_a_parse_error(line: bytes) -> None:
    with pytest.raises(ParseError, match=r"^Parse error: ") as caught:
        parse_request(line)
    assert caught.value.code == -32700
    assert caught.value.data == {}


REFUSED: list[tuple[bytes, Any, str]] = [
    (b"[]", None, "batches"),
    (b'[{"jsonrpc":"2.0","id":1,"method":"m"}]', None, "batches"),
    (b"1", None, "object"),
    (b"null", None, "object"),
    (b'"x"', None, "object"),
    (b"{}", None, "`jsonrpc`"),
    (b'{"id":7,"method":"m"}', 7, "`jsonrpc`"),
    (b'{"jsonrpc":2.0,"id":"a","method":"m"}', "a", "`jsonrpc`"),
    (b'{"jsonrpc":"1.0","id":1.5,"method":"m"}', 1.5, "`jsonrpc`"),
    (b'{"jsonrpc":"2.0","id":1}', 1, "`method`"),
    (b'{"jsonrpc":"2.0","id":1,"method":5}', 1, "`method`"),
    (b'{"jsonrpc":"2.0","id":1,"method":null}', 1, "`method`"),
    (b'{"jsonrpc":"2.0","id":1,"method":"m","params":[]}', 1, "`params`"),
    (b'{"jsonrpc":"2.0","id":1,"method":"m","params":"x"}', 1, "`params`"),
    (b'{"jsonrpc":"2.0","method":"m","params":0}', None, "`params`"),
    (b'{"jsonrpc":"2.0","id":true,"method":"m"}', None, "`id`"),
    (b'{"jsonrpc":"2.0","id":{},"method":"m"}', None, "`id`"),
    (b'{"jsonrpc":"2.0","id":[1],"method":"m"}', None, "`id`"),
]


@pytest.mark.parametrize(("line", "echoed", "named"), REFUSED)
def test_json_that_is_no_request_names_the_member_and_echoes_a_legal_id(line: bytes, echoed: Any, named: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        parse_request(line)
    assert caught.value.code == -32600
    assert caught.value.id == echoed
    assert named in caught.value.message
    assert caught.value.data == {}


@pytest.mark.parametrize("request_id", [0, -1, 1.5, 2**63, 2**70, -(2**70), "", "ü", None, 1e300])
def test_the_id_is_echoed_with_value_and_type(request_id: Any) -> None:
    request = parse_request(json.dumps({"jsonrpc": "2.0", "id": request_id, "method": "m"}).encode())
    assert not request.is_notification
    answer = json.loads(encode_result(request.id, {}, "m"))
    assert answer == {"jsonrpc": "2.0", "id": request_id, "result": {}}
    assert type(answer["id"]) is type(request_id)


def test_missing_and_null_params_are_empty_and_an_absent_id_is_a_notification() -> None:
    assert parse_request(b'{"jsonrpc":"2.0","id":1,"method":"m"}').params == {}
    assert parse_request(b'{"jsonrpc":"2.0","id":1,"method":"m","params":null}').params == {}
    assert parse_request(b'{"jsonrpc":"2.0","method":"m"}').is_notification
    assert not parse_request(b'{"jsonrpc":"2.0","method":"m","id":null}').is_notification


def test_the_last_of_duplicate_keys_wins_at_any_depth() -> None:
    request = parse_request(b'{"jsonrpc":"2.0","id":1,"id":2,"method":"x","method":"m","params":{"a":{"b":1,"b":2}}}')
    assert (request.id, request.method, request.params) == (2, "m", {"a": {"b": 2}})


def test_other_members_are_ignored() -> None:
    assert parse_request(b'{"jsonrpc":"2.0","id":1,"method":"m","extra":[]}').id == 1


def test_nesting_up_to_the_bound_is_read_and_brackets_in_text_do_not_count() -> None:
    assert read_json(b"[" * MAX_DEPTH + b"]" * MAX_DEPTH)
    assert read_json(b'"' + b"[" * 5000 + b'"') == "[" * 5000
    assert len(read_json(b"[" + b",".join([b"[]"] * 5000) + b"]")) == 5000


def test_answers_are_compact_with_characters_and_null_for_what_json_lacks() -> None:
    line = encode_result(1, {"text": "Grüße 数 😀", "n": float("nan"), "i": [float("inf")]}, "m")
    assert line == '{"jsonrpc":"2.0","id":1,"result":{"text":"Grüße 数 😀","n":null,"i":[null]}}\n'.encode()


def test_integers_beyond_64_bits_and_lone_surrogates_still_make_an_answer() -> None:
    assert (
        to_json({"big": 2**70, "nan": float("nan"), "t": (1,)}) == b'{"big":1180591620717411303424,"nan":null,"t":[1]}'
    )
    assert to_json({"s": "a\ud800b"}) == b'{"s":"a?b"}'


def test_an_answer_over_the_limit_becomes_a_limit_error() -> None:
    exact = encode_result(1, {"t": ""}, "m")
    room = 200 - (len(exact) - 1)
    assert len(encode_result(1, {"t": "x" * room}, "health_check", limit=200)) == 201
    answer = json.loads(encode_result(1, {"t": "x" * (room + 1)}, "health_check", limit=200))
    assert answer["error"]["code"] == -32000
    assert answer["error"]["data"]["kind"] == "limit"
    assert answer["id"] == 1


def test_an_error_answer_has_code_message_and_data_only_when_there_is_some() -> None:
    failure = OperationFailed(ErrorKind.NOT_FOUND, "No such thing.", uuid="u")
    assert json.loads(encode_error("a", failure)) == {
        "jsonrpc": "2.0",
        "id": "a",
        "error": {"code": -32000, "message": "No such thing.", "data": {"kind": "not_found", "uuid": "u"}},
    }
    assert "data" not in json.loads(encode_error(None, ParseError("Parse error: x")))["error"]


@settings(deadline=None)
@given(st.binary(max_size=80))
def test_any_bytes_are_a_request_or_a_told_error(line: bytes) -> None:
    try:
        request = parse_request(line)
    except LcgError as error:
        assert error.code in (-32700, -32600)
    else:
        assert isinstance(request.method, str)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@settings(deadline=None)
@given(JSON)
def test_whatever_is_written_is_one_readable_line(value: Any) -> None:
    line = to_json(value)
    assert b"\n" not in line
    json.loads(line.decode("utf-8"), parse_constant=pytest.fail)


@pytest.mark.parametrize("levels", [MAX_DEPTH + 1, 500, 1000, 5000, 100_000])
@pytest.mark.parametrize("closed", [True, False])
def test_deep_nesting_is_called_by_its_name(levels: int, closed: bool) -> None:
    with pytest.raises(ParseError, match="nested deeper than 238 levels"):
        read_json(b"[" * levels + b"]" * levels * closed)
