# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 85dfc88f0b48004a618280b012d396acf3875ccc796fa46dea80d6cb5471f49e)
# Template: codegen/templates/params.py.j2
"""Parameters of every method that takes some: a class for each, and the decoder that checks what came and fills it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lcg.model.times import Micros
from lcg.runtime import decode
from lcg.runtime.groups import GroupFilter


@dataclass(frozen=True, slots=True)
class StatusParams:
    """What a call of `knowledge_status` asks for."""

    include_ontology: bool
    """Add the declared types."""


def decode_status(raw: Mapping[str, Any]) -> StatusParams:
    """Decode the parameters of `knowledge_status`.

    Raises:
        InvalidParams: something is missing, unknown, mistyped or out of its set.
    """
    tool = "knowledge_status"
    decode.refuse_unknown(tool, raw, ("include_ontology",))
    return StatusParams(
        include_ontology=decode.optional_boolean(tool, raw, "include_ontology", False),
    )


@dataclass(frozen=True, slots=True)
class RebuildStatusParams:
    """What a call of `knowledge_rebuild_status` asks for."""

    job_id: str
    """The job."""


def decode_rebuild_status(raw: Mapping[str, Any]) -> RebuildStatusParams:
    """Decode the parameters of `knowledge_rebuild_status`.

    Raises:
        InvalidParams: something is missing, unknown, mistyped or out of its set.
    """
    tool = "knowledge_rebuild_status"
    decode.refuse_unknown(tool, raw, ("job_id",))
    return RebuildStatusParams(
        job_id=decode.required_id(tool, raw, "job_id"),
    )


@dataclass(frozen=True, slots=True)
class ProcessChunkParams:
    """What a call of `knowledge_process_chunk` asks for."""

    chunk_text: str
    """The text, whole. It is never cut or split."""

    chunk_id: str
    """Its name. Keep it when the chunk is sent again."""

    source_file: str
    """Its file. One that ends in .json is read as JSON."""

    reference_time: Micros | None
    """When written; default now."""

    group_id: str
    """The group to work in."""


def decode_process_chunk(raw: Mapping[str, Any]) -> ProcessChunkParams:
    """Decode the parameters of `knowledge_process_chunk`.

    Raises:
        InvalidParams: something is missing, unknown, mistyped or out of its set.
    """
    tool = "knowledge_process_chunk"
    decode.refuse_unknown(tool, raw, ("chunk_text", "chunk_id", "source_file", "reference_time", "group_id"))
    return ProcessChunkParams(
        chunk_text=decode.required_prose(tool, raw, "chunk_text"),
        chunk_id=decode.required_term(tool, raw, "chunk_id"),
        source_file=decode.required_term(tool, raw, "source_file"),
        reference_time=decode.optional_time(tool, raw, "reference_time"),
        group_id=decode.one_default(tool, raw, "group_id", "liminis"),
    )


@dataclass(frozen=True, slots=True)
class AddEpisodeParams:
    """What a call of `knowledge_add_episode` asks for."""

    name: str
    """Its name."""

    episode_body: str
    """The text, whole."""

    source: str
    """Such as json or message. Free text; the two words select a way of reading in any letter case, all else is read as prose."""

    source_description: str
    """Where it comes from."""

    reference_time: Micros | None
    """When written; default now. Becomes created_at of the episode and of every row made from it."""

    group_id: str
    """The group to work in."""


def decode_add_episode(raw: Mapping[str, Any]) -> AddEpisodeParams:
    """Decode the parameters of `knowledge_add_episode`.

    Raises:
        InvalidParams: something is missing, unknown, mistyped or out of its set.
    """
    tool = "knowledge_add_episode"
    decode.refuse_unknown(
        tool, raw, ("name", "episode_body", "source", "source_description", "reference_time", "group_id")
    )
    return AddEpisodeParams(
        name=decode.required_term(tool, raw, "name"),
        episode_body=decode.required_prose(tool, raw, "episode_body"),
        source=decode.optional_term(tool, raw, "source", "text"),
        source_description=decode.optional_term(tool, raw, "source_description", ""),
        reference_time=decode.optional_time(tool, raw, "reference_time"),
        group_id=decode.one_default(tool, raw, "group_id", "liminis"),
    )


@dataclass(frozen=True, slots=True)
class AssertEntityParams:
    """What a call of `knowledge_assert_entity` asks for."""

    name: str
    """Its name. Unique in the group, letter case aside."""

    entity_uuid: str | None
    """Update this one; it has to exist. It is looked for in the group only."""

    labels: tuple[str, ...]
    """Types, such as Person."""

    summary: str
    """What it is, in a sentence."""

    attributes: Mapping[str, Any]
    """Further facts, a JSON object."""

    attributes_malformed: bool
    """Whether something came as `attributes` that is no object."""

    group_id: str
    """The group to work in."""


def decode_assert_entity(raw: Mapping[str, Any]) -> AssertEntityParams:
    """Decode the parameters of `knowledge_assert_entity`.

    Raises:
        InvalidParams: something is missing, unknown, mistyped or out of its set.
    """
    tool = "knowledge_assert_entity"
    decode.refuse_unknown(tool, raw, ("name", "entity_uuid", "labels", "summary", "attributes", "group_id"))
    _attributes, _attributes_malformed = decode.lenient_object(
        tool, raw, "attributes", refused_keys=("merged_into", "cross_group_pointers")
    )
    return AssertEntityParams(
        name=decode.required_name(tool, raw, "name"),
        entity_uuid=decode.optional_id(tool, raw, "entity_uuid", None),
        labels=decode.optional_strings(tool, raw, "labels", ("Entity",), refused=("Merged",)),
        summary=decode.optional_prose(tool, raw, "summary", ""),
        attributes=_attributes or {},
        attributes_malformed=_attributes_malformed,
        group_id=decode.one_default(tool, raw, "group_id", "liminis"),
    )


@dataclass(frozen=True, slots=True)
class AssertRelationshipParams:
    """What a call of `knowledge_assert_relationship` asks for."""

    source_name: str
    """What the fact is about."""

    predicate: str
    """The relation, such as MAINTAINS."""

    target_name: str
    """The other end."""

    fact: str | None
    """The fact as a sentence. Made from names and predicate when a new one comes without."""

    relation_type: str | None
    """Type from the ontology."""

    valid_at: Micros | None
    """Since when, such as 2026-05-20."""

    attributes: Mapping[str, Any] | None
    """Further facts, a JSON object. Replaces the stored one as a whole."""

    attributes_malformed: bool
    """Whether something came as `attributes` that is no object."""

    group_id: str
    """The group to work in."""


def decode_assert_relationship(raw: Mapping[str, Any]) -> AssertRelationshipParams:
    """Decode the parameters of `knowledge_assert_relationship`.

    Raises:
        InvalidParams: something is missing, unknown, mistyped or out of its set.
    """
    tool = "knowledge_assert_relationship"
    decode.refuse_unknown(
        tool,
        raw,
        ("source_name", "predicate", "target_name", "fact", "relation_type", "valid_at", "attributes", "group_id"),
    )
    _attributes, _attributes_malformed = decode.lenient_object(
        tool, raw, "attributes", refused_keys=("merged_into", "cross_group_pointers")
    )
    return AssertRelationshipParams(
        source_name=decode.required_name(tool, raw, "source_name"),
        predicate=decode.required_term(tool, raw, "predicate"),
        target_name=decode.required_name(tool, raw, "target_name"),
        fact=decode.optional_prose(tool, raw, "fact", None),
        relation_type=decode.optional_term(tool, raw, "relation_type", None),
        valid_at=decode.optional_time(tool, raw, "valid_at"),
        attributes=_attributes,
        attributes_malformed=_attributes_malformed,
        group_id=decode.one_default(tool, raw, "group_id", "liminis"),
    )


@dataclass(frozen=True, slots=True)
class FindEntitiesParams:
    """What a call of `knowledge_find_entities` asks for."""

    query: str
    """A name or a question."""

    num_results: int
    """Limit."""

    groups: GroupFilter
    """`group_ids`: left out = all groups, `[]` = no group, so no rows."""


def decode_find_entities(raw: Mapping[str, Any]) -> FindEntitiesParams:
    """Decode the parameters of `knowledge_find_entities`.

    Raises:
        InvalidParams: something is missing, unknown, mistyped or out of its set.
    """
    tool = "knowledge_find_entities"
    decode.refuse_unknown(tool, raw, ("query", "num_results", "group_ids"))
    return FindEntitiesParams(
        query=decode.required_term(tool, raw, "query"),
        num_results=decode.optional_integer(tool, raw, "num_results", 10, minimum=1),
        groups=decode.many_zero(tool, raw, "group_ids"),
    )


@dataclass(frozen=True, slots=True)
class FindRelationshipsParams:
    """What a call of `knowledge_find_relationships` asks for."""

    query: str
    """Words or a question."""

    num_results: int
    """Limit."""

    valid_at: Micros | None
    """Only what held then."""

    groups: GroupFilter
    """`group_ids`: left out = all groups, `[]` = no group, so no rows. What counts is the group that owns the relationship, not the groups of its ends."""


def decode_find_relationships(raw: Mapping[str, Any]) -> FindRelationshipsParams:
    """Decode the parameters of `knowledge_find_relationships`.

    Raises:
        InvalidParams: something is missing, unknown, mistyped or out of its set.
    """
    tool = "knowledge_find_relationships"
    decode.refuse_unknown(tool, raw, ("query", "num_results", "valid_at", "group_ids"))
    return FindRelationshipsParams(
        query=decode.required_term(tool, raw, "query"),
        num_results=decode.optional_integer(tool, raw, "num_results", 10, minimum=1),
        valid_at=decode.optional_time(tool, raw, "valid_at"),
        groups=decode.many_zero(tool, raw, "group_ids"),
    )


@dataclass(frozen=True, slots=True)
class SearchPassagesParams:
    """What a call of `knowledge_search_passages` asks for."""

    query: str
    """Words or a question."""

    num_results: int
    """Limit."""

    min_score: float
    """Least similarity."""

    groups: GroupFilter
    """`group_ids`: left out or `[]` = all groups."""


def decode_search_passages(raw: Mapping[str, Any]) -> SearchPassagesParams:
    """Decode the parameters of `knowledge_search_passages`.

    Raises:
        InvalidParams: something is missing, unknown, mistyped or out of its set.
    """
    tool = "knowledge_search_passages"
    decode.refuse_unknown(tool, raw, ("query", "num_results", "min_score", "group_ids"))
    return SearchPassagesParams(
        query=decode.required_term(tool, raw, "query"),
        num_results=decode.optional_integer(tool, raw, "num_results", 10, minimum=1, maximum=100, clamp_high=True),
        min_score=decode.optional_number(
            tool, raw, "min_score", 0.5, minimum=0, maximum=1, clamp_low=True, clamp_high=True
        ),
        groups=decode.many_all(tool, raw, "group_ids"),
    )


@dataclass(frozen=True, slots=True)
class QueryCypherParams:
    """What a call of `knowledge_query_cypher` asks for."""

    query: str
    """One Cypher statement."""

    parameters: Mapping[str, Any]
    """A value for every $name of the query, and no others."""

    max_rows: int
    """Return at most this many rows."""

    timeout_ms: int
    """Give up after this many milliseconds."""


def decode_query_cypher(raw: Mapping[str, Any]) -> QueryCypherParams:
    """Decode the parameters of `knowledge_query_cypher`.

    Raises:
        InvalidParams: something is missing, unknown, mistyped or out of its set.
    """
    tool = "knowledge_query_cypher"
    decode.refuse_unknown(tool, raw, ("query", "parameters", "max_rows", "timeout_ms"))
    return QueryCypherParams(
        query=decode.required_prose(tool, raw, "query"),
        parameters=decode.optional_object(tool, raw, "parameters") or {},
        max_rows=decode.optional_integer(tool, raw, "max_rows", 1000, minimum=1, maximum=100000, clamp_high=True),
        timeout_ms=decode.optional_integer(tool, raw, "timeout_ms", 30000, minimum=1, maximum=600000, clamp_high=True),
    )


@dataclass(frozen=True, slots=True)
class GetEpisodesParams:
    """What a call of `knowledge_get_episodes` asks for."""

    last_n: int
    """Limit."""

    offset: int
    """Skip this many."""

    group_id: str
    """The group to work in."""


def decode_get_episodes(raw: Mapping[str, Any]) -> GetEpisodesParams:
    """Decode the parameters of `knowledge_get_episodes`.

    Raises:
        InvalidParams: something is missing, unknown, mistyped or out of its set.
    """
    tool = "knowledge_get_episodes"
    decode.refuse_unknown(tool, raw, ("last_n", "offset", "group_id"))
    return GetEpisodesParams(
        last_n=decode.optional_integer(tool, raw, "last_n", 50, minimum=1),
        offset=decode.optional_integer(tool, raw, "offset", 0, minimum=0),
        group_id=decode.one_default(tool, raw, "group_id", "liminis"),
    )


@dataclass(frozen=True, slots=True)
class GetNodesByGroupParams:
    """What a call of `knowledge_get_nodes_by_group` asks for."""

    num_results: int | None
    """Limit; default all."""

    offset: int
    """Skip this many."""

    groups: GroupFilter
    """`group_ids`: left out = all groups, `[]` = no group, so no rows."""


def decode_get_nodes_by_group(raw: Mapping[str, Any]) -> GetNodesByGroupParams:
    """Decode the parameters of `knowledge_get_nodes_by_group`.

    Raises:
        InvalidParams: something is missing, unknown, mistyped or out of its set.
    """
    tool = "knowledge_get_nodes_by_group"
    decode.refuse_unknown(tool, raw, ("num_results", "offset", "group_ids"))
    return GetNodesByGroupParams(
        num_results=decode.optional_integer(tool, raw, "num_results", None, minimum=1),
        offset=decode.optional_integer(tool, raw, "offset", 0, minimum=0),
        groups=decode.many_zero(tool, raw, "group_ids"),
    )


@dataclass(frozen=True, slots=True)
class GetEdgesByGroupParams:
    """What a call of `knowledge_get_edges_by_group` asks for."""

    num_results: int | None
    """Limit; default all."""

    offset: int
    """Skip this many."""

    valid_at: Micros | None
    """Only what held then."""

    groups: GroupFilter
    """`group_ids`: left out = all groups, `[]` = no group, so no rows. What counts is the group that owns the relationship, not the groups of its ends."""


def decode_get_edges_by_group(raw: Mapping[str, Any]) -> GetEdgesByGroupParams:
    """Decode the parameters of `knowledge_get_edges_by_group`.

    Raises:
        InvalidParams: something is missing, unknown, mistyped or out of its set.
    """
    tool = "knowledge_get_edges_by_group"
    decode.refuse_unknown(tool, raw, ("num_results", "offset", "valid_at", "group_ids"))
    return GetEdgesByGroupParams(
        num_results=decode.optional_integer(tool, raw, "num_results", None, minimum=1),
        offset=decode.optional_integer(tool, raw, "offset", 0, minimum=0),
        valid_at=decode.optional_time(tool, raw, "valid_at"),
        groups=decode.many_zero(tool, raw, "group_ids"),
    )


@dataclass(frozen=True, slots=True)
class GetEdgesByUuidsParams:
    """What a call of `knowledge_get_edges_by_uuids` asks for."""

    uuids: tuple[str, ...]
    """Uuids of relationships."""


def decode_get_edges_by_uuids(raw: Mapping[str, Any]) -> GetEdgesByUuidsParams:
    """Decode the parameters of `knowledge_get_edges_by_uuids`.

    Raises:
        InvalidParams: something is missing, unknown, mistyped or out of its set.
    """
    tool = "knowledge_get_edges_by_uuids"
    decode.refuse_unknown(tool, raw, ("uuids",))
    return GetEdgesByUuidsParams(
        uuids=decode.required_strings(tool, raw, "uuids"),
    )


@dataclass(frozen=True, slots=True)
class ListEntitiesParams:
    """What a call of `knowledge_list_entities` asks for."""

    num_results: int
    """Limit."""

    offset: int
    """Skip this many."""

    groups: GroupFilter
    """`group_ids`: left out or `[]` = all groups."""


def decode_list_entities(raw: Mapping[str, Any]) -> ListEntitiesParams:
    """Decode the parameters of `knowledge_list_entities`.

    Raises:
        InvalidParams: something is missing, unknown, mistyped or out of its set.
    """
    tool = "knowledge_list_entities"
    decode.refuse_unknown(tool, raw, ("num_results", "offset", "group_ids"))
    return ListEntitiesParams(
        num_results=decode.optional_integer(tool, raw, "num_results", 500, minimum=1),
        offset=decode.optional_integer(tool, raw, "offset", 0, minimum=0),
        groups=decode.many_all(tool, raw, "group_ids"),
    )


@dataclass(frozen=True, slots=True)
class ListRelationshipsParams:
    """What a call of `knowledge_list_relationships` asks for."""

    num_results: int
    """Limit."""

    offset: int
    """Skip this many."""

    valid_at: Micros | None
    """Only what held then."""

    groups: GroupFilter
    """`group_ids`: left out or `[]` = all groups. What counts is the group that owns the relationship, not the groups of its ends."""


def decode_list_relationships(raw: Mapping[str, Any]) -> ListRelationshipsParams:
    """Decode the parameters of `knowledge_list_relationships`.

    Raises:
        InvalidParams: something is missing, unknown, mistyped or out of its set.
    """
    tool = "knowledge_list_relationships"
    decode.refuse_unknown(tool, raw, ("num_results", "offset", "valid_at", "group_ids"))
    return ListRelationshipsParams(
        num_results=decode.optional_integer(tool, raw, "num_results", 1000, minimum=1),
        offset=decode.optional_integer(tool, raw, "offset", 0, minimum=0),
        valid_at=decode.optional_time(tool, raw, "valid_at"),
        groups=decode.many_all(tool, raw, "group_ids"),
    )


@dataclass(frozen=True, slots=True)
class GetEntityNeighborsParams:
    """What a call of `knowledge_get_entity_neighbors` asks for."""

    entity_uuid: str
    """Where to start."""

    num_results: int
    """Limit, in edges."""

    offset: int
    """Skip this many."""

    valid_at: Micros | None
    """Only what held then."""

    groups: GroupFilter
    """`group_ids`: left out or `[]` = all groups. What counts is the group that owns the relationship, not the groups of its ends."""


def decode_get_entity_neighbors(raw: Mapping[str, Any]) -> GetEntityNeighborsParams:
    """Decode the parameters of `knowledge_get_entity_neighbors`.

    Raises:
        InvalidParams: something is missing, unknown, mistyped or out of its set.
    """
    tool = "knowledge_get_entity_neighbors"
    decode.refuse_unknown(tool, raw, ("entity_uuid", "num_results", "offset", "valid_at", "group_ids"))
    return GetEntityNeighborsParams(
        entity_uuid=decode.required_id(tool, raw, "entity_uuid"),
        num_results=decode.optional_integer(tool, raw, "num_results", 50, minimum=1),
        offset=decode.optional_integer(tool, raw, "offset", 0, minimum=0),
        valid_at=decode.optional_time(tool, raw, "valid_at"),
        groups=decode.many_all(tool, raw, "group_ids"),
    )


@dataclass(frozen=True, slots=True)
class GetEntitiesBySourceParams:
    """What a call of `knowledge_get_entities_by_source` asks for."""

    source: str
    """Part of its name. Letter case counts."""

    num_results: int
    """Limit."""

    offset: int
    """Skip this many."""

    groups: GroupFilter
    """`group_ids`: left out or `[]` = all groups. What counts is the group that owns the entity, not those of the texts that mention it."""


def decode_get_entities_by_source(raw: Mapping[str, Any]) -> GetEntitiesBySourceParams:
    """Decode the parameters of `knowledge_get_entities_by_source`.

    Raises:
        InvalidParams: something is missing, unknown, mistyped or out of its set.
    """
    tool = "knowledge_get_entities_by_source"
    decode.refuse_unknown(tool, raw, ("source", "num_results", "offset", "group_ids"))
    return GetEntitiesBySourceParams(
        source=decode.required_term(tool, raw, "source"),
        num_results=decode.optional_integer(tool, raw, "num_results", 100, minimum=1),
        offset=decode.optional_integer(tool, raw, "offset", 0, minimum=0),
        groups=decode.many_all(tool, raw, "group_ids"),
    )


@dataclass(frozen=True, slots=True)
class DeleteEpisodeParams:
    """What a call of `knowledge_delete_episode` asks for."""

    episode_uuid: str
    """The episode."""


def decode_delete_episode(raw: Mapping[str, Any]) -> DeleteEpisodeParams:
    """Decode the parameters of `knowledge_delete_episode`.

    Raises:
        InvalidParams: something is missing, unknown, mistyped or out of its set.
    """
    tool = "knowledge_delete_episode"
    decode.refuse_unknown(tool, raw, ("episode_uuid",))
    return DeleteEpisodeParams(
        episode_uuid=decode.required_id(tool, raw, "episode_uuid"),
    )


@dataclass(frozen=True, slots=True)
class DeleteBySourceParams:
    """What a call of `knowledge_delete_by_source` asks for."""

    source_file: str
    """The file, as ingested."""

    group_ids: tuple[str, ...]
    """The groups to work in; no other group is touched."""


def decode_delete_by_source(raw: Mapping[str, Any]) -> DeleteBySourceParams:
    """Decode the parameters of `knowledge_delete_by_source`.

    Raises:
        InvalidParams: something is missing, unknown, mistyped or out of its set.
    """
    tool = "knowledge_delete_by_source"
    decode.refuse_unknown(tool, raw, ("source_file", "group_ids"))
    return DeleteBySourceParams(
        source_file=decode.required_term(tool, raw, "source_file"),
        group_ids=decode.many_required(tool, raw, "group_ids"),
    )


@dataclass(frozen=True, slots=True)
class DeleteChunkEpisodeParams:
    """What a call of `knowledge_delete_chunk_episode` asks for."""

    chunk_id: str
    """The chunk, as ingested."""

    group_ids: tuple[str, ...]
    """The groups to work in; no other group is touched."""


def decode_delete_chunk_episode(raw: Mapping[str, Any]) -> DeleteChunkEpisodeParams:
    """Decode the parameters of `knowledge_delete_chunk_episode`.

    Raises:
        InvalidParams: something is missing, unknown, mistyped or out of its set.
    """
    tool = "knowledge_delete_chunk_episode"
    decode.refuse_unknown(tool, raw, ("chunk_id", "group_ids"))
    return DeleteChunkEpisodeParams(
        chunk_id=decode.required_term(tool, raw, "chunk_id"),
        group_ids=decode.many_required(tool, raw, "group_ids"),
    )


@dataclass(frozen=True, slots=True)
class DeleteByGroupParams:
    """What a call of `knowledge_delete_by_group` asks for."""

    confirm: bool
    """Has to be true, unless dry_run is."""

    dry_run: bool
    """Only count; wins over confirm."""

    group_ids: tuple[str, ...]
    """The groups to work in; no other group is touched."""


def decode_delete_by_group(raw: Mapping[str, Any]) -> DeleteByGroupParams:
    """Decode the parameters of `knowledge_delete_by_group`.

    Raises:
        InvalidParams: something is missing, unknown, mistyped or out of its set.
    """
    tool = "knowledge_delete_by_group"
    decode.refuse_unknown(tool, raw, ("confirm", "dry_run", "group_ids"))
    return DeleteByGroupParams(
        confirm=decode.optional_boolean(tool, raw, "confirm", False),
        dry_run=decode.optional_boolean(tool, raw, "dry_run", False),
        group_ids=decode.many_required(tool, raw, "group_ids"),
    )


@dataclass(frozen=True, slots=True)
class ClearAllParams:
    """What a call of `knowledge_clear_all` asks for."""

    confirm: bool
    """Has to be true."""

    preserve_wal: bool
    """Keep logs and marks."""


def decode_clear_all(raw: Mapping[str, Any]) -> ClearAllParams:
    """Decode the parameters of `knowledge_clear_all`.

    Raises:
        InvalidParams: something is missing, unknown, mistyped or out of its set.
    """
    tool = "knowledge_clear_all"
    decode.refuse_unknown(tool, raw, ("confirm", "preserve_wal"))
    return ClearAllParams(
        confirm=decode.required_boolean(tool, raw, "confirm"),
        preserve_wal=decode.optional_boolean(tool, raw, "preserve_wal", False),
    )


@dataclass(frozen=True, slots=True)
class MergeEntitiesParams:
    """What a call of `knowledge_merge_entities` asks for."""

    canonical_uuid: str | None
    """The one that stays. Wins over canonical_name."""

    canonical_name: str | None
    """Or its exact name. Letter case counts. Of several live entities of that name the oldest is taken."""

    alias_uuids: tuple[str, ...]
    """Those to merge into it."""

    alias_names: tuple[str, ...]
    """The same, by exact name."""

    merge_all_by_name: bool
    """All of the canonical's name."""

    dry_run: bool
    """Only return `plan`."""

    group_id: str
    """The group to work in."""


