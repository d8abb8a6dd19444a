"""Who notices a mutant: a rule, a test of tests/page/, or the snapshot of what is published; or nobody."""

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import jsonschema

from codegen import outputs, parse, render, resolve, rules, yamlload
from codegen.model import Registry
from codegen.rules.base import Spec
from tests.codegen.mutation.mutants import Mutant, is_prose, mutants
from tests.codegen.mutation.page_suite import GENERATED, PageSuite
from tests.codegen.published import published_lines

ROOT = Path(__file__).parents[3]

_ORDER_IS_LAYOUT = {
    *("params", "result", "fields", "list_of_fields", "properties", "records"),
    *("errors", "error_codes", "error_kinds", "warning_types"),
}
"""Where the order is that of tables on the pages and of keys in schemas, and nothing else."""

Notice = Literal["refused", "page", "snapshot", "nobody"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Who noticed a mutant, and what it said. `survives` when that is not enough for what was changed."""

    mutant: Mutant
    notice: Notice
    detail: str

    @property
    def survives(self) -> bool:
        """Whether nobody noticed, or for a fact nobody but the snapshot."""
        return self.notice == "nobody" or (self.notice == "snapshot" and not shown_only(self.mutant))


def shown_only(mutant: Mutant) -> bool:
    """Whether a change is one of words, or of the order in which things are shown: a snapshot is its proof."""
    if is_prose(mutant.path):
        return True
    kind = mutant.place.split("/")
    if mutant.operation == "order":
        return kind[-2] in _ORDER_IS_LAYOUT
    # Kind and case of a failure belong together as the words say; which kinds there are is a fact.
    return mutant.operation == "swap" and kind[-3:] == ["errors", "*", "kind"]


class Judge:
    """Judges mutants of the registry on disk."""

    def __init__(self) -> None:
        """Load the registry; it has to be sound."""
        text = (ROOT / outputs.TOOLS).read_text(encoding="utf-8")
        self.document, _ = yamlload.load(text, outputs.TOOLS)
        self._schema = json.loads((ROOT / "spec/tools.schema.json").read_text(encoding="utf-8"))
        registry, _ = parse.parse(self.document)
        resolved = resolve.resolve(registry)
        self._texts = _modules(resolved)
        self.suite = PageSuite(self._texts)
        self._lines = published_lines(resolved)

    def mutants(self) -> list[Mutant]:
        """Return every mutant."""
        return mutants(self.document.value)

    def judge(self, mutant: Mutant) -> Verdict:
        """Find out who notices a mutant."""
        changed = mutant.apply(self.document.value)
        reason = self._refusal(mutant, changed)
        if reason is not None:
            return Verdict(mutant, "refused", reason)
        registry, findings = parse.parse(replace(self.document, value=changed))
        if findings:
            return Verdict(mutant, "refused", findings[0].rule)
        spec = Spec(registry, replace(self.document, value=changed))
        for rule in rules.RULES:
            if next(rule.check(spec), None) is not None:
                return Verdict(mutant, "refused", rule.id)
        return self._seen(mutant, changed, registry)

    def check_baseline(self) -> None:
        """Run the page tests for the registry on disk.

        Raises:
            RuntimeError: one fails, so that nothing can be said of mutants.
        """
        failed = self.suite.failure(self.document.value, self._texts)
        if failed is not None:
            raise RuntimeError(f"the registry on disk fails {failed}; mend that first")

    def _seen(self, mutant: Mutant, changed: Any, registry: Registry) -> Verdict:
        resolved = resolve.resolve(registry)
        if not shown_only(mutant):
            failed = self.suite.failure(changed, _modules(resolved))
            if failed is not None:
                # A failure proves something only as long as the registry on disk passes.
                self.check_baseline()
                return Verdict(mutant, "page", failed)
        different = [line for line in published_lines(resolved) if line not in self._lines]
        if different:
            return Verdict(mutant, "snapshot", different[0])
        return Verdict(mutant, "nobody", "")

    def _refusal(self, mutant: Mutant, changed: Any) -> str | None:
        """Check the shape of what was touched; the rest has passed the gate as it is."""
        if any(len(path) == 1 for path in mutant.touched):
            return None if self._validator("").is_valid(changed) else "schema"
        for section, index in {path[:2] for path in mutant.touched}:
            if section != "methods":
                sound = self._validator(str(section)).is_valid(changed[section])
            else:
                whole = index < len(changed["methods"])  # type: ignore[operator]
                sound = not whole or self._validator("method").is_valid(changed["methods"][index])
            if not sound:
                return "schema"
        return None

    @functools.cache  # noqa: B019 - a judge lives as long as the run
    def _validator(self, part: str) -> jsonschema.Draft202012Validator:
        if part == "":
            return jsonschema.Draft202012Validator(self._schema)
        schema = self._schema["$defs"]["method"] if part == "method" else self._schema["properties"][part]
        return jsonschema.Draft202012Validator({"$defs": self._schema["$defs"], "allOf": [schema]})


def _modules(resolved: resolve.Resolved) -> Mapping[str, str]:
    """Render the generated modules that page tests look at."""
    return {name: render.render_one(f"{name}.py.j2", resolved) for name in GENERATED}
