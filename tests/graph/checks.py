"""What has to hold of a graph after a failure: rows, digests, and a search that follows them."""

from typing import Any

from lcg.graph.entries import Kind
from lcg.runtime.groups import ALL_GROUPS
from lcg.search.protocol import TextKind, VectorKind
from lcg.services.healing import heal
from tests.graph.harness import Workspace

Rows = tuple[Any, ...]


def state_of(workspace: Workspace) -> Rows:
    """Return digests and rows."""
    return workspace.digests(), workspace.rows()


def check_search(workspace: Workspace) -> None:
    """Check that the search indexes hold exactly the rows that are visible, each under its present text."""
    heal(workspace.graph, workspace.embedding)
    entities, edges, episodes, _ = workspace.rows()
    index = workspace.graph.index
    shown: dict[TextKind, dict[str, str]] = {
        TextKind.ENTITY: {row.uuid: row.name for row in entities if not row.is_tombstone},
        TextKind.EDGE: {row.uuid: row.fact for row in edges if not index.is_unbound(row.uuid)},
        TextKind.EPISODE: {row.uuid: row.content for row in episodes if not index.is_superseded(row)},
    }
    for kind, texts in shown.items():
        words = {word for text in texts.values() for word in text.split()} | {"Ada", "Grace", "Edsger", "fact", "text"}
        found = {hit.uuid for word in words for hit in workspace.text.search(kind, word, ALL_GROUPS, 100)}
        assert found == texts.keys()
        for uuid, text in texts.items():
            assert uuid in {hit.uuid for hit in workspace.text.search(kind, text, ALL_GROUPS, 100)}
    vector = workspace.embedder.embed(["anything"])[0]
    pairs = {
        VectorKind.ENTITY_NAME: shown[TextKind.ENTITY],
        VectorKind.EDGE_FACT: shown[TextKind.EDGE],
        VectorKind.EPISODE_CONTENT: shown[TextKind.EPISODE],
    }
    for vectors, texts in pairs.items():
        near = {hit.uuid for hit in workspace.vectors.search(vectors, vector, ALL_GROUPS, 100)}
        assert near == {uuid for uuid, text in texts.items() if text.strip()}
    assert all(index.has(Kind.ENTITY, row.uuid) for row in entities)
