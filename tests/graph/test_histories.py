"""Random histories: whatever was written, the graph rebuilt from the log is the graph that was live."""

import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lcg.errors import LcgError
from lcg.graph.entries import Count, Kind
from lcg.graph.stage import OperationRefused
from lcg.model.digest import moved
from lcg.model.operations import (
    EdgeDelete,
    EdgePut,
    EntityDelete,
    EntityPut,
    EpisodeDelete,
    EpisodePut,
    GroupClear,
    MentionDelete,
    MentionPut,
    Operation,
)
from lcg.model.rows import Mention
from lcg.runtime.groups import ALL_GROUPS
from lcg.search.protocol import TextKind, VectorKind
from tests.graph.harness import NOON, Workspace, edge, entity, episode

GROUPS = ("a", "b")
NAMES = st.sampled_from(["Ada", "ADA", "Grace", "Straße", "東京", "naïve"])
ENTITIES = st.sampled_from(["n1", "n2", "n3", "n4"])
EDGES = st.sampled_from(["r1", "r2", "r3"])
EPISODES = st.sampled_from(["e1", "e2", "e3"])
MOMENTS = st.integers(NOON, NOON + 5)


def operations_of(group: str) -> st.SearchStrategy[Operation]:
    """Return every kind of operation that a group's log can hold, over a handful of rows."""

    def own(uuid: str) -> str:
        return f"{group}-{uuid}"

    mentions = st.builds(lambda ep, en: Mention(group, own(ep), own(en)), EPISODES, ENTITIES)
    return st.one_of(
        _entity_puts(group),
        _edge_puts(group),
        _episode_puts(group),
        mentions.map(MentionPut),
        mentions.map(MentionDelete),
        ENTITIES.map(own).map(EntityDelete),
        EDGES.map(own).map(EdgeDelete),
        EPISODES.map(own).map(EpisodeDelete),
        st.just(GroupClear()) if group == "a" else EDGES.map(own).map(EdgeDelete),
    )


def _entity_puts(group: str) -> st.SearchStrategy[Operation]:
    return st.builds(
        lambda uuid, name, summary, merged, at, embedded: EntityPut(
            entity(
                f"{group}-{uuid}",
                group,
                name=name,
                summary=summary,
                labels=("Entity", "Merged") if merged else ("Entity",),
                created_at=at,
                name_embedded=embedded,
            )
        ),
        ENTITIES,
        NAMES,
        st.sampled_from(["", "a pilot", "a ship"]),
        st.booleans(),
        MOMENTS,
        st.sampled_from([None, "Ada", "older name"]),
    )


def _edge_puts(group: str) -> st.SearchStrategy[Operation]:
    # An edge may end in the other group, and at an entity that does not exist (yet).
    owned = st.tuples(st.sampled_from((group, *GROUPS)), ENTITIES).map("-".join)
    ends = st.one_of(owned, st.just(""))
    return st.builds(
        lambda uuid, source, target, fact, invalid, at: EdgePut(
            edge(f"{group}-{uuid}", source, target, group, fact=fact, invalid_at=invalid, created_at=at)
        ),
        EDGES,
        ends,
        ends,
        st.sampled_from(["one fact", "another fact"]),
        st.one_of(st.none(), MOMENTS),
        MOMENTS,
    )


def _episode_puts(group: str) -> st.SearchStrategy[Operation]:
    return st.builds(
        lambda uuid, revision, at: EpisodePut(
            episode(
                f"{group}-{uuid}",
                group,
                created_at=at,
                source_file="f.md" if revision else None,
                chunk_id="c" if revision else None,
                revision=revision,
                text_hash="h" if revision else None,
                extractor_key="x" if revision else None,
            )
        ),
        EPISODES,
        st.one_of(st.none(), st.integers(1, 3)),
        MOMENTS,
    )


RECORDS = st.sampled_from(GROUPS).flatmap(
    lambda group: st.tuples(st.just(group), st.lists(operations_of(group), min_size=1, max_size=5))
)


def write_all(workspace: Workspace, history: list[tuple[str, list[Operation]]]) -> None:
    for group, operations in history:
        before = (workspace.digests(), workspace.rows())
        try:
            workspace.apply(group, *operations)
        except (OperationRefused, LcgError):
            assert (workspace.digests(), workspace.rows()) == before


