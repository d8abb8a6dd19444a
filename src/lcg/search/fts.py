"""Full text over SQLite FTS5: ranked word search, with groups filtered before the cut.

One FTS table for each kind of row, with two text columns (the name, or the content; and what else the kind has) and a
column that holds the row's group as a token. The tables keep the prepared text, which makes replacing a row and
checking a phrase cheap. `entry` maps a row's uuid to its number in the FTS table of its kind. SQLite says which rows
hold a word; what they are worth is computed here, over lists that stay in memory (`word_lists`, `word_ranking`).
"""

import json
import logging
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, count, islice, repeat
from pathlib import Path

from lcg.model.names import name_key
from lcg.runtime.groups import GroupFilter
from lcg.search.index_file import IndexFile, SearchIndexError, SearchIndexReset
from lcg.search.protocol import Hit, IndexedName, TextEntry, TextKind
from lcg.search.text import any_terms, prepare_all, whole_terms
from lcg.search.word_lists import RowChange, WordLists, WordSource
from lcg.search.word_ranking import ranked_by_words

_log = logging.getLogger(__name__)

SCHEMA_VERSION = 1
"""Raise it whenever the schema or `text.prepare` changes: files of another version are made anew."""

_MANY = 500
"""From here on rows are taken for new, as those of a loaded group are, before anybody looks."""
_ADD_ENTRY = "INSERT INTO entry (id, kind, uuid, gid, name_key) VALUES (?, ?, ?, ?, ?)"
_PREFIX_ROWS = 200
_PREFIX_BONUS = 2.0

TABLES = {TextKind.ENTITY: "entity_text", TextKind.EDGE: "edge_text", TextKind.EPISODE: "episode_text"}
"""Where the texts of each kind are."""
_WEIGHTS = {TextKind.ENTITY: (4.0, 1.0), TextKind.EDGE: (1.5, 1.0), TextKind.EPISODE: (1.0, 0.5)}
"""What a word in the first and in the second column is worth."""
_VOCABULARY = {kind: f"{table}_words" for kind, table in TABLES.items()}
_VIEWS = tuple(
    f"CREATE VIRTUAL TABLE temp.{words} USING fts5vocab(main, {TABLES[kind]}, instance)"
    for kind, words in _VOCABULARY.items()
)

_SCHEMA = (
    "CREATE TABLE groups (id INTEGER PRIMARY KEY, group_id TEXT NOT NULL UNIQUE, position INTEGER)",
    "CREATE TABLE entry (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, uuid TEXT NOT NULL, gid INTEGER NOT NULL, "
    "name_key TEXT, UNIQUE (kind, uuid))",
    "CREATE INDEX entry_by_group ON entry (gid, kind)",
    "CREATE INDEX entry_by_name ON entry (kind, name_key, gid) WHERE name_key IS NOT NULL",
    # The tokenizer only cuts at the spaces that `prepare` put, and takes any other character as it is.
    *(f"CREATE VIRTUAL TABLE {table} USING fts5(gid, head, body, tokenize='ascii')" for table in TABLES.values()),
)


