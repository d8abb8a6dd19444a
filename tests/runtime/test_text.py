from typing import Any

import pytest

from lcg.runtime import decode
from tests.runtime.helpers import TOOL, refusal

REQUIRED = [decode.required_name, decode.required_term, decode.required_id, decode.required_prose]
OPTIONAL = [decode.optional_name, decode.optional_term, decode.optional_id, decode.optional_prose]
BLANKS = ["", " ", "\t\n", "\u2003\u00a0"]


@pytest.mark.parametrize("helper", REQUIRED)
@pytest.mark.parametrize("raw", [{}, {"p": None}, *({"p": blank} for blank in BLANKS)])
def test_a_required_text_must_be_there(helper: Any, raw: Any) -> None:
    error = refusal(helper, raw, "p")
    assert error.message.startswith("knowledge_tool: p is required (non-blank string), ")
    assert error.data["parameter"] == "p"


@pytest.mark.parametrize(
    ("raw", "came"), [({}, "nothing came."), ({"p": None}, "null came."), ({"p": " "}, "a blank text came.")]
)
def test_the_refusal_says_what_came(raw: Any, came: Any) -> None:
    assert refusal(decode.required_term, raw, "p").message.endswith(came)


@pytest.mark.parametrize("helper", REQUIRED)
@pytest.mark.parametrize("value", [0, 1, 2.5, True, False, [], ["a"], {}, {"a": "b"}])
def test_no_other_type_counts_as_text(helper: Any, value: Any) -> None:
    error = refusal(helper, {"p": value}, "p")
    assert "expected non-blank string, got " in error.message


@pytest.mark.parametrize("helper", OPTIONAL)
@pytest.mark.parametrize("value", [0, 2.5, True, [], {"a": "b"}])
def test_an_optional_text_of_another_type_is_refused_too(helper: Any, value: Any) -> None:
    refusal(helper, {"p": value}, "p", None)


@pytest.mark.parametrize("helper", OPTIONAL)
@pytest.mark.parametrize("raw", [{}, {"p": None}])
def test_an_absent_text_is_the_default(helper: Any, raw: Any) -> None:
    assert helper(TOOL, raw, "p", "text") == "text"
    assert helper(TOOL, raw, "p", None) is None


@pytest.mark.parametrize("helper", OPTIONAL)
@pytest.mark.parametrize("blank", BLANKS)
def test_a_blank_text_without_a_default_is_absent(helper: Any, blank: Any) -> None:
    assert helper(TOOL, {"p": blank}, "p", None) is None


@pytest.mark.parametrize("blank", BLANKS)
def test_a_blank_term_or_prose_with_a_default_is_the_empty_text(blank: Any) -> None:
    assert decode.optional_term(TOOL, {"p": blank}, "p", "text") == ""
    assert decode.optional_prose(TOOL, {"p": blank}, "p", "text") == ""


@pytest.mark.parametrize("blank", BLANKS)
def test_a_blank_id_or_name_is_absent(blank: Any) -> None:
    assert decode.optional_id(TOOL, {"p": blank}, "p", "text") == "text"
    assert decode.optional_name(TOOL, {"p": blank}, "p", "text") == "text"


def test_names_and_terms_are_trimmed_and_composed() -> None:
    for helper in (decode.required_name, decode.required_term):
        assert helper(TOOL, {"p": " Zoe\u0308 \n"}, "p") == "Zo\u00eb"


def test_ids_are_trimmed_but_keep_their_characters() -> None:
    assert decode.required_id(TOOL, {"p": " Zoe\u0308 "}, "p") == "Zoe\u0308"


def test_prose_is_kept_as_it_came() -> None:
    text = "  First line\r\n\tsecond e\u0301 \x00 \u200b"
    assert decode.required_prose(TOOL, {"p": text}, "p") == text
    assert decode.optional_prose(TOOL, {"p": text}, "p", "") == text


@pytest.mark.parametrize("name", ["a\x00b", "a\nb", "a\tb", "a\x7fb", "a\x85b"])
def test_control_characters_in_a_name_are_refused(name: Any) -> None:
    error = refusal(decode.required_name, {"p": name}, "p")
    assert "without control characters" in error.message
    assert name not in error.message


