"""Reading answers: what is whole is kept, what is not is counted, and nothing makes it fail."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lcg.model.times import parse_time
from lcg.providers.extractor.protocol import ExtractedEdge, ExtractedEntity
from lcg.providers.half_characters import loads
from lcg.providers.llm.items import prompt_names, read_edges, read_entities, read_types
from lcg.providers.llm.unwrap import unwrap

ADA = {"name": "Ada", "entity_type": "Person", "summary": "Wrote."}
MET = {"source_name": "Ada", "target_name": "Bo", "fact": "Ada met Bo."}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*ADA, *MET, "x"]), inner),
    max_leaves=8,
)


@pytest.mark.parametrize(
    "broken",
    [
        None,
        "Ada",
        [],
        {},
        {"entity_type": "Person"},
        {"name": "Ada"},
        {"name": "  ", "entity_type": "Person"},
        {"name": 7, "entity_type": "Person"},
        {"name": "Ada", "entity_type": None},
        {"name": "Ada", "entity_type": "Person", "summary": ["x"]},
    ],
)
def test_a_broken_entity_is_counted_and_its_neighbours_stay(broken: Any) -> None:
    kept, dropped = read_entities([ADA, broken, {"name": "Bo", "entity_type": ""}])
    assert [entity.name for entity in kept] == ["Ada", "Bo"]
    assert dropped == 1


def test_an_entity_needs_no_summary_and_may_be_untyped() -> None:
    found = read_entities([{"name": "Bo", "entity_type": " ", "summary": None}])
    assert found == ([ExtractedEntity("Bo", "", "")], 0)


@pytest.mark.parametrize(
    "broken",
    [
        7,
        {},
        MET | {"source_name": " "},
        MET | {"target_name": None},
        MET | {"fact": ""},
        {"source_name": "", "target_name": "", "fact": ""},
        MET | {"relation_type": ["KNOWS"]},
    ],
)
def test_a_broken_relationship_is_counted_once_and_its_neighbours_stay(broken: Any) -> None:
    kept, dropped = read_edges([MET, broken, MET])
    assert len(kept) == 2
    assert dropped == 1


def test_a_relation_is_normalised_and_a_blank_one_is_none() -> None:
    kept, _ = read_edges([MET | {"relation_type": "metWith"}, MET | {"relation_type": " "}, MET])
    assert [edge.relation for edge in kept] == ["MET_WITH", None, None]


def test_a_time_that_cannot_be_read_counts_as_absent() -> None:
    (edge,), dropped = read_edges([MET | {"valid_at": "2020-02-03", "invalid_at": "next spring"}])
    assert edge == ExtractedEdge("Ada", "Bo", "Ada met Bo.", None, parse_time("2020-02-03"), None)
    assert dropped == 0
    (edge,), dropped = read_edges([MET | {"valid_at": 1580688000}])
    assert (edge.valid_at, dropped) == (None, 0)


@given(st.lists(JSON))
def test_whatever_comes_is_kept_or_counted(items: list[Any]) -> None:
    entities, no_entities = read_entities(items)
    edges, no_edges = read_edges(items)
    assert len(entities) + no_entities == len(edges) + no_edges == len(items)


@given(st.lists(JSON), st.integers(0, 8))
def test_there_are_as_many_verdicts_as_items(items: list[Any], count: int) -> None:
    verdicts = read_types(items, count)
    assert len(verdicts) == count
    assert all(isinstance(verdict, str) for verdict in verdicts)


def test_names_for_a_prompt_are_one_line_each_and_differ() -> None:
    assert prompt_names(["Ada", " Ada ", "a\nb", "\x00", "10\u00a0km"]) == ["Ada", "ab", "10\u00a0km"]


@pytest.mark.parametrize(
    ("content", "recovered"),
    [
        ('{"a": 1}', False),
        (' {"a": 1}\n', False),
        ('```json\n{"a": 1}\n```', True),
        ('Here:\n```\n{"a": 1}\n```\nand ```json\n[]```', True),
        ('Sure! {"a": 1} Bye.', True),
        ('<think>\nMaybe {"a": 2}? ```json\n{}\n```\n</think>\n{"a": 1}', True),
        ('```text\nno\n``` {"a": 1}', True),
    ],
)
def test_json_is_cut_out_of_what_stands_around_it(content: str, recovered: bool) -> None:
    wanted = [] if "[]" in content else {"a": 1}
    assert unwrap(content) == (wanted, recovered)


@pytest.mark.parametrize("content", ["", "no", "{", "} {", "```json\n{```"])
def test_a_content_without_json_is_refused(content: str) -> None:
    with pytest.raises(ValueError, match="no JSON"):
        unwrap(content)


def test_a_fence_within_a_string_of_json_is_no_fence() -> None:
    assert unwrap('{"a": "```json\\n{}```"}') == ({"a": "```json\n{}```"}, False)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (r"cut \ud83d", "cut \ufffd"),
        (r"\uDE00 and \ud83d\ude00 and \ud83d\ud83d\ude00", "\ufffd and \U0001f600 and \ufffd\U0001f600"),
        (r"a path \\ud83d", r"a path \ud83d"),
        (r"\\\ud83d", "\\\ufffd"),
    ],
)
def test_half_a_character_costs_that_character_alone(written: str, read: str) -> None:
    content = f'{{"entities": [{{"name": "Ada", "summary": "{written}"}}]}}'
    assert unwrap(content)[0] == {"entities": [{"name": "Ada", "summary": read}]}
    assert loads(content.encode()) == {"entities": [{"name": "Ada", "summary": read}]}


def test_half_a_character_makes_no_json_of_other_text() -> None:
    with pytest.raises(ValueError, match="no JSON"):
        unwrap(r'{"name": "\ud83d"')
