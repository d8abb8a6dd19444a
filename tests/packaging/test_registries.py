"""What is published beside the package keeps to the formats of those who read it, and says what is so."""

import json
import re
import tomllib
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest

from lcg.generated import config
from lcg.generated.tool_specs import TOOL_SPECS
from lcg.server.command_line import parse_command_line
from tests.processes import ROOT

PUBLISHED = ROOT / "packaging/generated"
SERVER: dict[str, Any] = json.loads((PUBLISHED / "server.json").read_text(encoding="utf-8"))
MANIFEST: dict[str, Any] = json.loads((PUBLISHED / "manifest.json").read_text(encoding="utf-8"))
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

TEXT = {"type": "string", "minLength": 1}
TEXTS = {"type": "array", "items": TEXT}
URL = {"type": "string", "pattern": r"^https://\S+$"}


def closed(required: dict[str, Any], /, **optional: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": required | optional,
        "required": list(required),
        "additionalProperties": False,
    }


INPUT = {
    "description": TEXT,
    "isRequired": {"type": "boolean"},
    "isSecret": {"type": "boolean"},
    "format": {"enum": ["string", "number", "boolean", "filepath"]},
    "default": {"type": "string"},
    "value": TEXT,
    "choices": TEXTS,
}
# What is needed of https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json, and tighter: members
# that the format has and this project does not use are refused.
SERVER_FORMAT = closed(
    {
        "$schema": {"const": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"},
        "name": {"type": "string", "pattern": r"^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$", "minLength": 3, "maxLength": 200},
        "description": {"type": "string", "minLength": 1, "maxLength": 100},
        "version": {"type": "string", "pattern": r"^\d+\.\d+\.\d+\S*$", "maxLength": 255},
        "packages": {
            "type": "array",
            "minItems": 1,
            "items": closed(
                {
                    "registryType": {"const": "pypi"},
                    "identifier": TEXT,
                    "version": {"type": "string", "pattern": r"^\d+\.\d+\.\d+\S*$"},
                    "transport": closed({"type": {"const": "stdio"}}),
                },
                registryBaseUrl=URL,
                runtimeHint={"const": "uvx"},
                packageArguments={
                    "type": "array",
                    "items": closed(
                        {"type": {"const": "named"}, "name": {"type": "string", "pattern": "^--"}}, **INPUT
                    ),
                },
                environmentVariables={"type": "array", "items": closed({"name": TEXT}, **INPUT)},
            ),
        },
    },
    title={"type": "string", "minLength": 1, "maxLength": 100},
    repository=closed({"url": URL, "source": {"const": "github"}}),
    _meta=closed({"io.modelcontextprotocol.registry/publisher-provided": {"type": "object"}}),
)
# What is needed of https://github.com/modelcontextprotocol/mcpb/blob/main/schemas/mcpb-manifest-v0.4.schema.json.
MANIFEST_FORMAT = closed(
    {
        "manifest_version": {"const": "0.4"},
        "name": TEXT,
        "version": TEXT,
        "description": TEXT,
        "author": closed({"name": TEXT}),
        "server": closed(
            {
                "type": {"enum": ["python", "node", "binary", "uv"]},
                "entry_point": TEXT,
                "mcp_config": closed({"command": TEXT}, args=TEXTS),
            }
        ),
    },
    display_name=TEXT,
    repository=closed({"type": {"const": "git"}, "url": URL}),
    license=TEXT,
    tools={"type": "array", "items": closed({"name": TEXT, "description": TEXT})},
    compatibility=closed(
        {
            "platforms": {"type": "array", "items": {"enum": ["darwin", "linux"]}},
            "runtimes": closed({"python": TEXT}),
        }
    ),
    user_config={
        "type": "object",
        "additionalProperties": closed(
            {
                "type": {"enum": ["string", "number", "boolean", "directory", "file"]},
                "title": TEXT,
                "description": TEXT,
            },
            required={"type": "boolean"},
        ),
    },
    _meta={"type": "object", "additionalProperties": {"type": "object"}},
)


@pytest.mark.parametrize(("value", "format_"), [(SERVER, SERVER_FORMAT), (MANIFEST, MANIFEST_FORMAT)])
def test_the_file_keeps_to_its_format(value: dict[str, Any], format_: dict[str, Any]) -> None:
    jsonschema.Draft202012Validator(format_).validate(value)


def test_version_and_description_are_those_of_the_package() -> None:
    (package,) = SERVER["packages"]
    for document in (SERVER, MANIFEST):
        assert (document["version"], document["description"]) == (PROJECT["version"], PROJECT["description"])
    assert (package["identifier"], package["version"]) == (PROJECT["name"], PROJECT["version"])


def test_the_readme_of_the_package_names_the_server_for_the_registry() -> None:
    readme = (ROOT / PROJECT["readme"]).read_text(encoding="utf-8")
    assert re.findall(r"mcp-name: (\S+)", readme) == [SERVER["name"]]


def words_of_server() -> Iterator[str]:
    for argument in SERVER["packages"][0]["packageArguments"]:
        yield argument["name"]
        if "value" in argument or argument.get("isRequired"):
            yield argument.get("value", "w")


def words_of_manifest() -> list[str]:
    words: list[str] = MANIFEST["server"]["mcp_config"]["args"]
    return words[words.index("--mcp-stdio") :]


@pytest.mark.parametrize("words", [list(words_of_server()), words_of_manifest()], ids=["server", "manifest"])
def test_the_arguments_are_legal_and_name_the_workspace(words: list[str]) -> None:
    options = parse_command_line(words)
    assert (options.action, options.connect, options.scopes) == ("mcp_stdio", "auto", "read,write")
    assert options.workspace is not None


def test_variables_are_those_that_this_build_reads_and_secrets_are_marked() -> None:
    entries = {entry["name"]: entry for entry in SERVER["packages"][0]["environmentVariables"]}
    read = [variable.name for variable in config.VARIABLES if variable.available]
    assert list(entries) == [name for name in read if not name.startswith("LCG_HTTP_")]
    assert {name for name, entry in entries.items() if entry.get("isSecret")} == {
        name for name in entries if name.endswith("_KEY")
    }
    for name, entry in entries.items():
        assert "default" not in entry or not entry.get("choices") or entry["default"] in entry["choices"], name


def test_the_bundle_lists_the_tools_that_its_scopes_show() -> None:
    shown = [tool.name for tool in TOOL_SPECS if tool.scope in ("read", "write")]
    assert sorted(tool["name"] for tool in MANIFEST["tools"]) == sorted(shown)
    assert all(place.startswith("${user_config.workspace}") for place in words_of_manifest() if "${" in place)
    assert MANIFEST["user_config"].keys() == {"workspace"}


def test_the_bundle_starts_from_a_file_that_is_there() -> None:
    assert (ROOT / MANIFEST["server"]["entry_point"]).is_file()
