"""Where the words of rows are, kept in memory for the words that somebody asked for, so that ranking is arithmetic.

SQLite's own ranking looks up the length of every row that matches, for every search again: most of a search's time.
Here a term's rows are read once. Afterwards whoever changes rows says which (`note`), and a list is brought up to date
when it is used next. So a list never shows less than what was noted, and what is not asked for costs nothing.
"""

import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lcg.search.text import Term

Numbers = NDArray[np.int32]

MOST_CHANGES = 4_096
MOST_CHARACTERS = 8_000_000
"""So many changes, of so long texts together, are remembered; a list that was not used for longer is read again."""
MOST_KEPT = 4_500_000
"""So many rows, of eight bytes each, the lists of one table have together; those not used for longest go."""
_ROWS_OF_A_LIST = 100
"""What a list takes beside its rows, in rows: words that nothing holds are asked for without end, and count too."""
_READ_AS_TEXT = 1_000
"""Of so many rows the texts are read to count a term of several words; of more, the places of its words."""
_PLACES = 24
"""So many bits has the place of a word in its column."""


class RowChange(NamedTuple):
    """What a row holds now: the number of its group, and the prepared texts of both columns; none when removed."""

    number: int
    uuid: str
    gid: int
    head: str | None
    body: str | None


class TermRows(NamedTuple):
    """The rows that hold a term, by ascending number, and how often they do; the columns' weights multiply that."""

    numbers: Numbers
    times: NDArray[np.float32]


class RowNotes(NamedTuple):
    """What is known of each row, by its number: how many tokens it has (0: there is no such row), its group's number.

    `order` is the beginning of each row's uuid, as two numbers that sort like it. `rows` and `total` are how many rows
    there are, and how many tokens they have together.
    """

    tokens: Numbers
    gids: Numbers
    order: NDArray[np.uint64]
    rows: int
    total: int


class WordSource(NamedTuple):
    """A full-text table, its vocabulary by instance, and what an occurrence in each of its two columns is worth."""

    table: str
    vocabulary: str
    weights: tuple[float, float]


class Mark(NamedTuple):
    """A moment: what is read after it holds at least what was noted before it."""

    epoch: int
    changes: int


@dataclass(slots=True)
class _Kept:
    rows: TermRows
    upto: int


class _Pending(NamedTuple):
    """What became of rows since a moment: their numbers, and of each that exists its number and what it holds.

    The texts of both columns stand in one string, with spaces around each and a line's end between them.
    """

    numbers: Numbers
    latest: list[tuple[int, str]]


