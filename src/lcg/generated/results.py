# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 87813d8cb10ce8b234aadc9ce1ed21dc8ec44280375fada6f283246b2ba9d835)
# Template: codegen/templates/results.py.j2
"""What the methods return, as the types that handlers have to fill."""

from typing import Any, Literal, NotRequired, TypedDict


class EntityRecord(TypedDict):
    """A thing with a name."""

    uuid: str
    """Made by the server; never changes."""

    name: str
    """As written last, trimmed and in NFC."""

    group_id: str
    """The group that owns the entity."""

    labels: list[str]
    """Types; the first is always `Entity`."""

    created_at: str
    """UTC, YYYY-MM-DD HH:MM:SS."""

    summary: str
    """Free text, may be empty."""

    attributes: str
    """A JSON object as text, `{}` when there are none."""

    episode_uuids: list[str]
    """The episodes that mention the entity."""

    source_descriptions: list[str]
    """Where those episodes came from, same order."""

    score: NotRequired[float]
    """Fused rank value; compares rows of one answer only. Only when: in search results."""


class EdgeRecord(TypedDict):
    """A relationship between two entities, with the fact that states it."""

    uuid: str
    """Made by the server; never changes."""

    name: str
    """The predicate."""

    source_node_uuid: str
    """The entity that the fact is about."""

    target_node_uuid: str
    """The entity at the other end."""

    group_id: str
    """The group that owns the relationship."""

    fact: str
    """The relationship as a sentence."""

    created_at: str
    """UTC, YYYY-MM-DD HH:MM:SS."""

    valid_at: str | None
    """Since when the fact holds; null when unknown."""

    invalid_at: str | None
    """When it ceased to hold; null while it does."""

    attributes: str
    """A JSON object as text, `{}` when there are none."""

    relation_type: str | None
    """The type from the ontology; null when untyped."""

    episode_uuids: list[str]
    """The episodes that stated the fact; empty for an asserted one."""

    source_descriptions: list[str]
    """Where those episodes came from, same order."""

    score: NotRequired[float]
    """Fused rank value; compares rows of one answer only. Only when: in search results."""


class EpisodeRecord(TypedDict):
    """A piece of text that went in, kept as it came."""

    uuid: str
    """Made by the server; never changes."""

    name: str
    """The chunk id, or the name that the caller gave."""

    group_id: str
    """The group that owns the episode."""

    created_at: str
    """UTC, YYYY-MM-DD HH:MM:SS; the reference time of the text."""

    source: str
    """What kind of text it is, such as `text` or `json`."""

    source_description: str
    """For a chunk `<source_file>:<chunk_id>`."""

    content: str
    """The text."""

    valid_at: str
    """The reference time, or an empty string."""

    entity_edges: list[str]
    """The uuid of each entity that the text mentions."""

    superseded: bool
    """Whether a newer revision of the same chunk exists."""


class PassageRecord(TypedDict):
    """An episode as search returns it."""

    uuid: str
    """The episode."""

    name: str
    """The chunk id, or the name that the caller gave."""

    content: str
    """The text."""

    source_description: str
    """For a chunk `<source_file>:<chunk_id>`."""

    group_id: str
    """The group that owns the episode."""

    created_at: str
    """UTC, YYYY-MM-DD HH:MM:SS."""

    valid_at: str | None
    """The reference time; null when there is none."""

    score: float | None
    """Similarity, 0 to 1; null when no embedder answered."""


class PointerRecord(TypedDict):
    """An end of a relationship that lives in another group."""

    source_group_id: str
    """The group in which the name is looked up."""

    endpoint_name: str
    """The name, normalised."""

    binding_state: Literal["bound", "unbound", "ambiguous"]
    """What the look-up found."""

    resolved_uuid: NotRequired[str]
    """The entity it found. Only when: bound."""

    bound_at_seq: NotRequired[int]
    """The position of that group's log at the look-up. Only when: that group has a recorded position."""

    bound_generation: NotRequired[str]
    """The identity of that group's log at the look-up. Only when: that group has a recorded position."""


