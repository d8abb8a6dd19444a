"""Marks: names for positions of a group's log, to come back to with a bounded rebuild."""

from dataclasses import dataclass

from lcg.errors import LcgError, OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.graph.positions import NOTHING
from lcg.graph.record_log import group_refused
from lcg.graph.state import GraphState
from lcg.model import times
from lcg.wal.errors import GroupRefused
from lcg.wal.log import Log
from lcg.wal.marks import Mark, MarkExists, NoSuchMark
from lcg.wal.stream import Stream


@dataclass(frozen=True, slots=True)
class FoundMark:
    """A mark, and whether a rebuild of the log that is on disk now can stop there."""

    mark: Mark
    reachable: bool


class Marks:
    """The marks of all groups. Only `create` needs the graph, and only to learn the position."""

    def __init__(self, log: Log) -> None:
        self._log = log

    def create(self, state: GraphState, group_id: str, name: str) -> Mark:
        """Name the position that is applied now.

        Raises:
            OperationFailed: `conflict`, the name is taken or the group id collides; `precondition`, the position is
                unknown or lies before a line 0; `io`.
        """
        try:
            mark = self._here(state, self._log.stream(group_id), name)
            self._log.create_mark(group_id, mark)
        except MarkExists:
            raise OperationFailed(
                ErrorKind.CONFLICT,
                f"A mark {name!r} already exists in group {group_id!r}. Choose another name, or delete that mark "
                "first: knowledge_wal_mark_delete.",
                name=name,
                group_id=group_id,
            ) from None
        except GroupRefused as error:
            raise group_refused(error) from error
        except OSError as error:
            raise _disk_failed(group_id, error) from error
        return mark

    def list(self, group_id: str) -> tuple[Stream, list[FoundMark]]:
        """Return a group's log as it is on disk, and its marks by name. Raises OperationFailed, `io`."""
        try:
            stream = self._log.stream(group_id)
            return stream, [FoundMark(mark, is_reachable(mark, stream)) for mark in self._log.marks(group_id)]
        except OSError as error:
            raise _disk_failed(group_id, error) from error

    def delete(self, group_id: str, name: str) -> None:
        """Take a mark away.

        Raises:
            OperationFailed: `not_found`; `io`.
        """
        try:
            self._log.delete_mark(group_id, name)
        except NoSuchMark:
            raise OperationFailed(
                ErrorKind.NOT_FOUND,
                f"Group {group_id!r} has no mark {name!r}; knowledge_wal_mark_list shows those it has.",
                name=name,
                group_id=group_id,
            ) from None
        except OSError as error:
            raise _disk_failed(group_id, error) from error

    def _here(self, state: GraphState, stream: Stream, name: str) -> Mark:
        group_id, position = stream.group_id, state.positions.get(stream.group_id)
        if position is None and group_id in state.index.groups():
            raise OperationFailed(
                ErrorKind.PRECONDITION,
                f"Group {group_id!r} holds rows that no log tells of, so its position is unknown. Take its log in "
                "first (knowledge_rebuild_from_wal), or begin one with any write.",
                group_id=group_id,
            )
        begins_at_zero = stream.first_seq == 0
        if position is not None and position.applied_seq > (NOTHING if begins_at_zero else 0):
            return Mark(name, position.applied_seq, position.generation, times.now())
        if begins_at_zero:
            raise OperationFailed(
                ErrorKind.PRECONDITION,
                f"Nothing of the log of group {group_id!r} is applied, and it begins with line 0, so no number stands "
                "for the place before it. Take the log in first: knowledge_rebuild_from_wal.",
                group_id=group_id,
            )
        return Mark(name, None, None, times.now())


def is_reachable(mark: Mark, stream: Stream) -> bool:
    """Say whether a rebuild can stop at a mark: the log is the same, begins at its first line and goes that far."""
    if mark.generation is not None and stream.generation is not None and mark.generation != stream.generation:
        return False
    if mark.seq is None:
        # A rebuild through line 0 takes that line in.
        return stream.first_seq != 0
    if mark.seq == 0:
        return True
    begins = stream.first_seq in (0, 1)
    return begins and stream.max_seq is not None and mark.seq <= stream.max_seq


def _disk_failed(group_id: str, error: OSError) -> LcgError:
    return OperationFailed(
        ErrorKind.IO,
        f"The marks of group {group_id!r} cannot be read or written. Check the disk (space, rights), then try again. "
        f"{error}",
        group_id=group_id,
    )