class SqliteTextIndex:
    """The full-text index (see `protocol.TextIndex`).

    `reset_reason` says why the file was made anew, if it was; its positions are empty then. Searches never raise: one
    that meets a damaged file finds nothing, `positions()` is empty from then on, and the next `update` or `clear_group`
    empties the file and raises `SearchIndexReset`.
    """

    def __init__(self, path: Path) -> None:
        """Open or make the index file.

        Raises:
            SearchIndexError: the file can be neither used nor replaced.
        """
        self._file = IndexFile(path, _SCHEMA, SCHEMA_VERSION, check_pages=True, views=_VIEWS)
        self._words = {
            kind: WordLists(WordSource(table, _VOCABULARY[kind], _WEIGHTS[kind])) for kind, table in TABLES.items()
        }
        self._updating = threading.Lock()

    @property
    def reset_reason(self) -> str | None:
        """Why the file was made anew when it was opened or last written; None when it was found sound."""
        return self._file.reset_reason

    def update(
        self, put: Sequence[TextEntry], remove: Sequence[tuple[TextKind, str]], positions: Mapping[str, int]
    ) -> None:
        """Remove entries, then put others, and record each group's applied seq, in one transaction.

        Raises:
            SearchIndexReset: the file was damaged and is empty now; nothing was written. Fill it again.
            SearchIndexError: nothing was written.
        """
        with self._changing() as (db, changes):
            for kind, uuid in remove:
                changes[kind].append(_remove(db, kind, uuid))
            for of_kind, entries in _by_kind(put).items():
                if entries:
                    changes[of_kind].append(_put(db, of_kind, entries))
            for group_id, seq in positions.items():
                db.execute("UPDATE groups SET position = ? WHERE id = ?", (seq, _group_number(db, group_id)))

    def positions(self) -> dict[str, int]:
        """Return the seq through which each group's log is indexed."""
        if self._file.is_damaged:
            return {}
        try:
            with self._file.read() as db:
                return dict(db.execute("SELECT group_id, position FROM groups WHERE position IS NOT NULL").fetchall())
        except SearchIndexError as error:
            _log.warning("%s", error)
            return {}

    def search(self, kind: TextKind, query: str, groups: GroupFilter, limit: int) -> list[Hit]:
        """Return the best rows for a query of plain words, groups filtered before the cut. Ties by uuid.

        A row is found by any of the words; of words that very many rows hold, only the newest rows are ranked. An
        entity whose name is the query comes first, and one whose name begins with it is lifted.
        """
        if limit < 1 or groups.is_empty:
            return []
        words, terms = self._words[kind], any_terms(query)
        mark = words.mark()
        try:
            with self._file.read() as db:
                gids = _known_groups(db, groups)
                if gids == []:
                    return []
                numbers, scores = ranked_by_words(*words.look_up(db, terms, mark), gids, limit)
                uuids = _uuids(db, kind, numbers.tolist(), gids)
                found = zip(numbers.tolist(), scores.tolist(), strict=True)
                by_words = {uuids[number]: score for number, score in found if number in uuids}
                return _ranked(_Search(db, kind, gids, limit), query, by_words)
        except SearchIndexError as error:
            _log.warning("%s", error)
            return []

    def names(self, uuids: Iterable[str]) -> dict[str, IndexedName]:
        """Return what is indexed of the names of these entities; those that are not indexed are left out."""
        try:
            with self._file.read() as db:
                rows = db.execute(
                    f"SELECT e.uuid, e.name_key, t.head FROM entry e JOIN {TABLES[TextKind.ENTITY]} t "
                    "ON t.rowid = e.id WHERE e.kind = ? AND e.uuid IN (SELECT value FROM json_each(?))",
                    (TextKind.ENTITY, json.dumps(list(uuids))),
                ).fetchall()
        except SearchIndexError as error:
            _log.warning("%s", error)
            return {}
        return {uuid: IndexedName(key, head) for uuid, key, head in rows}

    def holds_all_terms(self, kind: TextKind, query: str, uuids: Iterable[str]) -> set[str]:
        """Return which of these rows hold every term of the query; none when the query has no term.

        A term is what stands between white space; its parts must follow each other in the row as they do in it.
        """
        terms = whole_terms(query)
        if not terms:
            return set()
        try:
            with self._file.read() as db:
                rows = db.execute(
                    f"SELECT e.uuid, t.head, t.body FROM entry e JOIN {TABLES[kind]} t ON t.rowid = e.id "
                    "WHERE e.kind = ? AND e.uuid IN (SELECT value FROM json_each(?))",
                    (kind, json.dumps(list(uuids))),
                ).fetchall()
        except SearchIndexError as error:
            _log.warning("%s", error)
            return set()
        return {uuid for uuid, head, body in rows if all(term.is_in(head) or term.is_in(body) for term in terms)}

    def clear_group(self, group_id: str) -> None:
        """Forget a group, its position included.

        Raises:
            SearchIndexReset: the file was damaged and is empty now, all groups included.
            SearchIndexError: nothing was written.
        """
        with self._changing() as (db, changes):
            row = db.execute("SELECT id FROM groups WHERE group_id = ?", (group_id,)).fetchone()
            if row is None:
                return
            for kind, table in TABLES.items():
                ids = db.execute("SELECT id FROM entry WHERE gid = ? AND kind = ?", (row[0], kind)).fetchall()
                db.executemany(f"DELETE FROM {table} WHERE rowid = ?", ids)
                changes[kind].append([RowChange(number, "", row[0], None, None) for (number,) in ids])
            db.execute("DELETE FROM entry WHERE gid = ?", row)
            db.execute("DELETE FROM groups WHERE id = ?", row)

    def close(self) -> None:
        """Close. Safe to call twice."""
        self._file.close()

    @contextmanager
    def _changing(self) -> Iterator[tuple[sqlite3.Connection, dict[TextKind, list[Iterable[RowChange]]]]]:
        """Write in a transaction; the lists of words take in the changes, put together meanwhile, once it is there."""
        changes: dict[TextKind, list[Iterable[RowChange]]] = {kind: [] for kind in TABLES}
        with self._updating:
            try:
                with self._file.write() as db:
                    yield db, changes
            except SearchIndexReset:
                for words in self._words.values():
                    words.forget()
                raise
            for kind, of_kind in changes.items():
                if of_kind:
                    self._words[kind].note(chain.from_iterable(of_kind))


