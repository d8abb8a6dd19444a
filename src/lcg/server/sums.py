"""What the files of the views held at a clean end, so that the next start notices when they changed since.

Neither the engine nor SQLite has checksums: a byte that a disk turned over would be read, and shown, as it is. After a
kill there is nothing to compare with; then the store is held against its digests instead.
"""

import logging
import zlib
from collections.abc import Sequence
from pathlib import Path

import orjson

from lcg.wal.fileops import SystemFileOps, replace_file

_log = logging.getLogger(__name__)
_PIECE = 1 << 20


class Sums:
    """The note about some files. It is read once, and gone from then until the next clean end."""

    def __init__(self, note: Path, files: Sequence[Path]) -> None:
        self._note = note
        self._files = {str(file): file for file in files}
        self._known: dict[str, list[int]] = {}

    def take(self) -> None:
        """Read the note and remove it: from now on the files change. Errors of the disk only cost the comparison."""
        self._known = {}
        try:
            content = self._note.read_bytes()
            self._note.unlink()
            self._known = dict(orjson.loads(content))
        except FileNotFoundError:
            pass
        except (OSError, ValueError, TypeError) as error:
            _log.warning("the note %s is of no use: %s", self._note, error)

    def changed(self, file: Path) -> bool | None:
        """Say whether a file is not what it was at the last clean end; None when nobody knows. Asked once per file."""
        known = self._known.pop(str(file), None)
        if known is None:
            return None
        try:
            return _sum(file) != known
        except OSError:
            return True

    def write(self) -> None:
        """Note what the files hold now; whoever had them open has closed them. Errors as in `take`."""
        try:
            sums = {name: _sum(file) for name, file in self._files.items() if file.exists()}
            replace_file(SystemFileOps(), self._note, orjson.dumps(sums))
        except OSError as error:
            _log.warning("the note %s could not be written: %s", self._note, error)


def _sum(file: Path) -> list[int]:
    """Return length and checksum."""
    total = size = 0
    with file.open("rb") as content:
        while piece := content.read(_PIECE):
            total = zlib.crc32(piece, total)
            size += len(piece)
    return [size, total]
