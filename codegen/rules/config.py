"""Rules about flags and environment variables."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from codegen.configuration import Configuration, Flag, Variable
from codegen.help_text import mode_flags
from codegen.model import UNSET, Registry
from codegen.rules.base import Fault, listed
from codegen.rules.texts import TRACKER, texts
from codegen.yamlload import Document

_NAME = re.compile(r"(?<![\w/.-])(--[a-z][a-z-]*[a-z]|LCG_[A-Z_]*[A-Z]|knowledge_[a-z_]*[a-z])")
_PROSE = ("summary", "details", "when", "default_text")


@dataclass(frozen=True, slots=True)
class ConfigSpec:
    """What every rule of this module looks at: the configuration, and the registry that its texts speak of."""

    config: Configuration
    document: Document
    registry: Registry

    @property
    def flags(self) -> set[str]:
        """The names of all flags."""
        return {flag.name for flag in self.config.flags}

    @property
    def variables(self) -> set[str]:
        """The names of all variables."""
        return {variable.name for variable in self.config.variables}


def modes_chosen(spec: ConfigSpec) -> Iterator[Fault]:
    """A mode is chosen by a flag of its own, exactly one by none, and an enclosing mode comes first."""
    chosen = Counter(mode.flag for mode in spec.config.modes)
    flags = {flag.name: flag for flag in spec.config.flags}
    before: list[str] = []
    if chosen[None] != 1:
        yield ("modes",), f"{chosen[None]} modes need no flag", "exactly one mode is what the program is without any"
    for mode in spec.config.modes:
        if mode.flag is not None and mode.flag not in flags:
            yield mode.path, f"{mode.name}: there is no flag `{mode.flag}`", f"known flags: {listed(list(flags))}"
        elif mode.flag is not None and chosen[mode.flag] > 1:
            yield mode.path, f"{mode.name}: `{mode.flag}` chooses another mode as well", "give each a flag of its own"
        elif mode.flag is not None and mode.name not in (flags[mode.flag].modes or ()):
            yield mode.path, f"{mode.name}: `{mode.flag}` does not list it in `modes`", "add it there"
        if mode.within is not None and mode.within not in before:
            yield mode.path, f"{mode.name}: no mode `{mode.within}` stands before it", "name one, or move it up"
        before.append(mode.name)


def modes_exist(spec: ConfigSpec) -> Iterator[Fault]:
    """A mode that is named is declared."""
    known = [mode.name for mode in spec.config.modes]
    entries: tuple[Flag | Variable, ...] = (*spec.config.flags, *spec.config.variables)
    for entry in entries:
        for name in entry.modes or ():
            if name not in known:
                yield (
                    (*entry.path, "modes"),
                    f"{entry.name}: there is no mode `{name}`",
                    f"known modes: {listed(known)}",
                )


def available_modes(spec: ConfigSpec) -> Iterator[Fault]:
    """A flag that this build has means something in a mode that this build has."""
    flags = {flag.name: flag for flag in spec.config.flags}
    there = {
        mode.name
        for mode in spec.config.modes
        if all(flags[name].available for name in mode_flags(spec.config, mode) if name in flags)
    }
    for flag in spec.config.flags:
        if flag.available and flag.modes and not there & set(flag.modes):
            yield flag.path, f"{flag.name}: no mode of it is in this build", "write `available: false`"


def exclusive_sets(spec: ConfigSpec) -> Iterator[Fault]:
    """What cannot stand together is a set of flags, or one of variables, and all of them exist."""
    for index, names in enumerate(spec.config.exclusive):
        unknown = [name for name in names if name not in spec.flags | spec.variables]
        if unknown:
            yield ("exclusive", index), f"there is no `{unknown[0]}`", "correct the name"
        elif not (set(names) <= spec.flags or set(names) <= spec.variables):
            yield ("exclusive", index), f"{listed(names)} are of two kinds", "write flags only, or variables only"


def beaten_variables(spec: ConfigSpec) -> Iterator[Fault]:
    """A variable that a flag overrules exists."""
    for flag in spec.config.flags:
        for name in flag.beats:
            if name not in spec.variables:
                yield (*flag.path, "beats"), f"{flag.name}: there is no variable `{name}`", "correct the name"


def short_forms(spec: ConfigSpec) -> Iterator[Fault]:
    """No two flags share a short form."""
    seen: dict[str, str] = {}
    for flag in spec.config.flags:
        if flag.short is None:
            continue
        if flag.short in seen:
            message = f"{flag.name} has the short form of {seen[flag.short]}"
            yield (*flag.path, "short"), message, "choose another letter"
        seen.setdefault(flag.short, flag.name)


def flag_defaults(spec: ConfigSpec) -> Iterator[Fault]:
    """The default of a choice is one of its words; that of scopes or a profile exists."""
    scopes = [*(scope.name for scope in spec.registry.scopes), "all"]
    profiles = [*(profile.name for profile in spec.registry.profiles), "all"]
    for flag in spec.config.flags:
        legal = {"choice": list(flag.words), "scopes": scopes, "profile": profiles}.get(flag.kind)
        if flag.default is not None and legal is not None and flag.default not in legal:
            yield (*flag.path, "default"), f"{flag.name}: `{flag.default}` is no legal value", f"legal: {listed(legal)}"


def variable_defaults(spec: ConfigSpec) -> Iterator[Fault]:
    """The default of a variable is of its kind and inside its bounds."""
    for variable in spec.config.variables:
        if variable.default is UNSET:
            continue
        if not _fits(variable, variable.default):
            message = f"{variable.name}: {variable.default!r} is no {variable.kind} inside its bounds"
            yield (*variable.path, "default"), message, "change the default, the bounds or the kind"


def _fits(variable: Variable, value: Any) -> bool:
    if variable.kind == "switch":
        return isinstance(value, bool)
    if variable.kind in ("integer", "number"):
        number = isinstance(value, int if variable.kind == "integer" else (int, float)) and not isinstance(value, bool)
        low, high = variable.minimum, variable.maximum
        return number and (low is None or value >= low) and (high is None or value <= high)
    return isinstance(value, str) and bool(value.strip()) and (not variable.words or value in variable.words)


def variable_bounds(spec: ConfigSpec) -> Iterator[Fault]:
    """Bounds leave room between them and are whole numbers for integers; one without a default has no way out."""
    for variable in spec.config.variables:
        given = [bound for bound in (variable.minimum, variable.maximum) if bound is not None]
        if len(given) == 2 and given[0] > given[1]:
            message = f"{variable.name}: minimum {given[0]} is above maximum {given[1]}"
            yield variable.path, message, "exchange them"
        if variable.kind == "integer" and not all(isinstance(bound, int) for bound in given):
            yield variable.path, f"{variable.name}: an integer has bounds that are none", "write whole numbers"
        if variable.outside == "default" and variable.default is UNSET:
            yield variable.path, f"{variable.name}: there is no default to fall back to", "give one, or drop `outside`"


def topics_in_order(spec: ConfigSpec) -> Iterator[Fault]:
    """Topics are declared and used, and variables stand in their order."""
    places = {slug: place for place, slug in enumerate(spec.config.topics)}
    reached = 0
    for variable in spec.config.variables:
        path = (*variable.path, "topic")
        if variable.topic not in places:
            message = f"{variable.name}: there is no topic `{variable.topic}`"
            yield path, message, f"known topics: {listed(spec.config.topics)}"
        elif places[variable.topic] < reached:
            yield path, f"{variable.name} stands after variables of later topics", "move it up"
        reached = max(reached, places.get(variable.topic, 0))
    for slug in places.keys() - {variable.topic for variable in spec.config.variables}:
        yield ("topics", slug), f"no variable has the topic `{slug}`", "remove it, or use it"


def old_names(spec: ConfigSpec) -> Iterator[Fault]:
    """An old name differs from the new one in nothing but its prefix, so that a note about it can be believed."""
    for variable in spec.config.variables:
        if variable.old_name is not None and variable.old_name.split("_", 1)[1] != variable.name.split("_", 1)[1]:
            message = f"{variable.name}: `{variable.old_name}` is another variable"
            yield (*variable.path, "old_name"), message, "keep what stands behind the prefix"


def exit_statuses(spec: ConfigSpec) -> Iterator[Fault]:
    """An exit status has one meaning."""
    for status, number in Counter(status for status, _ in spec.config.program.exit_statuses).items():
        if number > 1:
            yield ("program", "exit_statuses"), f"the status {status} stands there {number} times", "join them"


def config_texts(spec: ConfigSpec) -> Iterator[Fault]:
    """Texts name flags, variables and tools that exist, and speak of the software alone."""
    known = spec.flags | spec.variables | {method.name for method in spec.registry.methods}
    for path, text in texts((), spec.document.value):
        if path[-1] not in _PROSE:
            continue
        for name in dict.fromkeys(_NAME.findall(text)):
            if name not in known:
                yield path, f"the text names `{name}`, which does not exist", "correct the name"
        found = TRACKER.search(text)
        if found:
            yield path, f"the text mentions `{found.group()}`", "readers cannot look it up; say what matters"


def registry_names(spec: ConfigSpec) -> Iterator[Fault]:
    """Flags that the registry of methods speaks of exist."""
    for method in spec.registry.methods:
        for name in dict.fromkeys(_NAME.findall(f"{method.description} {' '.join(method.details)}")):
            if name.startswith("-") and name not in spec.flags:
                message = f"{method.name} speaks of the flag `{name}`, which does not exist"
                yield ("flags",), message, "correct the text in tools.yaml, or add the flag"
