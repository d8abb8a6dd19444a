"""Where indexes of vectors are kept between runs: one file and its description for each (kind, group).

An index can always be built again from the vectors, so nothing here is trusted that does not prove sound, and a
failure to write is only worth a warning. Since an index names vectors by their digests and no rows, a file cannot be
out of date: rows whose vectors it lacks are searched exactly until they are added, and vectors that no row has any
more stay hidden.
"""

import hashlib
import logging
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import orjson

from lcg.search import hnsw
from lcg.search.hnsw import HnswVectors
from lcg.search.protocol import VectorKind

_log = logging.getLogger(__name__)

_FORMAT = 1
Place = tuple[VectorKind, str]
"""A kind and a group."""


class HnswFiles:
    """The folder of index files of one space. Safe from any thread, one thread at a time for each place."""

    def __init__(self, folder: Path, model: str, dim: int) -> None:
        self.folder = folder
        self._model = model
        self._dim = dim

    def read(self, place: Place, least: int = 0) -> HnswVectors | None:
        """Return the index of a place; None when there is none, or none that is whole and of the present settings.

        One of fewer than `least` vectors is not worth its memory, and removed.
        """
        description = self._description(place)
        try:
            said: dict[str, Any] = orjson.loads(description.read_bytes())
            digests = bytes.fromhex(said["digests"])
            planned = int(said["planned"])
            path = self.folder / str(said["file"])
            if path.parent != self.folder or said != self._describe(place, path, planned, digests):
                raise ValueError("it is damaged, or made by other settings")
            if said["count"] < least:
                self.discard(place)
                return None
            width = hnsw.DIGEST_BYTES
            keys = [digests[start : start + width] for start in range(0, len(digests), width)]
            return HnswVectors.load(path, self._dim, planned, keys)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError, RuntimeError) as error:
            _log.warning("The index that %s describes is not used and will be built again: %s.", description, error)
            return None

    def write(self, place: Place, vectors: HnswVectors) -> None:
        """Replace the index of a place. When that fails it is left without one."""
        digests = b"".join(vectors.digests)
        unfinished = self.folder / f"{self._stem(place)}.unfinished"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            vectors.save(unfinished)
            content = self._describe(place, unfinished, vectors.planned, digests)
            path = self.folder / f"{self._stem(place)}-{content['checksum'][:16]}.bin"
            unfinished.replace(path)
            content["file"] = path.name
            unfinished.write_bytes(orjson.dumps(content))
            # From here on the new one counts; until here the old one did.
            unfinished.replace(self._description(place))
            self._remove(place, keep={path, self._description(place)})
        except OSError as error:
            _log.warning("An index of vectors was not saved in %s and will be built again: %s.", self.folder, error)
            self.discard(place)

    def discard(self, place: Place) -> None:
        """Remove the index of a place."""
        self._remove(place, keep=set())

    def sweep(self, used: Iterable[Place]) -> None:
        """Remove all files but those of these places."""
        stems = {self._stem(place) for place in used}
        self._unlink(path for path in self._files() if path.name.partition(".")[0].partition("-")[0] not in stems)

    def _describe(self, place: Place, path: Path, planned: int, digests: bytes) -> dict[str, Any]:
        kind, group_id = place
        with path.open("rb") as file:
            checksum = hashlib.file_digest(file, hashlib.blake2b)
        checksum.update(b"%d %s" % (planned, digests))
        return {
            "format": _FORMAT,
            "model": self._model,
            "dim": self._dim,
            "kind": kind.value,
            "group_id": group_id,
            "m": hnsw.M,
            "ef_construction": hnsw.EF_CONSTRUCTION,
            "planned": planned,
            "count": len(digests) // hnsw.DIGEST_BYTES,
            "file": path.name,
            "checksum": checksum.hexdigest(),
            "digests": digests.hex(),
        }

    def _stem(self, place: Place) -> str:
        named = orjson.dumps([self._model, self._dim, *place])
        return hashlib.blake2b(named, digest_size=16).hexdigest()

    def _description(self, place: Place) -> Path:
        return self.folder / f"{self._stem(place)}.json"

    def _remove(self, place: Place, keep: set[Path]) -> None:
        stem = self._stem(place)
        self._unlink(path for path in self._files() if path.name.startswith(stem) and path not in keep)

    def _files(self) -> list[Path]:
        try:
            return [path for path in self.folder.iterdir() if path.is_file()]
        except FileNotFoundError:
            return []
        except OSError as error:
            _log.warning("The folder %s cannot be read: %s.", self.folder, error)
            return []

    def _unlink(self, paths: Iterable[Path]) -> None:
        for path in paths:
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                _log.warning("An index of vectors that is not needed any more was not removed: %s.", error)
