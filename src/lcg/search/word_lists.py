"""Where the words of rows are, kept in memory for the words that somebody asked for, so that ranking is arithmetic.

SQLite's own ranking looks up the length of every row that matches, for every search again: most of a search's time.
Here a term's rows are read once. Afterwards whoever changes rows says which (`note`), and a list is brought up to date
when it is used next. So a list never shows less than what was noted, and what is not asked for costs nothing.
"""

import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lcg.search.text import Term

Numbers = NDArray[np.int32]

MOST_CHANGES = 4_096
"""So many changes are remembered; a list that was not used for longer is read again."""
MOST_KEPT = 6_000_000
"""So many rows, of six bytes each, the lists of one table have together; those not used for longest go."""


class RowChange(NamedTuple):
    """What a row holds now: the number of its group, and the prepared texts of both columns; none when removed."""

    number: int
    uuid: str
    gid: int
    texts: tuple[str, str] | None


class TermRows(NamedTuple):
    """The rows that hold a term, by ascending number, and how often they do; the columns' weights multiply that."""

    numbers: Numbers
    times: NDArray[np.float16]


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


class WordLists:
    """The lists of one table. Safe from any thread; `note` and `forget` come from one at a time."""

    def __init__(self, source: WordSource) -> None:
        self._source = source
        self._lock = threading.Lock()
        self._epoch = 0
        self._begin = 0
        self._changes: list[RowChange] = []
        self._lists: OrderedDict[Term, _Kept] = OrderedDict()
        self._held = 0
        self._notes: RowNotes | None = None

    def mark(self) -> Mark:
        """Return the present moment. To be called before the transaction begins that `look_up` reads in."""
        with self._lock:
            return Mark(self._epoch, self._end)

    def note(self, changes: Sequence[RowChange]) -> None:
        """Take in what was committed."""
        if not changes:
            return
        with self._lock:
            self._changes += changes
            if self._notes is not None:
                self._notes = _noted(self._notes, changes)
            if len(self._changes) > MOST_CHANGES:
                keep = 0 if len(changes) > MOST_CHANGES else MOST_CHANGES // 2
                self._begin += len(self._changes) - keep
                self._changes = self._changes[len(self._changes) - keep :]
                for term in [term for term, kept in self._lists.items() if kept.upto < self._begin]:
                    self._drop(term)

    def forget(self) -> None:
        """Forget everything, since the file is another one now."""
        with self._lock:
            self._epoch += 1
            self._begin, self._changes, self._held, self._notes = 0, [], 0, None
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
            if mark.epoch == self._epoch and mark.changes >= self._begin:
                for term, rows in read.items():
                    self._keep(term, _Kept(rows, mark.changes))
                if self._notes is None:
                    self._notes = _noted(notes, self._changes[mark.changes - self._begin :])
            if self._notes is not None and all(term in self._lists for term in terms):
                found = [self._current(term) for term in terms]
                self._trim()
                return found, self._notes
        # The file or very much of it was replaced meanwhile. What this transaction sees is right by itself.
        return [_rows_of(db, self._source, term) for term in terms], _notes_of(db, self._source.table)

    @property
    def _end(self) -> int:
        return self._begin + len(self._changes)

    def _current(self, term: Term) -> TermRows:
        kept = self._lists[term]
        self._lists.move_to_end(term)
        if kept.upto < self._end:
            rows = _changed(kept.rows, term, self._changes[kept.upto - self._begin :], self._source.weights)
            self._held += len(rows.numbers) - len(kept.rows.numbers)
            kept.rows, kept.upto = rows, self._end
        return kept.rows

    def _keep(self, term: Term, kept: _Kept) -> None:
        if term not in self._lists:
            self._lists[term] = kept
            self._held += len(kept.rows.numbers)

    def _drop(self, term: Term) -> None:
        self._held -= len(self._lists.pop(term).rows.numbers)

    def _trim(self) -> None:
        while self._held > MOST_KEPT and len(self._lists) > 1:
            self._drop(next(iter(self._lists)))


def _rows_of(db: sqlite3.Connection, source: WordSource, term: Term) -> TermRows:
    """Read the rows of a term."""
    head, body = source.weights
    if term.prefix or len(term.tokens) > 1:
        found = db.execute(
            f"SELECT rowid, head, body FROM {source.table} WHERE {source.table} MATCH ? ORDER BY rowid",
            (f"{{head body}} : ({term.as_match()})",),
        )
        held = [(number, _worth(term, texts, source.weights)) for number, *texts in found]
        return _term_rows([number for number, _ in held], [times for _, times in held])
    # One text instead of a row each: the interpreter is free for others meanwhile, and it takes a third of the time.
    (listed,) = db.execute(
        f"SELECT group_concat(2 * doc + (col = 'head')) FROM {source.vocabulary} WHERE term = ? AND col <> 'gid'",
        term.tokens,
    ).fetchone()
    if listed is None:
        return _term_rows([], [])
    places = np.fromstring(listed, dtype=np.int64, sep=",")
    numbers = places >> 1
    firsts = np.flatnonzero(np.diff(numbers, prepend=-1))
    times = np.add.reduceat(np.where(places & 1, head, body), firsts)
    return TermRows(numbers[firsts].astype(np.int32), times.astype(np.float16))


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
    for number, _, gid, texts in changes:
        before = int(tokens[number])
        # The group is a token too.
        after = 0 if texts is None else 1 + sum(len(text.split()) for text in texts)
        tokens[number], gids[number] = after, gid
        rows += (after > 0) - (before > 0)
        total += after - before
    return RowNotes(tokens, gids, order, rows, total)


def _changed(rows: TermRows, term: Term, changes: Sequence[RowChange], weights: tuple[float, float]) -> TermRows:
    """Return a term's rows after changes."""
    latest = {change.number: change for change in changes}
    numbers, times = rows
    former = [number for number in latest if len(numbers) and number <= numbers[-1]]
    if former:
        keep = np.isin(numbers, np.array(former, dtype=np.int32), invert=True)
        numbers, times = numbers[keep], times[keep]
    held = {
        number: worth
        for number, _, _, texts in latest.values()
        if texts is not None and (worth := _worth(term, texts, weights))
    }
    if held:
        numbers = np.append(numbers, np.fromiter(held, np.int32, len(held)))
        times = np.append(times, np.fromiter(held.values(), np.float16, len(held)))
        order = np.argsort(numbers, kind="stable")
        numbers, times = numbers[order], times[order]
    return TermRows(numbers, times)


def _worth(term: Term, texts: Sequence[str], weights: Sequence[float]) -> float:
    return sum(weight * term.times_in(text) for text, weight in zip(texts, weights, strict=True))


def _term_rows(numbers: Sequence[int], times: Sequence[float]) -> TermRows:
    return TermRows(np.array(numbers, dtype=np.int32), np.array(times, dtype=np.float16))
