"""The rows of some groups at one moment, in a file of their own: to be read in any order, in little memory."""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import orjson

from lcg.exchange.lines import line_of, row_of
from lcg.model.rows import Edge, Entity, Episode, Mention, Row

_SCHEMA = """
CREATE TABLE entity (uuid TEXT PRIMARY KEY, grp TEXT NOT NULL, line BLOB NOT NULL);
CREATE TABLE edge (uuid TEXT PRIMARY KEY, grp TEXT NOT NULL, source TEXT NOT NULL, target TEXT NOT NULL,
                   line BLOB NOT NULL);
CREATE TABLE episode (uuid TEXT PRIMARY KEY, grp TEXT NOT NULL, line BLOB NOT NULL);
CREATE TABLE mention (episode TEXT NOT NULL, entity TEXT NOT NULL, grp TEXT NOT NULL, line BLOB NOT NULL,
                      PRIMARY KEY (episode, entity));
"""
_INDEXES = """
CREATE INDEX entity_order ON entity (grp, uuid);
CREATE INDEX edge_order ON edge (grp, uuid);
CREATE INDEX edge_source ON edge (source);
CREATE INDEX edge_target ON edge (target);
CREATE INDEX episode_order ON episode (grp, uuid);
CREATE INDEX mention_order ON mention (grp, episode, entity);
CREATE INDEX mention_entity ON mention (entity);
"""
_BATCH = 500
RowT = TypeVar("RowT", bound=Row)


@dataclass(frozen=True, slots=True)
class Counts:
    """How many rows there are of each kind."""

    entities: int
    edges: int
    episodes: int
    mentions: int


class GraphReader:
    """Rows of the graph, each kind in the order of group and uuid. For one thread.

    Entities include the tombstones of merges (`is_tombstone`), and edges those of which an end is not here: it may be
    in a group that was not asked for, or nowhere. `holds` says which.
    """

    def __init__(self, file: sqlite3.Connection) -> None:
        self._file = file

    def groups(self) -> list[str]:
        """Return the groups that have rows here, sorted."""
        every = " UNION ".join(f"SELECT grp FROM {kind}" for kind in ("entity", "edge", "episode", "mention"))
        return [group for (group,) in self._file.execute(f"{every} ORDER BY grp")]

    def counts(self) -> Counts:
        """Count the rows."""
        return Counts(*(self._one(f"SELECT count(*) FROM {kind}") for kind in ("entity", "edge", "episode", "mention")))

    def entities(self) -> Iterator[Entity]:
        """Yield every entity."""
        return self._rows("SELECT line FROM entity ORDER BY grp, uuid", Entity)

    def edges(self) -> Iterator[Edge]:
        """Yield every relationship."""
        return self._rows("SELECT line FROM edge ORDER BY grp, uuid", Edge)

    def episodes(self) -> Iterator[Episode]:
        """Yield every episode."""
        return self._rows("SELECT line FROM episode ORDER BY grp, uuid", Episode)

    def mentions(self) -> Iterator[Mention]:
        """Yield every mention, in the order of group, episode, entity."""
        return self._rows("SELECT line FROM mention ORDER BY grp, episode, entity", Mention)

    def entity(self, uuid: str) -> Entity | None:
        """Return an entity, or None when it is not here."""
        return next(self._rows("SELECT line FROM entity WHERE uuid = ?", Entity, uuid), None)

    def episode(self, uuid: str) -> Episode | None:
        """Return an episode, or None when it is not here."""
        return next(self._rows("SELECT line FROM episode WHERE uuid = ?", Episode, uuid), None)

    def edges_of(self, entity_uuid: str) -> Iterator[Edge]:
        """Yield the relationships that begin or end at an entity."""
        query = "SELECT line FROM edge WHERE source = ?1 OR target = ?1 ORDER BY grp, uuid"
        return self._rows(query, Edge, entity_uuid)

    def episodes_of(self, entity_uuid: str) -> Iterator[Episode]:
        """Yield the episodes that mention an entity."""
        query = (
            "SELECT episode.line FROM mention JOIN episode ON episode.uuid = mention.episode "
            "WHERE mention.entity = ? ORDER BY episode.grp, episode.uuid"
        )
        return self._rows(query, Episode, entity_uuid)

    def entities_of(self, episode_uuid: str) -> Iterator[Entity]:
        """Yield the entities that an episode mentions."""
        query = (
            "SELECT entity.line FROM mention JOIN entity ON entity.uuid = mention.entity "
            "WHERE mention.episode = ? ORDER BY entity.grp, entity.uuid"
        )
        return self._rows(query, Entity, episode_uuid)

    def ends(self) -> Iterator[tuple[str, str]]:
        """Yield the two ends of every relationship, quickly; those that are not resolved are empty texts."""
        yield from self._file.execute("SELECT source, target FROM edge")

    def holds(self, edge: Edge) -> bool:
        """Say whether both ends of a relationship are here."""
        query = "SELECT count(*) FROM entity WHERE uuid IN (?, ?)"
        return bool(self._one(query, edge.source_uuid, edge.target_uuid) == len({edge.source_uuid, edge.target_uuid}))

    def lines(self, kind: str) -> Iterator[bytes]:
        """Yield the rows of a kind as the lines of the format `jsonl`."""
        order = "grp, episode, entity" if kind == "mention" else "grp, uuid"
        if kind != "edge":
            yield from (line for (line,) in self._file.execute(f"SELECT line FROM {kind} ORDER BY {order}"))
        else:
            for edge in self.edges():
                yield line_of(edge, elsewhere=not self.holds(edge))

    def _rows(self, query: str, kind: type[RowT], *values: str) -> Iterator[RowT]:
        for (line,) in self._file.execute(query, values):
            row = row_of(orjson.loads(line))
            assert isinstance(row, kind)
            yield row

    def _one(self, query: str, *values: str) -> Any:
        return self._file.execute(query, values).fetchone()[0]


def write_rows(path: Path, rows: Iterable[Row]) -> None:
    """Make the file of a `GraphReader`. A row that comes again takes the place of the one before.

    Raises:
        sqlite3.Error: the disk refused.
    """
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        # The file is thrown away after use, and made anew after a crash.
        file.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;" + _SCHEMA)
        file.execute("BEGIN")
        for row in rows:
            _insert(file, row)
        file.execute("COMMIT")
        file.executescript(_INDEXES)


def open_rows(path: Path) -> "closing[sqlite3.Connection]":
    """Open such a file for a `GraphReader`; to be closed."""
    return closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True))


def _insert(file: sqlite3.Connection, row: Row) -> None:
    line = line_of(row)
    match row:
        case Entity() | Episode():
            kind = "entity" if isinstance(row, Entity) else "episode"
            file.execute(f"INSERT OR REPLACE INTO {kind} VALUES (?, ?, ?)", (row.uuid, row.group_id, line))
        case Edge():
            values = (row.uuid, row.group_id, row.source_uuid, row.target_uuid, line)
            file.execute("INSERT OR REPLACE INTO edge VALUES (?, ?, ?, ?, ?)", values)
        case Mention():
            mention = (row.episode_uuid, row.entity_uuid, row.group_id, line)
            file.execute("INSERT OR REPLACE INTO mention VALUES (?, ?, ?, ?)", mention)
