"""Commands, options and variables that the documents name are there."""

import json
import re
import shlex
import tomllib
from typing import Any

import pytest

from lcg import __version__
from lcg.generated import config
from lcg.runtime.configuration import Variable
from lcg.server.command_line import parse_command_line
from tests.docs.pages import ROOT, WRITTEN, Sample, code_spans, samples, text_of

MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
SETTINGS = (ROOT / "src/lcg/settings.py").read_text(encoding="utf-8")
VARIABLE = re.compile(r"\b(?:LCG|LIMINIS|GRAPHITI)_[A-Z_]*[A-Z]\b")
OF_THE_PROJECT = {"LCG_DEMO_DIR", "LCG_TEST_DATA", "LCG_ALL_CLIENTS", "LCG_ALL_SCENARIOS"} | {
    f"LCG_FAULT_{name}" for name in ("SEED", "KILLS", "WORKSPACES", "MINUTES")
}
"""Variables of the demo and the tests, not of the program."""
TARGETS = frozenset(re.findall(r"^([a-z-]+):.*##", MAKEFILE, re.MULTILINE))


def mcp_servers(sample: Sample) -> list[dict[str, Any]]:
    """Return the servers of an MCP configuration; none when the block is something else."""
    try:
        value = json.loads(sample.text)
    except json.JSONDecodeError:
        return []
    return list(value.get("mcpServers", {}).values())


def lines_of_code(page: str) -> list[str]:
    blocks = [line for sample in samples(page, "sh") for line in sample.text.splitlines()]
    return [*blocks, *code_spans(page)]


def starts_of_the_server() -> list[tuple[str, ...]]:
    found = [shlex.split(line)[1:] for page in WRITTEN for line in lines_of_code(page) if re.match(r"lcg( -|$)", line)]
    for page in WRITTEN:
        for sample in samples(page, "json"):
            for server in mcp_servers(sample):
                arguments = server["args"]
                found.append(shlex.split(arguments[1].rpartition("/lcg ")[2]) if arguments[0] == "-c" else arguments)
    return sorted({tuple(arguments) for arguments in found})


def test_the_readme_is_short() -> None:
    assert len(text_of("README.md").splitlines()) <= 150


def test_the_readme_sets_up_with_two_commands_only() -> None:
    assert [sample.text.strip() for sample in samples("README.md", "sh")] == ["make demo", "make test"]


@pytest.mark.parametrize("page", WRITTEN)
def test_targets_that_a_page_names_are_in_the_makefile(page: str) -> None:
    named = {name for line in lines_of_code(page) for name in re.findall(r"\bmake ([a-z-]+)\b", line)}
    assert named <= TARGETS


def test_the_makefile_explains_every_target() -> None:
    phony = re.search(r"^\.PHONY: (.*)$", MAKEFILE, re.MULTILINE)
    assert phony
    assert set(phony[1].split()) == TARGETS


@pytest.mark.parametrize("arguments", starts_of_the_server(), ids=" ".join)
def test_a_command_line_that_a_page_shows_is_legal(arguments: tuple[str, ...]) -> None:
    parse_command_line(arguments)


@pytest.mark.parametrize("page", WRITTEN)
def test_a_variable_that_a_page_names_is_known(page: str) -> None:
    known = {variable.name for variable in config.VARIABLES} | OF_THE_PROJECT
    known |= {str(variable.old_name) for variable in config.VARIABLES}
    named = {name for line in lines_of_code(page) for name in VARIABLE.findall(line)}
    assert named <= known


@pytest.mark.parametrize(
    "variable", [known for known in config.VARIABLES if known.available], ids=lambda known: known.name
)
def test_a_variable_that_the_reference_promises_is_read(variable: Variable[object]) -> None:
    assert f"config.{variable.name}" in SETTINGS


def test_the_version_is_the_same_wherever_it_stands() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == __version__


def test_every_sub_command_for_people_has_a_section_in_their_order() -> None:
    sections = re.findall(r"^## ([a-z-]+)$", text_of("docs/command-line.md"), re.MULTILINE)
    # These four are on the pages about operations, clients and HTTP.
    assert sections == [name for name in config.COMMANDS if name not in ("verify", "restore", "mcp-config", "token")]