def decode_merge_entities(raw: Mapping[str, Any]) -> MergeEntitiesParams:
    """Decode the parameters of `knowledge_merge_entities`.

    Raises:
        InvalidParams: something is missing, unknown, mistyped or out of its set.
    """
    tool = "knowledge_merge_entities"
    decode.refuse_unknown(
        tool,
        raw,
        ("canonical_uuid", "canonical_name", "alias_uuids", "alias_names", "merge_all_by_name", "dry_run", "group_id"),
    )
    return MergeEntitiesParams(
        canonical_uuid=decode.optional_id(tool, raw, "canonical_uuid", None),
        canonical_name=decode.optional_term(tool, raw, "canonical_name", None),
        alias_uuids=decode.optional_strings(tool, raw, "alias_uuids", ()),
        alias_names=decode.optional_strings(tool, raw, "alias_names", ()),
        merge_all_by_name=decode.optional_boolean(tool, raw, "merge_all_by_name", False),
        dry_run=decode.optional_boolean(tool, raw, "dry_run", False),
        group_id=decode.one_default(tool, raw, "group_id", "liminis"),
    )


@dataclass(frozen=True, slots=True)
class ApplyCorrectionsParams:
    """What a call of `knowledge_apply_corrections` asks for."""

    dry_run: bool
    """Only list in `details` what would be done."""


