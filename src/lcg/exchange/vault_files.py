"""Which file of a vault belongs to which row, and writing them so that nobody else's file is touched.

`.lcg-export.jsonl` in the vault remembers what was written: path, row, group and a digest of the contents. A file that
it does not name belongs to somebody else; one whose digest differs was changed by hand. Both stay as they are, as does
whatever a link in the vault leads to outside of it: a vault may come from a stranger's repository.

What is about to be written is noted there first, with the digest of what stands there, so that an export which was
killed leaves no file that the next one would not know.
"""

import errno
import hashlib
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Final

import orjson

from lcg.exchange.file_names import collision_key
from lcg.exchange.files import put

MEMORY: Final = ".lcg-export.jsonl"
_NO_FILE: Final = "no file"
_SCHEMA: Final = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
CREATE TABLE earlier (path TEXT PRIMARY KEY, key TEXT NOT NULL, uuid TEXT NOT NULL, grp TEXT NOT NULL, digest TEXT,
                      before TEXT);
CREATE INDEX earlier_uuid ON earlier (uuid);
CREATE INDEX earlier_key ON earlier (key);
CREATE TABLE place (uuid TEXT PRIMARY KEY, path TEXT NOT NULL, key TEXT NOT NULL UNIQUE, grp TEXT NOT NULL,
                    digest TEXT);
