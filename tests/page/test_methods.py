"""The method index of the page: 44 names, their categories, and which of them an MCP client may see."""

import itertools
import re
from collections import Counter
from pathlib import Path

import pytest

from lcg.generated.agents import INSTRUCTIONS
from lcg.generated.dispatch import METHODS
from lcg.generated.tool_specs import SCOPES, SERVER_NAME, SERVER_TITLE, TOOL_SPECS
from lcg.runtime.agent_texts import compose
from lcg.server.mcp_tools import Toolbox
from tests.page import page, registry

pytestmark = pytest.mark.page

HANDLERS = Path(__file__).parents[2] / "src/lcg/handlers"


def names_of_scope(scope: str) -> set[str]:
    return {tool.name for tool in TOOL_SPECS if tool.scope == scope}


def test_the_service_has_exactly_the_44_methods_of_the_page() -> None:
    assert len(page.METHODS) == 44
    assert set(METHODS) == set(page.METHODS)


def test_every_method_but_health_check_is_named_knowledge() -> None:
    assert [name for name in METHODS if not name.startswith("knowledge_")] == ["health_check"]


def test_every_method_stands_in_the_category_that_the_page_gives_it() -> None:
    titles = registry.sections()["categories"]
    found: dict[str, list[str]] = {title: [] for title in titles.values()}
    for name, entry in registry.methods().items():
        found[titles[entry["category"]]].append(name)
    assert {title: sorted(names) for title, names in found.items()} == {
        title: sorted(names) for title, names in page.CATEGORIES.items()
    }


def test_categories_come_in_the_order_of_the_page() -> None:
    assert list(registry.sections()["categories"].values()) == list(page.CATEGORIES)


def test_43_methods_are_mcp_tools_and_health_check_is_socket_only() -> None:
    names = [tool.name for tool in TOOL_SPECS]
    assert len(names) == 43
    assert set(names) == set(page.METHODS) - {"health_check"}
    assert METHODS["health_check"].scope is None
    assert {name for name, entry in registry.methods().items() if entry["exposure"] == ["socket"]} == {"health_check"}


def test_methods_come_in_the_order_of_the_page() -> None:
    assert list(METHODS) == page.METHODS


def test_a_tool_is_a_method_of_the_socket_first() -> None:
    shown = {name: entry["exposure"] for name, entry in registry.methods().items() if name != "health_check"}
    assert {tuple(transports) for transports in shown.values()} == {("socket", "mcp")}


def test_the_server_introduces_itself_as_the_contract_says() -> None:
    assert (SERVER_NAME, SERVER_TITLE) == ("liminis-context-graph", "LCG context graph")
    for scopes in itertools.chain.from_iterable(itertools.combinations(SCOPES, size) for size in range(1, 5)):
        for profile, flags in itertools.product(("core", "all"), (None, (), ("--allow-remote-close",))):
            visible = Toolbox(TOOL_SPECS, scopes, profile, flags).names
            instructions = compose(INSTRUCTIONS, visible, paragraph="\n")
            assert len(instructions.encode()) < 2048
            for words in ("context graph", "`--scope`", "`cypher`", "`admin`"):
                assert words in instructions
            assert set(re.findall(r"\bknowledge_[a-z_]*[a-z]", instructions)) <= visible


def test_there_is_a_handler_for_every_method() -> None:
    handlers = "".join(path.read_text(encoding="utf-8") for path in HANDLERS.glob("*.py"))
    handled = set(re.findall(r"^    def ([a-z]\w*)\(self,[^)]*\bcall: Call\)", handlers, re.MULTILINE))
    assert {name.removeprefix("knowledge_") for name in METHODS} - handled == set()


def test_all_scopes_together_show_43_tools() -> None:
    assert len(TOOL_SPECS) == 43
    assert [len(Toolbox(TOOL_SPECS, (scope,), "all").visible) for scope in SCOPES] == [14, 15, 1, 13]
    assert len(Toolbox(TOOL_SPECS, SCOPES, "all").visible) == 43


def test_no_tool_is_listed_twice() -> None:
    assert [name for name, times in Counter(tool.name for tool in TOOL_SPECS).items() if times > 1] == []


@pytest.mark.parametrize(
    ("scope", "members", "size"),
    [("read", page.READ, 14), ("write", page.WRITE, 15), ("cypher", page.CYPHER, 1), ("admin", page.ADMIN, 13)],
)
def test_a_scope_holds_exactly_the_methods_of_the_page(scope: str, members: set[str], size: int) -> None:
    assert len(members) == size
    assert names_of_scope(scope) == members


def test_there_are_four_scopes_in_the_order_of_the_list() -> None:
    assert SCOPES == ("read", "write", "cypher", "admin")


