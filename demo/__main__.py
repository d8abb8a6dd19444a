"""Ingests notes into a fresh workspace, asks what they say, walks one step, and tells what to do next.

The notes are those of a made-up team beside this file, or the documents of the folder that LCG_DEMO_DIR names.
"""

import asyncio
import os
import re
import sys
import tempfile
from collections import Counter
from pathlib import Path

from demo.agent import SERVER_LOG, Agent, ToolFailed, connected, server_command
from demo.documents import Chunk, cut, find
from demo.next_steps import show_next_steps
from demo.show import Screen

NOTES = Path(__file__).resolve().parent / "notes"
QUESTIONS = ("who looks after billing now", "why were invoices late")
_FACTS = 3
_NEIGHBOURS = 8
_DATED = re.compile(r"\d{4}-\d{2}-\d{2}")


def main() -> int:
    """Run the demo and return its exit status."""
    screen = Screen()
    workspace = Path(tempfile.mkdtemp(prefix="lcg-demo-"))
    named = os.environ.get("LCG_DEMO_DIR", "").strip()
    folder = Path(named).expanduser().resolve() if named else NOTES
    documents = find(folder)
    chunks = [chunk for path in documents for chunk in cut(str(path.relative_to(folder)), _read(path))]
    if not chunks:
        screen.failure(f"LCG_DEMO_DIR: no .md or .txt file with text below {folder}.", workspace / SERVER_LOG)
        return 1
    command, arguments = server_command()
    screen.title("Notes become a graph that answers")
    screen.facts(
        {
            "notes": f"{len(documents)} files in {folder}",
            "workspace": workspace,
            "server": " ".join([command, *arguments]),
        }
    )
    try:
        asked = asyncio.run(_run(screen, workspace, chunks, () if named else QUESTIONS))
    except Exception as error:  # whatever it was, the server's log tells more than a trace of the client
        screen.failure("; ".join(_reasons(error)), workspace / SERVER_LOG)
        return 1
    show_next_steps(screen, workspace, asked)
    return 0


async def _run(screen: Screen, workspace: Path, chunks: list[Chunk], questions: tuple[str, ...]) -> str:
    """Return the first question that was asked."""
    async with connected(workspace) as agent:
        names = await _ingest(screen, agent, chunks)
        common = [name for name, _ in names.most_common(2)]
        questions = questions or tuple(common) or (chunks[0].text[:40],)
        for question in questions:
            await _ask(screen, agent, question)
        if common:
            await _walk(screen, agent, common[0])
        await _status(screen, agent)
        return questions[0]


async def _ingest(screen: Screen, agent: Agent, chunks: list[Chunk]) -> Counter[str]:
    """Ingest every chunk; return the names found, with the number of chunks that have them."""
    screen.title("knowledge_process_chunk, once per chunk")
    names: Counter[str] = Counter()
    with screen.progress() as progress:
        task = progress.add_task("", total=len(chunks))
        for chunk in chunks:
            progress.update(task, description=Path(chunk.source_file).name)
            result = await agent.call(
                "knowledge_process_chunk",
                chunk_text=chunk.text,
                chunk_id=chunk.chunk_id,
                source_file=chunk.source_file,
                **_time_of(chunk.source_file),
            )
            names.update({entry["name"] for entry in result["resolutions"]})
            progress.advance(task)
        progress.update(task, description="done")
    return names


def _time_of(source_file: str) -> dict[str, str]:
    """Return when a note was written, if its name begins with the date: its facts hold since then."""
    date = _DATED.match(Path(source_file).name)
    return {"reference_time": date[0]} if date else {}


async def _ask(screen: Screen, agent: Agent, question: str) -> None:
    """Show the facts that bear on a question, and where the best passage stands."""
    screen.title(f"{question}?  knowledge_find_relationships, knowledge_search_passages")
    found = await agent.call("knowledge_find_relationships", query=question, num_results=_FACTS)
    screen.relationships(found["edges"])
    passages = await agent.call("knowledge_search_passages", query=question, num_results=1)
    screen.passages(passages["passages"])


async def _walk(screen: Screen, agent: Agent, name: str) -> None:
    """Show the neighbourhood of the entity of that name."""
    center = (await agent.call("knowledge_find_entities", query=name, num_results=1))["nodes"][0]
    around = await agent.call("knowledge_get_entity_neighbors", entity_uuid=center["uuid"], num_results=_NEIGHBOURS)
    screen.title(
        f"{center['name']}  knowledge_get_entity_neighbors, {around['edge_count']} of {around['total']} relationships"
    )
    screen.neighbourhood(center, around["edges"], {node["uuid"]: node["name"] for node in around["nodes"]})


async def _status(screen: Screen, agent: Agent) -> None:
    status = await agent.call("knowledge_status")
    screen.title("knowledge_status")
    screen.facts(
        {
            "entities": status["entity_count"],
            "relationships": status["relationship_count"],
            "episodes": status["episode_count"],
            "log": f"{status['wal']['max_seq']} lines, {status['wal']['applied_seq']} applied",
            "embedder": f"{status['embedding']['provider']}, {status['embedding']['model']}",
            "extractor": status["extractor"]["provider"],
        }
    )


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


def _reasons(error: BaseException) -> list[str]:
    """Return what went wrong, taken out of the groups that concurrent tasks wrap it in."""
    if isinstance(error, BaseExceptionGroup):
        return [reason for inner in error.exceptions for reason in _reasons(inner)]
    return [str(error) if isinstance(error, ToolFailed) else f"{type(error).__name__}: {error}"]


if __name__ == "__main__":
    sys.exit(main())
