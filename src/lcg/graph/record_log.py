"""The log as the committer needs it: refusals become what a client is told, and nobody writes past unseen lines."""

from collections.abc import Sequence

from lcg.errors import LcgError, OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.graph.disk_space import DiskSpace
from lcg.graph.followed import FollowedStreams
from lcg.graph.positions import lost_lines, next_unapplied, pending, shown
from lcg.model.operations import Operation, Record
from lcg.store.protocol import Position
from lcg.wal.errors import (
    AppendFailed,
    GroupRefused,
    LogUncertain,
    RecordRefused,
    RecordTooLarge,
)
from lcg.wal.log import Log, Payload, collision
from lcg.wal.stream import Stream


class WriteRefused(Exception):
    """One write of several cannot be logged; the others may be tried again. Nothing was written."""

    def __init__(self, index: int, error: LcgError) -> None:
        super().__init__(error.message)
        self.index = index
        self.error = error


class RecordLog:
    """Appends for the committer. A log is followed from before its first line, so that no crash can orphan it."""

    def __init__(self, log: Log, followed: FollowedStreams, space: DiskSpace) -> None:
        self._log = log
        self._followed = followed
        self._space = space

    @property
    def has_room(self) -> bool:
        """Whether the disk has room for what follows a write, such as a checkpoint."""
        return self._space.shortage() is None

    def refuse_if_short(self) -> None:
        """Refuse a change past the log when the disk has no room. Raises OperationFailed of kind `io`."""
        self._space.refuse_if_short()

    def refuse_colliding(self, group_id: str) -> None:
        """Refuse a group that only letter case tells from another one. Raises OperationFailed of kind `conflict`."""
        try:
            other = self._log.colliding(group_id)
        except (GroupRefused, OSError):
            return
        if other is not None:
            raise group_refused(collision(group_id, other))

    def refuse_unloggable(self, group_id: str, operation: Operation) -> None:
        """Refuse an operation that no record can take. Raises OperationFailed."""
        try:
            self._log.check(group_id, Payload("", (operation,)))
        except RecordTooLarge as error:
            uuid = getattr(getattr(operation, "row", operation), "uuid", None)
            raise OperationFailed(
                ErrorKind.LIMIT,
                f"The row {uuid} would be a log record of {error.size} bytes by itself; at most {error.limit} are "
                "possible. Nothing was changed; shorten its texts or attributes first.",
                group_id=group_id,
                uuid=uuid,
                size=error.size,
                limit=error.limit,
            ) from error
        except RecordRefused as error:
            raise _refused(group_id, error) from error

    def append(
        self, group_id: str, position: Position | None, writes: Sequence[tuple[str, list[Operation]]]
    ) -> tuple[list[Record], str | None]:
        """Append one record per write, fsynced together; return them and the stream's generation.

        `position` is what the store has recorded for the group. A log that ends before it has lost lines, and takes no
        more: a number given twice would be taken for applied.

        Raises:
            WriteRefused: one of them cannot be a line.
            OperationFailed: the group takes no writes now, or the disk refused. The log is as it was.
        """
        generations: list[str | None] = []

        def admit(stream: Stream) -> None:
            _refuse_if_behind(stream, position)
            self._space.refuse_if_short(group_id)
            generations.append(stream.generation)

        def begin(generation: str) -> None:
            self._followed.add(group_id, generation)
            generations.append(generation)

        try:
            if self._log.is_uncertain(group_id):
                # Before anything else: the lines of that append may be in the log, and no rebuild settles it.
                raise uncertain(group_id)
            payloads = [Payload(origin, tuple(operations)) for origin, operations in writes]
            records = self._log.append(group_id, payloads, admit=admit, begin=begin)
        except RecordRefused as error:
            raise WriteRefused(error.index, _refused(group_id, error)) from error
        except GroupRefused as error:
            raise group_refused(error) from error
        except LogUncertain as error:
            raise uncertain(group_id) from error
        except (AppendFailed, OSError) as error:
            raise _disk_failed(group_id, error) from error
        return records, generations[-1]


