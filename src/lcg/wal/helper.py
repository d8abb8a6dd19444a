"""A process that reads pieces of a log for another one, which asks for them through a pipe.

What is read comes back as bytes, from which the values are made again at a tenth of what it costs to read them. They
are in the interpreter's own format, which is safe between two processes of one program, and nowhere else.
"""

import fcntl
import gc
import marshal
import select
import struct
import subprocess
import sys
from contextlib import suppress
from typing import Any, BinaryIO

from lcg.wal.pieces import Piece, ReadPiece, read_piece

_LENGTH = struct.Struct("!Q")
_PIPE_BYTES = 1 << 20
"""Room for the answers to two questions, so that the process reads on while nobody takes them."""


class HelperLost(Exception):
    """The process could not be started, or has ended."""


class Helper:
    """A process that reads pieces of one group's log. It says when it is there; before that nothing waits for it.

    Raises:
        HelperLost: it cannot be started.
    """

    def __init__(self, group_id: str) -> None:
        if not sys.executable:
            raise HelperLost("nobody knows where the interpreter is")
        # No directory of the caller's must be searched for modules: it may hold a file that is called like one.
        command = [sys.executable, "-P", "-m", "lcg.wal.helper"]
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, bufsize=0)
        except OSError as error:
            raise HelperLost(str(error)) from error
        assert self._process.stdin is not None and self._process.stdout is not None
        self._questions: Any = self._process.stdin
        self._answers: Any = self._process.stdout
        _widen(self._answers)
        self._arrivals = select.poll()
        self._arrivals.register(self._answers, select.POLLIN)
        self.is_there = False
        self._put(group_id)

    def ask(self, piece: Piece) -> None:
        """Ask for a piece. Answers come in the order of the questions. Raises HelperLost."""
        self._put(tuple(piece))

    def has_answer(self) -> bool:
        """Say whether an answer, or the word that it is there, can be taken without much waiting."""
        return bool(self._arrivals.poll(0))

    def take(self) -> bytearray:
        """Return the next answer, for `unpacked`; an empty one is the word that it is there. Raises HelperLost."""
        try:
            return _get(self._answers)
        except (OSError, EOFError) as error:
            raise HelperLost(str(error)) from error

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()
        self._questions.close()
        self._answers.close()

    def _put(self, value: Any) -> None:
        try:
            _put(self._questions, marshal.dumps(value))
        except OSError as error:
            raise HelperLost(str(error)) from error


def _widen(pipe: Any) -> None:
    """Give a pipe more room where the system has a word for that, and allows it: there is a bound for each user."""
    with suppress(AttributeError, OSError):
        fcntl.fcntl(pipe.fileno(), fcntl.F_SETPIPE_SZ, _PIPE_BYTES)


def unpacked(answer: bytearray) -> ReadPiece:
    """Return the piece that an answer holds."""
    read: ReadPiece = marshal.loads(answer)
    return read


def serve(questions: BinaryIO, answers: BinaryIO) -> None:
    """Answer until there are no more questions. The first one is the group."""
    group_id: str = marshal.loads(_get(questions))
    _put(answers, b"")
    while True:
        try:
            question = _get(questions)
        except EOFError:
            return
        piece = Piece(*marshal.loads(question))
        _put(answers, marshal.dumps(read_piece(piece, group_id)))


def _put(pipe: BinaryIO, message: bytes) -> None:
    for part in (_LENGTH.pack(len(message)), message):
        left = memoryview(part)
        while left:
            left = left[pipe.write(left) :]


def _get(pipe: BinaryIO) -> bytearray:
    (length,) = _LENGTH.unpack(_exactly(pipe, _LENGTH.size))
    return _exactly(pipe, length)


def _exactly(pipe: BinaryIO, length: int) -> bytearray:
    message = bytearray(length)
    left = memoryview(message)
    while left:
        read = pipe.readinto(left)  # type: ignore[attr-defined]
        if not read:
            raise EOFError("the other process has ended")
        left = left[read:]
    return message


if __name__ == "__main__":
    # It makes very many objects and no cycles.
    gc.disable()
    with open(0, "rb", buffering=0) as asked, open(1, "wb", buffering=0) as answered:
        serve(asked, answered)
