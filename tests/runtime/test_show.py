from typing import Any

import pytest

from lcg.runtime.show import plain, quote, show


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "null"),
        (True, "true"),
        (0, "the number 0"),
        (2.5, "the number 2.5"),
        (" ", "a blank text"),
        ("a", 'the text "a"'),
        ([], "an empty array"),
        ([1, 2], "an array of 2"),
        ({}, "an empty object"),
        ({"a": "secret", "b": 1}, "an object with keys a, b"),
        (dict.fromkeys("abcdefg"), "an object with keys a, b, c, d, e, …"),
        pytest.param(10**5000, "a number of more than thirty digits", id="huge"),
        (object(), "a object"),
    ],
)
def test_values_are_described_in_a_few_words(value: Any, shown: Any) -> None:
    assert show(value) == shown


def test_long_texts_are_cut() -> None:
    assert show("x" * 1_000) == f'the text "{"x" * 60}…"'


@pytest.mark.parametrize("text", ["\ud800", "\x00\x1b[31m", "\u202egnp.exe", "line\nbreak", 'quote " and \\'])
def test_quoted_text_is_printable_and_can_be_encoded(text: Any) -> None:
    assert quote(text).isprintable()
    quote(text).encode()
    assert plain(text) == quote(text)[1:-1]
