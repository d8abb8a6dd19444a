"""What keeps a rebuild from beginning. Everything is looked at before anything is changed."""

import json
from dataclasses import dataclass

from lcg.errors import OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.graph.entries import Count
from lcg.graph.index import GraphIndex
from lcg.graph.rebuild_scope import RebuildRequest
from lcg.graph.record_log import uncertain
from lcg.graph.state import GraphState
from lcg.store.protocol import Position
from lcg.wal.directory import group_directory
from lcg.wal.errors import GroupRefused
from lcg.wal.identity import FILE_NAME
from lcg.wal.log import Log
from lcg.wal.stream import Stream

_COUNTED = (Count.ENTITIES, Count.TOMBSTONES, Count.EDGES, Count.UNBOUND, Count.EPISODES)


@dataclass(frozen=True, slots=True)
class Checked:
    """A rebuild that may begin: what is asked for in the end, over which stream, and whether that is another one."""

    request: RebuildRequest
    stream: Stream
    position: Position | None
    reset: bool

    @property
    def previous_generation(self) -> str | None:
        """The identity that the graph had recorded."""
        return self.position.generation if self.position else None


def check(request: RebuildRequest, state: GraphState, log: Log) -> Checked:
    """Refuse what cannot be done, in a fixed order; return what will be.

    Raises:
        OperationFailed: `not_found`, `unavailable` (log_uncertain), `generation_unknown` or `precondition`.
    """
    stream = _existing_stream(request.group_id, log)
    if log.is_uncertain(request.group_id) and not request.dry_run:
        # Its last lines may not survive a crash, and a graph that took them in would be ahead of the log then.
        raise uncertain(request.group_id)
    position = state.positions.get(request.group_id)
    if position is not None and stream.generation_status == "unknown":
        raise _identity_unknown(request.group_id, log)
    reset = position is not None and position.generation != stream.generation
    if is_empty(state.index, request.group_id):
        return Checked(request.as_reset() if reset and not request.dry_run else request, stream, position, reset)
    if request.dry_run and (request.is_full or reset):
        raise _holds_data(request, _reset_facts(stream, position) if reset else {})
    if reset:
        return Checked(request.as_reset(), stream, position, reset)
    if request.is_full and not request.force_clear:
        raise _holds_data(request, {})
    return Checked(request, stream, position, reset)


def is_empty(index: GraphIndex, group_id: str) -> bool:
    """Say whether a group owns nothing, tombstones and unbound edges included."""
    return not any(index.count(what, group_id) for what in _COUNTED)


def _existing_stream(group_id: str, log: Log) -> Stream:
    try:
        stream = log.stream(group_id)
        directory = group_directory(log.root, group_id)
    except GroupRefused as error:
        raise OperationFailed(
            ErrorKind.NOT_FOUND, f"There is no log of that group: {error}", group_id=group_id
        ) from error
    if stream.file_count == 0:
        missing = f"{directory} holds no log file" if log.root.is_dir() else f"{log.root} does not exist (LCG_WAL_DIR)"
        raise OperationFailed(
            ErrorKind.NOT_FOUND,
            f"Group {group_id!r} has no log to rebuild from: {missing}.",
            group_id=group_id,
            directory=str(directory),
        )
    return stream


def _identity_unknown(group_id: str, log: Log) -> OperationFailed:
    path = group_directory(log.root, group_id) / FILE_NAME
    return OperationFailed(
        ErrorKind.GENERATION_UNKNOWN,
        f"The log of group {group_id!r} was applied before, but {path} is missing or damaged, so nobody can tell "
        'whether it still is the same log. Put the file back; or write one with a new text, {"generation": "<text>"}, '
        "which makes the next rebuild clear the group and take in all of the log.",
        group_id=group_id,
        file=str(path),
    )


def _holds_data(request: RebuildRequest, more: dict[str, object]) -> OperationFailed:
    group_id = request.group_id
    arguments = json.dumps({"group_ids": [group_id], "confirm": True}, ensure_ascii=False, separators=(",", ":"))
    call = f"knowledge_delete_by_group {arguments}"
    reason = "a dry run looks at an empty group only" if request.dry_run else "a full rebuild begins with an empty one"
    return OperationFailed(
        ErrorKind.PRECONDITION,
        f"Group {group_id!r} already contains data, and {reason}; nothing was changed. Pass `force_clear: true` to "
        f"have it cleared first, or clear it yourself: {call}",
        group_id=group_id,
        call=call,
        **more,
    )


def _reset_facts(stream: Stream, position: Position | None) -> dict[str, object]:
    return {
        "reset_detected": True,
        "previous_generation": position.generation if position else None,
        "generation": stream.generation,
    }