def decode_apply_corrections(raw: Mapping[str, Any]) -> ApplyCorrectionsParams:
    """Decode the parameters of `knowledge_apply_corrections`.

    Raises:
        InvalidParams: something is missing, unknown, mistyped or out of its set.
    """
    tool = "knowledge_apply_corrections"
    decode.refuse_unknown(tool, raw, ("dry_run",))
    return ApplyCorrectionsParams(
        dry_run=decode.optional_boolean(tool, raw, "dry_run", False),
    )


@dataclass(frozen=True, slots=True)
class ReprocessEntityTypesParams:
    """What a call of `knowledge_reprocess_entity_types` asks for."""

    scope: str
    """Which entities."""

    dry_run: bool
    """Only return `plan`."""

    group_id: str
    """The group to work in."""


def decode_reprocess_entity_types(raw: Mapping[str, Any]) -> ReprocessEntityTypesParams:
    """Decode the parameters of `knowledge_reprocess_entity_types`.

    Raises:
        InvalidParams: something is missing, unknown, mistyped or out of its set.
    """
    tool = "knowledge_reprocess_entity_types"
    decode.refuse_unknown(tool, raw, ("scope", "dry_run", "group_id"))
    return ReprocessEntityTypesParams(
        scope=decode.optional_choice(tool, raw, "scope", "untyped", choices=("untyped", "off_ontology", "all")),
        dry_run=decode.optional_boolean(tool, raw, "dry_run", False),
        group_id=decode.one_default(tool, raw, "group_id", "liminis"),
    )


