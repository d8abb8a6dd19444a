"""Flags and environment variables as frozen data, as spec/config.yaml has them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from codegen.model import UNSET
from codegen.yamlload import Document, Path


@dataclass(frozen=True, slots=True)
class Program:
    """What the program is called, what it is, how it ends, and what MCP clients start it with."""

    name: str
    aliases: tuple[str, ...]
    summary: str
    exit_statuses: tuple[tuple[int, str], ...]
    client_arguments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Mode:
    """What the program can be. `within` is the mode whose flag has to be given as well."""

    name: str
    flag: str | None
    summary: str
    path: Path
    within: str | None = None


@dataclass(frozen=True, slots=True)
class Command:
    """A sub-command, with what may stand behind it as a usage text writes it."""

    name: str
    arguments: str
    summary: str
    details: str = ""


@dataclass(frozen=True, slots=True)
class Flag:
    """A flag of the command line. `modes` is None when it means something in all of them."""

    name: str
    kind: str
    summary: str
    path: Path
    short: str | None = None
    value: str | None = None
    words: tuple[str, ...] = ()
    default: str | None = None
    modes: tuple[str, ...] | None = None
    elsewhere: str = "refuse"
    alone: bool = False
    beats: tuple[str, ...] = ()
    available: bool = True
    details: str = ""


@dataclass(frozen=True, slots=True)
class Variable:
    """An environment variable."""

    name: str
    topic: str
    kind: str
    summary: str
    path: Path
    default: Any = UNSET
    default_text: str | None = None
    words: tuple[str, ...] = ()
    true_words: tuple[str, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    outside: str = "refuse"
    modes: tuple[str, ...] | None = None
    old_name: str | None = None
    available: bool = True
    details: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """A file or directory that cannot be moved, relative to the workspace."""

    name: str
    path: str
    summary: str


@dataclass(frozen=True, slots=True)
class Configuration:
    """Everything that spec/config.yaml says."""

    program: Program
    modes: tuple[Mode, ...]
    commands: tuple[Command, ...]
    flags: tuple[Flag, ...]
    exclusive: tuple[tuple[str, ...], ...]
    places: tuple[Place, ...]
    topics: Mapping[str, str]
    variables: tuple[Variable, ...]


def parse_configuration(document: Document) -> Configuration:
    """Build the model of a document that passed the gate."""
    value = document.value
    program = value["program"]
    return Configuration(
        program=Program(
            program["name"],
            tuple(program.get("aliases", ())),
            program["summary"],
            tuple((entry["status"], entry["when"]) for entry in program["exit_statuses"]),
            tuple(program["client_arguments"]),
        ),
        modes=tuple(Mode(name=name, path=("modes", name), **facets) for name, facets in value["modes"].items()),
        commands=tuple(Command(name, **facets) for name, facets in value.get("commands", {}).items()),
        flags=tuple(
            Flag(name=name, path=("flags", name), **_frozen(facets)) for name, facets in value["flags"].items()
        ),
        exclusive=tuple(tuple(names) for names in value["exclusive"]),
        places=tuple(Place(name, facets["path"], facets["summary"]) for name, facets in value["places"].items()),
        topics=value["topics"],
        variables=tuple(
            Variable(name=name, path=("variables", name), **_frozen(facets))
            for name, facets in value["variables"].items()
        ),
    )


def _frozen(facets: Mapping[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in facets.items()}
