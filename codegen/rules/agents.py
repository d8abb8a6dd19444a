"""Rules about what agents are told beside the list of tools."""

from collections.abc import Iterator
from dataclasses import dataclass

from codegen.agents import AgentTexts, visibilities
from codegen.model import Registry
from codegen.rules.base import Fault, listed
from codegen.rules.texts import TRACKER, texts
from codegen.yamlload import Document

LONGEST_INSTRUCTIONS = 2_048


@dataclass(frozen=True, slots=True)
class AgentSpec:
    """What every rule of this module looks at: the texts, and the registry that they speak of."""

    agents: AgentTexts
    document: Document
    registry: Registry

    @property
    def tools(self) -> set[str]:
        """The names of all tools."""
        return {method.name for method in self.registry.methods if "mcp" in method.exposure}


def no_tracker_talk(spec: AgentSpec) -> Iterator[Fault]:
    """Texts speak of the software, not of how it came about."""
    for path, text in texts((), spec.document.value):
        found = TRACKER.search(text)
        if found:
            yield path, f"the text mentions `{found.group()}`", "readers cannot look it up; say what matters"


def tools_exist(spec: AgentSpec) -> Iterator[Fault]:
    """A tool that is named, needed or excluded exists."""
    named = [(passage.path, (*passage.tools, *passage.without)) for passage in spec.agents.passages]
    named += [((*prompt.path, "needs"), prompt.needs) for prompt in spec.agents.prompts]
    named += [(resource.path, (resource.method,)) for resource in spec.agents.resources if resource.method]
    for path, names in named:
        for name in names:
            if name not in spec.tools:
                yield path, f"`{name}` is no tool", "correct the name"


def instructions_short(spec: AgentSpec) -> Iterator[Fault]:
    """Whatever is shown, the instructions explain the scopes in less than two kilobytes."""
    for found in visibilities(spec.registry):
        text = "\n".join(passage.text for passage in spec.agents.instructions if passage.is_shown(found.tools))
        where = f"with {','.join(found.scopes)}, profile {found.profile}"
        if len(text.encode()) >= LONGEST_INSTRUCTIONS:
            message = f"{where} they have {len(text.encode())} bytes, less than {LONGEST_INSTRUCTIONS} are read"
            yield ("instructions",), message, "shorten what that choice shows"
            return
        for word in ("--scope", *(scope.name for scope in spec.registry.scopes)):
            if f"`{word}`" not in text:
                message = f"{where} the instructions do not mention `{word}`"
                yield ("instructions",), message, "say what it decides or shows, in a passage that is always shown"
                return


def resources_look(spec: AgentSpec) -> Iterator[Fault]:
    """What a resource shows is a call that only looks, with parameters and keys that it has."""
    methods = {method.name: method for method in spec.registry.methods}
    for resource in spec.agents.resources:
        method = methods.get(resource.method or "")
        if method is None:
            continue
        path = (*resource.path, "from")
        if not method.hints["read_only"]:
            yield (*path, "method"), f"{method.name} changes something", "clients read resources unasked"
        known = [param.name for param in method.params]
        for name in resource.params or {}:
            if name not in known:
                yield (*path, "params"), f"{method.name} has no parameter `{name}`", f"known: {listed(known)}"
        keys = [field.name for field in method.result]
        for name in resource.keys:
            if name not in keys:
                yield (*path, "keys"), f"{method.name} returns no `{name}`", f"known: {listed(keys)}"


def prompt_arguments(spec: AgentSpec) -> Iterator[Fault]:
    """Each argument stands in the text of its prompt, and nothing else does; nowhere else are there any."""
    for passage in spec.agents.passages:
        if passage.path[0] != "prompts" and passage.arguments:
            yield passage.path, f"`{{{passage.arguments[0]}}}` has no meaning here", "only prompts have arguments"
    for prompt in spec.agents.prompts:
        declared = {argument.name for argument in prompt.arguments}
        used = {name for passage in prompt.text for name in passage.arguments}
        for name in sorted(used - declared):
            hint = f"known: {listed(sorted(declared))}"
            yield (*prompt.path, "text"), f"{prompt.name}: `{{{name}}}` is no argument", hint
        for name in sorted(declared - used):
            hint = "use it, or ask for less"
            yield (*prompt.path, "arguments", name), f"{prompt.name}: `{name}` is asked for and not used", hint