@dataclass(frozen=True, slots=True)
class CanonicalizeRelationsParams:
    """What a call of `knowledge_canonicalize_relations` asks for."""

    dry_run: bool
    """Only count."""

    embedding_threshold: float
    """Least similarity. For the fallback only."""

    group_id: str
    """The group to work in."""


def decode_canonicalize_relations(raw: Mapping[str, Any]) -> CanonicalizeRelationsParams:
    """Decode the parameters of `knowledge_canonicalize_relations`.

    Raises:
        InvalidParams: something is missing, unknown, mistyped or out of its set.
    """
    tool = "knowledge_canonicalize_relations"
    decode.refuse_unknown(tool, raw, ("dry_run", "embedding_threshold", "group_id"))
    return CanonicalizeRelationsParams(
        dry_run=decode.optional_boolean(tool, raw, "dry_run", False),
        embedding_threshold=decode.optional_number(
            tool, raw, "embedding_threshold", 0.7, minimum=0, maximum=1, clamp_low=True, clamp_high=True
        ),
        group_id=decode.one_required(tool, raw, "group_id"),
    )


@dataclass(frozen=True, slots=True)
class BackfillRelationTypesParams:
    """What a call of `knowledge_backfill_relation_types` asks for."""

    dry_run: bool
    """Only count."""

    group_id: str
    """The group to work in."""