"""


class VaultFiles:
    """The files of one export into a vault. First `place` every row, then `write` it, then `finish`."""

    def __init__(self, folder: Path, file: sqlite3.Connection, journal: BinaryIO) -> None:
        self._folder = folder
        self._root = os.path.realpath(folder)
        self._file = file
        self._journal = journal
        self._recall()
        self.kept = 0

    def place(self, uuid: str, group: str, folder: str, name: str) -> None:
        """Give a row its note: the one that it had, if it is still called so, else one that is free."""
        for path in self._candidates(uuid, folder, name):
            key = collision_key(path)
            if self._is_free(uuid, path, key):
                self._file.execute("INSERT INTO place VALUES (?, ?, ?, ?, NULL)", (uuid, path, key, group))
                return

    def path_of(self, uuid: str) -> str | None:
        """Return the path of a row's note without its ending, as links have it, or None when it has none."""
        found = self._file.execute("SELECT path FROM place WHERE uuid = ?", (uuid,)).fetchone()
        return None if found is None else str(found[0]).removesuffix(".md")

    def write(self, uuid: str, text: str) -> None:
        """Write the note of a row, unless it is so already, or somebody changed it."""
        query = "SELECT path, grp FROM place WHERE uuid = ?"
        path, group = self._file.execute(query, (uuid,)).fetchone()
        content = text.encode()
        digest, target = _digest(content), self._folder / path
        there, ours = self._digest_at(path), self._digests(path)
        if there not in (None, digest, *ours):
            self.kept += 1
            # What we wrote is remembered, not what stands there, so that it counts as changed the next time, too.
            digest = ours[0] if ours else digest
        elif there != digest:
            target.parent.mkdir(parents=True, exist_ok=True)
            self._note({"path": path, "uuid": uuid, "group": group, "digest": digest, "before": there})
            with put(target, durable=False) as out:
                out.write(content)
        self._file.execute("UPDATE place SET digest = ? WHERE uuid = ?", (digest, uuid))

    def finish(self, groups: list[str]) -> int:
        """Remove notes of these groups that no row has any more, and return how many; those changed by hand stay."""
        removed = 0
        for path, group in self._file.execute("SELECT path, grp FROM earlier ORDER BY path"):
            placed = self._file.execute("SELECT 1 FROM place WHERE key = ?", (collision_key(path),)).fetchone()
            if placed is None and group in groups and self._digest_at(path) in self._digests(path):
                (self._folder / path).unlink()
                removed += 1
                with suppress(OSError):
                    (self._folder / path).parent.rmdir()
        self._remember(groups)
        return removed

    def _candidates(self, uuid: str, folder: str, name: str) -> Iterator[str]:
        base = str(PurePosixPath(folder) / name)
        for (path,) in self._file.execute("SELECT path FROM earlier WHERE uuid = ?", (uuid,)):
            if path == f"{base}.md" or path.startswith(f"{base} ("):
                yield path
        yield f"{base}.md"
        yield f"{base} ({uuid[-8:]}).md"
        yield f"{base} ({hashlib.sha256(uuid.encode()).hexdigest()[:16]}).md"
        number = 2
        while True:
            yield f"{base} ({uuid[-8:]} {number}).md"
            number += 1

    def _is_free(self, uuid: str, path: str, key: str) -> bool:
        if self._file.execute("SELECT 1 FROM place WHERE key = ?", (key,)).fetchone() is not None:
            return False
        earlier = self._file.execute("SELECT uuid, path FROM earlier WHERE key = ?", (key,)).fetchone()
        if earlier is None:
            return not os.path.lexists(self._folder / path)
        return bool(earlier[0] == uuid or not os.path.lexists(self._folder / earlier[1]))

    def _digests(self, path: str) -> list[str]:
        """Return the digests of what we wrote, or may have written, at a path."""
        found = self._file.execute("SELECT digest, before FROM earlier WHERE path = ?", (path,)).fetchone()
        return [digest for digest in found or () if digest is not None]

    def _digest_at(self, path: str) -> str | None:
        """Return the digest of what stands at a path; None for nothing. What cannot be ours has no digest of a file.

        A pipe would be waited for, and a folder is no note. What a link leads to outside is neither read nor written.
        """
        place = self._folder / path
        real = os.path.realpath(place)
        if os.path.commonpath((real, self._root)) != self._root:
            return _NO_FILE
        if os.path.isfile(real):
            return _digest(Path(real).read_bytes())
        return _NO_FILE if os.path.lexists(place) else None

    def _note(self, entry: dict[str, str | None]) -> None:
        # On a line of its own also behind one that was cut off.
        self._journal.write(b"\n" + orjson.dumps(entry) + b"\n")
        self._journal.flush()

    def _recall(self) -> None:
        try:
            lines = (self._folder / MEMORY).open("rb")
        except FileNotFoundError:
            return
        with lines:
            for line in lines:
                with suppress(ValueError, KeyError, TypeError):
                    entry = orjson.loads(line)
                    path, values = entry["path"], [entry[part] for part in ("uuid", "group", "digest", "before")]
                    parts = PurePosixPath(path).parts
                    if parts and not path.startswith("/") and ".." not in parts:
                        row = (path, collision_key(path), *values)
                        self._file.execute("INSERT OR REPLACE INTO earlier VALUES (?, ?, ?, ?, ?, ?)", row)

    def _remember(self, groups: list[str]) -> None:
        marks = ", ".join("?" * len(groups))
        query = (
            "SELECT path, uuid, grp, digest, NULL FROM place UNION "
            f"SELECT path, uuid, grp, digest, before FROM earlier WHERE grp NOT IN ({marks}) ORDER BY path"
        )
        with put(self._folder / MEMORY) as out:
            for values in self._file.execute(query, groups):
                entry = dict(zip(("path", "uuid", "group", "digest", "before"), values, strict=True))
                out.write(orjson.dumps(entry) + b"\n")


@contextmanager
def vault_files(folder: Path) -> Iterator[VaultFiles]:
    """Give the files of a vault. What is known of them lies in a temporary file of SQLite's, not in memory."""
    memory = folder / MEMORY
    if os.path.lexists(memory) and (memory.is_symlink() or not memory.is_file()):
        raise OSError(errno.EINVAL, "it is no regular file", str(memory))
    with closing(sqlite3.connect("", isolation_level=None)) as file:
        file.executescript(_SCHEMA)
        file.execute("BEGIN")
        with memory.open("ab") as journal:
            yield VaultFiles(folder, file, journal)


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:32]