class WarningRecord(TypedDict):
    """Something to know about a call that succeeded. Which further keys there are depends on the type."""

    type: str
    """One of the warning types."""

    message: str
    """A sentence for people: what is the matter and what helps."""

    group_id: NotRequired[str]
    """That group. Only when: one group is concerned."""

    name: NotRequired[str]
    """The name that several entities share. Only when: duplicate_name."""

    uuid: NotRequired[str]
    """The entity that was taken. Only when: duplicate_name."""

    seq: NotRequired[int]
    """The line of the purge. Only when: purge_in_range, purge_skipped."""

    applied_seq: NotRequired[int]
    """Applied through this line. Only when: wal_ahead."""

    max_seq: NotRequired[int]
    """The last line on disk. Only when: wal_ahead."""

    pending: NotRequired[int]
    """Lines that the graph does not show. Only when: wal_ahead."""

    rows: NotRequired[int]
    """Rows without a vector. Only when: vectors_missing."""

    chunk_text_chars: NotRequired[int]
    """Its length. Only when: chunk_text_oversized."""

    recommended_max_chars: NotRequired[int]
    """The advised size of a chunk. Only when: chunk_text_oversized."""

    dropped_edges: NotRequired[list[dict[str, Any]]]
    """As in knowledge_process_chunk. Only when: edges_dropped."""


class HealthCheckResult(TypedDict):
    """What `health_check` returns."""

    ok: bool
    """The same as healthy."""

    healthy: bool
    """Whether every method can be used."""

    state: Literal["starting", "healthy", "degraded"]
    """How the service stands."""

    reason: NotRequired[str]
    """Why the store is not open. Only when: state is degraded."""

    version: str
    """Version of the service."""

    pid: int
    """Process id of the service."""

    warnings: NotRequired[list[WarningRecord]]
    """What else to know about the call; absent when there is nothing."""


class StatusResultEmbedding(TypedDict):
    """The embedder, and whether the stored vectors are its own."""

    provider: str
    """How the model is reached."""

    model: str
    """Its name."""

    dim: int
    """Length of its vectors."""

    state: Literal["ready", "unreachable"]
    """Whether it answered last time."""

    store_model: str | None
    """The model of the stored vectors; null without any."""

    store_dim: int | None
    """Their length; null without any."""

    matches: bool
    """Whether the stored vectors can be searched with this model."""

    rows_without_vector: int
    """Rows that meaning alone cannot find."""


class StatusResultExtractor(TypedDict):
    """What turns text into entities and relationships."""

    provider: Literal["none", "builtin", "anthropic", "openai"]
    """How it is reached."""

    model: str | None
    """Its model; null when it has none."""


class StatusResultWal(TypedDict):
    """The log of the default group. Positions are null while the store is not open."""

    exists: bool
    """Whether there is a log."""

    file_count: int
    """Log files."""

    byte_size: int
    """Their size together, in bytes."""

    applied_seq: int | None
    """Applied through this line; null = unknown."""

    max_seq: int | None
    """The last line on disk; null without a log."""

    generation: str | None
    """Identity of the log."""

    generation_status: Literal["known", "unknown", "not_applicable"]
    """Its state."""

    hydration_status: Literal["hydrated", "wal_ahead", "not_applicable"]
    """Whether the graph shows all that the log holds."""

    excluded: list[list[Any]]
    """Ranges `[first, last]` left out on purpose."""

    pending: int | None
    """Lines neither applied nor excluded; null = unknown."""

    unlogged_mutations: int | None
    """Cypher queries, in the whole workspace, whose changes no log knows."""


class StatusResultFailedRecords(TypedDict):
    """Log lines that even a rebuild could not apply."""

    group_id: str
    """The group."""

    seq: int
    """The line."""

    error: str
    """Why it could not be applied."""


class StatusResultRecentFailures(TypedDict):
    """The last ten failed calls, newest first."""

    time: str
    """UTC, YYYY-MM-DD HH:MM:SS."""

    method: str
    """The method that failed."""

    code: int
    """The error code."""

    kind: str | None
    """The error kind, if it has one."""

    message: str
    """The message."""


class StatusResultCrossGroupPointers(TypedDict):
    """Ends of relationships in other groups, by state; null while the store is not open."""

    bound: int | None
    """Resolved."""

    unbound: int | None
    """No entity of that name."""

    ambiguous: int | None
    """Several entities of that name."""


