"""A server is put into a client's file; whatever else stands there stays, to the byte."""

import json
import tomllib
from typing import Any

import pytest
import tomlkit
from hypothesis import given
from hypothesis import strategies as st

from lcg.client_files import json_file, toml_file
from lcg.client_files.merging import Unmergeable

ENTRY = {"command": "/opt/lcg", "args": ["--mcp-stdio", "--workspace", "/home/é"]}
LAID_OUT = """{
  "mcpServers": {
    "lcg": {
      "command": "/opt/lcg",
      "args": [
        "--mcp-stdio",
        "--workspace",
        "/home/é"
      ]
    }
  }
}
"""

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=12,
)
files = st.dictionaries(st.text(), json_values, max_size=4).flatmap(
    lambda rest: st.dictionaries(st.text(), json_values, max_size=3).map(lambda servers: rest | {"mcpServers": servers})
)


def in_json(text: str, *, comments: bool = True) -> str:
    return json_file.with_server(text, "mcpServers", "lcg", ENTRY, comments=comments)


def in_toml(text: str) -> str:
    return toml_file.with_server(text, "mcp_servers", "lcg", ENTRY)


@pytest.mark.parametrize("text", ["", "  \n", "{}"])
def test_a_file_with_nothing_in_it_gets_the_server(text: str) -> None:
    assert in_json(text).strip() == LAID_OUT.strip()


@given(files, st.sampled_from([None, 1, 2, "\t"]), st.booleans())
def test_every_other_value_stays_and_a_second_time_changes_nothing(
    value: dict[str, Any], indent: int | str | None, comments: bool
) -> None:
    value["mcpServers"].pop("lcg", None)
    text = json.dumps(value, indent=indent)
    changed = in_json(text, comments=comments)
    assert json.loads(changed) == value | {"mcpServers": value["mcpServers"] | {"lcg": ENTRY}}
    assert in_json(changed, comments=comments) == changed


COMMENTED = """// of the team
{
\t"inputs": [], // none, "yet"
\t"mcpServers": {
\t\t/* a // b */
\t\t"docs": {"command": "docs", "args": ["//", "/*", ",}",],}, // the last,
\t}, // end
}
"""


def test_comments_and_layout_stay_to_the_byte() -> None:
    changed = in_json(COMMENTED)
    assert changed.startswith(COMMENTED[: COMMENTED.index("\n\t}, // end")])
    assert changed.endswith("\n\t}, // end\n}\n")
    assert '\n\t\t"lcg": {\n\t\t\t"command": "/opt/lcg",\n' in changed
    assert in_json(changed) == changed


def test_a_comma_goes_in_front_of_the_comment_behind_the_last_server() -> None:
    changed = in_json('{\n  "mcpServers": {\n    "a": {} // the last\n  }\n}\n')
    assert '"a": {}, // the last\n    "lcg": {' in changed


def test_line_ends_and_a_byte_order_mark_stay() -> None:
    changed = in_json('\ufeff{\r\n  "a": 1\r\n}\r\n')
    assert changed.startswith('\ufeff{\r\n  "a": 1,\r\n')
    assert changed.count("\n") == changed.count("\r\n") > 5


def test_an_older_entry_of_this_program_is_renewed_and_keeps_what_was_added_to_it() -> None:
    old = '{"mcpServers": {"lcg": {"env": {"LCG_TELEMETRY": "0"}, "command": "lcg", "args": [1]}, "b": {}}}'
    assert json.loads(in_json(old))["mcpServers"] == {"lcg": {"env": {"LCG_TELEMETRY": "0"}, **ENTRY}, "b": {}}
    shell = '{"mcpServers": {"lcg": {"command": "sh", "args": ["-c", "cd x && exec lcg --mcp-stdio"]}}}'
    assert json.loads(in_json(shell))["mcpServers"]["lcg"] == ENTRY
    toml = '[mcp_servers.lcg]\ncommand = "lcg" # mine\nenv = {A = "1"}\n'
    changed = in_toml(toml)
    assert tomllib.loads(changed)["mcp_servers"]["lcg"] == {"env": {"A": "1"}, **ENTRY}
    assert "# mine" in changed


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ('{\n  "a" 1\n}', 2, "no JSON"),
        ("{\n\n'a': 1}", 3, "no JSON"),
        ("\n[]", 2, "no JSON object"),
        ('{\n"mcpServers": []}', 2, "`mcpServers` is no object"),
        ('{\n"mcpServers": {\n"lcg": {"command": "other"}}}', 3, "another program's"),
        ('{\n"mcpServers": {\n"lcg": null}}', 3, "another program's"),
        ('{"a": 1} /* open', 1, "no JSON"),
    ],
)
def test_a_json_file_that_cannot_be_added_to_is_refused_with_the_line(text: str, line: int, words: str) -> None:
    with pytest.raises(Unmergeable, match=words) as caught:
        in_json(text)
    assert caught.value.line == line


def test_comments_are_refused_where_the_client_would_not_read_them_either() -> None:
    with pytest.raises(Unmergeable, match="no JSON") as caught:
        in_json('{\n// a\n"a": 1}', comments=False)
    assert caught.value.line == 2


TOML = """# mine
model = "x"

[mcp_servers.docs] # of the team
command = "docs"

[tui]
theme = 'dark'
"""


@pytest.mark.parametrize(
    "text", ["", TOML, TOML.rstrip(), 'a = 1\n[mcp_servers]\nb = {command = "b"}\n', "[x]\n[y.z]\n"]
)
def test_a_toml_file_gets_the_server_and_keeps_every_line(text: str) -> None:
    changed = in_toml(text)
    value = tomllib.loads(text)
    value.setdefault("mcp_servers", {})["lcg"] = ENTRY
    assert tomllib.loads(changed) == value
    assert set(text.splitlines()) <= set(changed.splitlines())
    assert in_toml(changed) == changed


toml_values = st.recursive(
    st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.text(st.characters(exclude_categories=["Cs", "Cc"])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab.é ", min_size=1), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text("abc-_ é", min_size=1), toml_values, max_size=4), st.booleans())
def test_every_other_value_of_a_toml_file_stays(value: dict[str, Any], with_servers: bool) -> None:
    if with_servers:
        value = {**value, "mcp_servers": {"docs": {"command": "docs", "env": {"A": "1"}}}, "z": {"y": 1}}
    changed = in_toml(tomlkit.dumps(value))
    assert tomllib.loads(changed) == value | {"mcp_servers": value.get("mcp_servers", {}) | {"lcg": ENTRY}}
    assert in_toml(changed) == changed


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("a = 1\nb = \n", 2, "no TOML"),
        ("mcp_servers = 1\n", None, "no table"),
        ('[mcp_servers.lcg]\ncommand = "other"\n', None, "another program's"),
        ("[mcp_servers]\nlcg = 1\n", None, "another program's"),
        ("a = 1\na = 2\n", 2, "no TOML"),
    ],
)
def test_a_toml_file_that_cannot_be_added_to_is_refused(text: str, line: int | None, words: str) -> None:
    with pytest.raises(Unmergeable, match=words) as caught:
        in_toml(text)
    assert caught.value.line == line
