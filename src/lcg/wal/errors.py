"""What can go wrong in the log. The layers above turn these into what a client is told.

LogError
├── LineError        one line cannot be taken as a record; carries the reason
├── GroupRefused     a group id that cannot have a log: blank, too long, or spelt like another one
├── RecordRefused    a record that must not be logged: it could not be read back
│   └── RecordTooLarge
├── AppendFailed     write or fsync failed, the log is as it was before
├── LogUncertain     that, and the log could not be brought back: nothing more is appended
└── DamagedFile      a small file beside the log holds no sense
"""

from pathlib import Path


class LogError(Exception):
    """Any failure of the log."""


class LineError(LogError):
    """A line that is no record of this group. `reason` is a sentence without the line's text."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class GroupRefused(LogError):
    """A group id that cannot get a directory. `collides_with` is the id of the same casefold, if that is why."""

    def __init__(self, group_id: str, reason: str, collides_with: str | None = None) -> None:
        super().__init__(f"group {group_id!r}: {reason}")
        self.group_id = group_id
        self.reason = reason
        self.collides_with = collides_with


class RecordRefused(LogError):
    """Payload number `index` of an append cannot be a line. Nothing was written, of the other payloads neither."""

    def __init__(self, index: int, reason: str) -> None:
        super().__init__(f"record {index}: {reason}")
        self.index = index
        self.reason = reason


class RecordTooLarge(RecordRefused):
    """A line of `size` bytes would be longer than `limit`."""

    def __init__(self, index: int, size: int, limit: int) -> None:
        super().__init__(index, f"a line of {size} bytes; at most {limit} are allowed")
        self.size = size
        self.limit = limit


class AppendFailed(LogError):
    """The disk refused, and the log is as it was before: none of the lines is in it. `__cause__` is the OSError."""


class LogUncertain(LogError):
    """A failed append could not be undone, so its lines may or may not be there. Only reopening the log helps."""


class DamagedFile(LogError):
    """A file beside the log that cannot be understood."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path.name}: {reason}")
        self.path = path
        self.reason = reason