def decode_backfill_relation_types(raw: Mapping[str, Any]) -> BackfillRelationTypesParams:
    """Decode the parameters of `knowledge_backfill_relation_types`.

    Raises:
        InvalidParams: something is missing, unknown, mistyped or out of its set.
    """
    tool = "knowledge_backfill_relation_types"
    decode.refuse_unknown(tool, raw, ("dry_run", "group_id"))
    return BackfillRelationTypesParams(
        dry_run=decode.optional_boolean(tool, raw, "dry_run", False),
        group_id=decode.one_required(tool, raw, "group_id"),
    )


@dataclass(frozen=True, slots=True)
class ReprocessRelationTypesParams:
    """What a call of `knowledge_reprocess_relation_types` asks for."""

    scope: str
    """Which relationships."""

    dry_run: bool
    """Only return `plan`."""

    group_id: str
    """The group to work in."""


def decode_reprocess_relation_types(raw: Mapping[str, Any]) -> ReprocessRelationTypesParams:
    """Decode the parameters of `knowledge_reprocess_relation_types`.

    Raises:
        InvalidParams: something is missing, unknown, mistyped or out of its set.
    """
    tool = "knowledge_reprocess_relation_types"
    decode.refuse_unknown(tool, raw, ("scope", "dry_run", "group_id"))
    return ReprocessRelationTypesParams(
        scope=decode.optional_choice(tool, raw, "scope", "untyped", choices=("untyped", "off_ontology", "all")),
        dry_run=decode.optional_boolean(tool, raw, "dry_run", False),
        group_id=decode.one_default(tool, raw, "group_id", "liminis"),
    )


