"""Bytes in, lines out: the framing that the socket and MCP over stdin share."""

from typing import Final

MAX_LINE_BYTES: Final = 64 * 1024 * 1024
"""Longest line in either direction, in bytes without its line end."""

_BOM: Final = b"\xef\xbb\xbf"
_BLANKS: Final = b" \t\r"
_OPENED, _CLOSED = b"{}"


class Overlong:
    """Stands where a line was longer than the limit; its bytes are gone."""


OVERLONG: Final = Overlong()

Line = bytes | Overlong
"""One line without its end, a leading BOM and surrounding blanks; never empty."""


class LineSplitter:
    """Cuts a stream of bytes into lines, however it is chunked, in bounded memory.

    Lines end with LF or CRLF. Blank lines vanish. A line over the limit is reported once, as soon as that is
    certain, and the rest of it is dropped up to the next LF.
    """

    def __init__(self, limit: int = MAX_LINE_BYTES) -> None:
        self._limit = limit
        self._held = bytearray()
        self._dropping = False

    def feed(self, data: bytes) -> list[Line]:
        """Take the next bytes and return the lines that they complete."""
        if data.find(b"\n") == len(data) - 1 < self._limit and not (self._held or self._dropping) and data:
            # Most requests come in one piece and alone, and begin and end with their brackets.
            if data[0] == _OPENED and data[-2] == _CLOSED:
                return [data[:-1]]
            line = _trimmed(data[:-1])
            return [line] if line else []
        *ends, rest = data.split(b"\n")
        lines: list[Line] = []
        for piece in ends:
            self._hold(piece, lines)
            self._end_line(lines)
        self._hold(rest, lines)
        return lines

    def finish(self) -> list[Line]:
        """Return the line that the end of the stream completes, if there is one."""
        lines: list[Line] = []
        self._end_line(lines)
        return lines

    def _hold(self, piece: bytes, lines: list[Line]) -> None:
        if self._dropping:
            return
        self._held += piece
        # One byte more may be the CR of a CRLF, which does not count.
        if len(self._held) > self._limit + 1:
            self._drop(lines)

    def _end_line(self, lines: list[Line]) -> None:
        if self._dropping:
            self._dropping = False
            return
        size = len(self._held) - self._held.endswith(b"\r")
        if size > self._limit:
            self._drop(lines)
            self._dropping = False
            return
        line = _trimmed(bytes(self._held))
        self._held = bytearray()
        if line:
            lines.append(line)

    def _drop(self, lines: list[Line]) -> None:
        lines.append(OVERLONG)
        self._held = bytearray()
        self._dropping = True


def _trimmed(line: bytes) -> bytes:
    return line.strip(_BLANKS).removeprefix(_BOM).strip(_BLANKS)
