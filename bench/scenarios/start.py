"""From the start of a process to its first answer."""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from bench.bare.servers import mcp_command, our_tools
from bench.fixtures import group_names, workspace
from bench.scenario import Figure, Result, Run, Scenario, Target, interleaved
from bench.sentences import queries
from bench.service import PROGRAM, Service, SocketClient, StdioClient, serving

MOST_OF_LIST: Final = Target("ours/bare", "<=", 0.2)
MOST_OF_FIRST_CALL: Final = Target("ours/bare", "<=", 0.3)
STANDALONE: Final = (*PROGRAM, "--mcp-stdio")
ATTACHED: Final = (*STANDALONE, "--connect", "auto")


def measure(run: Run) -> Result:
    """Start every kind of server again and again."""
    entities = run.pick(10_000, 1_000, 50)
    rounds = run.pick(9, 3, 1)
    with workspace(run, entities) as served, workspace(run, entities) as alone, run.scratch() as empty:
        bare = mcp_command(our_tools(empty))
        with serving(served):
            taken = interleaved(
                rounds,
                {
                    "list, bare": lambda: until_list(bare, empty),
                    "list, standalone": lambda: until_list(STANDALONE, alone),
                    "list, attached": lambda: until_list(ATTACHED, served),
                    "call, bare": lambda: until_call(bare, empty),
                    "call, standalone": lambda: until_call(STANDALONE, alone),
                    "call, attached": lambda: until_call(ATTACHED, served),
                },
            )
        of_service = interleaved(
            rounds, {"answer": lambda: until_service(alone, answers), "search": lambda: until_service(alone, searches)}
        )
    list_bare, call_bare = taken["list, bare"], taken["call, bare"]
    size = f"{entities} entities"
    return Result(
        [
            Figure("start to tools/list, attached", "ms", taken["list, attached"], list_bare, targets=[MOST_OF_LIST]),
            Figure(
                "start to tools/list, standalone", "ms", taken["list, standalone"], list_bare, targets=[MOST_OF_LIST]
            ),
            Figure(
                f"start to the first search, attached, {size}",
                "ms",
                taken["call, attached"],
                call_bare,
                targets=[MOST_OF_FIRST_CALL],
            ),
            Figure(f"start to the first search, standalone, {size}", "ms", taken["call, standalone"], call_bare),
            Figure(f"start of a service to health_check, {size}", "ms", of_service["answer"]),
            Figure(f"start of a service to the first search, {size}", "ms", of_service["search"]),
        ]
    )


def until_list(command: Sequence[str], folder: Path) -> float:
    """Return the milliseconds from the start to the list of tools."""
    return _until(command, folder, lambda client: client.request("tools/list"))


def until_call(command: Sequence[str], folder: Path) -> float:
    """Return the milliseconds from the start to the answer of the first call, which searches if it is ours."""
    return _until(command, folder, lambda client: client.tool("knowledge_find_entities", **_asked()))


def until_service(folder: Path, ask: Callable[[SocketClient], object]) -> float:
    """Return the milliseconds from the start of a service until it has answered."""
    begun = time.perf_counter()
    service = Service(folder, ("--extractor", "builtin"), {})
    try:
        client = service.client()
        ask(client)
        taken = 1e3 * (time.perf_counter() - begun)
        client.close()
    finally:
        service.end()
    return taken


def answers(client: SocketClient) -> None:
    """Ask what is answered at once."""
    client.call("health_check")


def searches(client: SocketClient) -> None:
    """Ask what needs the graph."""
    client.call("knowledge_find_entities", **_asked())


def _asked() -> dict[str, object]:
    return {"query": queries(2)[1], "group_ids": group_names(1)}


def _until(command: Sequence[str], folder: Path, ask: Callable[[StdioClient], object]) -> float:
    begun = time.perf_counter()
    client = StdioClient(command, folder)
    try:
        client.initialize()
        ask(client)
        return 1e3 * (time.perf_counter() - begun)
    finally:
        with suppress(OSError):
            client.close()


SCENARIO = Scenario(
    "start",
    "Start to first answer",
    "A process is started, shakes hands and is asked once: for the tools, or for a search. Bare is a server made with "
    "the low-level server of the MCP SDK that lists the same tools and answers every call with a constant. Attached "
    "means `lcg --mcp-stdio --connect auto` while a service runs; standalone opens the graph itself.",
    measure,
)
