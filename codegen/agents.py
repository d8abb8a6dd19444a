"""What agents are told, as spec/agents.yaml has it: instructions, resources and prompts, in passages."""

import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from codegen.model import Method, Registry
from codegen.yamlload import Document, Path

TOOL = re.compile(r"\bknowledge_[a-z_]*[a-z]\b")
ARGUMENT = re.compile(r"\{([a-z_]+)\}")
ADDRESS = "knowledge://"


@dataclass(frozen=True, slots=True)
class Passage:
    """A paragraph. It is shown where all of `tools` can be called, and none of `without`."""

    text: str
    tools: tuple[str, ...]
    without: tuple[str, ...]
    path: Path

    @property
    def arguments(self) -> tuple[str, ...]:
        """The arguments that stand in it."""
        return tuple(dict.fromkeys(ARGUMENT.findall(self.text)))

    def is_shown(self, visible: frozenset[str]) -> bool:
        """Say whether it is shown where these tools can be called."""
        return set(self.tools) <= visible and not set(self.without) & visible


@dataclass(frozen=True, slots=True)
class Resource:
    """A resource: a text, or what a call returns (`method`, `params`, and the `keys` of its result; none = all)."""

    name: str
    title: str
    description: str
    path: Path
    text: tuple[Passage, ...] = ()
    method: str | None = None
    params: Mapping[str, Any] | None = None
    keys: tuple[str, ...] = ()

    @property
    def uri(self) -> str:
        """Its address."""
        return f"{ADDRESS}{self.name}"

    @property
    def mime_type(self) -> str:
        """What it is written in."""
        return "application/json" if self.method else "text/markdown"


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a prompt."""

    name: str
    description: str
    required: bool = False
    complete: str | None = None


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt. It is offered where all of `needs` can be called."""

    name: str
    title: str
    description: str
    needs: tuple[str, ...]
    arguments: tuple[Argument, ...]
    text: tuple[Passage, ...]
    path: Path


@dataclass(frozen=True, slots=True)
class AgentTexts:
    """Everything that spec/agents.yaml says."""

    instructions: tuple[Passage, ...]
    resources: tuple[Resource, ...]
    prompts: tuple[Prompt, ...]

    @property
    def passages(self) -> Iterator[Passage]:
        """All passages."""
        yield from self.instructions
        for texts in (*(resource.text for resource in self.resources), *(prompt.text for prompt in self.prompts)):
            yield from texts


@dataclass(frozen=True, slots=True)
class Visibility:
    """The tools that one choice of scopes and profile shows."""

    scopes: tuple[str, ...]
    profile: str
    tools: frozenset[str]


def visibilities(registry: Registry) -> Iterator[Visibility]:
    """Yield what every choice of scopes and profile shows, in a process of its own and in an attached one."""
    names = [scope.name for scope in registry.scopes]
    choices = [chosen for size in range(1, len(names) + 1) for chosen in itertools.combinations(names, size)]
    for scopes, profile in itertools.product(choices, ("all", *(profile.name for profile in registry.profiles))):
        shown = [method for method in registry.methods if method.scope in scopes and _in_profile(method, profile)]
        yield Visibility(scopes, profile, frozenset(method.name for method in shown))
        yield Visibility(scopes, profile, frozenset(method.name for method in shown if method.attached is None))


def _in_profile(method: Method, profile: str) -> bool:
    return profile == "all" or profile in method.profiles


def parse_agents(document: Document) -> AgentTexts:
    """Build the model of a document that passed the gate."""
    value = document.value
    return AgentTexts(
        instructions=_passages(value["instructions"], ("instructions",)),
        resources=tuple(_resource(name, entry) for name, entry in value["resources"].items()),
        prompts=tuple(_prompt(name, entry) for name, entry in value["prompts"].items()),
    )


def _resource(name: str, entry: Mapping[str, Any]) -> Resource:
    path = ("resources", name)
    text = _passages(entry.get("text", ()), (*path, "text"))
    origin = entry.get("from")
    if origin is None:
        return Resource(name, entry["title"], entry["description"], path, text)
    call = (origin["method"], origin["params"], tuple(origin["keys"]))
    return Resource(name, entry["title"], entry["description"], path, text, *call)


def _prompt(name: str, entry: Mapping[str, Any]) -> Prompt:
    return Prompt(
        name=name,
        title=entry["title"],
        description=entry["description"],
        needs=tuple(entry["needs"]),
        arguments=tuple(Argument(argument, **facets) for argument, facets in entry["arguments"].items()),
        text=_passages(entry["text"], ("prompts", name, "text")),
        path=("prompts", name),
    )


def _passages(entries: Any, path: Path) -> tuple[Passage, ...]:
    return tuple(_passage(entry, (*path, index)) for index, entry in enumerate(entries))


def _passage(entry: str | Mapping[str, Any], path: Path) -> Passage:
    facets: Mapping[str, Any] = {"text": entry} if isinstance(entry, str) else entry
    tools = dict.fromkeys((*TOOL.findall(facets["text"]), *facets.get("with", ())))
    return Passage(facets["text"], tuple(tools), tuple(facets.get("without", ())), path)
