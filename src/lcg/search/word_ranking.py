"""Which rows fit the words of a query best: BM25, as SQLite's full text computes it, over lists in memory."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lcg.search.word_lists import Numbers, RowNotes, TermRows

MOST_SCORED = 4_000
"""How many rows one query ranks at most: half of a large store may hold a common word."""

_SATURATION = 1.2
_LENGTH_SHARE = 0.75
_LEAST_RARITY = 1e-6
"""What a word is worth that more than half of the rows hold."""

Places = NDArray[np.intp]
Scores = NDArray[np.float64]


def ranked_by_words(
    terms: Sequence[TermRows], notes: RowNotes, gids: Sequence[int] | None, limit: int
) -> tuple[Numbers, Scores]:
    """Return the numbers and scores of the best rows that hold any of these terms, in no order.

    Of rows that tie those are taken whose uuids come first; more than `limit` where the notes cannot tell them apart.

    Rarer terms decide which rows are ranked, as many terms as `MOST_SCORED` rows allow; the commoner ones only add to
    the scores of those rows. When all are common, the rows that hold them all are ranked, then those with the first.
    `gids` are the groups that count (None: all).
    """
    ranking = _Ranking(notes)
    lists = [(rows if gids is None else _of_groups(rows, notes, gids), ranking.rarity(rows)) for rows in terms]
    # What no row holds, or none of these groups, finds nothing.
    counted = sorted((min(len(rows.numbers), MOST_SCORED), place) for place, (rows, _) in enumerate(lists))
    rare: list[tuple[TermRows, float]] = []
    common: list[tuple[TermRows, float]] = []
    found = 0
    for count, place in counted:
        found += count
        (rare if found < MOST_SCORED else common).append(lists[place])
    if rare:
        numbers, scores = ranking.of_any(rare, common)
    else:
        numbers, scores = ranking.of_common(common, limit)
    if len(scores) > limit:
        worst = np.partition(scores, len(scores) - limit)[len(scores) - limit]
        better, tied = np.flatnonzero(scores > worst), np.flatnonzero(scores == worst)
        best = np.append(better, _first(tied, notes.order[numbers[tied]], limit - len(better)))
        numbers, scores = numbers[best], scores[best]
    return numbers, scores


def _first(places: Places, order: NDArray[np.uint64], count: int) -> Places:
    """Return the first of these places in the order of their pairs of numbers; more when pairs are equal."""
    chosen: list[Places] = []
    for column in range(2):
        if len(places) <= count:
            break
        values = order[:, column]
        last = np.partition(values, count - 1)[count - 1]
        chosen.append(places[values < last])
        count -= len(chosen[-1])
        places, order = places[values == last], order[values == last]
    return np.concatenate([*chosen, places])


class _Ranking:
    """Scores rows, by what is known of all of them."""

    def __init__(self, notes: RowNotes) -> None:
        self._tokens = notes.tokens
        self._rows = notes.rows
        self._mean = notes.total / max(notes.rows, 1)

    def rarity(self, rows: TermRows) -> float:
        """Return what a term is worth: the less, the more rows hold it."""
        count = len(rows.numbers)
        rarity = float(np.log((self._rows - count + 0.5) / (count + 0.5))) if self._rows > count else 0.0
        return rarity if rarity > 0 else _LEAST_RARITY

    def of_any(
        self, rare: Sequence[tuple[TermRows, float]], common: Sequence[tuple[TermRows, float]]
    ) -> tuple[Numbers, Scores]:
        """Score the rows that hold any of the rare terms, by all terms."""
        numbers, places = np.unique(np.concatenate([rows.numbers for rows, _ in rare]), return_inverse=True)
        dampers = self._dampers(numbers)
        times = np.concatenate([rows.times for rows, _ in rare])
        rarities = np.repeat([rarity for _, rarity in rare], [len(rows.numbers) for rows, _ in rare])
        scores = np.bincount(places, _worth(times, dampers[places], rarities), len(numbers)).astype(
            np.float64, copy=False
        )
        for rows, rarity in common:
            self._add(scores, numbers, dampers, rows, rarity)
        return numbers, scores

    def of_common(self, common: Sequence[tuple[TermRows, float]], limit: int) -> tuple[Numbers, Scores]:
        """Score the newest rows that hold all these terms; when they are few, also the newest that hold the first."""
        if not common:
            return np.zeros(0, np.int32), np.zeros(0)
        numbers = common[0][0].numbers
        for rows, _ in common[1:]:
            numbers = numbers[np.isin(numbers, rows.numbers, assume_unique=True)]
        numbers, scores = self._newest(numbers, common)
        if len(numbers) >= limit:
            return numbers, scores
        others = np.setdiff1d(common[0][0].numbers[-MOST_SCORED:], numbers, assume_unique=True)
        others, less = self._newest(others, common[:1])
        return np.append(numbers, others), np.append(scores, less)

    def _newest(self, numbers: Numbers, terms: Sequence[tuple[TermRows, float]]) -> tuple[Numbers, Scores]:
        numbers = numbers[-MOST_SCORED:]
        scores, dampers = np.zeros(len(numbers)), self._dampers(numbers)
        for rows, rarity in terms:
            self._add(scores, numbers, dampers, rows, rarity)
        return numbers, scores

    def _add(self, scores: Scores, numbers: Numbers, dampers: Scores, rows: TermRows, rarity: float) -> None:
        """Add what a term gives to those of these rows that hold it."""
        if not len(rows.numbers):
            return
        places = np.searchsorted(rows.numbers, numbers)
        places[places == len(rows.numbers)] = 0
        holding = np.flatnonzero(rows.numbers[places] == numbers)
        scores[holding] += _worth(rows.times[places[holding]], dampers[holding], rarity)

    def _dampers(self, numbers: Numbers) -> Scores:
        """Return how much more often long rows must hold a term for the same worth."""
        lengths: Scores = self._tokens[numbers] / np.float64(self._mean or 1.0)
        return _SATURATION * (1 - _LENGTH_SHARE + _LENGTH_SHARE * lengths)


def _of_groups(rows: TermRows, notes: RowNotes, gids: Sequence[int]) -> TermRows:
    of_rows = notes.gids[rows.numbers]
    keep = of_rows == gids[0] if len(gids) == 1 else np.isin(of_rows, gids)
    return TermRows(rows.numbers[keep], rows.times[keep])


def _worth(times: NDArray[np.float32], dampers: Scores, rarity: "Scores | float") -> Scores:
    often = times.astype(np.float64)
    worth: Scores = rarity * (often * (_SATURATION + 1) / (often + dampers))
    return worth
