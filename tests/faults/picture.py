"""What a running service shows of its graph, all of it, so that two moments can be compared."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from tests.processes import Talker


@dataclass(frozen=True)
class Picture:
    """Every row by uuid, the mentions as (episode, entity), and the digest of each group that has rows."""

    entities: dict[str, tuple[str, str, str]]
    edges: dict[str, tuple[str, str, str, str, str, tuple[str, ...]]]
    episodes: dict[str, tuple[str, str, str]]
    mentions: frozenset[tuple[str, str]]
    digests: dict[str, str]

    def named(self, name: str, group_id: str | None = None) -> list[str]:
        """Return the uuids of the entities of that name, in one group or in any."""
        return [
            uuid for uuid, (group, found, _) in self.entities.items() if found == name and group_id in (None, group)
        ]

    def without(self, groups: Collection[str]) -> "Picture":
        """Return what other groups than these hold."""
        entities = {uuid: row for uuid, row in self.entities.items() if row[0] not in groups}
        return Picture(
            entities,
            {uuid: row for uuid, row in self.edges.items() if row[0] not in groups},
            {uuid: row for uuid, row in self.episodes.items() if row[0] not in groups},
            frozenset(pair for pair in self.mentions if pair[1] in entities),
            {group: digest for group, digest in self.digests.items() if group not in groups},
        )


def take_picture(client: Talker) -> Picture:
    """Read everything, and check that the counters, the rows, the hops and the mentions tell the same story."""
    entities = client.rows("MATCH (e:Entity) RETURN e.uuid, e.group_id, e.name, e.summary")
    edges = client.rows(
        "MATCH (a:Entity)-[:RELATES_TO]->(n:RelatesToNode_)-[:RELATES_TO]->(b:Entity) "
        "RETURN n.uuid, n.group_id, n.name, a.uuid, b.uuid, n.fact, n.episodes"
    )
    episodes = client.rows("MATCH (p:Episodic) RETURN p.uuid, p.group_id, p.name, p.content")
    mentions = client.rows("MATCH (p:Episodic)-[:MENTIONS]->(e:Entity) RETURN p.uuid, e.uuid")
    status = client.result("knowledge_status")
    picture = Picture(
        {uuid: (group, name, summary) for uuid, group, name, summary in entities},
        {row[0]: (*row[1:6], tuple(sorted(row[6] or ()))) for row in edges},
        {uuid: (group, name, content) for uuid, group, name, content in episodes},
        frozenset((episode, entity) for episode, entity in mentions),
        # A first write that was refused may leave a directory, and so a group without rows.
        {group: facts["digest"] for group, facts in status["wal_groups"].items() if int(facts["digest"], 16)},
    )
    _check(picture, status, client)
    assert [len(entities), len(edges), len(mentions)] == [
        len(picture.entities),
        len(picture.edges),
        len(picture.mentions),
    ], "a row came twice"
    return picture


def _check(picture: Picture, status: dict[str, Any], client: Talker) -> None:
    assert status["entity_count"] == len(picture.entities)
    assert status["relationship_count"] == len(picture.edges)
    assert status["episode_count"] == len(picture.episodes)
    assert status["unbound_relationship_count"] == 0
    assert status["failed_records"] == []
    assert status["embedding"]["rows_without_vector"] == 0
    assert client.rows("MATCH (n:RelatesToNode_) RETURN count(n)") == [[len(picture.edges)]]
    for group_id, facts in status["wal_groups"].items():
        assert facts["pending"] == 0, (group_id, facts)
        if not facts["excluded"]:
            assert facts["hydration_status"] in ("hydrated", "not_applicable"), (group_id, facts)
            assert facts["applied_seq"] == (facts["max_seq"] or 0), (group_id, facts)
