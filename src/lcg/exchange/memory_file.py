"""Reading the files of memory servers: entities with observations, and relations between names.

Both formats are lines of JSON. That of the official server has `entity` (`name`, `entityType`, `observations`) and
`relation` (`from`, `to`, `relationType`). That of plain-text-memory adds when and by which agent each was added
(`added_at`, `agent`), observations as objects (`text`, those two, and `superseded_at` where it is no longer true), a
`header`, and `tombstone` lines: there a later line takes the place of an earlier one of the same name.

An entity becomes an entity, its observations its summary; each observation also becomes an episode that mentions it, so
that it is found by its words and by what it means, and says where it came from. A relation becomes a fact. Uuids follow
from group, names and texts, so the same file imported again is the same rows.
"""

import sqlite3
import uuid
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, Final

import orjson

from lcg.exchange.reading import Refusals
from lcg.exchange.staged import Duplicate, Staged, StagedRow
from lcg.model.names import has_control, is_blank, name_key, normalise
from lcg.model.rows import Edge, Entity, Episode, Mention
from lcg.model.times import Micros, parse_time
from lcg.ontology.words import relation_name
from lcg.wal.errors import LineError
from lcg.wal.fields import kind

_SPACE: Final = uuid.UUID("8b5a2c0e-1d6f-5f3a-8a55-2f7d0f1c9e64")
_PASSED_OVER: Final = ("header", "access")
_SCHEMA: Final = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
CREATE TABLE entity (name TEXT PRIMARY KEY, key TEXT NOT NULL, number INTEGER NOT NULL, line BLOB NOT NULL);
CREATE TABLE relation (source TEXT NOT NULL, word TEXT NOT NULL, target TEXT NOT NULL, number INTEGER NOT NULL,
                       line BLOB NOT NULL, PRIMARY KEY (source, word, target));
