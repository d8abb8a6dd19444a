"""`lcg call`: call any method with parameters in JSON, and write what it returns."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from lcg.client import CallFailed, Client, ProgressFrame
from lcg.commands.common import FAILED, find_workspace, say
from lcg.commands.graph import open_graph, running_service
from lcg.commands.output import one_line, write_json
from lcg.commands.running import CONTEXT, EXIT_STATUSES, CommandFailed, explained, run_command
from lcg.generated.client import Methods
from lcg.server.calls import CLOSE_METHOD
from lcg.server.envelope import ParseError, describe, read_json, to_json

_EXAMPLES = """  lcg call knowledge_find_entities '{"query": "billing", "num_results": 3}'
  lcg call knowledge_process_chunk @chunk.json
  jq -n '{name: "Ada"}' | lcg call knowledge_assert_entity -"""
_MORE = (
    "A service that runs is asked; without one the workspace is opened here for the length of the call. When the "
    "call fails, stderr has the message and, in its last line, the error as JSON."
)


def run(arguments: Sequence[str]) -> int:
    """Run the sub-command. Exit status: see `EXIT_STATUSES`."""
    return run_command(_call, arguments)


@click.command("call", context_settings=CONTEXT, epilog=explained(_EXAMPLES, f"{_MORE}\n\n{EXIT_STATUSES}"))
@click.argument("method")
@click.argument("params", default="{}", metavar="[JSON|-|@FILE]")
@click.option("--socket", metavar="PATH", help="Ask the service at this socket, wherever its workspace is.")
def _call(method: str, params: str, socket: str | None) -> int:
    """Call METHOD of the reference with parameters in JSON, and write the result as JSON.

    The parameters are an object: given here, read from stdin (-), or from a file (@FILE); left out, there are none.
    """
    values = _read(params)
    try:
        with _graph(method, socket) as graph:
            result = graph.call(method, values, _show_progress if sys.stderr.isatty() else None)
    except CallFailed as error:
        say(f"lcg call: {error.message}")
        say(to_json({"code": error.code, "message": error.message, "data": error.data}).decode())
        return FAILED
    if sys.stdout.isatty():
        write_json(result)
    else:
        sys.stdout.write(to_json(result).decode() + "\n")
    return 0


@contextmanager
def _graph(method: str, socket: str | None) -> Iterator[Methods]:
    if socket is not None:
        with Client(socket) as client:
            yield client
        return
    settings = find_workspace()
    if method == CLOSE_METHOD and running_service(settings) is None:
        raise CommandFailed("no service runs here, so there is nothing to close.")
    with open_graph(settings) as graph:
        yield graph


def _read(params: str) -> Mapping[str, Any]:
    if params == "-":
        text, where = sys.stdin.buffer.read(), "stdin"
    elif params.startswith("@"):
        text, where = _of_file(Path(params[1:])), params[1:]
    else:
        text, where = params.encode("utf-8", "surrogateescape"), "the argument"
    try:
        value = read_json(text)
    except ParseError:
        raise click.UsageError(f"{where} is not one JSON value in UTF-8.") from None
    if not isinstance(value, dict):
        raise click.UsageError(f"the parameters have to be a JSON object, not {describe(value)}.")
    return value


def _of_file(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise click.UsageError(f"{path} cannot be read: {error.strerror}.") from None


def _show_progress(frame: ProgressFrame) -> None:
    say(one_line(str(frame.get("message", ""))))