def _refuse_if_behind(stream: Stream, position: Position | None) -> None:
    if stream.excluded_error is not None:
        raise OperationFailed(
            ErrorKind.PRECONDITION,
            f"Group {stream.group_id!r} takes no writes: {stream.excluded_error}. Mend that file, "
            "which lies beside the log, or remove it.",
            group_id=stream.group_id,
        )
    if position is not None and lost_lines(stream, position):
        raise _lost_lines(stream, position)
    if pending(stream, position) > 0:
        raise _behind(stream.group_id, shown(position), stream.max_seq or 0, next_unapplied(stream, position))


def _lost_lines(stream: Stream, position: Position) -> OperationFailed:
    group_id = stream.group_id
    call = f'knowledge_rebuild_from_wal {{"group_id": "{group_id}", "force_clear": true}}'
    there = "has no line" if stream.max_seq is None else f"ends at line {stream.max_seq}"
    return OperationFailed(
        ErrorKind.UNAVAILABLE,
        f"Group {group_id!r} takes no writes: its log {there}, but the graph took line {position.applied_seq}, so a "
        "rebuild would lose what was acknowledged. Bring the log's files back; or save the graph as a new log with "
        f"knowledge_dump_wal and put that in place; or go back to what the log has: {call}",
        reason="log_lost_lines",
        group_id=group_id,
        applied_seq=position.applied_seq,
        max_seq=stream.max_seq,
        call=call,
    )


def _behind(group_id: str, applied_seq: int, max_seq: int, from_seq: int) -> OperationFailed:
    call = f'knowledge_rebuild_from_wal {{"group_id": "{group_id}", "from_seq": {from_seq}}}'
    return OperationFailed(
        ErrorKind.PRECONDITION,
        f"Group {group_id!r} takes no writes: its log reaches line {max_seq}, the graph shows line {applied_seq}. "
        f"Take the rest in first: {call}",
        group_id=group_id,
        applied_seq=applied_seq,
        max_seq=max_seq,
        call=call,
    )


def _refused(group_id: str, error: RecordRefused) -> OperationFailed:
    if isinstance(error, RecordTooLarge):
        return OperationFailed(
            ErrorKind.LIMIT,
            f"The write would be one log record of {error.size} bytes; at most {error.limit} are possible. Nothing was "
            "changed; send less at a time.",
            group_id=group_id,
            size=error.size,
            limit=error.limit,
        )
    return OperationFailed(
        ErrorKind.PRECONDITION, f"The write cannot be logged, so nothing was changed: {error.reason}", group_id=group_id
    )


def group_refused(error: GroupRefused) -> OperationFailed:
    """Return what a client is told about a group that cannot have a log."""
    if error.collides_with is None:
        return OperationFailed(
            ErrorKind.CONFLICT, f"No log can be kept for that group: {error}", group_id=error.group_id
        )
    return OperationFailed(
        ErrorKind.CONFLICT,
        f"Group {error.group_id!r} differs from group {error.collides_with!r} by letter case only (accents in another "
        "form count as the same), and some file systems cannot tell them apart. Use that spelling, or another id.",
        group_id=error.group_id,
        existing=error.collides_with,
    )


def uncertain(group_id: str) -> OperationFailed:
    """Return what a client is told once a failed append could not be undone."""
    return OperationFailed(
        ErrorKind.UNAVAILABLE,
        f"A failed write could not be undone in the log of group {group_id!r}: whether it is there shows after a "
        "restart, and until then the group takes no writes; reads go on. Make room on the disk or mend it, then "
        "restart.",
        reason="log_uncertain",
        group_id=group_id,
    )


def _disk_failed(group_id: str, error: Exception) -> OperationFailed:
    cause = error.__cause__ or error
    return OperationFailed(
        ErrorKind.IO,
        f"The log of group {group_id!r} could not be written, so nothing was changed. Check the disk (space, "
        f"rights), then try again. {cause}",
        group_id=group_id,
    )
