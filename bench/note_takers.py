"""Memory servers for agents, ours among them, that are asked the same through MCP on stdin and stdout.

All of them know entities by name, take one with a line of text, and find entities by words.
"""

import itertools
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from bench.fixtures import group_names, workspace
from bench.scenario import Figure, Memory, Run, Target, interleaved, median_ms
from bench.sentences import names
from bench.service import PROGRAM, Refused, StdioClient, end_owner, environment, memory_of, request_line

GROUP: Final = group_names(1)[0]


@dataclass(frozen=True, slots=True)
class NoteTaker:
    """A server over a folder, and how it is asked.

    Attributes:
        start: starts a process of it over the folder.
        write: gives name and arguments of the call that keeps one entity.
        search: the same of the call that finds entities by words.
        kept: counts which of the named entities are there, through a client.
        end: ends what is left when all clients are gone.
    """

    start: Callable[[], StdioClient]
    write: Callable[[str], tuple[str, dict[str, Any]]]
    search: Callable[[str], tuple[str, dict[str, Any]]]
    kept: Callable[[StdioClient, Sequence[str]], int]
    end: Callable[[], None]

    @contextmanager
    def client(self) -> Iterator[StdioClient]:
        """Give a client that has shaken hands."""
        client = self.start()
        try:
            client.initialize()
            yield client
        finally:
            with suppress(OSError):
                client.close()


def ours(folder: Path, *, attached: bool = False) -> NoteTaker:
    """Return our server over a workspace: on its own, or with a service that all its clients attach to."""

    def kept(client: StdioClient, named: Sequence[str]) -> int:
        asked = {
            "query": "MATCH (n:Entity) WHERE n.name IN $names RETURN count(n)",
            "parameters": {"names": list(named)},
        }
        counted: int = client.tool("knowledge_query_cypher", **asked)["structuredContent"]["rows"][0][0]
        return counted

    command = (*PROGRAM, "--mcp-stdio", *(("--connect", "auto") if attached else ()))
    return NoteTaker(
        lambda: StdioClient(command, folder),
        lambda name: ("knowledge_assert_entity", {"name": name, "summary": f"{name}.", "group_id": GROUP}),
        lambda words: ("knowledge_find_entities", {"query": words, "group_ids": [GROUP]}),
        kept,
        lambda: end_owner(folder),
    )


def memory_server(program: Path, folder: Path, env: Mapping[str, str]) -> NoteTaker:
    """Return a server with the tools of the official memory server."""

    def is_kept(client: StdioClient, name: str) -> bool:
        found = client.tool("search_nodes", query=name)
        graph = found.get("structuredContent") or json.loads(found["content"][0]["text"])
        return any(entity["name"] == name for entity in graph["entities"])

    def kept(client: StdioClient, named: Sequence[str]) -> int:
        # Name by name: some give only so many that are found.
        return sum(is_kept(client, name) for name in named)

    return NoteTaker(
        lambda: StdioClient([str(program)], folder, environment(env)),
        lambda name: (
            "create_entities",
            {"entities": [{"name": name, "entityType": "thing", "observations": [f"{name}."]}]},
        ),
        lambda words: ("search_nodes", {"query": words}),
        kept,
        lambda: None,
    )


@dataclass(frozen=True, slots=True)
class Rival:
    """A rival: its name, how it is started over a folder, and how a made-up graph of a size is put there."""

    name: str
    over: Callable[[Path], NoteTaker]
    fill: Callable[[Path, int], None]


def size_figures(
    run: Run, other: Rival, entities: int, calls: Mapping[str, int], faster: Sequence[Target]
) -> tuple[list[Figure], list[Memory]]:
    """Compare single writes and searches for one name in graphs of a size. `calls` are those of a round, by whose."""
    with ExitStack() as stack:
        folder, theirs = stack.enter_context(workspace(run, entities)), stack.enter_context(run.scratch())
        other.fill(theirs, entities)
        takers = {"ours": ours(folder), "rival": other.over(theirs)}
        clients = {whose: (taker, stack.enter_context(taker.client())) for whose, taker in takers.items()}
        write, search = _compared(run.rounds, clients, names(200), calls)
        memory = [
            memory_of(client.process.pid, f"{name}, {entities} entities")
            for name, (_, client) in zip(("lcg --mcp-stdio", other.name), clients.values(), strict=True)
        ]
    figures = [
        Figure(f"one write, {entities} entities", "ms", write["ours"], (), write["rival"], faster, other.name),
        Figure(f"search for one name, {entities} entities", "ms", search["ours"], (), search["rival"], (), other.name),
    ]
    return figures, memory


