"""`lcg restore`: take a group back to a mark or to a line of its log, after showing what that leaves out."""

import sys
import threading
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from lcg.commands.common import FAILED, USAGE, Parser, say, take_workspace, workspace
from lcg.errors import LcgError
from lcg.model.names import DEFAULT_GROUP
from lcg.model.times import format_time
from lcg.runtime.call import Call, Service
from lcg.server.attached import AttachedService, AttachFailed
from lcg.server.lock import LockFailed, WorkspaceOwned
from lcg.server.log_opening import open_log
from lcg.settings import Settings, UsageError

_REBUILD = "knowledge_rebuild_from_wal"


class CannotRestore(Exception):
    """There is nothing to go back to; the message says why."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Where a group goes back to, and where it is: lines after `seq` are left out; `count` of them are in the log."""

    group_id: str
    seq: int
    max_seq: int
    count: int
    what: dict[str, int]
    first_time: str
    last_time: str


def run(arguments: Sequence[str]) -> int:
    """Run the sub-command. Exit status: 0 done, 1 it could not be done or was not wanted, 2 usage error."""
    try:
        options = _parser().read(arguments)
        if options is None:
            return 0
        settings = workspace()
        with _service(settings) as service:
            return _restore(settings, service, options)
    except UsageError as error:
        say(f"lcg restore: {error}")
        return USAGE
    except (CannotRestore, WorkspaceOwned, LockFailed) as error:
        say(f"lcg restore: {error}")
    except LcgError as error:
        say(f"lcg restore: {error.message}")
    except OSError as error:
        say(f"lcg restore: {error}")
    return FAILED


def _parser() -> Parser:
    parser = Parser(
        "restore",
        "Rebuild a group from its log up to a mark or a line. What is behind stays in the log and is left out. A "
        "running service is asked to do it, else the workspace is opened here.",
    )
    place = parser.add_mutually_exclusive_group(required=True)
    place.add_argument("--mark", metavar="NAME", help="go back to this mark (knowledge_wal_mark_list shows them)")
    place.add_argument("--seq", metavar="N", type=int, help="go back to this line")
    parser.add_argument("--group", metavar="G", default=DEFAULT_GROUP, help=f"the group (default: {DEFAULT_GROUP})")
    parser.add_argument("--yes", action="store_true", help="do not ask")
    return parser


@contextmanager
def _service(settings: Settings) -> Iterator[Service]:
    """Attach to the service of the workspace, or be one for as long as it takes."""
    attached = AttachedService(str(settings.socket_path), settings.attached_call_timeout_ms)
    try:
        attached.attach()
    except AttachFailed:
        ownership = take_workspace(settings, "restore")
        try:
            # It is heavy, and not needed where a service runs.
            from lcg.server.app import open_service

            # Here stderr is a person's, not that of somebody who watches a service.
            own = open_service(replace(settings, telemetry=False))
            try:
                yield own
            finally:
                own.close()
        finally:
            ownership.release()
        return
    try:
        yield attached
    finally:
        attached.close()


def _restore(settings: Settings, service: Service, options: Namespace) -> int:
    def ask(method: str, **params: Any) -> Mapping[str, Any]:
        return service.call(method, params, Call(method, cancelled=threading.Event()))

    group_id = options.group.strip() or DEFAULT_GROUP
    # Unlike the next one this waits for the end of a start, and refuses where the store is not open.
    ask("knowledge_rebuild_status", job_id="none")
    known = ask("knowledge_status")["wal_groups"]
    if group_id not in known or known[group_id]["max_seq"] is None:
        raise CannotRestore(f"group {group_id!r} has no log. Groups with one: {', '.join(known) or 'none'}.")
    seq = options.seq if options.mark is None else _mark_seq(ask, group_id, options.mark)
    plan = _plan(settings, group_id, seq, known[group_id]["max_seq"])
    _show(plan)
    if not options.yes and not _agreed():
        return FAILED
    done = ask(_REBUILD, group_id=group_id, to_seq=seq, force_clear=True)
    if done["reset_detected"]:
        # The log was another one than the graph had recorded. Then the first rebuild takes in all of it.
        done = ask(_REBUILD, group_id=group_id, to_seq=seq, force_clear=True)
    for warning in done.get("warnings", ()):
        say(f"lcg restore: {warning['message']}")
    if done["fidelity_warning"]:
        say(f"lcg restore: {done['fidelity_warning']}")
    sys.stdout.write(f"Done: group {group_id!r} shows its log through line {seq}.\n")
    return 0


def _mark_seq(ask: Any, group_id: str, name: str) -> int:
    marks = {mark["name"]: mark for mark in ask("knowledge_wal_mark_list", group_id=group_id)["checkpoints"]}
    if name not in marks:
        raise CannotRestore(f"group {group_id!r} has no mark {name!r}. It has: {', '.join(marks) or 'none'}.")
    if not marks[name]["reachable"]:
        raise CannotRestore(
            f"the mark {name!r} cannot be reached: the log is another one than it was made in, or does not hold "
            f"every line up to {marks[name]['seq']}."
        )
    seq: int = marks[name]["seq"]
    return seq


def _plan(settings: Settings, group_id: str, seq: int, max_seq: int) -> Plan:
    if not 0 <= seq <= max_seq:
        raise CannotRestore(
            f"the log of group {group_id!r} ends at line {max_seq}, so it cannot go back to line {seq}."
        )
    log = open_log(settings)
    try:
        records = [line.record for line in log.read_after(group_id, seq) if line.record is not None]
    finally:
        log.close()
    what = Counter(record.origin for record in records)
    times = [record.written_at for record in records]
    span = (format_time(min(times)), format_time(max(times))) if times else ("", "")
    return Plan(group_id, seq, max_seq, max_seq - seq, dict(what.most_common()), *span)


def _show(plan: Plan) -> None:
    say(f"Group {plan.group_id!r} goes back to line {plan.seq} of {plan.max_seq}; its rows are replaced.")
    if plan.count:
        written = f", written from {plan.first_time} to {plan.last_time}" if plan.what else ""
        say(f"Left out: lines {plan.seq + 1} to {plan.max_seq}{written}.")
        for origin, count in plan.what.items():
            say(f"  {count:>6} {origin}")
        say(f"They stay in the log; {_REBUILD} with `force_clear` and without `to_seq` takes them in again.")
    else:
        say("Nothing of the log is left out.")
    say("What was left out before and is not behind that line comes back.")


def _agreed() -> bool:
    if not sys.stdin.isatty():
        raise UsageError("nobody can be asked here; give --yes to go ahead.")
    sys.stderr.write("Go on? [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")
