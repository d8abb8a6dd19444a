"""The lines of a file that is imported, one in memory at a time, and what is wrong with them."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO, Final

from lcg.wal.codec import MAX_LINE_BYTES
from lcg.wal.errors import LineError
from lcg.wal.fields import parse

_BOM: Final = b"\xef\xbb\xbf"
KEPT: Final = 1_000
"""Of the refused lines no more are told one by one."""


class NotThisFormat(Exception):
    """The file is not of the format that it was taken for; the message says what was expected and what came."""


@dataclass(slots=True)
class Refusals:
    """The lines that cannot be imported: the first of them by number and reason, and how many there are."""

    lines: list[tuple[int, str]] = field(default_factory=list)
    count: int = 0

    def add(self, number: int, reason: str) -> None:
        """Note a line."""
        self.count += 1
        if len(self.lines) < KEPT:
            self.lines.append((number, reason))


def read_objects(source: BinaryIO, refusals: Refusals) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the JSON objects of a file with the numbers of their lines, from 1. Blank lines and a BOM are passed over.

    Raises:
        OSError: the file cannot be read.
    """
    number = 0
    while line := source.readline(MAX_LINE_BYTES + 2):
        number += 1
        if number == 1:
            line = line.removeprefix(_BOM)
        if len(line) > MAX_LINE_BYTES + 1 and not line.endswith(b"\n"):
            while line and not line.endswith(b"\n"):
                line = source.readline(MAX_LINE_BYTES)
            refusals.add(number, f"the line is longer than {MAX_LINE_BYTES:,} bytes")
            continue
        stripped = line.strip(b" \t\r\n")
        if not stripped:
            continue
        try:
            yield number, parse(stripped)
        except LineError as error:
            ends = "" if line.endswith(b"\n") else "; the file ends in the middle of it"
            refusals.add(number, f"{error.reason}{ends}")