def test_tools_are_listed_by_scope_and_inside_a_scope_in_the_order_of_the_method_index() -> None:
    position = {name: index for index, name in enumerate(page.METHODS)}
    scopes = [tool.scope for tool in TOOL_SPECS]
    assert scopes == sorted(scopes, key=SCOPES.index)
    for scope in SCOPES:
        inside = [tool.name for tool in TOOL_SPECS if tool.scope == scope]
        assert inside == sorted(inside, key=position.__getitem__)


def test_the_core_profile_has_the_ten_tools_of_the_contract_and_room_for_no_more() -> None:
    assert registry.sections()["profiles"]["core"]["most"] == 10
    assert {tool.name.removeprefix("knowledge_") for tool in TOOL_SPECS if "core" in tool.profiles} == {
        *("status", "find_entities", "find_relationships", "search_passages", "get_entity_neighbors", "list_entities"),
        *("assert_entity", "assert_relationship", "process_chunk", "delete_by_source"),
    }


def test_cypher_is_part_of_no_other_scope() -> None:
    assert [tool.scope for tool in TOOL_SPECS if tool.name == "knowledge_query_cypher"] == ["cypher"]


def test_only_close_is_hidden_from_an_attached_process() -> None:
    flags = {tool.name: tool.attached_flag for tool in TOOL_SPECS if tool.attached_flag is not None}
    assert list(flags) == ["knowledge_close"]
    assert "allow_remote_close" in flags["knowledge_close"].replace("-", "_")


def test_the_core_profile_holds_ten_tools() -> None:
    assert len(page.CORE_PROFILE) == 10
    assert {tool.name for tool in TOOL_SPECS if "core" in tool.profiles} == page.CORE_PROFILE


def test_seven_methods_work_while_the_store_is_not_open() -> None:
    assert len(page.WORKS_WHILE_DEGRADED) == 7
    assert {name for name, method in METHODS.items() if method.works_degraded} == page.WORKS_WHILE_DEGRADED


def test_six_methods_report_progress_and_no_other() -> None:
    assert len(page.PROGRESS_PHASES) == 6
    assert {name for name, method in METHODS.items() if method.progress} == set(page.PROGRESS_PHASES)
    assert {tool.name for tool in TOOL_SPECS if tool.progress} == set(page.PROGRESS_PHASES)


@pytest.mark.parametrize(("name", "phases"), page.PROGRESS_PHASES.items())
def test_a_long_method_goes_through_the_phases_of_the_contract(name: str, phases: list[str]) -> None:
    assert list(registry.methods()[name]["progress"]["phases"]) == phases


def test_the_rebuild_counts_its_work_in_every_frame() -> None:
    assert set(registry.methods()["knowledge_rebuild_from_wal"]["progress"]["frame_fields"]) == {
        "mutations_replayed_so_far",
        "files_processed_so_far",
        "files_total",
        "failed_lines_so_far",
        "legacy_skipped_lines_so_far",
    }


def test_purging_groups_and_clearing_everything_need_a_confirmation() -> None:
    assert {
        name: entry["confirm"] for name, entry in registry.methods().items() if "confirm" in entry
    } == dict.fromkeys(page.NEEDS_CONFIRMATION, "confirm")


def test_the_old_backfill_is_the_one_deprecated_method_and_names_its_successor() -> None:
    assert {
        name: entry["deprecated"]["use"] for name, entry in registry.methods().items() if "deprecated" in entry
    } == {"knowledge_backfill_relation_types": "knowledge_reprocess_relation_types"}


@pytest.mark.parametrize(
    ("hint", "methods"),
    [
        ("read_only", page.READ_ONLY),
        ("destructive", page.DESTRUCTIVE),
        ("idempotent", set(page.METHODS) - page.NOT_IDEMPOTENT),
        ("open_world", page.OPEN_WORLD),
    ],
)
def test_hints_are_those_of_the_contract(hint: str, methods: set[str]) -> None:
    assert {name for name, entry in registry.methods().items() if entry["hints"][hint]} == methods


@pytest.mark.parametrize(
    ("key", "methods"),
    [
        ("readOnlyHint", page.READ_ONLY),
        ("destructiveHint", page.DESTRUCTIVE),
        ("idempotentHint", set(page.METHODS) - page.NOT_IDEMPOTENT),
        ("openWorldHint", page.OPEN_WORLD),
    ],
)
def test_every_tool_carries_the_four_annotations(key: str, methods: set[str]) -> None:
    assert {tool.name for tool in TOOL_SPECS if tool.annotations[key]} == methods - {"health_check"}
    assert all(len(tool.annotations) == 4 for tool in TOOL_SPECS)
