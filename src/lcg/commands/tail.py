"""`lcg tail`: the last lines of the logs, readable, and on demand every new one as it comes."""

import re
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import click

from lcg.commands import options
from lcg.commands.common import say, workspace
from lcg.commands.output import console, one_line, write_json
from lcg.commands.running import CONTEXT, CommandFailed, explained, run_command
from lcg.model.operations import EdgePut, EntityPut, EpisodePut, GroupClear, MentionDelete, MentionPut, Operation
from lcg.model.times import format_time
from lcg.server.log_opening import open_log
from lcg.wal.errors import GroupRefused
from lcg.wal.log import Log
from lcg.wal.reader import LogLine

_POLL_S: Final = 0.25
_NAMES: Final = 4
"""Rows of one kind that a line names; JSON has all."""
_NAME_CHARS: Final = 60

Shape = Mapping[str, Any]


def run(arguments: Sequence[str]) -> int:
    """Run the sub-command. Exit status: see `lcg.commands.running`."""
    return run_command(_tail, arguments)


@click.command("tail", context_settings=CONTEXT, epilog=explained("  lcg tail -n 50\n  lcg tail -f --group notes"))
@click.option(
    "--lines", "-n", type=click.IntRange(min=0), metavar="N", default=20, show_default=True, help="How many lines."
)
@click.option("--follow", "-f", is_flag=True, help="Go on with every new line, until Ctrl-C.")
@options.groups
@options.as_json
def _tail(lines: int, follow: bool, groups: list[str] | None, as_json: bool) -> None:
    """Show the last lines of the logs, the newest last: when, in which group, who asked, and what changed.

    The files are read as they are, whoever has the workspace. With --json each line is a JSON object of its own.
    """
    log = open_log(workspace())
    try:
        reached = _positions(log, groups)
        if groups and not reached:
            raise CommandFailed(f"no such group has a log. Groups with one: {', '.join(log.groups()) or 'none'}.")
        shapes = [shape for group, last in reached.items() for shape in _last(log, group, last, lines)]
        # The sort is stable and a damaged line has the time of the one before it, so each log stays in its order.
        shapes.sort(key=lambda shape: shape["written_at"])
        for shape in shapes[max(0, len(shapes) - lines) :]:
            _write(shape, as_json)
        if not shapes and not follow and lines:
            say("The logs hold no line yet.")
        while follow:
            sys.stdout.flush()
            time.sleep(_POLL_S)
            _write_new(log, groups, reached, as_json)
    except GroupRefused as error:
        raise click.UsageError(f"--group: {error}.") from None
    finally:
        log.close()


def _positions(log: Log, groups: list[str] | None) -> dict[str, int]:
    """Return the last number of each log that is there."""
    streams = [log.stream(group) for group in groups or log.groups()]
    return {stream.group_id: stream.max_seq or 0 for stream in streams if stream.exists}


def _last(log: Log, group: str, last: int, count: int) -> list[Shape]:
    return _shapes(group, log.read_after(group, max(-1, last - count)))[-count:] if count else []


def _write_new(log: Log, groups: list[str] | None, reached: dict[str, int], as_json: bool) -> None:
    """Write what was added since `reached`, and note it there. A log that begins anew is read from its beginning."""
    new: list[Shape] = []
    for group, last in _positions(log, groups).items():
        before = reached.get(group, 0)
        if last != before:
            lines = log.read_after(group, before if last > before else -1)
            new += (shape for shape in _shapes(group, lines) if shape["seq"] is not None)
            reached[group] = last
    for shape in sorted(new, key=lambda shape: shape["written_at"]):
        _write(shape, as_json)


def _shapes(group: str, lines: Iterator[LogLine]) -> list[Shape]:
    shapes: list[Shape] = []
    for line in lines:
        before = shapes[-1]["written_at"] if shapes else ""
        if not line.torn:
            shapes.append({"group_id": group, "seq": line.seq, "written_at": before, **_content(line)})
    return shapes


def _content(line: LogLine) -> Shape:
    """Return `{written_at, origin, operations, error}` of a line, or `{origin, operations, error}` of one without."""
    record = line.record
    if record is None:
        error = line.error or "a line of the reference implementation; `lcg` translates it when it is applied"
        return {"origin": None, "operations": [], "error": f"{line.file.name}, line {line.number}: {error}"}
    return {
        "written_at": format_time(record.written_at),
        "origin": record.origin,
        "operations": [_operation(operation) for operation in record.operations],
        "error": None,
    }


def _operation(operation: Operation) -> Shape:
    """Return `{op, uuid, name}`; `name` is null where the log has none."""
    words = re.findall(r"[A-Z][a-z]+", type(operation).__name__)
    op = "_".join(words).lower()
    match operation:
        case EdgePut(row):
            return {"op": op, "uuid": row.uuid, "name": row.fact or row.name}
        case EntityPut(row) | EpisodePut(row):
            return {"op": op, "uuid": row.uuid, "name": row.name}
        case MentionPut(row) | MentionDelete(row):
            return {"op": op, "uuid": row.entity_uuid, "name": None}
        case GroupClear():
            return {"op": op, "uuid": None, "name": None}
        case _:
            return {"op": op, "uuid": operation.uuid, "name": None}


def _write(shape: Shape, as_json: bool) -> None:
    if as_json:
        write_json(shape, indented=False)
        return
    out = console()
    seq = "-" if shape["seq"] is None else shape["seq"]
    out.print(f"{shape['written_at']}  ", style="dim", end="")
    out.print(f"{one_line(shape['group_id'])} {seq}  ", end="")
    if shape["error"]:
        out.print(one_line(shape["error"]), style="red")
        return
    out.print(f"{one_line(shape['origin'])}  ", style="bold", end="")
    out.print(_summary(shape["operations"]))


def _summary(operations: Sequence[Shape]) -> str:
    """Return `2 entity_put (Ada, Bob), 1 edge_put (Ada knows Bob.)`."""
    kinds: dict[str, list[str]] = {}
    for operation in operations:
        name = operation["name"]
        kinds.setdefault(operation["op"], []).append("" if name is None else one_line(name, _NAME_CHARS))
    return ", ".join(f"{len(names)} {op}{_named(names)}" for op, names in kinds.items())


def _named(names: Sequence[str]) -> str:
    known = [name for name in names if name]
    more = [f"{len(known) - _NAMES} more"] if len(known) > _NAMES else []
    return f" ({', '.join([*known[:_NAMES], *more])})" if known else ""
