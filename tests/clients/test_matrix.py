"""What `make clients` does with what clients tell, without any of them but the SDK that is here."""

from pathlib import Path
from typing import Any

import pytest

from lcg.client_files import clients
from lcg.generated.tool_specs import TOOL_SPECS
from tests.clients import environments, page, programs, sdk
from tests.clients.catalogue import CLIENTS, MODERN
from tests.clients.conversation import GROUP, Conversation, Wrong, check_conversion, listed, tools
from tests.clients.outcome import Outcome

TALK = Conversation("test")
REFUSAL = "knowledge_find_entities: query is required (non-blank string), a blank text came."


def told(**changes: Any) -> dict[str, Any]:
    """Return what a client that got everything tells."""
    return {
        "tools": [tool.name for tool in tools(("read", "write"))],
        "write": {"entity_uuid": "n1"},
        "read": {"nodes": [{"uuid": "n1", "name": TALK.name}]},
        "refused": REFUSAL,
    } | changes


def test_a_client_that_got_everything_passes() -> None:
    assert TALK.check(told()).endswith("write, read, refusal")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"tools": []}, "0 tools instead of"),
        ({"tools": [tool.name for tool in TOOL_SPECS]}, "they differ in"),
        ({"tools": told()["tools"][::-1]}, "their order"),
        ({"write": None}, "the write was answered"),
        ({"write": {"code": -32602}}, "the write was answered"),
        ({"read": {"nodes": []}}, "found was"),
        ({"read": {"nodes": [{"uuid": "n2", "name": TALK.name}]}}, "found was"),
        ({"read": {"nodes": [{"uuid": "n1", "name": "Gr??e"}]}}, "found was"),
        ({"refused": None}, "without a query"),
        ({"refused": "An error occurred"}, "without a query"),
    ],
)
def test_a_client_that_got_something_else_fails(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(Wrong, match=words):
        TALK.check(told(**changes))


def test_a_tool_that_was_not_converted_is_named() -> None:
    names = [tool["name"] for tool in listed()]
    assert check_conversion({"converted": names}) == f"{len(TOOL_SPECS)} schemas converted"
    with pytest.raises(Wrong, match=names[3]):
        check_conversion({"converted": [*names[:3], *names[4:]]})


@pytest.mark.parametrize("era", ["legacy", MODERN])
def test_the_sdk_passes_in_memory(era: str) -> None:
    assert TALK.check(sdk.in_memory(TALK, era))


def test_clients_write_into_a_group_of_their_own_and_are_told_apart() -> None:
    assert TALK.write[1]["group_id"] == GROUP
    assert len({Conversation(client.name).name for client in CLIENTS}) == len(CLIENTS)


def test_versions_are_pinned() -> None:
    assert all(client.version[0].isdigit() for client in CLIENTS)
    for file in environments.REQUIREMENTS.iterdir():
        lines = [line for line in file.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
        assert all("==" in line for line in lines), file.name


@pytest.mark.parametrize("file", programs.EXPECTED_FAILURES.values(), ids=lambda file: file.name)
def test_every_scenario_that_may_fail_is_named_once(file: Path) -> None:
    lines = file.read_text(encoding="utf-8").splitlines()
    names = [line.removeprefix("  - ") for line in lines if line.startswith("  - ")]
    assert len(names) == len(set(names)) > 0
    # What any server has to manage is not among them.
    assert not {"server-initialize", "ping", "tools-list", "dns-rebinding-protection"} & set(names)


def test_a_client_that_cannot_be_had_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda program: None)
    with pytest.raises(environments.Missing, match="npm"):
        environments.node_programs("some@1.0.0")


def test_the_page_has_the_last_run_of_exactly_these_clients() -> None:
    rows = page.rows(page.PAGE.read_text(encoding="utf-8"))
    assert [row[:3] for row in rows] == [[client.title, client.version, client.transport] for client in CLIENTS]
    assert {row[3] for row in rows} <= {"passed", "skipped"}


def test_a_table_goes_where_the_old_one_was() -> None:
    text = page.PAGE.read_text(encoding="utf-8")
    outcome = Outcome(CLIENTS[0], "failed", "a | b\n<c>")
    changed = page.with_table(text, [outcome])
    assert [row[3:] for row in page.rows(changed)] == [["failed", "a b c"]]
    assert page.with_table(changed, [outcome]) == changed
    with pytest.raises(ValueError, match="0 places"):
        page.with_table("nothing", [outcome])


def test_the_page_names_the_files_that_are_written() -> None:
    text = page.PAGE.read_text(encoding="utf-8")
    for client in clients.CLIENTS.values():
        assert f"| {client.title} | `{client.name}` | " in text
        assert f"`{client.project_file}`" in text or client.project_file is None
        assert f"`~/{client.project_file}`" in text or client.user_file().name in text
