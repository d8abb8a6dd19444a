"""Every tool through every kind of client, to which a kill of the server loses nothing that it wrote."""

from pathlib import Path
from typing import Any

import pytest

from lcg.generated.dispatch import METHODS
from lcg.generated.tool_specs import TOOL_SPECS
from tests.e2e import inspector, story
from tests.e2e.clients import BUILTIN, KINDS, McpTalker, kill_the_owner
from tests.e2e.inspector import Inspector
from tests.faults.picture import take_picture
from tests.processes import Refused, Talker, daemon
from tests.workspaces import write_ontology

pytestmark = pytest.mark.e2e

HEALTH = story.Step("health_check", shows={"ok": True, "state": "healthy"})
"""The one method that is no tool."""

TOOLS = {spec.name for spec in TOOL_SPECS}


def refuses_a_mistyped_name_and_names_the_right_one(talker: Talker) -> None:
    with pytest.raises(Refused, match="Did you mean `predicate`") as caught:
        talker.result("knowledge_assert_relationship", source_name="Vell", predicat="SEES", target_name="Ada Ferris")
    assert (caught.value.code, caught.value.data["suggestion"]) == (-32602, "predicate")


def test_the_story_calls_every_tool_and_closes_last() -> None:
    steps = (*story.BEGINNING, *story.END)
    assert {step.method for step in steps} == TOOLS
    assert METHODS.keys() == TOOLS | {HEALTH.method}
    assert steps[-1].method == "knowledge_close"


@pytest.mark.parametrize("kind", KINDS)
def test_every_tool_answers_and_a_kill_loses_nothing(tmp_path: Path, kind: str) -> None:
    told: dict[str, Any] = {}
    write_ontology(tmp_path)
    with KINDS[kind](tmp_path) as talker:
        if isinstance(talker, McpTalker):
            assert set(talker.tools()) == TOOLS
        else:
            story.tell(talker, [HEALTH], told)
        story.tell(talker, story.BEGINNING, told)
        refuses_a_mistyped_name_and_names_the_right_one(talker)
        before = take_picture(talker)
        kill_the_owner(talker)
    with KINDS[kind](tmp_path) as talker:
        assert take_picture(talker) == before
        for query, expected in (("Vell", "Vell"), ("who founded Tern Labs", "Tern Labs")):
            found = talker.result("knowledge_find_entities", query=query)["nodes"]
            assert expected in [node["name"] for node in found]
        story.tell(talker, story.END, told)


@pytest.fixture(scope="module")
def the_inspector() -> None:
    try:
        inspector.command()
    except inspector.Missing as missing:
        pytest.skip(str(missing))


@pytest.mark.usefixtures("the_inspector")
def test_the_inspector_lists_every_tool_of_a_process_of_its_own(tmp_path: Path) -> None:
    assert set(Inspector(tmp_path, *BUILTIN).tools()) == TOOLS


SHORT = ("knowledge_process_chunk", "knowledge_assert_entity")


@pytest.mark.usefixtures("the_inspector")
def test_the_inspector_ingests_asserts_and_finds_everything_after_a_kill(tmp_path: Path) -> None:
    told: dict[str, Any] = {}
    write_ontology(tmp_path)
    everything = inspector.asked_for_everything()
    talker = Inspector(tmp_path)
    with daemon(tmp_path) as service, service.client() as client:
        steps = [step for step in story.BEGINNING if everything or step.method in SHORT]
        story.tell(talker, steps, told)
        refuses_a_mistyped_name_and_names_the_right_one(talker)
        before = take_picture(client)
        service.kill()
    with daemon(tmp_path) as service, service.client() as client:
        assert take_picture(client) == before
        found = talker.result("knowledge_find_entities", query="lighthouse keeper", num_results=1)["nodes"]
        assert [node["name"] for node in found] == ["Vell"]
        if everything:
            story.tell(talker, story.END, told)
            assert service.status() == 0
