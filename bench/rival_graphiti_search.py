"""Searches a made-up graph with graphiti-core on its Kuzu driver, for the scenario `graphiti`, which runs it.

It runs in an environment of its own, where graphiti-core is installed; of this project it uses the built-in embedder
only. The argument is a folder that has `entities.parquet`, `facts.parquet`, `from.parquet` and `to.parquet`, whose
columns are those of graphiti-core's tables; they are copied in, since saving them one by one takes very long. For each
line on standard input, `{"of": "nodes" or "facts", "query": ..., "group": ...}`, it answers with a line of JSON: the
milliseconds that the search took, and how much was found.
"""

import asyncio
import json
import sys
import time
from pathlib import Path
from typing import Any

from graphiti_core import Graphiti  # type: ignore[import-not-found]
from graphiti_core.driver.driver import GraphProvider  # type: ignore[import-not-found]
from graphiti_core.driver.kuzu_driver import KuzuDriver  # type: ignore[import-not-found]
from graphiti_core.graph_queries import get_fulltext_indices  # type: ignore[import-not-found]
from graphiti_core.search.search_config_recipes import (  # type: ignore[import-not-found]
    EDGE_HYBRID_SEARCH_RRF,
    NODE_HYBRID_SEARCH_RRF,
)

# Its models, and what it has to be spared, are the same as when it ingests.
from rival_graphiti import CannedModel, NoReranker, SameEmbedder  # type: ignore[import-not-found]

_COPIES = (
    "COPY Entity(uuid, name, group_id, labels, created_at, name_embedding, summary, attributes) "
    "FROM '{}/entities.parquet'",
    "COPY RelatesToNode_(uuid, group_id, created_at, name, fact, fact_embedding, episodes, attributes) "
    "FROM '{}/facts.parquet'",
    "COPY RELATES_TO FROM '{}/from.parquet' (from='Entity', to='RelatesToNode_')",
    "COPY RELATES_TO FROM '{}/to.parquet' (from='RelatesToNode_', to='Entity')",
)


async def serve(folder: Path) -> None:
    """Make the graph, say `ready`, and search for each line that comes."""
    driver = KuzuDriver(str(folder / "graphiti.kuzu"))
    for statement in _COPIES:
        await driver.execute_query(statement.format(folder))
    for statement in get_fulltext_indices(GraphProvider.KUZU):
        await driver.execute_query(statement)
    graphiti = Graphiti(
        graph_driver=driver, llm_client=CannedModel(), embedder=SameEmbedder(), cross_encoder=NoReranker()
    )
    print("ready", flush=True)
    for line in sys.stdin:
        print(json.dumps(await search(graphiti, json.loads(line))), flush=True)


async def search(graphiti: Any, asked: dict[str, str]) -> dict[str, float]:
    """Search once, for the ten best."""
    of_nodes = asked["of"] == "nodes"
    config = (NODE_HYBRID_SEARCH_RRF if of_nodes else EDGE_HYBRID_SEARCH_RRF).model_copy(update={"limit": 10})
    begun = time.perf_counter()
    found = await graphiti.search_(asked["query"], config, group_ids=[asked["group"]])
    taken = 1e3 * (time.perf_counter() - begun)
    return {"ms": taken, "found": len(found.nodes if of_nodes else found.edges)}


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1])))
