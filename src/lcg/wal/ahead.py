"""Reading a long log on two processors: while one process takes its lines in, another reads lines further on.

Whichever of the two is free takes the next piece, so that a helper that is slow, or busy with something else, costs no
time. Without one, pieces are read as they are asked for.
"""

import os
from collections import deque
from collections.abc import Sequence

from lcg.wal.helper import Helper, HelperLost, unpacked
from lcg.wal.pieces import Piece, ReadPiece, read_piece

WORTH_BYTES = 12 << 20
"""Length of a log from which a helper saves more time than it takes to start."""
_QUESTIONS = 3
"""So many pieces a helper is asked for at once, so that it need not wait for the next question."""
_MOST_ANSWERS, _MOST_ANSWER_BYTES = 24, 32 << 20
_MOST_READ = 4
"""What is kept although it is not its turn: answers of the helper, and pieces read here. Lines can be very long."""


class PiecesAhead:
    """The pieces of one group's log, each of which is taken once. `close` ends the helper."""

    def __init__(self, pieces: Sequence[Piece], group_id: str) -> None:
        self._pieces = pieces
        self._group_id = group_id
        self._begun = [False] * len(pieces)
        self._next = 0
        self._asked: deque[int] = deque()
        self._answers: dict[int, bytearray] = {}
        self._read: dict[int, ReadPiece] = {}
        self._helper = self._hire()

    def take(self, place: int) -> ReadPiece:
        """Return what the piece at this place holds.

        Raises:
            OSError: the file cannot be read.
        """
        while True:
            self._keep_busy()
            if (answer := self._answers.pop(place, None)) is not None:
                return unpacked(answer)
            if (read := self._read.pop(place, None)) is not None:
                return read
            if not self._begun[place]:
                return self._read_here(place)
            # The helper is at it.
            other = self._not_begun() if len(self._read) < _MOST_READ else None
            if other is None:
                self._take_answer()
            else:
                self._read[other] = self._read_here(other)

    def close(self) -> None:
        """End the helper, if there is one."""
        if self._helper is not None:
            self._helper.close()
            self._helper = None

    def _hire(self) -> Helper | None:
        length = sum(piece.end - piece.start for piece in self._pieces)
        if length < WORTH_BYTES or _processors() < 2:
            return None
        try:
            return Helper(self._group_id)
        except HelperLost:
            return None

    def _keep_busy(self) -> None:
        """Take the answers that are there, and ask for more."""
        while self._helper is not None and self._helper.has_answer():
            self._take_answer()
        while self._helper is not None and self._helper.is_there and len(self._asked) < _QUESTIONS:
            place = self._not_begun() if self._has_room() else None
            if place is None:
                return
            self._begun[place] = True
            self._asked.append(place)
            try:
                self._helper.ask(self._pieces[place])
            except HelperLost:
                self._lose()

    def _take_answer(self) -> None:
        assert self._helper is not None
        try:
            answer = self._helper.take()
        except HelperLost:
            self._lose()
            return
        if answer:
            self._answers[self._asked.popleft()] = answer
        else:
            self._helper.is_there = True

    def _lose(self) -> None:
        """Do without the helper: what it was asked for is read here."""
        self.close()
        for place in self._asked:
            self._begun[place] = False
            self._next = min(self._next, place)
        self._asked.clear()

    def _has_room(self) -> bool:
        answers = self._answers.values()
        return len(answers) < _MOST_ANSWERS and sum(map(len, answers)) < _MOST_ANSWER_BYTES

    def _not_begun(self) -> int | None:
        """Return the first piece that nobody has begun."""
        while self._next < len(self._pieces) and self._begun[self._next]:
            self._next += 1
        return self._next if self._next < len(self._pieces) else None

    def _read_here(self, place: int) -> ReadPiece:
        self._begun[place] = True
        return read_piece(self._pieces[place], self._group_id)


def _processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