class WordLists:
    """The lists of one table. Safe from any thread; `note` and `forget` come from one at a time."""

    def __init__(self, source: WordSource) -> None:
        self._source = source
        self._lock = threading.Lock()
        self._epoch = 0
        self._begin = 0
        self._changes: list[RowChange] = []
        self._characters = 0
        self._lists: OrderedDict[Term, _Kept] = OrderedDict()
        self._held = 0
        self._notes: RowNotes | None = None

    def mark(self) -> Mark:
        """Return the present moment. To be called before the transaction begins that `look_up` reads in."""
        with self._lock:
            return Mark(self._epoch, self._end)

    def note(self, changes: Iterable[RowChange]) -> None:
        """Take in what was committed."""
        with self._lock:
            if self._notes is None and not self._lists:
                # Nobody has asked yet. What is being read just now may lack the changes, so it is not kept.
                self._begin, self._changes, self._characters = self._end + 1, [], 0
                return
            made = list(changes)
            self._changes += made
            self._characters += _characters(made)
            if self._notes is not None:
                self._notes = _noted(self._notes, made)
            if self._are_many(self._changes, self._characters):
                self._forget_changes()

    def forget(self) -> None:
        """Forget everything, since the file is another one now."""
        with self._lock:
            self._epoch += 1
            self._begin, self._changes, self._characters, self._held, self._notes = 0, [], 0, 0, None
            self._lists.clear()

    def look_up(self, db: sqlite3.Connection, terms: Sequence[Term], mark: Mark) -> tuple[list[TermRows], RowNotes]:
        """Return the rows of each term, and the notes on all rows.

        Raises:
            sqlite3.Error: the file cannot be read.
        """
        with self._lock:
            missing = [term for term in terms if term not in self._lists]
            notes = self._notes
        read = {term: _rows_of(db, self._source, term) for term in missing}
        if notes is None:
            notes = _notes_of(db, self._source.table)
        with self._lock:
            is_of_file = mark.epoch == self._epoch
            if is_of_file and mark.changes >= self._begin:
                for term, rows in read.items():
                    self._keep(term, _Kept(rows, mark.changes))
                if self._notes is None:
                    self._notes = _noted(notes, self._changes[mark.changes - self._begin :])
            if is_of_file and self._notes is not None and all(term in self._lists for term in terms):
                pending: dict[int, _Pending] = {}
                found = [self._current(term, pending) for term in terms]
                self._trim()
                return found, self._notes
        # The file or very much of it was replaced meanwhile. What this transaction sees is right by itself.
        return [_rows_of(db, self._source, term) for term in terms], _notes_of(db, self._source.table)

    @property
    def _end(self) -> int:
        return self._begin + len(self._changes)

    def _current(self, term: Term, pending: dict[int, _Pending]) -> TermRows:
        """Return a list, brought up to date; `pending` keeps what has to be done from a moment on for other lists."""
        kept = self._lists[term]
        self._lists.move_to_end(term)
        if kept.upto < self._end:
            if kept.upto not in pending:
                pending[kept.upto] = _pending(self._changes[kept.upto - self._begin :])
            rows = _changed(kept.rows, term, pending[kept.upto], self._source.weights)
            self._held += len(rows.numbers) - len(kept.rows.numbers)
            kept.rows, kept.upto = rows, self._end
        return kept.rows

    def _keep(self, term: Term, kept: _Kept) -> None:
        if term not in self._lists:
            self._lists[term] = kept
            self._held += len(kept.rows.numbers) + _ROWS_OF_A_LIST

    def _drop(self, term: Term) -> None:
        self._held -= len(self._lists.pop(term).rows.numbers) + _ROWS_OF_A_LIST

    @staticmethod
    def _are_many(changes: Sequence[RowChange], characters: int) -> bool:
        return len(changes) > MOST_CHANGES or characters > MOST_CHARACTERS

    def _forget_changes(self) -> None:
        """Forget the older half of the changes, or all when the others are too many still."""
        newer = self._changes[len(self._changes) // 2 :]
        characters = _characters(newer)
        if self._are_many(newer, characters):
            newer, characters = [], 0
        self._begin += len(self._changes) - len(newer)
        self._changes, self._characters = newer, characters
        for term in [term for term, kept in self._lists.items() if kept.upto < self._begin]:
            self._drop(term)

    def _trim(self) -> None:
        while self._held > MOST_KEPT and len(self._lists) > 1:
            self._drop(next(iter(self._lists)))


def _rows_of(db: sqlite3.Connection, source: WordSource, term: Term) -> TermRows:
    """Read the rows of a term."""
    if term.prefix or len(term.tokens) > 1:
        found = db.execute(
            f"SELECT rowid, ' ' || head || ' ' || char(10) || ' ' || body || ' ' FROM {source.table} "
            f"WHERE {source.table} MATCH ? ORDER BY rowid LIMIT ?",
            (f"{{head body}} : ({term.as_match()})", _READ_AS_TEXT + 1),
        ).fetchall()
        if len(found) <= _READ_AS_TEXT:
            return TermRows(
                np.array([number for number, _ in found], dtype=np.int32),
                np.array([_worth(term, texts, source.weights) for _, texts in found], dtype=np.float32),
            )
    *before, last = term.tokens
    places = _places_of(db, source, last, prefix=term.prefix) - len(before)
    for at, token in enumerate(before):
        places = np.intersect1d(places, _places_of(db, source, token) - at, assume_unique=True)
    if not len(places):
        return TermRows(np.zeros(0, np.int32), np.zeros(0, np.float32))
    columns = places >> _PLACES
    numbers = columns >> 1
    firsts = np.flatnonzero(np.diff(numbers, prepend=-1))
    times = np.add.reduceat(np.array(source.weights, dtype=np.float32)[columns & 1], firsts)
    return TermRows(numbers[firsts].astype(np.int32), times)


def _places_of(db: sqlite3.Connection, source: WordSource, token: str, *, prefix: bool = False) -> NDArray[np.int64]:
    """Return where a word is, or all words that begin so, in ascending order: row, column, and place in the column."""
    condition, values = ("term >= ? AND term < ?", (token, f"{token}\U0010ffff")) if prefix else ("term = ?", (token,))
    # One text instead of a row each: the interpreter is free for others meanwhile, and it takes a third of the time.
    (listed,) = db.execute(
        f"SELECT group_concat(((2 * doc + (col = 'body')) << {_PLACES}) + offset) FROM {source.vocabulary} "
        f"WHERE {condition} AND col <> 'gid'",
        values,
    ).fetchone()
    places = np.fromstring(listed or "", dtype=np.int64, sep=",")
    places.sort()
    return places


def _notes_of(db: sqlite3.Connection, table: str) -> RowNotes:
    """Read the notes on all rows. What SQLite keeps of a row's length is a number for each column."""
    rows = db.execute(
        f"SELECT d.id, e.uuid, e.gid, d.sz FROM {table}_docsize d JOIN entry e ON e.id = d.id ORDER BY d.id"
    ).fetchall()
    if not rows:
        return _room(0)
    numbers, uuids, gids, noted = zip(*rows, strict=True)
    digits = np.frombuffer(b"".join(noted), dtype=np.uint8)
    # Numbers have seven bits to a byte, the highest first; all bytes of a number but its last have the eighth bit set.
    goes_on = np.append(digits >= 128, [False, False, False, False])
    worth = np.ones(len(digits), dtype=np.int64)
    following = np.ones(len(digits), dtype=np.bool_)
    for distance in range(4):
        following &= goes_on[distance : len(digits) + distance]
        worth[following] <<= 7
    lengths = np.fromiter(map(len, noted), dtype=np.intp, count=len(noted))
    sums = np.add.reduceat((digits & 127) * worth, np.cumsum(lengths) - lengths)
    tokens, of_groups, order, _, _ = _room(numbers[-1] + 1)
    places = np.array(numbers)
    tokens[places], of_groups[places], order[places] = sums, gids, _order(uuids)
    return RowNotes(tokens, of_groups, order, len(rows), int(sums.sum()))


def _room(rows: int) -> RowNotes:
    return RowNotes(np.zeros(rows, np.int32), np.zeros(rows, np.int32), np.zeros((rows, 2), np.uint64), 0, 0)


def _order(uuids: Sequence[str]) -> NDArray[np.uint64]:
    """Return the first sixteen bytes of each uuid as two numbers that sort as it does."""
    beginnings = np.array([uuid.encode("utf-8", "surrogatepass") for uuid in uuids], dtype="S16")
    return beginnings.view(">u8").reshape(-1, 2).astype(np.uint64)


def _noted(notes: RowNotes, changes: Sequence[RowChange]) -> RowNotes:
    """Return the notes after changes. Searches that have the former ones may see them change, but never get shorter."""
    if not changes:
        return notes
    tokens, gids, order, rows, total = notes
    most = max(change.number for change in changes) + 1
    if most > len(tokens):
        room = _room(most + most // 8 - len(tokens))
        tokens, gids = np.append(tokens, room.tokens), np.append(gids, room.gids)
        order = np.append(order, room.order, axis=0)
    order[[change.number for change in changes]] = _order([change.uuid for change in changes])
    for number, _, gid, head, body in changes:
        before = int(tokens[number])
        # The group is a token too.
        after = 0 if head is None or body is None else 1 + len(head.split()) + len(body.split())
        tokens[number], gids[number] = after, gid
        rows += (after > 0) - (before > 0)
        total += after - before
    return RowNotes(tokens, gids, order, rows, total)


def _pending(changes: Sequence[RowChange]) -> _Pending:
    latest = {change.number: change for change in changes}
    texts = [(row.number, f" {row.head} \n {row.body} ") for row in latest.values() if row.head is not None]
    return _Pending(np.fromiter(latest, np.int32, len(latest)), texts)


def _changed(rows: TermRows, term: Term, pending: _Pending, weights: tuple[float, float]) -> TermRows:
    """Return a term's rows after changes."""
    numbers, times = rows
    former = pending.numbers[pending.numbers <= numbers[-1]] if len(numbers) else pending.numbers[:0]
    if len(former):
        keep = np.isin(numbers, former, invert=True)
        numbers, times = numbers[keep], times[keep]
    sought = term.sought
    held = {number: _worth(term, texts, weights) for number, texts in pending.latest if sought in texts}
    if held:
        numbers = np.append(numbers, np.fromiter(held, np.int32, len(held)))
        times = np.append(times, np.fromiter(held.values(), np.float32, len(held)))
        order = np.argsort(numbers, kind="stable")
        numbers, times = numbers[order], times[order]
    return TermRows(numbers, times)


def _worth(term: Term, texts: str, weights: Sequence[float]) -> float:
    return sum(weight * term.times_in(text) for text, weight in zip(texts.split("\n"), weights, strict=True))


def _characters(changes: Sequence[RowChange]) -> int:
    return sum(len(change.head or "") + len(change.body or "") for change in changes)
