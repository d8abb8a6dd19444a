"""Holding a workspace's log, store and search indexes against each other, on copies of the files."""

import shutil
import tempfile
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import TypeVar

import orjson

from lcg.graph.derived import Contribution, contribution_of
from lcg.graph.fold import Fold
from lcg.graph.index import GraphIndex
from lcg.graph.positions import NOTHING, log_end, pending, same_stream, shown
from lcg.graph.rebuild_reading import read_into
from lcg.graph.rebuild_scope import Scope
from lcg.graph.state import FAILED_RECORDS, SEARCH_BEHIND, UNLOGGED
from lcg.model.digest import as_hex, moved, row_hash
from lcg.model.rows import Edge, Entity, Episode, Mention, Row
from lcg.search.contents import TextContents, VectorContents, read_text, read_vectors
from lcg.search.fts import indexed
from lcg.search.index_file import SearchIndexError
from lcg.search.vector_file import key_of
from lcg.store.files import StoreFiles
from lcg.store.protocol import OtherEngine, Position, Store, StoreError
from lcg.wal.log import Log
from lcg.wal.stream import Stream

_EXAMPLES = 5
ContentsT = TypeVar("ContentsT")
KeyT = TypeVar("KeyT", bound=Hashable)


class UnknownGroup(Exception):
    """Neither log nor store nor index knows of the group; the message names those there are."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One kind of difference: where, what is wrong, how often, and the first few that are concerned."""

    where: str
    what: str
    count: int = 1
    examples: tuple[str, ...] = ()


@dataclass(slots=True)
class GroupReport:
    """What was found in one group. Digests are null where there is nothing to compute them from."""

    group_id: str
    rows: int
    applied_seq: int
    max_seq: int | None
    pending: int
    digest_recorded: str | None
    digest_rows: str
    digest_log: str | None
    differences: list[Difference] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Report:
    """What was found. `differences` are those of the workspace as a whole."""

    unlogged_mutations: int = 0
    differences: list[Difference] = field(default_factory=list)
    groups: list[GroupReport] = field(default_factory=list)

    @property
    def is_well(self) -> bool:
        """Whether nothing differs anywhere."""
        return not self.differences and not any(group.differences for group in self.groups)


class _Contents:
    """Everything that the store holds, read at once."""

    def __init__(self, store: Store) -> None:
        self.positions = store.positions()
        self.failed = orjson.loads(store.meta(FAILED_RECORDS) or "[]")
        self.unlogged = int(store.meta(UNLOGGED) or "0")
        self.search_behind = bool(store.meta(SEARCH_BEHIND))
        with store.reader() as reader:
            self.entities = list(reader.scan_entities())
            self.edges = list(reader.scan_edges())
            self.episodes = list(reader.scan_episodes())
            self.mentions = list(reader.scan_mentions())
        self.index = GraphIndex()
        self.index.load(self.entities, self.edges, self.episodes, self.mentions, {})

    def rows(self, group_id: str) -> Iterator[Row]:
        tables: tuple[Iterable[Row], ...] = (self.entities, self.edges, self.episodes, self.mentions)
        return (row for row in chain.from_iterable(tables) if row.group_id == group_id)

    def contribution(self, group_id: str) -> Contribution:
        return contribution_of(
            self.index,
            (row for row in self.entities if row.group_id == group_id),
            (row for row in self.edges if row.group_id == group_id),
            (row for row in self.episodes if row.group_id == group_id),
        )


