"""What holds for every text that the rule extractor is given."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from bench.quality_extraction import faults
from lcg.model.names import name_key
from lcg.providers.extractor.protocol import SourceType
from lcg.providers.extractor.rules import RuleExtractor
from lcg.providers.extractor.rules.json_source import read_json
from lcg.providers.extractor.rules.vocabulary import words_of

_WORDS = """
    The the Anna Brandt Nordkai Port Vell of and von NASA snake_case camelCase gpt-4 v1.2 `code` "quoted" “so” „so“
    **bold** [link](a/b) [[wiki|text]] src/a.py a@b.example @ida https://x.example/a May 28, 2026 28. Mai 1998 was
    built by works for She It Der die arbeitet bei # ## - * | || {| |} |- ! : ; . ... ? ( ) [ ] { } " ' ` ``` ~~~
    &nbsp; 's ’s 11 39A Ünïcode Ångström 東京 「東京」 Ida: <bo> {"name": "Kite", "a": "Anna works."} null true 「 “
"""
_ODDITIES = ["\u0301", "A\u030angstrom", "\u200b", "\x00", "\x85", "\\", "\\n", "\u2028", "İ", "ß", "ﬁ"]
_PIECES = st.sampled_from([*sorted(words_of(_WORDS)), *_ODDITIES])
_GLUE = st.sampled_from(["", " ", " ", " ", "\n", "\n\n", "\t", ". ", ", "])
_WRITTEN = st.lists(st.tuples(_PIECES, _GLUE), max_size=60).map(lambda parts: "".join(a + b for a, b in parts))
_TEXTS = st.one_of(_WRITTEN, st.text(max_size=300))
_SOURCES: st.SearchStrategy[SourceType] = st.sampled_from(["text", "json", "message"])


@settings(max_examples=400, deadline=None)
@given(_TEXTS, _SOURCES)
def test_names_are_legal_facts_are_quotations_and_ends_are_entities(text: str, source_type: SourceType) -> None:
    extraction = RuleExtractor().extract(text, source_type, 0)
    assert faults(text, extraction) == []
    keys = [name_key(entity.name) for entity in extraction.entities]
    assert len(keys) == len(set(keys))
    assert all(name_key(edge.source_name) != name_key(edge.target_name) for edge in extraction.edges)


_FLOATS = st.floats(allow_nan=False, allow_infinity=False)
_SCALARS = st.one_of(st.none(), st.booleans(), st.integers(), _FLOATS, st.text(max_size=20), _WRITTEN)
_VALUES = st.recursive(
    _SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=8), inner, max_size=4)),
    max_leaves=12,
)


@settings(max_examples=100, deadline=None)
@given(_VALUES, st.booleans())
def test_any_json_value_is_read_and_quoted_as_it_stands(value: object, ascii_only: bool) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only)
    assert faults(text, RuleExtractor().extract(text, "json", 0)) == []
    if isinstance(value, dict | list) and value:
        assert read_json(text) is not None