def meeting_figures(run: Run, other: Rival, at_once: int, by_each: int) -> list[Figure]:
    """Tell how many writes that meet each other are kept, and how many were lost that had been acknowledged."""

    def tried(whose: str, *, two: bool) -> tuple[int, int]:
        with run.scratch() as folder:
            taker = ours(folder, attached=two) if whose == "ours" else other.over(folder)
            try:
                return _by_two(taker, by_each) if two else _sent_at_once(taker, at_once)
            finally:
                taker.end()

    figures = []
    for what, asked, two in (
        (f"of {at_once} writes that one client sends at once", at_once, False),
        (f"of {by_each} writes of each of two processes", 2 * by_each, True),
    ):
        pairs = {whose: [tried(whose, two=two) for _ in range(run.rounds)] for whose in ("ours", "rival")}
        kept = {whose: [float(kept) for _, kept in tries] for whose, tries in pairs.items()}
        lost = {whose: [float(acknowledged - kept) for acknowledged, kept in tries] for whose, tries in pairs.items()}
        for name, counts, target in (
            (f"kept {what}", kept, Target("ours", ">=", asked)),
            (f"acknowledged and lost {what}", lost, Target("ours", "<=", 0)),
        ):
            figures.append(Figure(name, "writes", counts["ours"], (), counts["rival"], [target], other.name))
    return figures


def _compared(
    rounds: int, takers: Mapping[str, tuple[NoteTaker, StdioClient]], named: Sequence[str], calls: Mapping[str, int]
) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    """Return the milliseconds of single writes and of searches by round, for each server."""
    written, asked = itertools.count(), itertools.cycle(named)

    def write(taker: NoteTaker, client: StdioClient) -> None:
        tool, arguments = taker.write(f"Written Once {next(written)}")
        client.tool(tool, **arguments)

    def search(taker: NoteTaker, client: StdioClient) -> None:
        tool, arguments = taker.search(next(asked))
        client.tool(tool, **arguments)

    def measured(ask: Callable[[NoteTaker, StdioClient], None]) -> dict[str, list[float]]:
        ways: dict[str, Callable[[], float]] = {}
        for whose, (taker, client) in takers.items():
            once = partial(ask, taker, client)
            once()
            ways[whose] = partial(median_ms, once, calls[whose])
        return interleaved(rounds, ways)

    return measured(write), measured(search)


def _sent_at_once(taker: NoteTaker, writes: int) -> tuple[int, int]:
    """Let one client send that many writes without waiting; return how many were acknowledged, and how many kept."""
    named = [f"Zeta {number:05}" for number in range(writes)]
    with taker.client() as client:
        for name in named:
            _send_write(taker, client, name)
        acknowledged = sum(_is_acknowledged(client) for _ in named)
        return acknowledged, taker.kept(client, named)


def _by_two(taker: NoteTaker, writes: int) -> tuple[int, int]:
    """Let two processes make that many writes each at the same time; return as `_sent_at_once` does."""
    named = [(f"Zeta {number:05} of one", f"Zeta {number:05} of the other") for number in range(writes)]
    acknowledged = 0
    with taker.client() as one, taker.client() as other:
        for of_one, of_other in named:
            _send_write(taker, one, of_one)
            _send_write(taker, other, of_other)
            acknowledged += _is_acknowledged(one) + _is_acknowledged(other)
    with taker.client() as reader:
        try:
            return acknowledged, taker.kept(reader, [name for pair in named for name in pair])
        except Refused:  # what two processes left of the file cannot be read any more
            return acknowledged, 0


def _send_write(taker: NoteTaker, client: StdioClient, name: str) -> None:
    tool, arguments = taker.write(name)
    client.send(request_line("tools/call", {"name": tool, "arguments": arguments}))


def _is_acknowledged(client: StdioClient) -> bool:
    answer = json.loads(client.next_answer())
    return "result" in answer and not answer["result"].get("isError")