def verify(
    files: StoreFiles,
    search_dir: Path,
    log: Log,
    is_sound: Callable[[Path], bool],
    open_store: Callable[[Path], Store],
    only: str | None = None,
) -> Report:
    """Compare everything; nobody may write meanwhile. Nothing in the workspace is changed.

    Args:
        files: the store's files.
        search_dir: where the search indexes are.
        log: the logs.
        is_sound: tries a store file in a process of its own.
        open_store: opens a store file.
        only: a group, or None for all.

    Raises:
        UnknownGroup: nothing knows of that group.
        OSError: a file cannot be read or copied.
    """
    report = Report()
    with _copies(files, search_dir) as (store, text, vectors):
        contents = _read_store(store, is_sound, open_store, report)
        found_text = _read_index(lambda: read_text(text), TextContents({}, 0, {}), "full text", report)
        found_vectors = _read_index(lambda: read_vectors(vectors), VectorContents({}, {}), "vectors", report)
    if contents is None:
        return report
    report.unlogged_mutations = contents.unlogged
    if found_text.strays:
        report.differences.append(Difference("full text", "texts without an entry", found_text.strays))
    if contents.search_behind:
        report.differences.append(Difference("search", "behind a Cypher query; the next start builds the indexes anew"))
    groups = {*log.groups(), *contents.positions, *contents.index.groups(), *_groups_of(found_text, found_vectors)}
    if only is not None and only not in groups:
        raise UnknownGroup(f"there is no group {only!r}; there are: {', '.join(sorted(groups)) or 'none'}.")
    for group_id in sorted(groups) if only is None else [only]:
        group = _check_rows(group_id, contents, log)
        change, position = contents.contribution(group_id), contents.positions.get(group_id)
        group.differences += _check_text(group_id, change, position, found_text)
        group.differences += _check_vectors(group_id, change, position, found_vectors, group.notes)
        report.groups.append(group)
    return report


@contextmanager
def _copies(files: StoreFiles, search_dir: Path) -> Iterator[tuple[Path, Path, Path]]:
    """Copy what is to be read: the engine and SQLite write to what they open."""
    with tempfile.TemporaryDirectory(prefix="lcg-verify-") as name:
        place = Path(name)
        text, vectors = search_dir / "text.db", search_dir / "vectors.db"
        beside = [index.with_name(f"{index.name}-wal") for index in (text, vectors)]
        for path in (files.store, *files.engine_files, text, vectors, *beside):
            if path.is_file():
                shutil.copyfile(path, place / path.name)
        yield place / files.store.name, place / text.name, place / vectors.name


def _read_store(
    store: Path, is_sound: Callable[[Path], bool], open_store: Callable[[Path], Store], report: Report
) -> _Contents | None:
    if not store.exists():
        report.differences.append(Difference("store", "missing; the next start builds it from the logs"))
        return None
    try:
        if not is_sound(store):
            report.differences.append(Difference("store", "cannot be read; the next start mends it from the logs"))
            return None
        opened = open_store(store)
    except OtherEngine as error:
        report.differences.append(Difference("store", f"{error}; the next start fills a new one from the logs"))
        return None
    except StoreError as error:
        report.differences.append(Difference("store", f"cannot be read: {error}"))
        return None
    try:
        return _Contents(opened)
    finally:
        opened.close()


def _read_index(read: Callable[[], ContentsT], nothing: ContentsT, where: str, report: Report) -> ContentsT:
    try:
        return read()
    except SearchIndexError as error:
        report.differences.append(Difference(where, f"{error}; the next start makes it anew"))
        return nothing


def _groups_of(text: TextContents, vectors: VectorContents) -> set[str]:
    return {str(entry[0]) for entry in text.entries.values()} | {owner[0] for owner in vectors.owners.values()}


# Rows


def _check_rows(group_id: str, contents: _Contents, log: Log) -> GroupReport:
    stream, position = log.stream(group_id), contents.positions.get(group_id)
    digest, rows = 0, {}
    for row in contents.rows(group_id):
        digest = moved(digest, None, row)
        rows[_name_of(row)] = row_hash(row)
    group = GroupReport(
        group_id,
        len(rows),
        shown(position),
        stream.max_seq,
        pending(stream, position),
        None if position is None else as_hex(position.digest),
        as_hex(digest),
        None,
    )
    if position is not None and position.digest != digest:
        group.differences.append(Difference("digest", "the recorded one is not that of the rows"))
    recorded = [entry for entry in contents.failed if entry["group_id"] == group_id]
    if recorded:
        group.notes.append(f"{len(recorded)} lines of the log could not be applied (failed_records)")
    if group.pending:
        group.notes.append(f"{group.pending} lines of the log are not applied")
    if _is_comparable(stream, position, group):
        group.differences += _against_log(group, stream, position, contents, log, rows)
    return group


def _is_comparable(stream: Stream, position: Position | None, group: GroupReport) -> bool:
    if stream.excluded_error is not None:
        group.differences.append(Difference("log", stream.excluded_error))
        return False
    if position is None:
        if group.rows:
            group.differences.append(Difference("log", "it tells of none of the rows", group.rows))
        return False
    if not same_stream(stream, position):
        group.differences.append(Difference("log", "it is another one than the store has recorded"))
        return False
    if position.applied_seq > log_end(stream):
        group.differences.append(Difference("log", f"it ends before line {position.applied_seq}, which was applied"))
    return True