@dataclass(frozen=True, slots=True)
class BackfillSummaryEmbeddingsParams:
    """What a call of `knowledge_backfill_summary_embeddings` asks for."""

    dry_run: bool
    """Only count."""

    group_id: str
    """The group to work in."""


def decode_backfill_summary_embeddings(raw: Mapping[str, Any]) -> BackfillSummaryEmbeddingsParams:
    """Decode the parameters of `knowledge_backfill_summary_embeddings`.

    Raises:
        InvalidParams: something is missing, unknown, mistyped or out of its set.
    """
    tool = "knowledge_backfill_summary_embeddings"
    decode.refuse_unknown(tool, raw, ("dry_run", "group_id"))
    return BackfillSummaryEmbeddingsParams(
        dry_run=decode.optional_boolean(tool, raw, "dry_run", False),
        group_id=decode.one_required(tool, raw, "group_id"),
    )


@dataclass(frozen=True, slots=True)
class AddCrossGroupEdgeParams:
    """What a call of `knowledge_add_cross_group_edge` asks for."""

    name: str
    """The predicate."""

    source: Mapping[str, Any]
    """`uuid`, or `source_group_id` with `endpoint_name`."""

    target: Mapping[str, Any]
    """Likewise."""

    fact: str
    """The fact as a sentence."""

    valid_at: Micros | None
    """Since when it holds."""

    relation_type: str | None
    """Type from the ontology."""

    group_id: str
    """The group to work in."""


