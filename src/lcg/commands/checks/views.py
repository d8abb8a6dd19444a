"""The log, the store and the indexes: asked of the service that runs, else looked at on copies of the files."""

import os
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from lcg.client import ClientError
from lcg.commands.checks.finding import Area, Finding
from lcg.commands.checks.workspace import Owner
from lcg.commands.common import has_workspace, take_workspace
from lcg.server.lock import LockFailed, WorkspaceOwned
from lcg.server.log_opening import open_log
from lcg.settings import Settings
from lcg.store.files import StoreFiles
from lcg.wal.log import Log

MOST_BYTES: Final = 64 << 20
"""Files larger than this together are looked at whole on demand only, since that takes a while."""

_REBUILD: Final = "Move .lcg/db and .lcg/search away and start lcg: both are made anew from the log."
_AREAS: Final[Mapping[str, Area]] = {
    "full text": "indexes",
    "vectors": "indexes",
    "name index": "indexes",
    "search": "indexes",
    "log": "log",
}


def check_views(settings: Settings, owner: Owner, *, deep: bool) -> Iterator[Finding]:
    """Look at store, log and indexes, whoever has them."""
    if owner.client is not None:
        try:
            yield from of_status(owner.client.knowledge_status())
        except ClientError as error:
            yield Finding("store", "problem", "The service does not say how it is doing.", str(error))
    elif has_workspace(settings):
        yield from _log(settings, deep=deep)
        yield from _compared(settings, deep=deep)


def of_status(status: Mapping[str, Any]) -> Iterator[Finding]:
    """Yield what the status of a service says of store, log and indexes."""
    if status.get("degraded"):
        ways = ", ".join(status.get("recovery_available", ()))
        remedy = f"Call knowledge_recover with one of: {ways}." if ways else "Restart the service; its log says more."
        yield Finding("store", "problem", f"The store is not open: {status.get('reason', 'unknown')}.", remedy)
    elif status["queryable"]:
        counts = (f"{status.get(f'{name}_count') or 0:,}" for name in ("entity", "relationship", "episode"))
        yield Finding("store", "ok", "It is open: {} entities, {} facts, {} episodes.".format(*counts))
    else:
        yield Finding("store", "note", "It is being opened.", "Ask again in a moment.")
    if status.get("writes_refused"):
        remedy = "Make room on the disk, then restart the service."
        yield Finding("log", "problem", f"Writes are refused: {status['writes_refused']}", remedy)
    for record in status.get("failed_records", ()):
        what = f"Line {record['seq']} of group {record['group_id']} could not be applied: {record['error']}"
        yield Finding("log", "problem", what, "Stop the service and run `lcg verify`; everything else is served.")
    behind = {group: log["pending"] for group, log in status["wal_groups"].items() if log["pending"]}
    for group, pending in behind.items():
        remedy = f"Call knowledge_rebuild_from_wal for group {group}, if no rebuild runs."
        yield Finding("log", "note", f"The graph does not show {pending:,} lines of group {group}.", remedy)
    if not (behind or status.get("writes_refused") or status.get("failed_records")):
        yield Finding("log", "ok", f"{len(status['wal_groups'])} groups, all lines applied.")
    without = status.get("embedding", {}).get("rows_without_vector", 0)
    if without:
        remedy = "They get theirs when the embedder is back; knowledge_build_indices makes all anew."
        yield Finding("indexes", "note", f"{without:,} rows have no vector, so only words find them.", remedy)
    elif not status.get("degraded"):
        yield Finding("indexes", "ok", "Every row has its vectors.")


def _log(settings: Settings, *, deep: bool) -> Iterator[Finding]:
    log = open_log(settings)
    try:
        groups = log.groups()
        if settings.wal_dir.is_dir() and not os.access(settings.wal_dir, os.W_OK):
            yield Finding(
                "log",
                "problem",
                f"{settings.wal_dir} cannot be written in, so every write is refused.",
                "Mend its owner or rights, or set LCG_WAL_DIR.",
            )
        size = 0
        for group in groups:
            stream = log.stream(group)
            size += stream.byte_size
            if stream.excluded_error:
                remedy = "Bring that file back, or remove it: then all of the log counts again."
                yield Finding("log", "problem", f"Group {group}: {stream.excluded_error}", remedy)
        if size > MOST_BYTES and not deep:
            yield Finding("log", "note", f"Its {size >> 20:,} MB were not read.", "Run `lcg doctor --deep`.")
        else:
            yield from _lines(log, groups)
    except OSError as error:
        yield Finding("log", "problem", f"It cannot be read: {error}.", "Mend the disk, or bring the file back.")
    finally:
        log.close()


def _lines(log: Log, groups: Sequence[str]) -> Iterator[Finding]:
    lines, damaged = 0, 0
    for group in groups:
        for line in log.read(group):
            lines += 1
            if line.error is not None:
                damaged += 1
                remedy = "Bring the file back from a copy; everything else is served. `lcg verify` says what it cost."
                where = f"{line.file}, line {line.number}"
                yield Finding("log", "problem", f"{where} cannot be read: {line.error}.", remedy)
    if not damaged:
        yield Finding("log", "ok", f"{len(groups)} groups, {lines:,} lines; all can be read.")


def _compared(settings: Settings, *, deep: bool) -> Iterator[Finding]:
    files = StoreFiles(settings.db_path)
    if not files.has_store:
        yield Finding("store", "note", "There is none.", "The next start makes it from the log.")
        return
    size = files.store.stat().st_size
    if size > MOST_BYTES and not deep:
        yield Finding("store", "note", f"Its {size >> 20:,} MB were not looked at.", "Run `lcg doctor --deep`.")
        return
    try:
        ownership = take_workspace(settings, "verify")
    except (WorkspaceOwned, LockFailed) as error:
        yield Finding("store", "note", "It was not looked at, since somebody has the workspace.", str(error))
        return
    try:
        yield from _verified(settings, files)
    except OSError as error:
        yield Finding(
            "store", "problem", f"It cannot be copied to be looked at: {error}.", "Make room, or mend the disk."
        )
    finally:
        ownership.release()


def _verified(settings: Settings, files: StoreFiles) -> Iterator[Finding]:
    # Heavy, and only needed here.
    from lcg.services.verification import verify
    from lcg.store.kuzu.probe import is_sound
    from lcg.store.kuzu.store import KuzuStore

    log = open_log(settings)
    try:
        open_store = partial(KuzuStore, engine=settings.engine)
        report = verify(files, settings.search_dir, log, partial(is_sound, engine=settings.engine), open_store)
    finally:
        log.close()
    found: set[Area] = set()
    ours = [(None, difference) for difference in report.differences]
    theirs = [(group.group_id, difference) for group in report.groups for difference in group.differences]
    for group_id, difference in [*ours, *theirs]:
        area = _AREAS.get(difference.where, "store")
        found.add(area)
        where = difference.where if group_id is None else f"Group {group_id}, {difference.where}"
        yield Finding(area, "problem", f"{where}: {difference.count:,} {difference.what}.", _REBUILD)
    rows = sum(group.rows for group in report.groups)
    if "store" not in found:
        yield Finding("store", "ok", f"{rows:,} rows, as the log has them.")
    if "indexes" not in found:
        yield Finding("indexes", "ok", "Full text and vectors agree with the store.")