class StatusResultOntology(TypedDict):
    """The ontology of the workspace."""

    present: bool
    """Whether there is a file."""

    loaded: bool
    """Whether it is in use."""

    mode: Literal["open", "strict"] | None
    """What happens to undeclared types."""

    entity_type_count: int
    """Declared entity types."""

    relation_type_count: int
    """Declared relation types."""

    drifted: bool
    """Whether stored types differ from the declared ones."""

    drift_summary: str | None
    """How they differ."""

    issues: list[str]
    """What was ignored in the file, and why."""


class StatusResultGroupOntologyDrift(TypedDict):
    """The same per group."""

    group_id: str
    """The group."""

    drifted: bool
    """Whether its types differ from the declared ones."""

    drift_summary: str | None
    """How they differ."""


class StatusResult(TypedDict):
    """What `knowledge_status` returns."""

    version: str
    """Version of the service."""

    pid: int
    """Process id of the service."""

    connected: bool
    """Whether the store is open."""

    queryable: bool
    """Whether the store is open and complete."""

    initializing: bool
    """Whether the service is still starting."""

    context_graph_initialized: bool
    """The same as connected."""

    running: NotRequired[Literal[True]]
    """It runs. Only when: store not open."""

    degraded: NotRequired[Literal[True]]
    """Recovery is needed. Only when: degraded."""

    reason: NotRequired[str]
    """What is wrong. Only when: degraded, or a core table is missing."""

    group_id: NotRequired[str]
    """The group that failed. Only when: reason is apply_failed."""

    seq: NotRequired[int]
    """The log line that failed. Only when: reason is apply_failed."""

    recovery_available: NotRequired[list[str]]
    """Strategies of knowledge_recover that have what they need. Only when: degraded."""

    entity_count: NotRequired[int | None]
    """Live entities; null while a core table is missing. Only when: store open."""

    relationship_count: NotRequired[int | None]
    """Relationships with both ends, invalidated ones included. Only when: store open."""

    episode_count: NotRequired[int | None]
    """Episodes. Only when: store open."""

    tombstone_count: NotRequired[int | None]
    """Entities that were merged into others. Only when: store open."""

    unbound_relationship_count: NotRequired[int | None]
    """Relationships with an end that is not resolved. Only when: store open."""

    invalidated_relationship_count: NotRequired[int | None]
    """Relationships that ceased to hold. Only when: store open."""

    last_index_time: NotRequired[str | None]
    """Time of the newest episode; null without episodes. Only when: store open."""

    index_created_at: NotRequired[str | None]
    """Time of the oldest episode; null while a core table is missing. Only when: store open and there are episodes."""

    database_path: NotRequired[str]
    """Where the store lies. Only when: store open."""

    embedding_model: NotRequired[str]
    """Name of the embedding model. Only when: store open."""

    embedding_dim: NotRequired[int]
    """Length of its vectors. Only when: store open."""

    embedding: NotRequired[StatusResultEmbedding]
    """The embedder, and whether the stored vectors are its own. Only when: store open."""

    extractor: StatusResultExtractor
    """What turns text into entities and relationships."""

    wal: StatusResultWal
    """The log of the default group. Positions are null while the store is not open."""

    wal_groups: dict[str, Any]
    """Group id → applied_seq, max_seq, generation, generation_status, hydration_status, excluded, pending (as in `wal`) and digest, a hash of all rows of the group."""

    failed_records: NotRequired[list[StatusResultFailedRecords]]
    """Log lines that even a rebuild could not apply. Only when: store open."""

    writes_refused: NotRequired[str | None]
    """`log_uncertain` when a failed write could not be undone and a restart is needed. Only when: store open."""

    recent_failures: list[StatusResultRecentFailures]
    """The last ten failed calls, newest first."""

    indices_built: bool
    """Whether the search indexes are usable."""

    name_index_trusted: bool | None
    """Whether names are looked up in the index."""

    name_index_fallback_scans: int | None
    """Look-ups that had to scan instead."""

    cross_group_pointers: StatusResultCrossGroupPointers | None
    """Ends of relationships in other groups, by state; null while the store is not open."""

    ontology: StatusResultOntology
    """The ontology of the workspace."""

    group_ontology_drift: NotRequired[list[StatusResultGroupOntologyDrift]]
    """The same per group. Only when: store open."""

    warnings: NotRequired[list[WarningRecord]]
    """What else to know about the call; absent when there is nothing."""


class ProcessChunkResultResolutions(TypedDict):
    """One entry per entity found."""

    name: str
    """The name in the text."""

    entity_uuid: str
    """The entity that it became."""

    outcome: Literal["created", "reused"]
    """Whether it is new."""

    by: Literal["name", "embedding", "adapter"] | None
    """What decided; null when there was no candidate."""


