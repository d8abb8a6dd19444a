"""The file of corrections that people keep: read with its faults told, and marked without losing a comment."""

import io
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedSeq
from ruamel.yaml.error import YAMLError

from lcg.model.times import Micros, to_log
from lcg.plain_files import read_plain
from lcg.wal.fileops import SystemFileOps, replace_file

PLACE = Path(".liminis") / "knowledge-corrections.yaml"
_TEXTS = ("type", "canonical", "canonical_uuid", "edge_uuid")


class CorrectionsUnreadable(Exception):
    """The file cannot be read as a list of corrections; the text says where and why."""


@dataclass(frozen=True, slots=True)
class Correction:
    """One entry. What is missing is empty; `faults` are about its form alone."""

    id: str
    type: str
    canonical: str
    canonical_uuid: str
    aliases: tuple[str, ...]
    edge_uuid: str
    applied: bool
    faults: tuple[str, ...]


def read_corrections(path: Path) -> list[Correction] | None:
    """Return the entries of the file in their order, or None when there is no file or it is empty.

    Raises:
        CorrectionsUnreadable: it is there and cannot be read.
    """
    try:
        entries = _entries(_load(_read(path)))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise CorrectionsUnreadable(f"The corrections file {path} cannot be read: {error.strerror}.") from error
    return None if entries is None else [_correction(entry, number) for number, entry in enumerate(entries, 1)]


def mark_applied(path: Path, applied: Mapping[str, Micros]) -> None:
    """Write `applied_at` into entries, by id; everything else in the file stays, as it is at this moment.

    Raises:
        CorrectionsUnreadable, OSError: the file cannot be read any more, or the disk refused. It is as it was.
    """
    data = _load(_read(path))
    for entry in _entries(data) or []:
        moment = applied.get(_text(entry.get("id"))) if isinstance(entry, dict) else None
        if moment is not None and not entry.get("applied_at"):
            # Right after the id: comments below the last key of an entry stay where they are.
            entry.pop("applied_at", None)
            entry.insert(list(entry).index("id") + 1, "applied_at", to_log(moment))
    writer = _yaml()
    offset = _dash_offset(data)
    writer.indent(mapping=2, sequence=offset + 2, offset=offset)
    out = io.StringIO()
    writer.dump(data, out)
    place = Path(os.path.realpath(path))
    mode = place.stat().st_mode
    replace_file(SystemFileOps(), place, out.getvalue().encode())
    place.chmod(mode)


def _read(path: Path) -> str:
    try:
        return read_plain(path).decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise CorrectionsUnreadable(
            f"The corrections file {path} cannot be read: byte {error.start + 1} is no UTF-8. Save it as UTF-8."
        ) from error


def _yaml() -> YAML:
    yaml = YAML()
    yaml.preserve_quotes = True
    yaml.width = 10_000
    return yaml


def _dash_offset(data: Any) -> int:
    """Return by how many columns the entries' dashes are set in, so that the file keeps its look."""
    entries = _entries(data)
    return int(entries.lc.col) if isinstance(entries, CommentedSeq) else 0


def _load(text: str) -> Any:
    try:
        return _yaml().load(text)
    except (YAMLError, ValueError, RecursionError) as error:
        raise CorrectionsUnreadable(f"YAML parse error: {error}") from error


def _entries(data: Any) -> list[Any] | None:
    if data is None:
        return None
    entries = data.get("corrections", "") if isinstance(data, dict) else data
    if entries is None:
        return None
    if not isinstance(data, dict) or not isinstance(entries, list):
        raise CorrectionsUnreadable("The corrections file must hold `corrections`, a list of entries.")
    return entries or None


def _correction(entry: Any, number: int) -> Correction:
    known: Mapping[Any, Any] = entry if isinstance(entry, dict) else {}
    faults = [] if known is entry else ["is no mapping of keys to values"]
    faults += [f"{key} must be a text" for key in _TEXTS if not isinstance(known.get(key, ""), str | None)]
    aliases = known.get("aliases") or []
    if not (isinstance(aliases, list) and all(isinstance(alias, str) and alias.strip() for alias in aliases)):
        faults.append("aliases must be a list of names")
        aliases = []
    ident = _text(known.get("id"))
    if not ident:
        faults.append("has no id")
    kind, canonical, canonical_uuid, edge_uuid = (_text(known.get(key)) for key in _TEXTS)
    return Correction(
        id=ident or f"entry {number}",
        type=kind.lower(),
        canonical=canonical,
        canonical_uuid=canonical_uuid,
        aliases=tuple(alias.strip() for alias in aliases),
        edge_uuid=edge_uuid,
        applied=bool(known.get("applied_at")),
        faults=tuple(faults),
    )


def _text(value: Any) -> str:
    return "" if value is None or isinstance(value, list | dict) else str(value).strip()