def decode_add_cross_group_edge(raw: Mapping[str, Any]) -> AddCrossGroupEdgeParams:
    """Decode the parameters of `knowledge_add_cross_group_edge`.

    Raises:
        InvalidParams: something is missing, unknown, mistyped or out of its set.
    """
    tool = "knowledge_add_cross_group_edge"
    decode.refuse_unknown(tool, raw, ("name", "source", "target", "fact", "valid_at", "relation_type", "group_id"))
    return AddCrossGroupEdgeParams(
        name=decode.required_term(tool, raw, "name"),
        source=decode.required_closed_object(
            tool, raw, "source", {"uuid": "id", "source_group_id": "id", "endpoint_name": "name"}
        ),
        target=decode.required_closed_object(
            tool, raw, "target", {"uuid": "id", "source_group_id": "id", "endpoint_name": "name"}
        ),
        fact=decode.required_prose(tool, raw, "fact"),
        valid_at=decode.optional_time(tool, raw, "valid_at"),
        relation_type=decode.optional_term(tool, raw, "relation_type", None),
        group_id=decode.one_default(tool, raw, "group_id", "liminis"),
    )


@dataclass(frozen=True, slots=True)
class RebindPointersParams:
    """What a call of `knowledge_rebind_pointers` asks for."""

    source_group_id: str
    """The group to work in."""


def decode_rebind_pointers(raw: Mapping[str, Any]) -> RebindPointersParams:
    """Decode the parameters of `knowledge_rebind_pointers`.

    Raises:
        InvalidParams: something is missing, unknown, mistyped or out of its set.
    """
    tool = "knowledge_rebind_pointers"
    decode.refuse_unknown(tool, raw, ("source_group_id",))
    return RebindPointersParams(
        source_group_id=decode.one_required(tool, raw, "source_group_id"),
    )


@dataclass(frozen=True, slots=True)
class DumpWalParams:
    """What a call of `knowledge_dump_wal` asks for."""

    target_dir: str | None
    """Where to; new or empty. Relative to the workspace; by default wal-compacted beside the store's directory. Not inside the live logs."""

    groups: GroupFilter
    """`group_id` narrows the call to one group; left out, all groups; blank is refused."""