class ProcessChunkResultExtractor(TypedDict):
    """What read the text."""

    provider: Literal["none", "builtin", "anthropic", "openai"]
    """How it is reached."""

    model: str | None
    """Its model; null when it has none."""


class ProcessChunkResultDroppedEdges(TypedDict):
    """Facts that were not stored because an end matches no entity."""

    source_name: str
    """What the fact is about."""

    target_name: str
    """The other end."""

    relation_type: str | None
    """The relation; null when none was found."""

    fact: str
    """The sentence; it is kept nowhere else."""

    unresolved_endpoint: Literal["source", "target", "both"]
    """The end without an entity."""


class ProcessChunkResult(TypedDict):
    """What `knowledge_process_chunk` returns."""

    success: Literal[True]
    """The chunk is stored, or was already."""

    outcome: Literal["created", "unchanged", "revised"]
    """What became of the chunk."""

    revision: int
    """Number of this revision, from 1."""

    chunk_id: str
    """As given."""

    source_file: str
    """As given."""

    episode_uuid: str
    """The episode that holds the text."""

    nodes_extracted: int
    """Entities found, reused ones included; 0 when unchanged."""

    edges_extracted: int
    """Relationships written or joined; 0 when unchanged."""

    nodes_created: int
    """Of the entities, the new ones."""

    nodes_reused: int
    """Of the entities, those the group already had."""

    resolutions: list[ProcessChunkResultResolutions]
    """One entry per entity found."""

    extractor: ProcessChunkResultExtractor
    """What read the text."""

    edges_dropped_unresolvable: int
    """Length of dropped_edges."""

    dropped_edges: list[ProcessChunkResultDroppedEdges]
    """Facts that were not stored because an end matches no entity."""

    edges_reclassified_unclassified: int
    """Relation types that the strict ontology lacks."""

    entities_reclassified_unclassified: int
    """Entity types that the strict ontology lacks."""

    entities_dropped_malformed: int
    """Unusable entities in the extractor's answer."""

    edges_dropped_malformed: int
    """Unusable relationships in the extractor's answer."""

    duration_seconds: float
    """Time spent."""

    embedding_warning: str | None
    """Why rows have no vector; null when all have one."""

    warning: NotRequired[WarningRecord]
    """The actual and the advised number of characters. Only when: the text is longer than advised."""

    warnings: NotRequired[list[WarningRecord]]
    """What else to know about the call; absent when there is nothing."""


class AddEpisodeResult(TypedDict):
    """What `knowledge_add_episode` returns."""

    episode_uuid: str
    """The new episode."""

    warnings: NotRequired[list[WarningRecord]]
    """What else to know about the call; absent when there is nothing."""


class AssertEntityResult(TypedDict):
    """What `knowledge_assert_entity` returns."""

    entity_uuid: str
    """The entity."""

    created: bool
    """Whether it is new; false after an update."""

    embedding_warning: str | None
    """Why it has no vector; null when all is well."""

    warnings: NotRequired[list[WarningRecord]]
    """What else to know about the call; absent when there is nothing."""


class AssertRelationshipResult(TypedDict):
    """What `knowledge_assert_relationship` returns."""

    edge_uuid: str
    """The relationship."""

    created: bool
    """Whether it is new; false after an update."""

    embedding_warning: str | None
    """Why it has no vector; null when all is well."""

    warnings: NotRequired[list[WarningRecord]]
    """What else to know about the call; absent when there is nothing."""


class FindEntitiesResult(TypedDict):
    """What `knowledge_find_entities` returns."""

    nodes: list[EntityRecord]
    """The entities, best first, each with `score`."""

    count: int
    """Length of nodes."""

    warnings: NotRequired[list[WarningRecord]]
    """What else to know about the call; absent when there is nothing."""


class FindRelationshipsResult(TypedDict):
    """What `knowledge_find_relationships` returns."""

    edges: list[EdgeRecord]
    """The relationships, best first, each with `score`."""

    count: int
    """Length of edges."""

    warnings: NotRequired[list[WarningRecord]]
    """What else to know about the call; absent when there is nothing."""


