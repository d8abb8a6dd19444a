"""Finds the scenarios: every module of `bench/scenarios/` has one, under the module's own name."""

import importlib
import pkgutil

from bench import scenarios
from bench.scenario import Scenario


def names() -> list[str]:
    """Return the names of all scenarios, in the order in which they are measured and shown."""
    return sorted(module.name for module in pkgutil.iter_modules(scenarios.__path__))


def find(name: str) -> Scenario:
    """Return the scenario of a module.

    Raises:
        ImportError: there is no such module.
        TypeError: the module has no scenario of its name.
    """
    found = getattr(importlib.import_module(f"{scenarios.__name__}.{name}"), "SCENARIO", None)
    if not isinstance(found, Scenario) or found.name != name:
        raise TypeError(f"bench/scenarios/{name}.py must have a SCENARIO named {name!r}")
    return found