def test_names_keep_emoji_joiners_and_scripts() -> None:
    for name in ("👩‍💻 Ada", "東京", "רחוב", 'O\'Neil "Q" {x} -- drop'):
        assert decode.required_name(TOOL, {"p": name}, "p") == name


@pytest.mark.parametrize("helper", REQUIRED)
def test_lone_surrogates_are_refused(helper: Any) -> None:
    error = refusal(helper, {"p": "a\ud800b"}, "p")
    assert "without lone surrogates" in error.message
    error.message.encode()


@pytest.mark.parametrize("sent", ["a", "before-merge", "A_9", "x" * 200])
def test_a_slug_is_letters_digits_underscore_and_hyphen(sent: str) -> None:
    assert decode.required_slug(TOOL, {"p": f" {sent} "}, "p") == sent
    assert decode.optional_slug(TOOL, {"p": sent}, "p", None) == sent


@pytest.mark.parametrize("sent", ["x" * 201, "a b", "a/b", "..", "\u00e9", "\u0663", "a\nb", 5, ["a"]])
def test_what_is_no_slug_is_refused_with_the_allowed_characters(sent: object) -> None:
    for helper, rest in ((decode.required_slug, ()), (decode.optional_slug, (None,))):
        assert "A-Z" in refusal(helper, {"p": sent}, "p", *rest).message


def test_a_blank_optional_slug_is_absent() -> None:
    assert decode.optional_slug(TOOL, {"p": " "}, "p", "main") == "main"
    assert decode.optional_slug(TOOL, {}, "p", None) is None
    refusal(decode.required_slug, {"p": " "}, "p")


def test_a_choice_is_one_of_the_listed_words() -> None:
    assert decode.required_choice(TOOL, {"p": "open"}, "p", ("open", "strict")) == "open"
    error = refusal(decode.required_choice, {"p": "Strict"}, "p", ("open", "strict"))
    assert error.message == (
        'knowledge_tool: p: expected one of open, strict, got the text "Strict". Did you mean `strict`?'
    )
    assert error.data["suggestion"] == "strict"


def test_a_missing_choice_lists_the_words() -> None:
    error = refusal(decode.required_choice, {}, "p", ("open", "strict"))
    assert error.message == "knowledge_tool: p is required (one of open, strict), nothing came."


def test_a_blank_optional_choice_is_absent() -> None:
    assert decode.optional_choice(TOOL, {"p": " "}, "p", "open", ("open", "strict")) == "open"
    assert decode.optional_choice(TOOL, {}, "p", None, ("open", "strict")) is None
    refusal(decode.optional_choice, {"p": " open"}, "p", "open", ("open", "strict"))


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1970-01-02", 86_400),
        ("1970-01-01 00:00:09", 9),
        ("1970-01-01T00:00:09", 9),
        ("1970-01-01T01:00:09+01:00", 9),
        (" 1970-01-01T00:00:09Z ", 9),
        ("0001-01-01T01:00:00+01:00", -62_135_596_800),
        ("9999-12-31T22:59:59-01:00", 253_402_300_799),
    ],
)
def test_times_are_decoded_to_microseconds(text: Any, seconds: Any) -> None:
    assert decode.optional_time(TOOL, {"p": text}, "p") == seconds * 1_000_000
    assert decode.required_time(TOOL, {"p": text}, "p") == seconds * 1_000_000


@pytest.mark.parametrize("raw", [{}, {"p": None}, {"p": ""}, {"p": " "}])
def test_a_blank_time_is_absent(raw: Any) -> None:
    assert decode.optional_time(TOOL, raw, "p") is None


@pytest.mark.parametrize(
    "text",
    [
        "yesterday",
        "2026-13-01",
        "2026-02-30",
        "0000-01-01",
        "2026-5-1",
        "1748736000",
        "2026-05-28T24:00:00",
        "2026-05-28T10:00:00+24:00",
        "2026-05-28T10:00:00+02:60",
        "0001-01-01T00:00:00+00:01",
        "9999-12-31T23:59:59-00:01",
    ],
)
def test_unreadable_times_are_refused_with_the_forms_that_are_taken(text: Any) -> None:
    error = refusal(decode.optional_time, {"p": text}, "p")
    assert "RFC 3339" in error.message
    assert text in error.message
    refusal(decode.optional_time, {"p": 1_748_736_000}, "p")
