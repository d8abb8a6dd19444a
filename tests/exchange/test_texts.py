"""Texts of the graph in the languages of the formats: whatever they hold, they are shown and mean nothing else."""

from xml.etree import ElementTree

import yaml as pyyaml
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from lcg.exchange import markdown_text, xml_text
from lcg.exchange.file_names import LONGEST_BYTES, collision_key, file_name

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
MARKUP = st.text(st.sampled_from("-+*_#>`~=|[]()<!&;1.) \n\tabx:/\\^$%"), max_size=25)
PLAIN = {"paragraph_open", "inline", "paragraph_close"}
WITHIN = {"text", "text_special", "softbreak", "hardbreak"}


@given(st.one_of(TEXTS, MARKUP))
@example("a\n---\nb")
@example("&lt;b&gt; &amp;copy;")
@example("1) x\n\n    code")
def test_markdown_shows_a_text_and_nothing_in_it_is_markup(text: str) -> None:
    for written in (markdown_text.block(text), markdown_text.one_line(text)):
        tokens = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).parse(written)
        assert {token.type for token in tokens} <= PLAIN
        children = [child for token in tokens for child in token.children or ()]
        assert {child.type for child in children} <= WITHIN
        shown = "".join(child.content if child.type.startswith("text") else " " for child in children)
        cleaned = markdown_text._clean(text)
        assert "".join(shown.split()) == "".join(cleaned.split())


@given(TEXTS)
@example("\u2028\x85\ufeff\x7f")
def test_yaml_reads_a_text_as_it_was(text: str) -> None:
    assert pyyaml.safe_load(f"key: {markdown_text.yaml([text])}") == {"key": [text]}


@given(TEXTS, TEXTS)
def test_a_link_is_one_link_in_one_line(path: str, shown: str) -> None:
    written = markdown_text.link(file_name(path), shown)
    assert written.startswith("[[") and written.endswith("]]") and "\n" not in written
    inner = written[2:-2]
    assert inner.count("|") == 1 and not set("[]#^") & set(inner)


@given(TEXTS)
def test_xml_reads_a_text_as_it_was_but_for_what_xml_has_no_place_for(text: str) -> None:
    read = ElementTree.fromstring(f"<a b={xml_text.attribute(text)}>{xml_text.content(text)}</a>")
    expected = xml_text._ILLEGAL.sub("\ufffd", text)
    assert (read.get("b"), read.text or "") == (expected, expected)


@given(st.one_of(TEXTS, MARKUP))
def test_a_file_name_is_legal_everywhere_and_stays_as_it_is(text: str) -> None:
    name = file_name(text)
    assert name and len(name.encode()) <= LONGEST_BYTES + 1
    assert not set('\\/:*?"<>|#^[]%') & set(name) and not any(ord(char) < 32 or ord(char) == 127 for char in name)
    assert not name.startswith(".") and not name.endswith((" ", "."))
    assert file_name(name) == name and collision_key(name) == collision_key(name.upper().lower())