class SearchPassagesResult(TypedDict):
    """What `knowledge_search_passages` returns."""

    passages: list[PassageRecord]
    """The passages, best first."""

    count: int
    """Length of passages."""

    warnings: NotRequired[list[WarningRecord]]
    """What else to know about the call; absent when there is nothing."""


class QueryCypherResult(TypedDict):
    """What `knowledge_query_cypher` returns."""

    columns: list[str]
    """Column names."""

    rows: list[list[Any]]
    """One array of JSON values per row."""

    count: int
    """Rows returned."""

    truncated: bool
    """Whether there were more rows than max_rows."""

    warnings: NotRequired[list[WarningRecord]]
    """What else to know about the call; absent when there is nothing."""


class GetEpisodesResult(TypedDict):
    """What `knowledge_get_episodes` returns."""

    episodes: list[EpisodeRecord]
    """The episodes, the newest first."""

    count: int
    """Length of episodes."""

    total: int
    """Episodes of the group, before paging."""

    has_more: bool
    """Whether episodes remain after this page."""

    warnings: NotRequired[list[WarningRecord]]
    """What else to know about the call; absent when there is nothing."""


class GetNodesByGroupResult(TypedDict):
    """What `knowledge_get_nodes_by_group` returns."""

    nodes: list[EntityRecord]
    """The entities."""

    count: int
    """Length of nodes."""

    total: int
    """Entities of these groups, before paging."""

    has_more: bool
    """Whether entities remain after this page."""

    warnings: NotRequired[list[WarningRecord]]
    """What else to know about the call; absent when there is nothing."""


class GetEdgesByGroupResult(TypedDict):
    """What `knowledge_get_edges_by_group` returns."""

    edges: list[EdgeRecord]
    """The relationships."""

    count: int
    """Length of edges."""

    total: int
    """Relationships that match, before paging."""

    has_more: bool
    """Whether relationships remain after this page."""

    warnings: NotRequired[list[WarningRecord]]
    """What else to know about the call; absent when there is nothing."""


class GetEdgesByUuidsResult(TypedDict):
    """What `knowledge_get_edges_by_uuids` returns."""

    edges: list[EdgeRecord]
    """The relationships that were found."""

    count: int
    """Length of edges."""

    missing: list[str]
    """The uuids that were not."""

    warnings: NotRequired[list[WarningRecord]]
    """What else to know about the call; absent when there is nothing."""


class ListEntitiesResult(TypedDict):
    """What `knowledge_list_entities` returns."""

    nodes: list[EntityRecord]
    """The entities."""

    count: int
    """Length of nodes."""

    total: int
    """Entities of these groups, before paging."""

    has_more: bool
    """Whether entities remain after this page."""

    warnings: NotRequired[list[WarningRecord]]
    """What else to know about the call; absent when there is nothing."""


class ListRelationshipsResult(TypedDict):
    """What `knowledge_list_relationships` returns."""

    edges: list[EdgeRecord]
    """The relationships."""

    count: int
    """Length of edges."""

    total: int
    """Relationships that match, before paging."""

    has_more: bool
    """Whether relationships remain after this page."""

    warnings: NotRequired[list[WarningRecord]]
    """What else to know about the call; absent when there is nothing."""


class GetEntityNeighborsResult(TypedDict):
    """What `knowledge_get_entity_neighbors` returns."""

    center_uuid: str
    """The entity, as given."""

    merged_into: NotRequired[str]
    """The entity that it was merged into. Only when: the entity is a tombstone."""

    nodes: list[EntityRecord]
    """The entities at the other ends, each once."""

    edges: list[EdgeRecord]
    """Outgoing, then incoming; each by uuid descending."""

    count: int
    """Length of nodes."""

    node_count: int
    """Length of nodes."""

    edge_count: int
    """Length of edges."""

    total: int
    """Edges that match, before paging."""

    has_more: bool
    """Whether edges remain after this page."""

    warnings: NotRequired[list[WarningRecord]]
    """What else to know about the call; absent when there is nothing."""


class GetEntitiesBySourceResult(TypedDict):
    """What `knowledge_get_entities_by_source` returns."""

    source: str
    """As given."""

    nodes: list[EntityRecord]
    """The entities, each once."""

    count: int
    """Length of nodes."""

    total: int
    """Entities that match, before paging."""

    has_more: bool
    """Whether entities remain after this page."""

    warnings: NotRequired[list[WarningRecord]]
    """What else to know about the call; absent when there is nothing."""


