"""Runs the tests of tests/page/ against a registry that is not on disk, in this process and within milliseconds.

The test modules are executed anew for each registry, with the generated modules and the registry's text replaced;
parametrised tests are run with every value. The tests themselves are what pytest runs, unchanged.
"""

import importlib
import inspect
import itertools
import sys
import types
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import pytest

PAGE = Path(__file__).parents[2] / "page"
GENERATED = ("errors", "params", "tool_specs", "results", "dispatch")
"""The generated modules that page tests look at, each after those that it imports."""

Case = tuple[str, Callable[[], Any]]


class PageSuite:
    """The page tests, compiled once."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        """Compile the suite; `texts` is what is rendered now, by module name."""
        self._code = {path.stem: compile(path.read_text(encoding="utf-8"), path.name, "exec") for path in _files()}
        self._modules = {name: importlib.import_module(f"lcg.generated.{name}") for name in GENERATED}
        self._texts = dict(texts)
        self._package = importlib.import_module("tests.page")

    def failure(self, document: Mapping[str, Any], texts: Mapping[str, str]) -> str | None:
        """Return the name of the first test that fails for a registry and what is rendered from it, or None."""
        before, attributes = dict(sys.modules), dict(vars(self._package))
        try:
            try:
                cases = list(self._cases(document, texts))
            except Exception as error:
                return f"import: {error!r}"
            return next((name for name, run in cases if not _passes(run)), None)
        finally:
            sys.modules.clear()
            sys.modules.update(before)
            vars(self._package).update(attributes)
            self._generate(self._texts)

    def number(self, document: Mapping[str, Any]) -> int:
        """Return how many cases there are for the registry on disk."""
        try:
            return len(list(self._cases(document, self._texts)))
        finally:
            self._generate(self._texts)

    def _cases(self, document: Mapping[str, Any], texts: Mapping[str, str]) -> Iterator[Case]:
        self._generate(texts)
        helpers = [name for name in self._code if not name.startswith("test_")]
        # Helpers may import each other, so that all are there before any is executed.
        for name in sorted(helpers, key=lambda name: name != "registry"):
            module = self._execute(f"tests.page.{name}", self._code[name])
            setattr(self._package, name, module)
            if name == "registry":
                module.__dict__["sections"] = lambda: document
        for name in self._code.keys() - set(helpers):
            yield from _collect(self._execute(f"tests.page.{name}", self._code[name]))

    def _execute(self, name: str, code: CodeType) -> ModuleType:
        module = types.ModuleType(name)
        module.__file__ = str(PAGE / f"{name.rpartition('.')[2]}.py")
        sys.modules[name] = module
        exec(code, module.__dict__)
        return module

    def _generate(self, texts: Mapping[str, str]) -> None:
        """Put the generated modules of a registry in place, those that are the same as on disk as they are."""
        package = importlib.import_module("lcg.generated")
        changed = {name for name in GENERATED if texts[name] != self._texts[name]}
        if "params" in changed:
            changed.add("dispatch")  # its functions look decoders up in the module `params`
        for name in GENERATED:
            module = self._modules[name]
            sys.modules[f"lcg.generated.{name}"] = module
            if name in changed:
                module = self._execute(f"lcg.generated.{name}", compile(texts[name], name, "exec"))
            setattr(package, name, module)


def _files() -> list[Path]:
    return sorted(PAGE.glob("*.py"))


def _collect(module: ModuleType) -> Iterator[Case]:
    for name, value in list(vars(module).items()):
        if inspect.isfunction(value) and name.startswith("test_"):
            yield from _expand(f"{module.__name__}::{name}", value)
        elif inspect.isclass(value) and name.startswith("Test"):
            for inner, function in vars(value).items():
                if inner.startswith("test_"):
                    yield from _expand(f"{module.__name__}::{name}::{inner}", function.__get__(value()))


def _expand(name: str, function: Callable[..., Any]) -> Iterator[Case]:
    """Yield a case for each combination of a test's parameters."""
    marks = [mark for mark in getattr(function, "pytestmark", ()) if mark.name == "parametrize"]
    choices = []
    for mark in marks:
        names = mark.args[0]
        keys = [key.strip() for key in names.split(",")] if isinstance(names, str) else list(names)
        choices.append([(keys, _values(keys, value)) for value in mark.args[1]])
    for chosen in itertools.product(*choices):
        given = {key: value for keys, values in chosen for key, value in zip(keys, values, strict=True)}
        yield name, lambda given=given: function(**given)  # type: ignore[misc]


def _values(keys: list[str], value: Any) -> tuple[Any, ...]:
    if hasattr(value, "marks") and hasattr(value, "values"):
        return tuple(value.values)
    return (value,) if len(keys) == 1 else tuple(value)


def _passes(run: Callable[[], Any]) -> bool:
    try:
        run()
    except pytest.skip.Exception:
        return True
    except (Exception, pytest.fail.Exception):
        return False
    return True
