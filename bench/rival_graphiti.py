"""Ingests the canned texts with graphiti-core on its Kuzu driver, for `bench.ingest`, which runs it.

It runs in an environment of its own, where graphiti-core is installed; of this project it uses the built-in embedder
only. Arguments: the file of canned extractions and a folder for the store. For every line on standard input it takes
the next text in and answers with a line of JSON: the seconds that `add_episode` took, by the clock and by processor
time. When the input ends it answers with how many entities and facts are stored.

Three things that graphiti-core leaves to its user on this driver are done first: its full-text indexes are made, the
driver gets the attribute that `add_episode` looks for, and a reranker is given, since the default one needs a key.
"""

import asyncio
import json
import logging
import sys
import time
import warnings
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from lcg.providers.embedder.builtin import BuiltinEmbedder

warnings.simplefilter("ignore")
logging.disable(logging.WARNING)

from graphiti_core import Graphiti  # type: ignore[import-not-found]  # noqa: E402
from graphiti_core.cross_encoder.client import CrossEncoderClient  # type: ignore[import-not-found]  # noqa: E402
from graphiti_core.driver.driver import GraphProvider  # type: ignore[import-not-found]  # noqa: E402
from graphiti_core.driver.kuzu_driver import KuzuDriver  # type: ignore[import-not-found]  # noqa: E402
from graphiti_core.embedder.client import EmbedderClient  # type: ignore[import-not-found]  # noqa: E402
from graphiti_core.graph_queries import get_fulltext_indices  # type: ignore[import-not-found]  # noqa: E402
from graphiti_core.llm_client.client import LLMClient  # type: ignore[import-not-found]  # noqa: E402
from graphiti_core.nodes import EpisodeType  # type: ignore[import-not-found]  # noqa: E402

GROUP = "articles"


class CannedModel(LLMClient):  # type: ignore[misc]
    """Answers each of graphiti's prompts at once, from what the present text was found to hold."""

    def __init__(self) -> None:
        super().__init__(None)
        self.present: dict[str, Any] = {}

    async def _generate_response(
        self, messages: Any, response_model: Any = None, max_tokens: int = 0, model_size: Any = None, **_: Any
    ) -> dict[str, Any]:
        entities, edges = self.present["entities"], self.present["edges"]
        match response_model.__name__:
            case "ExtractedEntities":
                return {"extracted_entities": [{"name": found["name"], "entity_type_id": 0} for found in entities]}
            case "ExtractedEdges":
                return {
                    "edges": [
                        {
                            "source_entity_name": edge["source"],
                            "target_entity_name": edge["target"],
                            "relation_type": edge["relation"],
                            "fact": edge["fact"],
                        }
                        for edge in edges
                    ]
                }
            case "NodeResolutions":
                return {"entity_resolutions": []}
            case "EdgeDuplicate":
                return {"duplicate_facts": [], "contradicted_facts": []}
            case "EdgeTimestamps":
                return {"valid_at": None, "invalid_at": None}
            case "BatchEdgeTimestamps":
                return {"timestamps": [{"valid_at": None, "invalid_at": None} for _ in edges]}
            case "SummarizedEntities":
                return {"summaries": [{"name": found["name"], "summary": found["summary"]} for found in entities]}
            case other:
                raise RuntimeError(f"graphiti-core asked for {other}, which this script does not know")


class SameEmbedder(EmbedderClient):  # type: ignore[misc]
    """The built-in embedder of this project."""

    def __init__(self) -> None:
        self._model = BuiltinEmbedder()
        self._model.load()

    async def create(self, input_data: Any) -> list[float]:
        """Embed one text."""
        text = input_data if isinstance(input_data, str) else input_data[0]
        return (await self.create_batch([text]))[0]

    async def create_batch(self, input_data_list: list[str]) -> list[list[float]]:
        """Embed several texts."""
        vectors: list[list[float]] = self._model.embed(input_data_list).tolist()
        return vectors


class NoReranker(CrossEncoderClient):  # type: ignore[misc]
    """Ranks nothing; `add_episode` never asks."""

    async def rank(self, query: str, passages: list[str]) -> list[tuple[str, float]]:
        """Return the passages as they are."""
        return [(passage, 0.0) for passage in passages]


async def serve(records: list[dict[str, Any]], folder: Path) -> None:
    """Take one text in for each line that comes."""
    driver = KuzuDriver(str(folder / "graphiti.kuzu"))
    driver._database = GROUP
    for statement in get_fulltext_indices(GraphProvider.KUZU):
        await driver.execute_query(statement)
    model = CannedModel()
    graphiti = Graphiti(graph_driver=driver, llm_client=model, embedder=SameEmbedder(), cross_encoder=NoReranker())
    for place, _ in enumerate(sys.stdin):
        record = records[place]
        model.present = record
        began, cpu_began = time.perf_counter(), time.process_time()
        await graphiti.add_episode(
            name=f"chunk {place}",
            episode_body=record["text"],
            source_description="article",
            reference_time=datetime(2026, 1, 1, tzinfo=UTC),
            source=EpisodeType.text,
            group_id=GROUP,
        )
        answer = {"seconds": time.perf_counter() - began, "cpu": time.process_time() - cpu_began}
        print(json.dumps(answer), flush=True)
    counts = {}
    for name, label in (("entities", "Entity"), ("facts", "RelatesToNode_")):
        rows, _, _ = await driver.execute_query(f"MATCH (n:{label}) RETURN count(n) AS n")
        counts[name] = rows[0]["n"]
    print(json.dumps(counts), flush=True)


def main() -> None:
    """Serve what the arguments say."""
    canned, folder = Path(sys.argv[1]), Path(sys.argv[2])
    records = [json.loads(line) for line in canned.read_text(encoding="utf-8").splitlines()]
    asyncio.run(serve(records, folder))


if __name__ == "__main__":
    main()
