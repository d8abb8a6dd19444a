"""The formats of `lcg import`: which one a file is of, and staging its rows."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, Final, Literal, get_args

from lcg.exchange.lines import FORMAT
from lcg.exchange.memory_file import MemoryFile, Source
from lcg.exchange.own_file import regenerated, stage_own
from lcg.exchange.reading import NotThisFormat, Refusals, read_objects
from lcg.exchange.staged import Staged
from lcg.model.names import DEFAULT_GROUP
from lcg.model.times import Micros

Form = Literal["jsonl", "memory-server", "plain-text-memory"]
FORMS: Final = get_args(Form)
_OF_PLAIN_TEXT: Final = ("added_at", "agent")


@dataclass(frozen=True, slots=True)
class Reading:
    """How a file is to be read: its format (None: what it looks like), its name, its group, the time now.

    `new_uuids`: rows of our own format get other ones.
    """

    form: Form | None
    name: str
    group: str | None
    now: Micros
    new_uuids: bool


@dataclass(slots=True)
class Staging:
    """What came of a file: its format, its staged rows, and the lines that cannot be imported."""

    form: Form
    path: Path
    counts: dict[str, int]
    refusals: Refusals


def stage(source: BinaryIO, reading: Reading, folder: Path) -> Staging:
    """Read a file into a folder of its own, which is to be thrown away.

    Raises:
        NotThisFormat: it is none of the formats, or not the one that was named.
        OSError, sqlite3.Error: it cannot be read, or the disk refused.
    """
    refusals = Refusals()
    objects = read_objects(source, refusals)
    first = next(objects, None)
    if first is None:
        raise NotThisFormat("it has no line that is a JSON object" if refusals.count else "it is empty")
    form = reading.form or _form_of(first[1])
    path = folder / "staged.db"
    staged = Staged(path, new=True)
    with closing(staged):
        _fill(staged, chain([first], objects), form, reading, folder, refusals)
        staged.finish()
        if form == "jsonl" and reading.new_uuids:
            path = folder / "renewed.db"
            with closing(Staged(path, new=True)) as renewed:
                for each in regenerated(staged, reading.group):
                    renewed.add(each)
                renewed.finish()
        return Staging(form, path, staged.counts(), refusals)


def _fill(
    staged: Staged,
    objects: Iterator[tuple[int, dict[str, Any]]],
    form: Form,
    reading: Reading,
    folder: Path,
    refusals: Refusals,
) -> None:
    if form == "jsonl":
        stage_own(objects, staged, refusals, reading.group)
        return
    source = Source(reading.name, reading.group or DEFAULT_GROUP, reading.now)
    keeps_last = form == "plain-text-memory"
    MemoryFile(folder / "gathered.db", source, staged, refusals, keeps_last=keeps_last).stage(objects)


def _form_of(fields: dict[str, Any]) -> Form:
    if fields.get("format") == FORMAT:
        return "jsonl"
    kind = fields.get("type")
    if kind == "header" or (
        kind in ("entity", "relation", "tombstone") and any(each in fields for each in _OF_PLAIN_TEXT)
    ):
        return "plain-text-memory"
    if kind in ("entity", "relation") and ("entityType" in fields or "relationType" in fields):
        return "memory-server"
    raise NotThisFormat(f"its first line is of none of the formats {', '.join(FORMS)}; --format says which one it is")
