"""Ingests documents into a fresh workspace, asks three questions, walks one step, and shows how to connect an agent.

The documents are this project's own, or those of the folder that LCG_DEMO_DIR names.
"""

import asyncio
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from demo.agent import SERVER_LOG, Agent, ToolFailed, connected, server_command
from demo.documents import Chunk, cut, folder_documents, project_documents
from demo.show import Screen

ROOT = Path(__file__).resolve().parent.parent
QUESTIONS = ("how full text search works", "recover after kill -9", "what templates decide")
_RESULTS = 4
_NEIGHBOURS = 8


def main() -> int:
    """Run the demo and return its exit status."""
    screen = Screen()
    workspace = Path(tempfile.mkdtemp(prefix="lcg-demo-"))
    folder = os.environ.get("LCG_DEMO_DIR", "").strip()
    base = Path(folder).expanduser().resolve() if folder else ROOT
    documents = folder_documents(base) if folder else project_documents(base)
    chunks = [chunk for path in documents for chunk in cut(str(path.relative_to(base)), _read(path))]
    if not chunks:
        screen.failure(f"LCG_DEMO_DIR: no .md or .txt file with text below {base}.", workspace / SERVER_LOG)
        return 1
    command, arguments = server_command()
    screen.title("A context graph from documents")
    screen.facts(
        {
            "documents": f"{len(documents)} files in {base}",
            "workspace": workspace,
            "server": " ".join([command, *arguments]),
        }
    )
    try:
        asyncio.run(_run(screen, workspace, chunks, QUESTIONS if not folder else ()))
    except Exception as error:  # whatever it was, the server's log tells more than a trace of the client
        screen.failure("; ".join(_reasons(error)), workspace / SERVER_LOG)
        return 1
    _show_connection(screen, workspace)
    return 0


async def _run(screen: Screen, workspace: Path, chunks: list[Chunk], questions: tuple[str, ...]) -> None:
    async with connected(workspace) as agent:
        names = await _ingest(screen, agent, chunks)
        questions = questions or tuple(name for name, _ in names.most_common(3))
        found = [await _search(screen, agent, question) for question in questions]
        await _walk(screen, agent, [entity for entities in found for entity in entities])
        await _status(screen, agent)


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
            )
            names.update({entry["name"] for entry in result["resolutions"]})
            progress.advance(task)
        progress.update(task, description="done")
    return names


async def _search(screen: Screen, agent: Agent, question: str) -> list[dict[str, Any]]:
    screen.title(f"knowledge_find_entities: {question}")
    found = await agent.call("knowledge_find_entities", query=question, num_results=_RESULTS)
    entities: list[dict[str, Any]] = found["nodes"]
    screen.entities(entities)
    return entities


async def _walk(screen: Screen, agent: Agent, entities: list[dict[str, Any]]) -> None:
    """Show the neighbourhood of that found entity which has the most relationships."""
    around = [
        (
            entity,
            await agent.call("knowledge_get_entity_neighbors", entity_uuid=entity["uuid"], num_results=_NEIGHBOURS),
        )
        for entity in entities
    ]
    if not around:
        return
    center, answer = max(around, key=lambda pair: int(pair[1]["total"]))
    screen.title(
        f"knowledge_get_entity_neighbors: {center['name']}, {answer['edge_count']} of {answer['total']} relationships"
    )
    screen.neighbourhood(center, answer["edges"], {node["uuid"]: node["name"] for node in answer["nodes"]})


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


def _show_connection(screen: Screen, workspace: Path) -> None:
    command, arguments = server_command("--connect", "auto", "--scope=read,write")
    screen.title("Connect your agent: paste this into its MCP configuration")
    screen.verbatim({"mcpServers": {"lcg": {"command": command, "args": arguments, "cwd": str(workspace)}}})
    screen.say(
        "`cwd` is the workspace. This one holds the graph you just saw; name your own project's folder to begin a "
        "graph of its own. All agents of a workspace share one service, which the first of them starts. "
        "docs/getting-started.md says what to do when your client has no such field."
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
