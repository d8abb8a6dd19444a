"""Every small change of the registry: each node dropped, each leaf changed, set to other legal values, and swapped.

A mutant is made without touching the document: what is not on the way to the change is shared.
"""

import itertools
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

Path = tuple[str | int, ...]
Operation = Literal["drop", "change", "other", "swap", "order"]

NAMED = {
    *("scopes", "profiles", "categories", "group_rules", "error_codes", "error_kinds", "warning_types", "records"),
    *("params", "result", "fields", "list_of_fields", "properties", "phases", "frame_fields"),
}
"""Mappings whose keys are names: their order is that of the lists and pages."""

PROSE = {
    *("title", "summary", "description", "details", "when", "sentence"),
    *("why", "raised_by", "default_text", "instructions"),
}
SHOWN_IN_ORDER = NAMED - {"group_rules"}
"""Those of which the order is seen at all."""

MOST_OTHERS = 5
"""So many other legal values of a word are tried."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change. `value` is what is set (change, other); `second` is the partner of a swap."""

    operation: Operation
    path: Path
    value: Any = None
    second: Path = ()

    @property
    def place(self) -> str:
        """The kind of place that is changed."""
        return place(self.path)

    @property
    def touched(self) -> tuple[Path, ...]:
        """The paths at which something is different."""
        return (self.path, self.second) if self.second else (self.path,)

    def apply(self, document: Any) -> Any:
        """Return the changed document."""
        if self.operation == "drop":
            return _at(document, self.path[:-1], lambda parent: _without(parent, self.path[-1]))
        if self.operation == "order":
            return _at(document, self.path[:-1], lambda parent: _reordered(parent, self.path[-1], self.second[-1]))
        if self.operation == "swap":
            first, second = get(document, self.path), get(document, self.second)
            return put(put(document, self.path, second), self.second, first)
        return put(document, self.path, self.value)

    def describe(self, document: Any) -> str:
        """Name the change for people."""
        where = named(document, self.path)
        if self.operation == "drop":
            return f"drop {where}"
        if self.second:
            return f"{self.operation} {where} and {named(document, self.second)}"
        return f"{where}: {get(document, self.path)!r} becomes {self.value!r}"


def mutants(document: Any) -> list[Mutant]:
    """Return every mutant of the document, in its order."""
    found = list(nodes(document, ()))
    leaves = [(path, value) for path, value in found if not isinstance(value, (dict, list)) or not value]
    words: dict[str, list[Any]] = defaultdict(list)
    for path, value in leaves:
        if value not in words[place(path)]:
            words[place(path)].append(value)
    neighbours = _neighbours(leaves)
    made: dict[Mutant, None] = {}
    for path, value in leaves:
        for mutant in (*_changed(path, value), *_others(path, value, words[place(path)])):
            made[mutant] = None
        second = neighbours.get(path)
        if second is not None and get(document, second) != value:
            made[Mutant("swap", path, second=second)] = None
    made |= dict.fromkeys(Mutant("drop", path) for path, _ in found if path)
    made |= dict.fromkeys(_orders(found))
    return list(made)


def nodes(value: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    """Yield every node, with its path."""
    yield path, value
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from nodes(inner, (*path, key))


def place(path: Path) -> str:
    """Return a path with names and indexes left out, so that like places are alike."""
    parts: list[str] = []
    for index, part in enumerate(path):
        if "examples" in parts:
            parts.append("*" if isinstance(part, int) or index > 4 else str(part))
        else:
            generic = isinstance(part, int) or (bool(parts) and parts[-1] in NAMED)
            parts.append("*" if generic else str(part))
    return "/".join(parts)


def is_prose(path: Path) -> bool:
    """Whether a node is read by people and agents only, or shows how something is used."""
    if "examples" in path:
        return True
    names = place(path).split("/")
    return names[-1] in PROSE or (len(names) > 1 and names[-2] in ("details", "phases", "frame_fields", "categories"))


def get(document: Any, path: Path) -> Any:
    """Return the node at a path."""
    for part in path:
        document = document[part]
    return document


def put(document: Any, path: Path, value: Any) -> Any:
    """Return the document with another node at a path."""
    return _at(document, path, lambda _: value)


def named(document: Any, path: Path) -> str:
    """Write a path with the method's name in place of its index."""
    if len(path) > 1 and path[0] == "methods":
        return ".".join(map(str, (document["methods"][path[1]]["name"], *path[2:])))
    return ".".join(map(str, path))


def _at(node: Any, path: Path, change: Any) -> Any:
    if not path:
        return change(node)
    copy: Any = dict(node) if isinstance(node, dict) else list(node)
    copy[path[0]] = _at(node[path[0]], path[1:], change)
    return copy


def _without(parent: Any, key: Any) -> Any:
    copy = dict(parent) if isinstance(parent, dict) else list(parent)
    del copy[key]
    return copy


def _reordered(parent: Any, first: Any, second: Any) -> Any:
    if isinstance(parent, list):
        copy = list(parent)
        copy[first], copy[second] = copy[second], copy[first]
        return copy
    exchanged = {first: second, second: first}
    return {exchanged.get(key, key): parent[exchanged.get(key, key)] for key in parent}


def _changed(path: Path, value: Any) -> Iterator[Mutant]:
    if isinstance(value, bool):
        yield Mutant("change", path, not value)
    elif isinstance(value, (int, float)):
        yield from (Mutant("change", path, value + 1), Mutant("change", path, value - 1))
    elif isinstance(value, str) and is_prose(path):
        yield Mutant("change", path, f"{value[:-1]} indeed." if value.endswith(".") else f"{value} indeed")
    elif isinstance(value, str):
        yield Mutant("change", path, f"{value}x")
    elif value is None:
        yield Mutant("change", path, "x")


def _others(path: Path, value: Any, words: list[Any]) -> Iterator[Mutant]:
    if is_prose(path) or isinstance(value, (dict, list)):
        return
    place_of = words.index(value)
    others = [
        other for other in (*words[place_of + 1 :], *words[:place_of]) if not isinstance(other, (bool, dict, list))
    ]
    yield from (Mutant("other", path, other) for other in others[:MOST_OTHERS])


def _neighbours(leaves: list[tuple[Path, Any]]) -> dict[Path, Path]:
    """Return the next leaf of the same kind inside the same method or section, for swaps."""
    last: dict[tuple[Path, str], Path] = {}
    found: dict[Path, Path] = {}
    for path, _ in leaves:
        home = path[:2] if path[0] == "methods" and len(path) > 3 else path[:1]
        key = (home, place(path))
        if key in last:
            found[last[key]] = path
        last[key] = path
    return found


def _orders(found: list[tuple[Path, Any]]) -> Iterator[Mutant]:
    for path, value in found:
        if "examples" in path:
            continue
        if isinstance(value, list):
            pairs: list[tuple[Any, Any]] = [(index, index + 1) for index in range(len(value) - 1)]
        elif isinstance(value, dict) and path and place(path).split("/")[-1] in SHOWN_IN_ORDER:
            keys = list(value)
            pairs = list(itertools.pairwise(keys))
        else:
            continue
        yield from (Mutant("order", (*path, first), second=(*path, second)) for first, second in pairs)


def by_place(found: list[Mutant]) -> Mapping[str, list[Mutant]]:
    """Return the mutants by the kind of place that they change."""
    places: dict[str, list[Mutant]] = defaultdict(list)
    for mutant in found:
        places[mutant.place].append(mutant)
    return places
