"""Reading a piece of a log file: which lines are in it and what each of them holds, as plain values.

What a piece holds depends on no other one, so pieces can be read in any order, and by any process.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from lcg.wal import codec, fields
from lcg.wal.census import read_line
from lcg.wal.errors import LineError
from lcg.wal.reference.translate import is_reference_line

PIECE_BYTES = 512 * 1024
_BUFFER = 256 * 1024


class Piece(NamedTuple):
    """The lines of a file that begin from byte `start` on and before byte `end`; the file counts as `size` bytes."""

    path: str
    start: int
    end: int
    size: int


class RawLine(NamedTuple):
    """A line as it stands in the file. `number` counts from 1 within the piece; a blank line has no `content`."""

    number: int
    seq: int | None = None
    content: bytes = b""
    too_long: bool = False
    torn: bool = False


Found = tuple[int, int | None, tuple[Any, ...] | None, str | None, dict[str, Any] | None]
"""What a line is: its number within the piece, its seq if that can be made out, and one of these three: the values of a
`PlainRecord`, the error that says why it is none, the object of a line of the reference's log. A torn one has none."""

ReadPiece = tuple[int, list[Found]]
"""How many lines a piece has, and what those are that are not blank."""


def pieces_of(path: Path, size: int) -> list[Piece]:
    """Cut the first `size` bytes of a file into pieces."""
    return [Piece(str(path), at, min(at + PIECE_BYTES, size), size) for at in range(0, size, PIECE_BYTES)]


def read_piece(piece: Piece, group_id: str) -> ReadPiece:
    """Return what a piece of this group's log holds.

    Raises:
        OSError: the file cannot be read.
    """
    number, found = 0, []
    for line in raw_lines(piece):
        number = line.number
        if line.content:
            found.append(judged(line, group_id))
    return number, found


def raw_lines(piece: Piece) -> Iterator[RawLine]:
    """Yield the lines of a piece, one in memory at a time. Errors as in `read_piece`."""
    number = 0
    with Path(piece.path).open("rb", buffering=_BUFFER) as stream:
        at = _first_start(stream, piece)
        while at < piece.end:
            line, too_long, size = read_line(stream, piece.size - at)
            if not line:
                return
            at += size
            number += 1
            if line.isspace():
                yield RawLine(number)
                continue
            torn = not line.endswith(b"\n") and (too_long or not codec.is_whole(line))
            seq = None if too_long or torn else codec.seq_of(line)
            yield RawLine(number, seq, line, too_long, torn)


def judged(line: RawLine, group_id: str) -> Found:
    """Return what a line is that is not blank."""
    number, seq, content, too_long, torn = line
    if torn:
        return number, None, None, None, None
    if too_long:
        return number, None, None, f"longer than {codec.MAX_LINE_BYTES} bytes", None
    try:
        raw = fields.parse(content)
        if is_reference_line(raw):
            return number, seq, None, None, raw
        return number, seq, codec.plain_values_of(raw, group_id), None, None
    except LineError as error:
        return number, seq, None, error.reason, None


def _first_start(stream: BinaryIO, piece: Piece) -> int:
    """Go to where the first line of a piece begins, and return that place: the end or later where none begins in it.

    It looks no further than the piece, since a line may be as long as very many pieces.
    """
    if piece.start == 0:
        return 0
    at = piece.start - 1
    stream.seek(at)
    while at < piece.end:
        passed = stream.readline(min(_BUFFER, piece.size - at))
        at += len(passed)
        if not passed or passed.endswith(b"\n"):
            break
    return at
