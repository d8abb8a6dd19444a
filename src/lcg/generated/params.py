# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 87813d8cb10ce8b234aadc9ce1ed21dc8ec44280375fada6f283246b2ba9d835)
# Template: codegen/templates/params.py.j2
"""Parameters of every method that takes some: a class for each, and the decoder that checks what came and fills it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lcg.model.times import Micros
from lcg.runtime import decode
from lcg.runtime.groups import GroupFilter


@dataclass(frozen=True, slots=True)
class ProcessChunkParams:
    """What a call of `knowledge_process_chunk` asks for."""

    chunk_text: str
    """The text, whole; never cut or split."""

    chunk_id: str
    """Name of the chunk, stable across re-ingestion."""

    source_file: str
    """The file it comes from. One ending in .json is read as JSON."""

    reference_time: Micros | None
    """When the text was written; left out, now."""

    group_id: str
    """`group_id` names the one group to work in; left out or blank it is `liminis`."""


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
    """Name of the episode."""

    episode_body: str
    """The text, whole."""

    source: str
    """Kind of text; `json` and `message` are read as such. Free text; the two words select a way of reading in any letter case, all else is read as prose."""

    source_description: str
    """Where it comes from."""

    reference_time: Micros | None
    """When it was written; left out, now. Becomes created_at of the episode and of every row made from it."""

    group_id: str
    """`group_id` names the one group to work in; left out or blank it is `liminis`."""


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
    """Its name; unique in the group, letter case aside."""

    entity_uuid: str | None
    """Update exactly this entity of the group; it has to exist."""

    labels: tuple[str, ...]
    """Types, such as Person; `Entity` is put first on its own."""

    summary: str
    """What it is, in a sentence or two; searchable."""

    attributes: Mapping[str, Any]
    """Any further facts as a JSON object."""

    attributes_malformed: bool
    """Whether something came as `attributes` that is no object."""

    group_id: str
    """`group_id` names the one group to work in; left out or blank it is `liminis`."""


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
    """Name of the entity that the fact is about."""

    predicate: str
    """The relation, such as MAINTAINS."""

    target_name: str
    """Name of the entity at the other end."""

    fact: str | None
    """The fact as a sentence; made from names and predicate when a new one comes without."""

    relation_type: str | None
    """Type from the ontology, if you know it."""

    valid_at: Micros | None
    """Since when the fact holds, such as 2026-05-20."""

    attributes: Mapping[str, Any] | None
    """Further facts as a JSON object; replaces the stored one as a whole."""

    attributes_malformed: bool
    """Whether something came as `attributes` that is no object."""

    group_id: str
    """`group_id` names the one group to work in; left out or blank it is `liminis`."""


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
    """A name, some words or a question."""

    num_results: int
    """At most this many entities."""

    groups: GroupFilter
    """`group_ids` narrows the answer: left out = all groups, `[]` = no group, so no rows."""


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
    """At most this many."""

    valid_at: Micros | None
    """Keep only facts that held then, such as 2026-05-20."""

    groups: GroupFilter
    """`group_ids` narrows the answer: left out = all groups, `[]` = no group, so no rows."""


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
    """At most this many."""

    min_score: float
    """Least similarity."""

    groups: GroupFilter
    """`group_ids` narrows the answer: left out or `[]` = all groups."""


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
    """At most this many."""

    offset: int
    """Skip this many."""

    group_id: str
    """`group_id` names the one group to work in; left out or blank it is `liminis`."""


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
    """At most this many; left out, all."""

    offset: int
    """Skip this many."""

    groups: GroupFilter
    """`group_ids` narrows the answer: left out = all groups, `[]` = no group, so no rows."""


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
    """At most this many; left out, all."""

    offset: int
    """Skip this many."""

    valid_at: Micros | None
    """Keep only facts that held then."""

    groups: GroupFilter
    """`group_ids` narrows the answer: left out = all groups, `[]` = no group, so no rows."""


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
    """At most this many."""

    offset: int
    """Skip this many."""

    groups: GroupFilter
    """`group_ids` narrows the answer: left out or `[]` = all groups."""


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
    """At most this many."""

    offset: int
    """Skip this many."""

    valid_at: Micros | None
    """Keep only facts that held then."""

    groups: GroupFilter
    """`group_ids` narrows the answer: left out or `[]` = all groups."""


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
    """The entity to start from."""

    num_results: int
    """At most this many edges."""

    offset: int
    """Skip this many edges."""

    valid_at: Micros | None
    """Keep only facts that held then, such as 2026-05-20."""

    groups: GroupFilter
    """`group_ids` narrows the answer: left out or `[]` = all groups."""


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
    """A part of it, such as a file name; case counts."""

    num_results: int
    """At most this many."""

    offset: int
    """Skip this many."""

    groups: GroupFilter
    """`group_ids` narrows the answer: left out or `[]` = all groups."""


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
    """The file, as it was ingested."""

    group_ids: tuple[str, ...]
    """`group_ids` must name at least one group: no other group is ever touched."""


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
    """The chunk, as it was ingested."""

    group_ids: tuple[str, ...]
    """`group_ids` must name at least one group: no other group is ever touched."""


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
    """`group_ids` must name at least one group: no other group is ever touched."""


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