def _group_number(db: sqlite3.Connection, group_id: str) -> int:
    row = db.execute("SELECT id FROM groups WHERE group_id = ?", (group_id,)).fetchone()
    if row is None:
        row = db.execute("INSERT INTO groups (group_id) VALUES (?) RETURNING id", (group_id,)).fetchone()
    return int(row[0])


def _remove(db: sqlite3.Connection, kind: TextKind, uuid: str) -> list[RowChange]:
    row = db.execute("DELETE FROM entry WHERE kind = ? AND uuid = ? RETURNING id, gid", (kind, uuid)).fetchone()
    if row is None:
        return []
    number, gid = row
    db.execute(f"DELETE FROM {TABLES[kind]} WHERE rowid = ?", (number,))
    return [RowChange(number, uuid, gid, None, None)]


def indexed(entry: TextEntry) -> tuple[str | None, str, str]:
    """Return what the index holds of an entry: the key of an entity's name, and the tokens of both columns."""
    (key,), (head,), (body,) = _indexed(entry.kind, [entry])
    return key, head, body


def _indexed(kind: TextKind, entries: Sequence[TextEntry]) -> tuple[list[str | None], list[str], list[str]]:
    """Return that of several entries of one kind: all keys, and the tokens of each column."""
    heads = prepare_all([entry.fields[0] for entry in entries])
    rest = iter(prepare_all([field for entry in entries for field in entry.fields[1:]]))
    bodies = [" ".join(islice(rest, len(entry.fields) - 1)) for entry in entries]
    keys = [_name_key(entry.fields[0]) if kind is TextKind.ENTITY else None for entry in entries]
    return keys, heads, bodies


def _by_kind(entries: Iterable[TextEntry]) -> dict[TextKind, dict[str, TextEntry]]:
    """Return entries by kind and uuid, the last of each."""
    found: dict[TextKind, dict[str, TextEntry]] = {kind: {} for kind in TABLES}
    for entry in entries:
        found[entry.kind][entry.uuid] = entry
    return found


def _put(db: sqlite3.Connection, kind: TextKind, entries: Mapping[str, TextEntry]) -> Iterable[RowChange]:
    """Add entries of one kind, by uuid, or replace them. New ones, thousands when a group is loaded, go in together."""
    gids = {group_id: _group_number(db, group_id) for group_id in {entry.group_id for entry in entries.values()}}
    first = (db.execute("SELECT max(id) FROM entry").fetchone()[0] or 0) + 1
    keys, heads, bodies = _indexed(kind, list(entries.values()))
    of_rows = [gids[entry.group_id] for entry in entries.values()]
    rows = list(zip(count(first), repeat(kind), entries, of_rows, keys, strict=False))
    are_new = len(rows) >= _MANY and _add_entries(db, rows)
    known = {} if are_new else _numbers(db, kind, entries)
    numbers = [known.get(uuid, number) for number, uuid in enumerate(entries, first)]
    texts = list(zip(numbers, map(_group_token, of_rows), heads, bodies, strict=True))
    if not are_new:
        for (_, _, uuid, gid, key), text in zip(rows, texts, strict=True):
            if uuid in known:
                _replace(db, kind, known[uuid], key, gid, text[1:])
        texts = [text for row, text in zip(rows, texts, strict=True) if row[2] not in known]
        db.executemany(_ADD_ENTRY, [row for row in rows if row[2] not in known])
    db.executemany(f"INSERT INTO {TABLES[kind]} (rowid, gid, head, body) VALUES (?, ?, ?, ?)", texts)
    return map(RowChange._make, zip(numbers, entries, of_rows, heads, bodies, strict=True))


