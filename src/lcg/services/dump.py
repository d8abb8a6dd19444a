"""Dumping the graph: its rows as they are at one moment, written as fresh logs into a directory of their own.

The rows are read in one read transaction of the store. The other way, slices on the writer's thread, would see later
slices after earlier ones were changed; a transaction sees one moment of all groups while writers go on, and costs only
that the store makes no checkpoint meanwhile. What was read is held against the digests of that moment.

Until it is complete a dump lies in a hidden directory inside the target, so what a crash leaves is no dump.
"""

import os
import shutil
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from lcg.errors import OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.graph.graph import Graph
from lcg.graph.record_log import group_refused
from lcg.model.digest import moved
from lcg.model.operations import EdgePut, EntityPut, EpisodePut, MentionPut
from lcg.model.pointers import holds_pointers, without_positions
from lcg.model.rows import Edge, Row
from lcg.runtime.call import Call
from lcg.runtime.groups import GroupFilter
from lcg.store.protocol import Snapshot
from lcg.wal.dump import DumpedGroup, LogDump
from lcg.wal.errors import AppendFailed, GroupRefused, LogUncertain, RecordRefused
from lcg.wal.fileops import SystemFileOps, fsync_directory, make_directory

_DRAFT = ".unfinished"
_LOOK_ROWS = 500
RowT = TypeVar("RowT", bound=Row)


@dataclass(slots=True)
class Dumped:
    """A complete dump: where, of which groups, how many nodes (rows) and links (mentions, ends of relationships)."""

    target: Path
    groups: list[DumpedGroup] = field(default_factory=list)
    nodes: int = 0
    links: int = 0


class Dumper:
    """Makes dumps, one at a time. `live_root` is where the logs are, `default` where a dump goes unless told."""

    def __init__(self, graph: Graph, live_root: Path, default: Path) -> None:
        self._graph = graph
        self._live_root = live_root
        self._default = default
        self._one_at_a_time = threading.Lock()

    def dump(self, groups: GroupFilter, target: str | None, call: Call) -> Dumped:
        """Write the rows of these groups into a new or empty directory.

        Raises:
            OperationFailed: `conflict`, `precondition`, `io`, `limit` or `cancelled`. Nothing is left behind.
            StoreError: the store cannot be read. Nothing is left behind.
        """
        place = Path(os.path.abspath(target if target is not None else self._default))
        with self._one_at_a_time, _explained(place):
            self._check(place)
            with _removed_on_failure(place) as written, closing(LogDump(place / _DRAFT, call.method)) as logs:
                make_directory(SystemFileOps(), place / _DRAFT)
                done = Dumped(place)
                with self._graph.snapshot() as snapshot:
                    _Reading(snapshot, groups, call, logs, done).run()
                done.groups = logs.finish()
                _put_in_place(place, written)
            return done

    def _check(self, place: Path) -> None:
        root = self._live_root.resolve()
        if place.resolve().is_relative_to(root):
            raise OperationFailed(
                ErrorKind.PRECONDITION,
                f"{place} lies inside {root}, where the live logs are. Choose a directory elsewhere.",
                path=str(place),
            )
        if place.is_dir() and not any(place.iterdir()):
            return
        if place.exists() or place.is_symlink():
            what = "holds a dump that was cut short" if (place / _DRAFT).exists() else "is not empty"
            raise OperationFailed(
                ErrorKind.CONFLICT,
                f"{place} already exists and {what}. Choose a directory that is new or empty, or remove this one.",
                path=str(place),
            )


class _Reading:
    """One pass over a snapshot. Rows that others refer to come first, so that a log can be replayed from its start."""

    def __init__(self, snapshot: Snapshot, groups: GroupFilter, call: Call, logs: LogDump, done: Dumped) -> None:
        self._snapshot = snapshot
        self._groups = groups
        self._call = call
        self._logs = logs
        self._done = done
        self._digests: dict[str, int] = {}

    def run(self) -> None:
        reader, done = self._snapshot.reader, self._done
        entities: set[str] = set()
        for entity in self._chosen(_noting(reader.scan_entities(), lambda row: entities.add(row.uuid))):
            self._logs.put(EntityPut(entity))
            done.nodes += 1
        for edge in self._chosen(reader.scan_edges()):
            self._logs.put(EdgePut(_portable(edge)))
            done.nodes += 1
            done.links += (edge.source_uuid in entities) + (edge.target_uuid in entities)
        for episode in self._chosen(reader.scan_episodes()):
            self._logs.put(EpisodePut(episode))
            done.nodes += 1
        for mention in self._chosen(reader.scan_mentions()):
            self._logs.put(MentionPut(mention))
            done.links += 1
        self._check_digests()

    def _chosen(self, rows: Iterable[RowT]) -> Iterator[RowT]:
        for number, row in enumerate(rows):
            if number % _LOOK_ROWS == 0 and self._call.cancelled.is_set():
                raise OperationFailed(ErrorKind.CANCELLED, "operation cancelled")
            if row.group_id in self._groups:
                self._digests[row.group_id] = moved(self._digests.get(row.group_id, 0), None, row)
                yield row

    def _check_digests(self) -> None:
        for group_id, position in self._snapshot.positions.items():
            if group_id in self._groups and position.digest != self._digests.get(group_id, 0):
                raise OperationFailed(
                    ErrorKind.IO,
                    f"What the store holds of group {group_id!r} is not what it should hold, so it was not dumped. "
                    "Rebuild the group from its log first: knowledge_rebuild_from_wal with force_clear.",
                    group_id=group_id,
                )


def _noting(rows: Iterable[RowT], note: Callable[[RowT], None]) -> Iterator[RowT]:
    for row in rows:
        note(row)
        yield row


def _portable(edge: Edge) -> Edge:
    if holds_pointers(edge.attributes):
        return replace(edge, attributes=without_positions(edge.attributes))
    return edge


def _put_in_place(place: Path, written: list[Path]) -> None:
    draft = place / _DRAFT
    for group in sorted(draft.iterdir()):
        written.append(place / group.name)
        group.rename(written[-1])
    fsync_directory(SystemFileOps(), place)
    draft.rmdir()
    fsync_directory(SystemFileOps(), place)


@contextmanager
def _removed_on_failure(place: Path) -> Iterator[list[Path]]:
    """Remove the draft, what was put in place already, and the directories that were made, when anything fails."""
    made = [path for path in (place, *place.parents) if not path.exists()]
    written: list[Path] = []
    try:
        yield written
    except BaseException:
        for path in (place / _DRAFT, *written):
            shutil.rmtree(path, ignore_errors=True)
        with suppress(OSError):
            for path in made:
                path.rmdir()
        raise


@contextmanager
def _explained(place: Path) -> Iterator[None]:
    """Say in our words what the disk or the log refused."""
    try:
        yield
    except GroupRefused as error:
        raise group_refused(error) from error
    except RecordRefused as error:
        raise OperationFailed(ErrorKind.LIMIT, f"A row cannot be dumped: {error.reason}.", path=str(place)) from error
    except (AppendFailed, LogUncertain, OSError) as error:
        raise OperationFailed(
            ErrorKind.IO,
            f"The dump cannot be written to {place}, and what was written is removed again. Check the disk (space, "
            f"rights), then try again. {error}",
            path=str(place),
        ) from error
