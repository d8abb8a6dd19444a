"""Which ontology the rows of a workspace were made by, kept in a file beside it, and how the present one differs.

The file's upper four keys tell of the workspace's ontology, `groups` of the one that each group's texts were last
read with. Losing the file loses nothing but this comparison.
"""

import logging
import os
import threading
from pathlib import Path
from typing import Any

import orjson

from lcg.ontology.model import Ontology

_log = logging.getLogger(__name__)
Described = dict[str, Any]
"""`hash`, `mode`, `entity_types`, `relation_types`; empty for no ontology."""


class OntologyRecord:
    """The file. Safe from any thread; what cannot be read or written is passed over with a log line."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._content: dict[str, Any] | None = None

    def note(self, group_id: str, workspace: Ontology | None, used: Ontology | None) -> None:
        """Record that texts of a group were read with `used`, in a workspace whose ontology is `workspace`."""
        with self._lock:
            before = self._read()
            groups = {key: value for key, value in before.get("groups", {}).items() if key != group_id}
            if used is not None:
                groups[group_id] = describe(used)
            after = describe(workspace) | ({"groups": groups} if groups else {})
            if after != before:
                self._content = after
                self._write(after)

    def drift_of_workspace(self, ontology: Ontology | None, *, in_use: bool) -> str | None:
        """Say how the workspace's ontology differs from the recorded one; None when it does not.

        Args:
            ontology: the present one.
            in_use: whether any text was read at all.
        """
        with self._lock:
            recorded = {key: value for key, value in self._read().items() if key != "groups"}
        return difference(recorded, ontology) if in_use else None

    def drift_of_group(self, group_id: str, ontology: Ontology | None, *, in_use: bool) -> str | None:
        """Say the same of one group."""
        with self._lock:
            recorded = self._read().get("groups", {}).get(group_id, {})
        return difference(recorded, ontology) if in_use else None

    def recorded_groups(self) -> set[str]:
        """Return the groups whose texts were last read with an ontology."""
        with self._lock:
            return set(self._read().get("groups", {}))

    def _read(self) -> dict[str, Any]:
        if self._content is None:
            self._content = {}
            try:
                self._content = _checked(orjson.loads(self._path.read_bytes()))
            except FileNotFoundError:
                pass
            except (OSError, ValueError) as error:
                _log.warning("%s is not used: %s", self._path, error)
        return self._content

    def _write(self, content: dict[str, Any]) -> None:
        beside = self._path.with_name(f"{self._path.name}.new")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            beside.write_bytes(orjson.dumps(content, option=orjson.OPT_INDENT_2))
            os.replace(beside, self._path)
        except OSError as error:
            _log.warning("%s is not written: %s", self._path, error)


def describe(ontology: Ontology | None) -> Described:
    """Return what the file keeps of an ontology."""
    if ontology is None:
        return {}
    return {
        "hash": ontology.fingerprint,
        "mode": ontology.mode,
        "entity_types": sorted(ontology.entities),
        "relation_types": sorted(ontology.relations),
    }


def difference(before: Described, ontology: Ontology | None) -> str | None:
    """Say in words how an ontology differs from a recorded one; None when it does not."""
    after = describe(ontology)
    if before.get("hash") == after.get("hash"):
        return None
    if not before or not after:
        some = before or after
        counts = f"{len(some['entity_types'])} entity types, {len(some['relation_types'])} relation types"
        return f"ontology added: {counts}" if after else f"ontology removed (was {counts})"
    said = [] if before["mode"] == after["mode"] else [f"mode {before['mode']} is now {after['mode']}"]
    for key in ("entity_types", "relation_types"):
        old, new = set(before[key]), set(after[key])
        for verb, names in (("added", new - old), ("removed", old - new)):
            if names:
                said.append(f"{key.replace('_', ' ')} {verb}: {', '.join(sorted(names))}")
    return "; ".join(said) or "descriptions or structure changed"


def _checked(content: object) -> dict[str, Any]:
    if not isinstance(content, dict) or not isinstance(content.get("groups", {}), dict):
        raise ValueError("expected an object, with `groups` an object")
    kept: dict[str, Any] = _described({key: value for key, value in content.items() if key != "groups"})
    groups = {group_id: found for group_id, value in content.get("groups", {}).items() if (found := _described(value))}
    return kept | ({"groups": groups} if groups else {})


def _described(value: object) -> Described:
    """Return a description if it is whole, else none."""
    if not isinstance(value, dict):
        return {}
    lists = [value.get(key) for key in ("entity_types", "relation_types")]
    whole = isinstance(value.get("hash"), str) and isinstance(value.get("mode"), str)
    named = all(isinstance(names, list) and all(isinstance(name, str) for name in names) for names in lists)
    return dict(value) if whole and named else {}
