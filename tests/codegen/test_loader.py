from typing import Any

import pytest

from codegen import yamlload
from codegen.findings import SpecError


def load(text: str) -> tuple[Any, list[str]]:
    document, findings = yamlload.load(text, "a.yaml")
    return document.value, [finding.rule for finding in findings]


@pytest.mark.parametrize(
    ("plain", "value"),
    [
        ("5", 5),
        ("-32700", -32700),
        ("0", 0),
        ("0.5", 0.5),
        ("true", True),
        ("false", False),
        ("null", None),
        ("text", "text"),
        ("c-7", "c-7"),
        ("1.2.3", "1.2.3"),
        ("00000000-0000-0000-0000-000000000000", "00000000-0000-0000-0000-000000000000"),
        ("a: 1", {"a": 1}),
        ("[a, 1]", ["a", 1]),
    ],
)
def test_plain_values_mean_what_they_look_like(plain: str, value: Any) -> None:
    assert load(plain) == (value, [])


@pytest.mark.parametrize("quoted", ["'yes'", '"012"', "'2026-01-02'", "'null'", '"5"', "''"])
def test_quoted_values_are_text(quoted: str) -> None:
    assert load(quoted) == (quoted[1:-1], [])


@pytest.mark.parametrize(
    "plain",
    [
        "yes",
        "No",
        "ON",
        "off",
        "y",
        "True",
        "~",
        "NULL",
        "012",
        "0x1F",
        "1_000",
        "1e3",
        ".5",
        "5.",
        "+5",
        "12:30:45",
        "2026-01-02",
        "2026-01-02T10:00:00Z",
        ".inf",
        "-.NaN",
    ],
)
def test_values_that_other_readers_read_otherwise_are_findings(plain: str) -> None:
    assert load(f"a: {plain}")[1] == ["yaml-surprise"]


def test_a_surprise_as_a_key_is_a_finding_too() -> None:
    assert load("on: 1")[1] == ["yaml-surprise"]


@pytest.mark.parametrize("text", ["1: a", "true: a", "[a]: b", "<<: {a: 1}"])
def test_keys_are_plain_text(text: str) -> None:
    assert load(text)[1] == ["yaml-key"]


def test_duplicate_keys_are_findings_at_every_level() -> None:
    assert load("a: {b: 1, b: 2}\na: 3")[1] == ["yaml-duplicate-key", "yaml-duplicate-key"]


def test_every_node_knows_its_line() -> None:
    document, _ = yamlload.load("a:\n  - x\n  - b: 1\n    c: >-\n      long\n      text\nd: 2\n", "a.yaml")
    assert document.line(("a", 0)) == 2
    assert document.line(("a", 1, "b")) == 3
    assert document.line(("a", 1, "c")) == 4
    assert document.line(("d",)) == 7
    assert document.line(("a", 1, "no such key", 0)) == 3
    assert document.line(()) == 1


@pytest.mark.parametrize("text", ["", "# nothing", "a: [", "a: &x 1\nb: *x", "a: 1\n--- \nb: 2", "\x00"])
def test_what_is_no_single_document_is_refused(text: str) -> None:
    with pytest.raises(SpecError) as caught:
        yamlload.load(text, "a.yaml")
    assert [finding.rule for finding in caught.value.findings] == ["yaml-syntax"]
    assert str(caught.value).startswith("a.yaml:")
