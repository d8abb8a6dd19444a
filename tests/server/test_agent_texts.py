"""How a text for agents is put together: only of what can be called, and whole all the same."""

import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lcg.generated.agents import INSTRUCTIONS, PROMPTS, RESOURCES
from lcg.generated.tool_specs import PROFILES, SCOPES, TOOL_SPECS
from lcg.runtime.agent_texts import Passage, compose
from lcg.server.mcp_tools import Toolbox

TOOL = re.compile(r"\bknowledge_[a-z_]*[a-z]\b")
CHOICES = [
    (scopes, profile)
    for size in range(1, len(SCOPES) + 1)
    for scopes in itertools.combinations(SCOPES, size)
    for profile in ("all", *PROFILES)
]


def passages(*texts: str) -> tuple[Passage, ...]:
    return tuple(Passage(text, tuple(TOOL.findall(text))) for text in texts)


def test_paragraphs_are_apart_and_bullets_together() -> None:
    assert compose(passages("# A", "One.", "- a", "- b", "Two."), ()) == "# A\n\nOne.\n\n- a\n- b\n\nTwo."


def test_a_heading_goes_with_its_section() -> None:
    text = passages("# A", "## B", "- knowledge_x", "## C", "c", "## D", "knowledge_y")
    assert compose(text, ()) == "# A\n\n## C\n\nc"
    assert compose(text, {"knowledge_x", "knowledge_y"}) == (
        "# A\n\n## B\n\n- knowledge_x\n\n## C\n\nc\n\n## D\n\nknowledge_y"
    )


def test_a_passage_waits_for_its_tools_its_arguments_and_the_absence_of_others() -> None:
    passage = Passage("{a}", ("x",), ("y",), ("a",))
    shown = {(tools, bool(given)): passage.is_shown(tools, given) for tools in ("x", "xy", "") for given in ({"a"}, ())}
    assert [case for case, is_shown in shown.items() if is_shown] == [("x", True)]


@given(st.text())
def test_what_is_given_stands_in_the_text_as_it_is(value: str) -> None:
    text = (Passage("Of {topic}, {else}.", arguments=("topic",)),)
    assert compose(text, (), {"topic": value}) == "Of " + value + ", {else}."


@pytest.mark.parametrize(("scopes", "profile"), CHOICES)
@pytest.mark.parametrize("flags", [None, (), ("--allow-remote-close",)])
def test_no_text_sends_an_agent_to_a_tool_that_is_hidden(
    scopes: tuple[str, ...], profile: str, flags: tuple[str, ...] | None
) -> None:
    visible = Toolbox(TOOL_SPECS, scopes, profile, flags).names
    texts = [compose(INSTRUCTIONS, visible, paragraph="\n")]
    texts += [compose(resource.text, visible) for resource in RESOURCES]
    for prompt in PROMPTS:
        if set(prompt.needs) <= visible:
            texts.append(compose(prompt.text, visible, {argument.name: "x" for argument in prompt.arguments}))
            assert set(prompt.needs) & set(TOOL.findall(texts[-1]))
    assert set(TOOL.findall("\n".join(texts))) <= visible
    assert len(texts[0].encode()) < 2048
    assert "{" not in "".join(texts)


def test_what_the_usual_scopes_are_told_names_the_whole_way_of_working() -> None:
    visible = Toolbox(TOOL_SPECS, ("read", "write"), "core").names
    text = compose(INSTRUCTIONS, visible, paragraph="\n")
    for tool in ("find_entities", "find_relationships", "search_passages", "get_entity_neighbors", "assert_entity",
                 "assert_relationship", "process_chunk", "status"):  # fmt: skip
        assert f"knowledge_{tool}" in text
    assert text.index("LOOK FIRST") < text.index("WRITE DOWN") < text.index("WHEN A CALL FAILS")
    only_read = compose(INSTRUCTIONS, Toolbox(TOOL_SPECS, ("read",), "all").names, paragraph="\n")
    assert "WRITE DOWN" not in only_read
    assert "no facts can be asserted" in only_read
