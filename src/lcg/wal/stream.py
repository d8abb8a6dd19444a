"""What can be said about a group's log without reading its lines."""

from dataclasses import dataclass
from typing import Literal

from lcg.wal import excluded as excluded_file
from lcg.wal import identity as identity_file
from lcg.wal.census import Census, Stamp
from lcg.wal.errors import DamagedFile
from lcg.wal.excluded import Excluded
from lcg.wal.identity import Identity
from lcg.wal.numbers import Runs


@dataclass(frozen=True, slots=True)
class Stream:
    """A group's log at one moment. `byte_size` counts the log files; `max_seq` is null without a numbered line.

    `first_seq` is the number that the log begins with: 1 in logs of this program, others may begin anywhere from 0, and
    may have gaps. `numbers` are those of all lines, file by file.

    `excluded` is what is left out of the present generation; when its file is damaged, `excluded_error` says so and
    nothing may be replayed on the strength of the empty list.
    """

    group_id: str
    exists: bool
    file_count: int
    byte_size: int
    max_seq: int | None
    generation: str | None
    generation_status: Literal["known", "unknown", "not_applicable"]
    excluded: Excluded
    excluded_error: str | None = None
    first_seq: int | None = None
    numbers: tuple[Runs, ...] = ()


class StreamView:
    """Makes `Stream`s from a census; the two small files beside the log are read again only when they changed."""

    def __init__(self, group_id: str, census: Census) -> None:
        self._group_id = group_id
        self._census = census
        self._stamps: tuple[Stamp | None, Stamp | None] | None = None
        self._identity = Identity("unknown")
        self._excluded = Excluded(None)
        self._excluded_error: str | None = None

    def look(self) -> Stream:
        """Describe the log as the census last saw it.

        Raises:
            OSError: a file cannot be read.
        """
        census = self._census
        stamps = (census.sidecars.get(identity_file.FILE_NAME), census.sidecars.get(excluded_file.FILE_NAME))
        if stamps != self._stamps:
            self._read()
            self._stamps = stamps
        max_seq = census.max_seq
        status: Literal["known", "unknown", "not_applicable"] = "known"
        if self._identity.generation is None:
            nothing = max_seq is None and self._identity.status == "unknown"
            status = "not_applicable" if nothing else "unknown"
        return Stream(
            self._group_id,
            census.exists,
            census.file_count,
            census.byte_size,
            max_seq,
            self._identity.generation,
            status,
            self._excluded,
            self._excluded_error,
            census.first_seq,
            census.numbers,
        )

    def _read(self) -> None:
        directory = self._census.directory
        self._identity = identity_file.read_identity(directory)
        self._excluded = Excluded(self._identity.generation)
        self._excluded_error = None
        try:
            self._excluded = excluded_file.load_excluded(directory, self._identity.generation)
        except DamagedFile as error:
            self._excluded_error = str(error)