def decode_dump_wal(raw: Mapping[str, Any]) -> DumpWalParams:
    """Decode the parameters of `knowledge_dump_wal`.

    Raises:
        InvalidParams: something is missing, unknown, mistyped or out of its set.
    """
    tool = "knowledge_dump_wal"
    decode.refuse_unknown(tool, raw, ("target_dir", "group_id"))
    return DumpWalParams(
        target_dir=decode.optional_prose(tool, raw, "target_dir", None),
        groups=decode.one_or_all(tool, raw, "group_id"),
    )


@dataclass(frozen=True, slots=True)
class WalMarkCreateParams:
    """What a call of `knowledge_wal_mark_create` asks for."""

    name: str
    """1 to 200 of A-Z a-z 0-9 _ -."""

    group_id: str
    """The group to work in."""


def decode_wal_mark_create(raw: Mapping[str, Any]) -> WalMarkCreateParams:
    """Decode the parameters of `knowledge_wal_mark_create`.

    Raises:
        InvalidParams: something is missing, unknown, mistyped or out of its set.
    """
    tool = "knowledge_wal_mark_create"
    decode.refuse_unknown(tool, raw, ("name", "group_id"))
    return WalMarkCreateParams(
        name=decode.required_slug(tool, raw, "name"),
        group_id=decode.one_default(tool, raw, "group_id", "liminis"),
    )


@dataclass(frozen=True, slots=True)
class WalMarkListParams:
    """What a call of `knowledge_wal_mark_list` asks for."""

    group_id: str
    """The group to work in."""


def decode_wal_mark_list(raw: Mapping[str, Any]) -> WalMarkListParams:
    """Decode the parameters of `knowledge_wal_mark_list`.

    Raises:
        InvalidParams: something is missing, unknown, mistyped or out of its set.
    """
    tool = "knowledge_wal_mark_list"
    decode.refuse_unknown(tool, raw, ("group_id",))
    return WalMarkListParams(
        group_id=decode.one_default(tool, raw, "group_id", "liminis"),
    )


@dataclass(frozen=True, slots=True)
class WalMarkDeleteParams:
    """What a call of `knowledge_wal_mark_delete` asks for."""

    name: str
    """The mark."""

    group_id: str
    """The group to work in."""


def decode_wal_mark_delete(raw: Mapping[str, Any]) -> WalMarkDeleteParams:
    """Decode the parameters of `knowledge_wal_mark_delete`.

    Raises:
        InvalidParams: something is missing, unknown, mistyped or out of its set.
    """
    tool = "knowledge_wal_mark_delete"
    decode.refuse_unknown(tool, raw, ("name", "group_id"))
    return WalMarkDeleteParams(
        name=decode.required_slug(tool, raw, "name"),
        group_id=decode.one_default(tool, raw, "group_id", "liminis"),
    )


@dataclass(frozen=True, slots=True)
class RebuildFromWalParams:
    """What a call of `knowledge_rebuild_from_wal` asks for."""

    from_seq: int
    """First line; 0 = full rebuild. Inclusive; from 1 on a resume."""

    to_seq: int | None
    """Last line; left out, all. Inclusive, not below from_seq. 0 applies nothing but a line 0."""

    dry_run: bool
    """Only read and count."""

    force_clear: bool
    """Empty the group first. For a full rebuild only; not logged, and ignored by a dry run."""

    background: bool
    """Return a job_id at once. Refusals still come first. Ignored by a dry run."""

    group_id: str
    """The group to work in."""


def decode_rebuild_from_wal(raw: Mapping[str, Any]) -> RebuildFromWalParams:
    """Decode the parameters of `knowledge_rebuild_from_wal`.

    Raises:
        InvalidParams: something is missing, unknown, mistyped or out of its set.
    """
    tool = "knowledge_rebuild_from_wal"
    decode.refuse_unknown(tool, raw, ("from_seq", "to_seq", "dry_run", "force_clear", "background", "group_id"))
    return RebuildFromWalParams(
        from_seq=decode.optional_integer(tool, raw, "from_seq", 0, minimum=0),
        to_seq=decode.optional_integer(tool, raw, "to_seq", None, minimum=0),
        dry_run=decode.optional_boolean(tool, raw, "dry_run", False),
        force_clear=decode.optional_boolean(tool, raw, "force_clear", False),
        background=decode.optional_boolean(tool, raw, "background", False),
        group_id=decode.one_default(tool, raw, "group_id", "liminis"),
    )


@dataclass(frozen=True, slots=True)
class RecoverParams:
    """What a call of `knowledge_recover` asks for."""

    strategy: str
    """How."""


def decode_recover(raw: Mapping[str, Any]) -> RecoverParams:
    """Decode the parameters of `knowledge_recover`.

    Raises:
        InvalidParams: something is missing, unknown, mistyped or out of its set.
    """
    tool = "knowledge_recover"
    decode.refuse_unknown(tool, raw, ("strategy",))
    return RecoverParams(
        strategy=decode.required_choice(
            tool, raw, "strategy", choices=("drop_lbug_wal", "rebuild_from_workspace_wal", "restore_from_backup")
        ),
    )