BEGIN;
"""


@dataclass(frozen=True, slots=True)
class Source:
    """Where rows come from: the name that they give as their source, the group that they go to, and the time now."""

    name: str
    group: str
    now: Micros


@dataclass(frozen=True, slots=True)
class _Observation:
    text: str
    added_at: Micros | None
    agent: str | None
    superseded: dict[str, Any] | None


class MemoryFile:
    """Gathers the lines of a file, and stages what they come to. `keeps_last`: a later line replaces an earlier one."""

    def __init__(self, scratch: Path, source: Source, staged: Staged, refusals: Refusals, *, keeps_last: bool) -> None:
        self._scratch = scratch
        self._source = source
        self._staged = staged
        self._refusals = refusals
        self._keeps_last = keeps_last

    def stage(self, objects: Iterator[tuple[int, dict[str, Any]]]) -> None:
        """Read all lines, then stage the rows.

        Raises:
            sqlite3.Error, OSError: the disk refused.
        """
        with closing(sqlite3.connect(self._scratch, isolation_level=None)) as file:
            file.executescript(_SCHEMA)
            for number, fields in objects:
                try:
                    self._gather(file, number, fields)
                except LineError as error:
                    self._refusals.add(number, error.reason)
            file.execute("CREATE INDEX by_key ON entity (key, number)")
            found = file.execute("SELECT key, number, line FROM entity ORDER BY key, number")
            for key, lines in groupby(found, lambda each: each[0]):
                self._stage_entity(key, [(number, orjson.loads(line)) for _, number, line in lines])
            for number, line in file.execute("SELECT number, line FROM relation ORDER BY number"):
                self._stage_relation(file, number, orjson.loads(line))

    def _gather(self, file: sqlite3.Connection, number: int, fields: dict[str, Any]) -> None:
        match fields.get("type"):
            case "entity":
                self._gather_entity(file, number, fields)
            case "relation":
                source, word, target = (_name(fields, part) for part in ("from", "relationType", "to"))
                _time(fields, "added_at")
                values = (name_key(source), word, name_key(target), number, orjson.dumps(fields))
                how = "REPLACE" if self._keeps_last else "IGNORE"
                file.execute(f"INSERT OR {how} INTO relation VALUES (?, ?, ?, ?, ?)", values)
            case "tombstone":
                self._bury(file, fields)
            case other if other not in _PASSED_OVER:
                shown = repr(other[:40]) if isinstance(other, str) else kind(other)
                raise LineError(f"type must be entity or relation, got {shown}")

    def _gather_entity(self, file: sqlite3.Connection, number: int, fields: dict[str, Any]) -> None:
        name = _name(fields, "name")
        _label(fields)
        _time(fields, "added_at")
        observations = list(_observations(fields))
        found = file.execute("SELECT number, line FROM entity WHERE name = ?", (name,)).fetchone()
        if found is not None and not self._keeps_last:
            number, earlier = found[0], orjson.loads(found[1])
            fields = {**earlier, "observations": [*earlier["observations"], *fields.get("observations", [])]}
        elif "observations" not in fields or not observations:
            fields = {**fields, "observations": []}
        values = (name, name_key(name), number, orjson.dumps(fields))
        file.execute("INSERT OR REPLACE INTO entity VALUES (?, ?, ?, ?)", values)

    def _bury(self, file: sqlite3.Connection, fields: dict[str, Any]) -> None:
        if "entity" in fields:
            file.execute("DELETE FROM entity WHERE name = ?", (_name(fields, "entity"),))
        else:
            source, word, target = (_name(fields, part) for part in ("from", "relationType", "to"))
            found = (name_key(source), word, name_key(target))
            file.execute("DELETE FROM relation WHERE source = ? AND word = ? AND target = ?", found)

    def _stage_entity(self, key: str, lines: list[tuple[int, dict[str, Any]]]) -> None:
        """Stage one entity. Names that differ by letter case only are one here."""
        number, first = lines[0]
        name = _name(first, "name")
        entity_uuid = self._uuid("entity", key)
        labels = dict.fromkeys(("Entity", *(label for _, fields in lines if (label := _label(fields)))))
        observations = {each.text: each for _, fields in lines for each in _observations(fields)}
        holding = [each for each in observations.values() if each.superseded is None]
        past = [each.superseded for each in observations.values() if each.superseded is not None]
        row = Entity(
            entity_uuid,
            self._source.group,
            name,
            tuple(labels),
            _time(first, "added_at") or self._source.now,
            "\n".join(each.text for each in holding),
            orjson.dumps({"superseded": past}).decode() if past else "{}",
        )
        self._add(StagedRow(row, number))
        for each in holding:
            self._stage_observation(number, name, key, entity_uuid, each)

    def _stage_observation(self, number: int, name: str, key: str, entity: str, observation: _Observation) -> None:
        group, text = self._source.group, observation.text
        episode = Episode(
            self._uuid("observation", key, text),
            group,
            name,
            observation.added_at or self._source.now,
            "text",
            self._source.name if observation.agent is None else f"{self._source.name} ({observation.agent})",
            # By itself many an observation does not say whom it is about.
            text if key in name_key(text) else f"{name}: {text}",
            observation.added_at,
        )
        self._add(StagedRow(episode, number))
        self._add(StagedRow(Mention(group, episode.uuid, entity), number))

    def _stage_relation(self, file: sqlite3.Connection, number: int, fields: dict[str, Any]) -> None:
        ends = []
        for part in ("from", "to"):
            key = name_key(_name(fields, part))
            if file.execute("SELECT 1 FROM entity WHERE key = ?", (key,)).fetchone() is None:
                self._refusals.add(number, f"{part} names {fields[part]!r}, and no entity of the file is called so")
                return
            ends.append(key)
        word = _name(fields, "relationType")
        agent = _agent(fields)
        row = Edge(
            self._uuid("relation", ends[0], word, ends[1]),
            self._source.group,
            relation_name(word) or word,
            self._uuid("entity", ends[0]),
            self._uuid("entity", ends[1]),
            " ".join(f"{_name(fields, 'from')} {word.replace('_', ' ')} {_name(fields, 'to')}".split()),
            _time(fields, "added_at") or self._source.now,
            attributes=orjson.dumps({"source": self._source.name} | ({"agent": agent} if agent else {})).decode(),
        )
        self._add(StagedRow(row, number))

    def _add(self, staged: StagedRow) -> None:
        try:
            self._staged.add(staged)
        except Duplicate:  # relations of which only the letter case of a name differs
            return

    def _uuid(self, *parts: str) -> str:
        return str(uuid.uuid5(_SPACE, "\0".join((self._source.group, *parts))))


def _name(fields: dict[str, Any], part: str) -> str:
    value = fields.get(part)
    if not isinstance(value, str) or is_blank(value):
        raise LineError(f"{part} must be text that is not blank, got {kind(value)}")
    name = normalise(value)
    if has_control(name):
        raise LineError(f"{part} must not hold control characters")
    return name


def _label(fields: dict[str, Any]) -> str:
    value = fields.get("entityType")
    if value is None:
        return ""
    if not isinstance(value, str) or has_control(normalise(value)):
        raise LineError(f"entityType must be text without control characters, got {kind(value)}")
    return normalise(value)


def _observations(fields: dict[str, Any]) -> Iterator[_Observation]:
    """Yield the observations of an entity's line; blank ones say nothing."""
    value = fields.get("observations", [])
    if not isinstance(value, list):
        raise LineError(f"observations must be a list, got {kind(value)}")
    for each in value:
        record = {"text": each} if isinstance(each, str) else each
        text = record.get("text") if isinstance(record, dict) else None
        if not isinstance(text, str):
            raise LineError(f"observations must hold text, or objects with text, got {kind(each)}")
        if not is_blank(text):
            past = record if record.get("superseded_at") is not None else None
            yield _Observation(text.strip(), _time(record, "added_at"), _agent(record), past)


def _agent(fields: dict[str, Any]) -> str | None:
    value = fields.get("agent")
    return normalise(value) if isinstance(value, str) and not is_blank(value) and not has_control(value) else None


def _time(fields: dict[str, Any], part: str) -> Micros | None:
    value = fields.get(part)
    if value is None:
        return None
    try:
        return parse_time(value)
    except (TypeError, AttributeError, ValueError):
        raise LineError(f"{part} must be a time such as 2026-03-02T08:00:00+01:00, got {value!r:.60}") from None