def _add_entries(db: sqlite3.Connection, rows: list[tuple[int, TextKind, str, int, str | None]]) -> bool:
    """Add rows that are most likely all new; where one is not, add none and return False."""
    db.execute("SAVEPOINT adding")
    try:
        db.executemany(_ADD_ENTRY, rows)
        added = True
    except sqlite3.IntegrityError:
        db.execute("ROLLBACK TO adding")
        added = False
    db.execute("RELEASE adding")
    return added


def _numbers(db: sqlite3.Connection, kind: TextKind, uuids: Iterable[str]) -> dict[str, int]:
    """Return the numbers of those entries that exist."""
    query = "SELECT uuid, id FROM entry WHERE kind = ? AND uuid IN (SELECT value FROM json_each(?))"
    return dict(db.execute(query, (kind, json.dumps(list(uuids)))).fetchall())


def _replace(
    db: sqlite3.Connection, kind: TextKind, number: int, key: str | None, gid: int, text: tuple[str, str, str]
) -> None:
    db.execute("UPDATE entry SET gid = ?, name_key = ? WHERE id = ?", (gid, key, number))
    table = TABLES[kind]
    # Most rows that are written again changed in what is not searched.
    if db.execute(f"SELECT gid, head, body FROM {table} WHERE rowid = ?", (number,)).fetchone() != text:
        db.execute(f"REPLACE INTO {table} (rowid, gid, head, body) VALUES (?, ?, ?, ?)", (number, *text))


def _group_token(gid: int) -> str:
    return f"g{gid}"


def _name_key(text: str) -> str:
    return name_key(text).encode("utf-8", "replace").decode("utf-8")


def _known_groups(db: sqlite3.Connection, groups: GroupFilter) -> list[int] | None:
    """Return the numbers of the groups that the filter lets through; None when it lets through all there are."""
    if groups.ids is None:
        return None
    known = dict(db.execute("SELECT group_id, id FROM groups").fetchall())
    wanted = {known[group_id] for group_id in groups.ids if group_id in known}
    return None if wanted and len(wanted) == len(known) else sorted(wanted)


def _uuids(db: sqlite3.Connection, kind: TextKind, numbers: list[int], gids: list[int] | None) -> dict[int, str]:
    """Return the uuids of those rows that exist, by number.

    The lists may be ahead of what is read here, and numbers of removed rows are given to others: so this looks again
    whether a row is of these groups (None: of any).
    """
    # The plus sign keeps SQLite from going through all rows of the kind.
    query = "SELECT id, uuid, gid FROM entry WHERE id IN (SELECT value FROM json_each(?)) AND +kind = ?"
    rows = db.execute(query, (json.dumps(numbers), kind))
    return {number: uuid for number, uuid, gid in rows if gids is None or gid in gids}


@dataclass(frozen=True, slots=True)
class _Search:
    """Where one search looks: a reader's connection, a kind, group numbers (None: all), how many rows it wants."""

    db: sqlite3.Connection
    kind: TextKind
    gids: list[int] | None
    limit: int

    def named(self, key: str, *, whole: bool) -> list[str]:
        """Return entities whose name is the key or, for `whole=False`, begins with it: shortest first."""
        condition = "name_key = ?" if whole else "name_key > ? AND name_key < ?"
        values: list[object] = [self.kind, key] if whole else [self.kind, key, f"{key}\U0010ffff"]
        if self.gids is not None:
            condition += " AND gid IN (SELECT value FROM json_each(?))"
            values.append(json.dumps(self.gids))
        sql = (
            f"SELECT uuid FROM (SELECT uuid, name_key FROM entry WHERE kind = ? AND {condition} LIMIT {_PREFIX_ROWS}) "
            "ORDER BY length(name_key), uuid LIMIT ?"
        )
        return [row[0] for row in self.db.execute(sql, (*values, self.limit))]


def _ranked(search: _Search, query: str, scores: dict[str, float]) -> list[Hit]:
    """Rank what was found by words, and by names: an entity that is named like the query comes before the others."""
    key = _name_key(query)
    if search.kind is TextKind.ENTITY and key:
        if len(key) > 1 or not key.isascii():
            for uuid in search.named(key, whole=False):
                scores[uuid] = scores.get(uuid, 0.0) + _PREFIX_BONUS
        best = max(scores.values(), default=0.0)
        for uuid in search.named(key, whole=True):
            scores[uuid] = scores.get(uuid, 0.0) + best + 1.0
    ranked = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
    return [Hit(uuid, score) for uuid, score in ranked[: search.limit]]