def summary_of(workspace: Workspace) -> dict[str, Any]:
    """Return the index's answers to everything that it can be asked."""
    index = workspace.graph.index
    uuids = sorted(index.places)
    return {
        "places": {uuid: index.places[uuid] for uuid in uuids},
        "named": [[index.named(g, n) for g in GROUPS] for n in ("Ada", "Grace", "Straße", "東京", "naïve")],
        "buried": [[index.buried(g, n) for g in GROUPS] for n in ("Ada", "Grace", "Straße", "東京", "naïve")],
        "chunks": [index.revisions(g, "f.md", "c") for g in GROUPS],
        "mentions": [(uuid, sorted(index.episodes_of(uuid)), sorted(index.entities_of(uuid))) for uuid in uuids],
        "unbound": [uuid for uuid in uuids if index.is_unbound(uuid)],
        "counts": [(g, what, index.count(what, g)) for g in GROUPS for what in Count],
        "visible": [index.visible(kind, ALL_GROUPS) for kind in Kind],
        "newest": [index.newest_episodes(g) for g in GROUPS],
        "span": index.episode_span(),
    }


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(RECORDS, max_size=14))
def test_a_rebuilt_graph_equals_the_live_one(history: list[tuple[str, list[Operation]]]) -> None:
    with tempfile.TemporaryDirectory() as directory:
        workspace = Workspace(Path(directory))
        try:
            write_all(workspace, history)
            live = (workspace.digests(), workspace.rows(), summary_of(workspace))
            assert live[2]["visible"] == _visible(workspace)
            assert live[0] == _recomputed(workspace)
            workspace.rebuild()
            assert (workspace.digests(), workspace.rows(), summary_of(workspace)) == live
            assert workspace.graph.state.failed_records == []
        finally:
            workspace.close()


def _visible(workspace: Workspace) -> list[list[str]]:
    entities, edges, episodes, _ = workspace.rows()
    known = {row.uuid for row in entities}
    shown = {
        Kind.ENTITY: [row.uuid for row in entities if not row.is_tombstone],
        Kind.EDGE: [row.uuid for row in edges if {row.source_uuid, row.target_uuid} <= known],
        Kind.EPISODE: [row.uuid for row in episodes],
    }
    return [sorted(shown[kind], reverse=True) for kind in Kind]


def _recomputed(workspace: Workspace) -> dict[str, int]:
    digests: dict[str, int] = {}
    for rows in workspace.rows():
        for row in rows:
            digests[row.group_id] = moved(digests.get(row.group_id, 0), None, row)
    return {group: digest for group, digest in digests.items() if digest}


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(RECORDS, max_size=14))
def test_search_covers_exactly_what_is_visible(history: list[tuple[str, list[Operation]]]) -> None:
    with tempfile.TemporaryDirectory() as directory:
        workspace = Workspace(Path(directory))
        try:
            write_all(workspace, history)
            index = workspace.graph.index
            entities, edges, episodes, _ = workspace.rows()
            for text in episodes:
                newest = not index.is_superseded(text)
                assert _is_found(workspace, TextKind.EPISODE, text.content, text.uuid) == newest
            for row in entities:
                assert _is_found(workspace, TextKind.ENTITY, row.name, row.uuid) == (not row.is_tombstone)
            for link in edges:
                bound = all(index.has(Kind.ENTITY, end) for end in (link.source_uuid, link.target_uuid))
                assert index.is_unbound(link.uuid) == (not bound)
                assert _is_found(workspace, TextKind.EDGE, link.fact, link.uuid) == bound
        finally:
            workspace.close()


def search_answers(workspace: Workspace) -> list[list[str]]:
    """Return what a few searches by words and by meaning find."""
    words = [(kind, query) for kind in TextKind for query in ("Ada", "pilot", "fact", "text")]
    found = [[hit.uuid for hit in workspace.text.search(kind, query, ALL_GROUPS, 100)] for kind, query in words]
    vector = workspace.embedder.embed(["Ada pilot"])[0]
    near = [[hit.uuid for hit in workspace.vectors.search(kind, vector, ALL_GROUPS, 100)] for kind in VectorKind]
    return [sorted(uuids) for uuids in (*found, *near)]


def _is_found(workspace: Workspace, kind: TextKind, query: str, uuid: str) -> bool:
    return any(hit.uuid == uuid for hit in workspace.text.search(kind, query, ALL_GROUPS, 100))
