"""What registries and bundles are told of the program: the files that go along when it is published."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from codegen.configuration import Configuration, Variable
from codegen.model import UNSET, Method, Registry

SERVER_SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
MANIFEST_VERSION = "0.4"
SCOPES = ("read", "write")
_PUBLISHER = "io.modelcontextprotocol.registry/publisher-provided"
_FORMATS = {"integer": "number", "number": "number", "path": "filepath"}
_WORKSPACE = "The directory that has, or gets, the graph in .lcg/."


@dataclass(frozen=True, slots=True)
class Project:
    """What pyproject.toml says. `owner` is who publishes it."""

    name: str
    version: str
    description: str
    licence: str
    python: str
    owner: str

    @property
    def registry_name(self) -> str:
        """The name in the registry of MCP servers."""
        return f"io.github.{self.owner}/{self.name}"

    @property
    def repository(self) -> str:
        """Where the sources are."""
        return f"https://github.com/{self.owner}/{self.name}"


@dataclass(frozen=True, slots=True)
class Distribution:
    """The documents, as they are written but for the header that says what they are made from."""

    server: dict[str, Any]
    manifest: dict[str, Any]


def read_project(path: Path) -> Project:
    """Read pyproject.toml."""
    value = tomllib.loads(path.read_text(encoding="utf-8"))
    project = value["project"]
    return Project(
        project["name"],
        project["version"],
        project["description"],
        project["license"],
        project["requires-python"],
        value["tool"]["lcg"]["owner"],
    )


def distribution(project: Project, config: Configuration, registry: Registry) -> Distribution:
    """Compute what is published beside the package."""
    return Distribution(_server(project, config, registry), _manifest(project, config, registry))


def _server(project: Project, config: Configuration, registry: Registry) -> dict[str, Any]:
    return {
        "_meta": {_PUBLISHER: {}},
        "$schema": SERVER_SCHEMA,
        "name": project.registry_name,
        "title": registry.product["title"],
        "description": project.description,
        "version": project.version,
        "repository": {"url": project.repository, "source": "github"},
        "packages": [
            {
                "registryType": "pypi",
                "identifier": project.name,
                "version": project.version,
                "runtimeHint": "uvx",
                "transport": {"type": "stdio"},
                "packageArguments": list(_arguments(config)),
                "environmentVariables": [_input(variable) for variable in _variables(config)],
            }
        ],
    }


def _arguments(config: Configuration) -> Iterator[dict[str, Any]]:
    words = iter(config.program.client_arguments)
    for word in words:
        name, equals, value = word.partition("=")
        argument = {"type": "named", "name": name}
        if _takes_value(config, name):
            argument["value"] = value if equals else next(words)
        yield argument
    yield {
        "type": "named",
        "name": "--workspace",
        "description": _WORKSPACE,
        "format": "filepath",
        "isRequired": True,
    }


def _takes_value(config: Configuration, name: str) -> bool:
    return any(flag.name == name and flag.kind != "switch" for flag in config.flags)


def _variables(config: Configuration) -> Iterator[Variable]:
    """Yield what means something to a process that a client starts, or to the service that such a process starts."""
    for variable in config.variables:
        if variable.available and set(variable.modes or ()) != {"http"}:
            yield variable


def _input(variable: Variable) -> dict[str, Any]:
    entry: dict[str, Any] = {"name": variable.name, "description": f"{_capital(variable.summary)}."}
    if variable.kind in _FORMATS:
        entry["format"] = _FORMATS[variable.kind]
    if variable.kind == "secret":
        entry["isSecret"] = True
    if variable.words:
        entry["choices"] = list(variable.words)
    if variable.kind == "switch":
        entry["choices"] = ["0", "1"]
    if variable.default is not UNSET:
        entry["default"] = str(int(variable.default) if variable.kind == "switch" else variable.default)
    return entry


def _manifest(project: Project, config: Configuration, registry: Registry) -> dict[str, Any]:
    run = ["run", "--directory", "${__dirname}", project.name]
    return {
        "manifest_version": MANIFEST_VERSION,
        "_meta": {project.name: {}},
        "name": project.name,
        "display_name": registry.product["title"],
        "version": project.version,
        "description": project.description,
        "author": {"name": project.owner},
        "repository": {"type": "git", "url": project.repository},
        "license": project.licence,
        "server": {
            "type": "uv",
            "entry_point": f"src/{project.name}/__main__.py",
            "mcp_config": {
                "command": "uv",
                "args": [*run, *config.program.client_arguments, "--workspace", "${user_config.workspace}"],
            },
        },
        "tools": [_tool(method) for method in registry.methods if method.scope in SCOPES],
        "compatibility": {"platforms": ["darwin", "linux"], "runtimes": {"python": project.python}},
        "user_config": {
            "workspace": {"type": "directory", "title": "Workspace", "description": _WORKSPACE, "required": True}
        },
    }


def _tool(method: Method) -> Mapping[str, str]:
    return {"name": method.name, "description": method.summary}


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
