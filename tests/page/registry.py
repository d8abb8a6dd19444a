"""The registry as written, for the facts that no generated module carries at run time."""

import functools
from pathlib import Path
from typing import Any

from codegen import yamlload

SPEC = Path(__file__).parents[2] / "spec" / "tools.yaml"


@functools.cache
def sections() -> dict[str, Any]:
    """Return the whole file."""
    document, findings = yamlload.load(SPEC.read_text(encoding="utf-8"), "spec/tools.yaml")
    assert not findings
    loaded: dict[str, Any] = document.value
    return loaded


def methods() -> dict[str, dict[str, Any]]:
    """Return the entries by name, in their order."""
    return {entry["name"]: entry for entry in sections()["methods"]}


def group_rule(name: str) -> dict[str, Any]:
    """Return the group rule of a method, with its parameter under the name that this method uses."""
    groups = methods()[name]["groups"]
    slot = {"rule": groups} if isinstance(groups, str) else groups
    rule = dict(sections()["group_rules"][slot["rule"]], name=slot["rule"])
    if "parameter" in slot:
        rule["parameter"] = slot["parameter"]
    return rule
