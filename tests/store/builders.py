"""Short ways to make rows and batches."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from lcg.model.rows import Edge, Entity, Episode, Mention
from lcg.store.protocol import Batch, Change, Position

NOON = 1_772_452_800_000_000


def entity(uuid: str, **fields: Any) -> Entity:
    base = Entity(uuid=uuid, group_id="g", name=f"name of {uuid}", labels=("Entity",), created_at=NOON)
    return replace(base, **fields)


def edge(uuid: str, source: str, target: str, **fields: Any) -> Edge:
    base = Edge(
        uuid=uuid,
        group_id="g",
        name="KNOWS",
        source_uuid=source,
        target_uuid=target,
        fact=f"{source} knows {target}",
        created_at=NOON,
    )
    return replace(base, **fields)


def episode(uuid: str, **fields: Any) -> Episode:
    base = Episode(
        uuid=uuid,
        group_id="g",
        name=f"name of {uuid}",
        created_at=NOON,
        source="text",
        source_description="a file",
        content="some text",
    )
    return replace(base, **fields)


def mention(episode_uuid: str, entity_uuid: str, group_id: str = "g") -> Mention:
    return Mention(group_id, episode_uuid, entity_uuid)


def batch(
    entities: Sequence[Change[Entity]] = (),
    edges: Sequence[Change[Edge]] = (),
    episodes: Sequence[Change[Episode]] = (),
    **more: Any,
) -> Batch:
    return Batch(entities=list(entities), edges=list(edges), episodes=list(episodes), **more)


def new_entities(*rows: Entity, **more: Any) -> Batch:
    return Batch(entities=[Change(None, row) for row in rows], **more)


def new_edges(*rows: Edge, **more: Any) -> Batch:
    return Batch(edges=[Change(None, row) for row in rows], **more)


def new_episodes(*rows: Episode, **more: Any) -> Batch:
    return Batch(episodes=[Change(None, row) for row in rows], **more)


def at(seq: int, group_id: str = "g", **fields: Any) -> list[Position]:
    return [Position(group_id, seq, fields.pop("generation", "gen-1"), **fields)]
