"""What a rule is, and what it is given."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from codegen.model import Registry
from codegen.yamlload import Document, Path

Looked = TypeVar("Looked")

Fault = tuple[Path, str, str]
"""Where it is, what is wrong, and how to mend it."""


@dataclass(frozen=True, slots=True)
class Spec:
    """What every rule looks at."""

    registry: Registry
    document: Document


@dataclass(frozen=True, slots=True)
class Rule(Generic[Looked]):
    """A rule: its id, what it demands, why, and the function that finds the faults."""

    id: str
    what: str
    why: str
    check: Callable[[Looked], Iterator[Fault]]


def listed(names: object) -> str:
    """Name the alternatives in a hint."""
    return ", ".join(map(str, names)) if isinstance(names, (list, tuple, dict)) else str(names)
