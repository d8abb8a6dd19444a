"""The strict check of results: every key that the registry declares, of its type, and no other."""

import functools
from pathlib import Path
from typing import Any

from codegen import project
from codegen.model import Registry
from codegen.shapes import check_object, result_fields

ROOT = Path(__file__).parents[2]


@functools.cache
def registry() -> Registry:
    """Return the registry, read once."""
    return project.load_registry(ROOT)


def problems(method: str, result: Any) -> list[str]:
    """Return a sentence for each key of a result that is missing, undeclared or of another type, deep inside too."""
    declared = next(entry for entry in registry().methods if entry.name == method)
    if declared.result is None:
        raise LookupError(f"{method} is not described")
    return check_object(result, result_fields(declared.result, registry().records), registry().records, "")


def warning_problems(result: Any) -> list[str]:
    """Return a sentence for each warning of a type that the registry does not have."""
    known = {warning.name for warning in registry().warning_types}
    return [
        f"{entry['type']} is no declared warning" for entry in result.get("warnings", ()) if entry["type"] not in known
    ]