class DeleteEpisodeResult(TypedDict):
    """What `knowledge_delete_episode` returns."""

    status: Literal["deleted"]
    """The episode is not there any more, or never was."""

    deleted_count: int
    """1, or 0 for an unknown uuid."""

    orphaned_entities: int
    """Entities that it mentioned and no episode mentions now; kept."""

    warnings: NotRequired[list[WarningRecord]]
    """What else to know about the call; absent when there is nothing."""


class DeleteBySourceResult(TypedDict):
    """What `knowledge_delete_by_source` returns."""

    success: Literal[True]
    """No matching episode is left in these groups."""

    source_file: str
    """As given."""

    deleted_count: int
    """Episodes removed; 0 when nothing matches."""

    orphaned_entities: int
    """Entities that they mentioned and no episode mentions now; kept."""

    deleted_uuids: list[str]
    """The episodes removed."""

    groups_done: list[str]
    """The groups whose log took the change."""

    warnings: NotRequired[list[WarningRecord]]
    """What else to know about the call; absent when there is nothing."""


class DeleteChunkEpisodeResult(TypedDict):
    """What `knowledge_delete_chunk_episode` returns."""

    success: Literal[True]
    """No matching episode is left in these groups."""

    chunk_id: str
    """As given."""

    deleted_count: int
    """Episodes removed; 0 when nothing matches."""

    orphaned_entities: int
    """Entities that they mentioned and no episode mentions now; kept."""

    deleted_uuids: list[str]
    """The episodes removed."""

    groups_done: list[str]
    """The groups whose log took the change."""

    warnings: NotRequired[list[WarningRecord]]
    """What else to know about the call; absent when there is nothing."""


class DeleteByGroupResultGroups(TypedDict):
    """What each group held."""

    group_id: str
    """The group."""

    entities: int
    """Entities removed, merged ones included."""

    episodes: int
    """Episodes removed."""

    edges: int
    """Relationships removed, those with an unresolved end included."""

    purge_seq: int | None
    """The log line of the purge; null on a dry run and for an empty group."""


class DeleteByGroupResultUnboundImpacts(TypedDict):
    """Groups whose pointers lose their end."""

    group_id: str
    """A group outside the call."""

    pointer_count: int
    """Its pointers into the groups of the call."""


class DeleteByGroupResult(TypedDict):
    """What `knowledge_delete_by_group` returns."""

    success: Literal[True]
    """The groups are empty, or were counted."""

    dry_run: bool
    """Whether nothing was changed."""

    groups: list[DeleteByGroupResultGroups]
    """What each group held."""

    unbound_impacts: list[DeleteByGroupResultUnboundImpacts]
    """Groups whose pointers lose their end."""

    groups_done: list[str]
    """The groups whose log took the purge; empty on a dry run."""

    applied_seq_reset: bool
    """Always false: positions are kept."""

    warnings: NotRequired[list[WarningRecord]]
    """What else to know about the call; absent when there is nothing."""


class ClearAllResult(TypedDict):
    """What `knowledge_clear_all` returns."""

    success: Literal[True]
    """The graph is empty."""

    message: str
    """What was removed and what was kept."""

    warnings: NotRequired[list[WarningRecord]]
    """What else to know about the call; absent when there is nothing."""


class PrepareCheckpointResult(TypedDict):
    """What `knowledge_prepare_checkpoint` returns."""

    success: Literal[True]
    """Everything is on disk."""

    files_flushed: int
    """Log files closed; 0 when nothing was written since the last call."""

    files_total: int
    """Log files there are."""

    warnings: NotRequired[list[WarningRecord]]
    """What else to know about the call; absent when there is nothing."""


class BuildIndicesResult(TypedDict):
    """What `knowledge_build_indices` returns."""

    status: Literal["ok"]
    """The indexes are built."""

    indices_built: Literal[True]
    """As in knowledge_status."""

    embedded: int
    """Vectors added."""

    embedding_warning: str | None
    """Why rows have no vector; null when all have one."""

    warnings: NotRequired[list[WarningRecord]]
    """What else to know about the call; absent when there is nothing."""


class CloseResult(TypedDict):
    """What `knowledge_close` returns."""

    status: Literal["closed"]
    """The service is shutting down."""

    warnings: NotRequired[list[WarningRecord]]
    """What else to know about the call; absent when there is nothing."""