def _against_log(
    group: GroupReport,
    stream: Stream,
    position: Position | None,
    contents: _Contents,
    log: Log,
    rows: Mapping[str, int],
) -> Iterator[Difference]:
    """Fold the log as far as it is applied, and compare the rows that it leaves."""
    applied = position.applied_seq if position is not None else NOTHING
    end = log_end(stream)
    excluded = stream.excluded.leaving_out(applied + 1, end) if end > applied else stream.excluded
    places = contents.index.places
    fold = Fold(group.group_id, lambda uuid: uuid in places and places[uuid][1] != group.group_id)
    with closing(log.read(group.group_id, plainly=True)) as lines:
        counts = read_into(fold, lines, Scope(0, end, excluded), most_samples=0, step=lambda counts, read: None)
    if counts.skipped:
        group.notes.append(f"{counts.skipped} lines of the log cannot be taken in")
    digest, told = 0, {}
    tables: tuple[Iterable[Row], ...] = (
        fold.entities.values(),
        fold.edges.values(),
        fold.episodes.values(),
        fold.mention_rows(),
    )
    for row in chain.from_iterable(tables):
        digest = moved(digest, None, row)
        told[_name_of(row)] = row_hash(row)
    group.digest_log = as_hex(digest)
    yield from _compared("rows", told, rows)


def _name_of(row: Row) -> str:
    match row:
        case Mention():
            return f"mention {row.episode_uuid} {row.entity_uuid}"
        case Entity():
            return f"entity {row.uuid}"
        case Edge():
            return f"edge {row.uuid}"
        case Episode():
            return f"episode {row.uuid}"


# Search indexes


def _check_text(
    group_id: str, change: Contribution, position: Position | None, found: TextContents
) -> Iterator[Difference]:
    expected = {(str(entry.kind), entry.uuid): indexed(entry) for entry in change.texts}
    entries = {key: entry for key, entry in found.entries.items() if key in expected or entry[0] == group_id}
    names = {key: (entry[0], entry[1]) for key, entry in entries.items()}
    texts = {key: (entry[2], entry[3]) for key, entry in entries.items()}
    yield from _compared("full text", {key: text[1:] for key, text in expected.items()}, texts)
    wanted = {key: (group_id, text[0]) for key, text in expected.items() if key in entries}
    yield from _compared("name index", wanted, {key: names[key] for key in wanted})
    yield from _check_position("full text", found.positions.get(group_id), position)


def _check_vectors(
    group_id: str, change: Contribution, position: Position | None, found: VectorContents, notes: list[str]
) -> Iterator[Difference]:
    wanted = {(str(entry.kind), entry.uuid): (group_id, key_of(entry.text)) for entry in change.vectors}
    owners = {key: owner for key, owner in found.owners.items() if key in wanted or owner[0] == group_id}
    yield from _compared("vectors", wanted, {key: owner[:2] for key, owner in owners.items()})
    bare = sum(not there for _, _, there in owners.values())
    if bare:
        notes.append(f"{bare} texts have no vector of the current model yet")
    yield from _check_position("vectors", found.positions.get(group_id), position)


def _check_position(where: str, reached: int | None, position: Position | None) -> Iterator[Difference]:
    if position is not None and reached != position.applied_seq:
        text = "nothing" if reached is None else f"line {reached}"
        yield Difference(where, f"it is at {text}, the store at line {position.applied_seq}; the next start levels it")


def _compared(where: str, expected: Mapping[KeyT, object], found: Mapping[KeyT, object]) -> Iterator[Difference]:
    """Yield what is missing, what is too much, and what differs."""
    missing = [key for key in expected if key not in found]
    extra = [key for key in found if key not in expected]
    stale = [key for key in expected if key in found and found[key] != expected[key]]
    for what, keys in (("missing", missing), ("extra", extra), ("stale", stale)):
        if keys:
            yield Difference(where, what, len(keys), tuple(_shown(key) for key in keys[:_EXAMPLES]))


def _shown(key: object) -> str:
    return " ".join(key) if isinstance(key, tuple) else str(key)
