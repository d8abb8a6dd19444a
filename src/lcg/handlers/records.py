"""Rows as clients see them: the shared records of the registry."""

from collections.abc import Iterable
from typing import Literal, Protocol, TypedDict, cast

from lcg.generated.results import EdgeRecord, EntityRecord, EpisodeRecord, PassageRecord
from lcg.graph.index import GraphIndex
from lcg.model.rows import Edge, Entity, Episode
from lcg.model.times import format_time
from lcg.runtime.groups import ALL_GROUPS, GroupFilter

Provider = Literal["none", "builtin", "anthropic", "openai"]


class ExtractorRecord(TypedDict):
    """How a result names the extractor."""

    provider: Provider
    model: str | None


class Named(Protocol):
    """An extractor or a classifier."""

    @property
    def provider(self) -> str:
        """Who is asked."""
        ...

    @property
    def model(self) -> str | None:
        """The model that is asked now."""
        ...


def extractor_record(extractor: Named | None) -> ExtractorRecord:
    """Return who reads texts or chooses types; `none` when nobody does."""
    if extractor is None:
        return {"provider": "none", "model": None}
    return {"provider": cast(Provider, extractor.provider), "model": extractor.model}


def entity_record(
    index: GraphIndex, row: Entity, groups: GroupFilter = ALL_GROUPS, score: float | None = None
) -> EntityRecord:
    """Return an entity with the episodes, of these groups, that mention it."""
    episodes, sources = provenance(index, sorted(index.episodes_of(row.uuid)), groups)
    record: EntityRecord = {
        "uuid": row.uuid,
        "name": row.name,
        "group_id": row.group_id,
        "labels": list(row.labels),
        "created_at": format_time(row.created_at),
        "summary": row.summary,
        "attributes": row.attributes,
        "episode_uuids": episodes,
        "source_descriptions": sources,
    }
    if score is not None:
        record["score"] = score
    return record


def edge_record(
    index: GraphIndex, row: Edge, groups: GroupFilter = ALL_GROUPS, score: float | None = None
) -> EdgeRecord:
    """Return a relationship with the episodes, of these groups, that stated it."""
    episodes, sources = provenance(index, row.episodes, groups)
    record: EdgeRecord = {
        "uuid": row.uuid,
        "name": row.name,
        "source_node_uuid": row.source_uuid,
        "target_node_uuid": row.target_uuid,
        "group_id": row.group_id,
        "fact": row.fact,
        "created_at": format_time(row.created_at),
        "valid_at": None if row.valid_at is None else format_time(row.valid_at),
        "invalid_at": None if row.invalid_at is None else format_time(row.invalid_at),
        "attributes": row.attributes,
        "relation_type": row.relation_type or None,
        "episode_uuids": episodes,
        "source_descriptions": sources,
    }
    if score is not None:
        record["score"] = score
    return record


def episode_record(index: GraphIndex, row: Episode) -> EpisodeRecord:
    """Return an episode with the entities that it mentions."""
    return {
        "uuid": row.uuid,
        "name": row.name,
        "group_id": row.group_id,
        "created_at": format_time(row.created_at),
        "source": row.source,
        "source_description": row.source_description,
        "content": row.content,
        "valid_at": "" if row.valid_at is None else format_time(row.valid_at),
        "entity_edges": sorted(index.entities_of(row.uuid)),
        "superseded": index.is_superseded(row),
    }


def passage_record(row: Episode, score: float | None) -> PassageRecord:
    """Return an episode as search shows it."""
    return {
        "uuid": row.uuid,
        "name": row.name,
        "content": row.content,
        "source_description": row.source_description,
        "group_id": row.group_id,
        "created_at": format_time(row.created_at),
        "valid_at": None if row.valid_at is None else format_time(row.valid_at),
        "score": score,
    }


def provenance(index: GraphIndex, uuids: Iterable[str], groups: GroupFilter) -> tuple[list[str], list[str]]:
    """Return the episodes that exist in these groups, and where each came from; both lists run in parallel."""
    known = [(uuid, source) for uuid in uuids if (source := index.source_of(uuid)) and source.group_id in groups]
    return [uuid for uuid, _ in known], [source.description for _, source in known]
