# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 85dfc88f0b48004a618280b012d396acf3875ccc796fa46dea80d6cb5471f49e)
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
    """How the model is reached: `builtin`, `http` or `uds`."""

    model: str
    """Its name, as it answers; before its first answer the configured one."""

    dim: int
    """Length of its vectors; 0 before its first answer."""

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
    """The last ten failed calls."""

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

    declared: NotRequired[dict[str, Any] | None]
    """`mode`, `entity_types`, `relation_types` as in use; null without an ontology. Only when: include_ontology."""

    declared_by_group: NotRequired[dict[str, Any]]
    """Group id → the same, for groups with an ontology of their own. Only when: include_ontology."""


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
    """Length of its vectors; 0 before its first answer. Only when: store open."""

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
    """The last ten failed calls."""

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


class RebuildStatusResult(TypedDict):
    """What `knowledge_rebuild_status` returns."""

    status: Literal["running", "completed", "failed", "not_found"]
    """How the job stands."""

    job_id: NotRequired[str]
    """As given. Only when: the job is known."""

    group_id: NotRequired[str]
    """The group that is rebuilt. Only when: the job is known."""

    start_time: NotRequired[str]
    """UTC, YYYY-MM-DD HH:MM:SS. Only when: the job is known."""

    mutations_replayed: NotRequired[int]
    """Lines applied so far. Only when: the job is known."""

    wal_files_processed: NotRequired[int]
    """Log files done. Only when: the job is known."""

    wal_files_total: NotRequired[int]
    """Log files to do. Only when: the job is known."""

    elapsed_seconds: NotRequired[float]
    """Time spent; stands still once the job has ended. Only when: the job is known."""

    error: NotRequired[str | None]
    """Why it failed; null unless it did. Only when: the job is known."""

    kind: NotRequired[str | None]
    """The error kind; null unless it failed. Only when: the job is known."""

    result: NotRequired[dict[str, Any] | None]
    """What knowledge_rebuild_from_wal returned; null unless completed. Only when: the job is known."""

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

    edges_invalidated: int
    """Facts that a newer single value ended."""

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


class MergeEntitiesResultPlanAliases(TypedDict):
    """One entry per alias."""

    uuid: str
    """The alias."""

    name: str
    """Its name."""

    active_edges: int
    """Its relationships that would move."""

    duplicate_edges: int
    """Those that would be invalidated instead."""

    foreign_edges_skipped: int
    """Those of other groups."""


class MergeEntitiesResultPlan(TypedDict):
    """What the real run would do."""

    aliases: list[MergeEntitiesResultPlanAliases]
    """One entry per alias."""

    total_edges_rewritten: int
    """Relationships that would move."""

    total_edges_collapsed: int
    """Relationships that would be invalidated instead."""

    total_foreign_edges_skipped: int
    """Relationships of other groups."""


class MergeEntitiesResult(TypedDict):
    """What `knowledge_merge_entities` returns."""

    success: bool
    """Whether the merge was, or could be, carried out."""

    canonical_uuid: str
    """The entity that stays; empty when it was not found."""

    merged_count: int
    """Entities that became tombstones."""

    skipped: int
    """Aliases that were merged before."""

    edges_rewritten: int
    """Relationships that moved."""

    edges_deduplicated: int
    """Relationships that were invalidated instead."""

    foreign_edges_skipped: int
    """Relationships of other groups, which stay."""

    errors: list[str]
    """What could not be merged, and why."""

    plan: NotRequired[MergeEntitiesResultPlan]
    """What the real run would do. Only when: a dry run that found the entities."""

    warnings: NotRequired[list[WarningRecord]]
    """What else to know about the call; absent when there is nothing."""


class ValidateCorrectionsResult(TypedDict):
    """What `knowledge_validate_corrections` returns."""

    valid: bool
    """Whether the file can be applied."""

    message: str
    """The outcome in a sentence."""

    total_corrections: int
    """Entries."""

    unapplied_corrections: int
    """Entries that were not applied yet."""

    issues: list[str]
    """What is wrong, entry by entry."""

    warnings: list[str]
    """What is odd but can be applied."""


class ApplyCorrectionsResultDetails(TypedDict):
    """One element per entry that was, or would be, applied."""

    id: str
    """The entry."""

    action: Literal["same_as", "retract", "dry_run:same_as", "dry_run:retract"]
    """What was done, or on a dry run would be."""


class ApplyCorrectionsResult(TypedDict):
    """What `knowledge_apply_corrections` returns."""

    success: bool
    """Whether every entry could be applied."""

    applied: int
    """Entries applied; 0 on a dry run."""

    skipped: int
    """Entries that were applied before."""

    errors: list[str]
    """Why entries failed."""

    groups_done: list[str]
    """The groups whose log took a change."""

    details: list[ApplyCorrectionsResultDetails]
    """One element per entry that was, or would be, applied."""

    message: NotRequired[str]
    """Says so. Only when: the file is missing or empty."""

    warnings: NotRequired[list[WarningRecord]]
    """What else to know about the call; absent when there is nothing."""


class ReprocessEntityTypesResultClassifier(TypedDict):
    """What chose the types."""

    provider: Literal["none", "builtin", "anthropic", "openai"]
    """How it is reached."""

    model: str | None
    """Its model; null when it has none."""


class ReprocessEntityTypesResultPlan(TypedDict):
    """What would be written."""

    entity_id: str
    """The entity."""

    entity_name: str
    """Its name."""

    old_type: str | None
    """The type that it has; null when it has none."""

    new_type: str
    """The type that it would get."""


class ReprocessEntityTypesResult(TypedDict):
    """What `knowledge_reprocess_entity_types` returns."""

    success: bool
    """False when the ontology is missing or the classifier failed."""

    group_id: str
    """The group."""

    classifier: ReprocessEntityTypesResultClassifier
    """What chose the types."""

    reclassified_count: NotRequired[int]
    """Entities with a new type. Only when: a real run."""

    unchanged_count: NotRequired[int]
    """Entities that kept theirs. Only when: a real run."""

    restamped_count: NotRequired[int]
    """Chains of labels renewed. Only when: a real run."""

    would_reclassify_count: NotRequired[int]
    """Length of plan. Only when: a dry run."""

    plan: NotRequired[list[ReprocessEntityTypesResultPlan]]
    """What would be written. Only when: a dry run."""

    error: NotRequired[str]
    """What is wrong and what helps. Only when: success is false."""

    kind: NotRequired[Literal["precondition", "provider_failed"]]
    """The error kind. Only when: success is false."""

    warnings: NotRequired[list[WarningRecord]]
    """What else to know about the call; absent when there is nothing."""


class CanonicalizeRelationsResult(TypedDict):
    """What `knowledge_canonicalize_relations` returns."""

    group_id: str
    """The group."""

    total_edges: int
    """Relationships of the group."""

    mapped_count: int
    """Those mapped by name, alias or keyword."""

    noise_count: int
    """Those whose name is noise."""

    residual_count: int
    """Those left over."""

    embedding_fallback_promoted: int
    """Of those left over, those typed by meaning."""

    mapped_pct: float
    """Whole percents; 0 without relationships."""

    noise_pct: float
    """Whole percents; 0 without relationships."""

    residual_pct: float
    """Whole percents; 0 without relationships."""

    dry_run: bool
    """Whether nothing was written."""

    embedding_warning: NotRequired[str]
    """Why. Only when: the fallback was skipped."""

    warnings: NotRequired[list[WarningRecord]]
    """What else to know about the call; absent when there is nothing."""


class BackfillRelationTypesResult(TypedDict):
    """What `knowledge_backfill_relation_types` returns."""

    group_id: str
    """The group."""

    total_edges: int
    """Relationships of the group."""

    backfilled: int
    """Types filled, or on a dry run to fill."""

    dry_run: bool
    """Whether nothing was written."""

    deprecated: Literal[True]
    """Do not use this method."""

    warnings: NotRequired[list[WarningRecord]]
    """What else to know about the call; absent when there is nothing."""


class ReprocessRelationTypesResultClassifier(TypedDict):
    """What chose the types."""

    provider: Literal["none", "builtin", "anthropic", "openai"]
    """How it is reached."""

    model: str | None
    """Its model; null when it has none."""


class ReprocessRelationTypesResultPlan(TypedDict):
    """What would be written."""

    edge_id: str
    """The relationship."""

    fact: str
    """Its fact."""

    old_type: str | None
    """The type that it has; null when it has none."""

    new_type: str
    """The type that it would get."""


class ReprocessRelationTypesResult(TypedDict):
    """What `knowledge_reprocess_relation_types` returns."""

    success: bool
    """False when relation types are missing or the classifier failed."""

    group_id: str
    """The group."""

    classifier: ReprocessRelationTypesResultClassifier
    """What chose the types."""

    reclassified_count: NotRequired[int]
    """Those with a new type. Only when: a real run."""

    unchanged_count: NotRequired[int]
    """Those that kept theirs. Only when: a real run."""

    would_reclassify_count: NotRequired[int]
    """Length of plan. Only when: a dry run."""

    plan: NotRequired[list[ReprocessRelationTypesResultPlan]]
    """What would be written. Only when: a dry run."""

    breakdown: NotRequired[dict[str, Any]]
    """Type → number of candidates with that verdict; empty without candidates. Only when: success is true."""

    error: NotRequired[str]
    """What is wrong and what helps. Only when: success is false."""

    kind: NotRequired[Literal["precondition", "provider_failed"]]
    """The error kind. Only when: success is false."""

    warnings: NotRequired[list[WarningRecord]]
    """What else to know about the call; absent when there is nothing."""


class BackfillSummaryEmbeddingsResult(TypedDict):
    """What `knowledge_backfill_summary_embeddings` returns."""

    group_id: str
    """The group."""

    total_entities: int
    """Live entities of the group."""

    backfilled: int
    """Summaries embedded, or on a dry run to embed."""

    dry_run: bool
    """Whether nothing was written."""

    warnings: NotRequired[list[WarningRecord]]
    """What else to know about the call; absent when there is nothing."""


class AddCrossGroupEdgeResultCrossGroupPointers(TypedDict):
    """The ends in other groups."""

    src: PointerRecord | None
    """The source, null when it was given by uuid."""

    dst: PointerRecord | None
    """The target, null when it was given by uuid."""


class AddCrossGroupEdgeResult(TypedDict):
    """What `knowledge_add_cross_group_edge` returns."""

    uuid: str
    """The relationship."""

    name: str
    """The predicate."""

    group_id: str
    """The group that owns the relationship."""

    source_node_uuid: str
    """The entity at this end; empty when unresolved."""

    target_node_uuid: str
    """The entity at the other end; empty when unresolved."""

    fact: str
    """As given."""

    cross_group_pointers: AddCrossGroupEdgeResultCrossGroupPointers
    """The ends in other groups."""

    embedding_warning: str | None
    """Why it has no vector; null when all is well."""

    warnings: NotRequired[list[WarningRecord]]
    """What else to know about the call; absent when there is nothing."""


class RebindPointersResult(TypedDict):
    """What `knowledge_rebind_pointers` returns."""

    checked: int
    """Pointers looked up."""

    bound: int
    """Of these, resolved."""

    unbound: int
    """Of these, without an entity of that name."""

    ambiguous: int
    """Of these, with several."""

    invalidated_self_loop: int
    """Relationships that would join an entity to itself."""

    invalidated_duplicate: int
    """Relationships that would repeat another."""

    staleness_skipped: int
    """Pointers that were up to date."""

    groups_done: list[str]
    """The groups whose log took a change."""

    warnings: NotRequired[list[WarningRecord]]
    """What else to know about the call; absent when there is nothing."""


class DumpWalResultGroups(TypedDict):
    """The groups dumped."""

    group_id: str
    """The group."""

    max_seq: int
    """The last line of its dump."""

    generation: str
    """The identity of its dump."""


class DumpWalResult(TypedDict):
    """What `knowledge_dump_wal` returns."""

    success: Literal[True]
    """The dump is complete."""

    nodes_dumped: int
    """Entities, episodes and relationships."""

    edges_dumped: int
    """Links: mentions, and ends of relationships."""

    files_written: int
    """Log files."""

    groups: list[DumpWalResultGroups]
    """The groups dumped."""

    target_dir: str
    """Absolute path of the dump."""

    includes_unlogged: bool
    """Whether it holds changes that no log has."""

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


class WalMarkCreateResult(TypedDict):
    """What `knowledge_wal_mark_create` returns."""

    success: Literal[True]
    """The mark exists."""

    name: str
    """As given."""

    group_id: str
    """The group."""

    seq: int
    """The position: applied through this line."""

    generation: str | None
    """Identity of the log; null before its first line."""

    warnings: NotRequired[list[WarningRecord]]
    """What else to know about the call; absent when there is nothing."""


class WalMarkListResultCheckpoints(TypedDict):
    """The marks."""

    name: str
    """The mark."""

    seq: int
    """Its position."""

    reachable: bool
    """Whether a rebuild can stop there."""

    wal_min_seq: int | None
    """The first line on disk; null without a log."""

    wal_max_seq: int | None
    """The last line on disk; null without a log."""

    generation: str | None
    """Identity of the log at that time."""

    created_at: str
    """UTC, YYYY-MM-DD HH:MM:SS."""


class WalMarkListResult(TypedDict):
    """What `knowledge_wal_mark_list` returns."""

    group_id: str
    """The group."""

    checkpoints: list[WalMarkListResultCheckpoints]
    """The marks."""

    count: int
    """Length of checkpoints."""

    warnings: NotRequired[list[WarningRecord]]
    """What else to know about the call; absent when there is nothing."""


class WalMarkDeleteResult(TypedDict):
    """What `knowledge_wal_mark_delete` returns."""

    success: Literal[True]
    """The mark is gone."""

    name: str
    """As given."""

    group_id: str
    """The group."""

    warnings: NotRequired[list[WarningRecord]]
    """What else to know about the call; absent when there is nothing."""


class RebuildFromWalResultFailedSamples(TypedDict):
    """Up to ten examples of lines that were lost."""

    sample: str
    """The beginning of such a line."""

    error: str
    """Why it could not be applied."""

    count: int
    """Lines with that error."""


class RebuildFromWalResult(TypedDict):
    """What `knowledge_rebuild_from_wal` returns."""

    success: Literal[True]
    """The rebuild is done, or was started."""

    job_id: NotRequired[str]
    """The job, for knowledge_rebuild_status. Only when: not a dry run."""

    status: NotRequired[Literal["completed", "running"]]
    """Running with background. Only when: not a dry run."""

    group_id: str
    """The group."""

    from_seq: NotRequired[int]
    """In effect; 0 after a reset. Only when: not in background."""

    to_seq: NotRequired[int | None]
    """In effect; null without one and after a reset. Only when: not in background."""

    mutations_replayed: NotRequired[int]
    """Lines applied; on a dry run those that can be read. Only when: not in background."""

    match_prefixed_replayed: NotRequired[int]
    """Of these, update lines of the older format. Only when: not in background."""

    wal_files_processed: NotRequired[int]
    """Log files read. Only when: not in background."""

    indexes_created: NotRequired[int]
    """Always 0. Only when: not in background."""

    unrecognised_lines: NotRequired[int]
    """Lines of no known kind. Only when: not in background."""

    failed_lines: NotRequired[int]
    """Lines that could not be applied. Only when: not in background."""

    unparseable_lines: NotRequired[int]
    """Lines of no JSON. Only when: not in background."""

    legacy_skipped_lines: NotRequired[int]
    """Lines of the older format that were passed over. Only when: not in background."""

    lines_skipped: NotRequired[int]
    """Unrecognised, failed and unparseable lines together. Only when: not in background."""

    failed_samples: NotRequired[list[RebuildFromWalResultFailedSamples]]
    """Up to ten examples of lines that were lost. Only when: not in background."""

    failed_sample_categories_dropped: NotRequired[int]
    """Further errors without an example. Only when: not in background."""

    fidelity_warning: NotRequired[str | None]
    """Set when more lines were lost than is allowed. Only when: not in background."""

    rolled_back_lines: NotRequired[int]
    """Lines in transactions that were rolled back. Only when: not in background."""

    transactions_committed: NotRequired[int]
    """Transactions of the store. Only when: not in background."""

    transactions_rolled_back: NotRequired[int]
    """Those that were undone. Only when: not in background."""

    last_committed_seq: NotRequired[int | None]
    """The last line that this call applied. Only when: not in background."""

    reset_detected: NotRequired[bool]
    """Whether the log has another identity than the recorded one. Only when: not in background."""

    previous_generation: NotRequired[str | None]
    """The identity recorded before. Only when: not in background."""

    generation: NotRequired[str | None]
    """The identity of the log. Only when: not in background."""

    excluded: NotRequired[list[list[Any]]]
    """Ranges `[first, last]` of the group that are left out now. Only when: a real run, not in background."""

    cross_group_rebind: NotRequired[dict[str, Any] | None]
    """What knowledge_rebind_pointers returned; null when nothing was rebound. Only when: not in background."""

    dry_run: NotRequired[Literal[True]]
    """Nothing was changed. Only when: a dry run."""

    message: NotRequired[str]
    """Says so. Only when: a dry run that found a reset."""

    indices_built: NotRequired[bool]
    """Whether the search indexes are usable. Only when: a real run, not in background."""

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


class RecoverResult(TypedDict):
    """What `knowledge_recover` returns."""

    strategy: Literal["drop_lbug_wal", "rebuild_from_workspace_wal", "restore_from_backup"]
    """As given."""

    success: bool
    """Whether the store is open again."""

    restart_required: bool
    """A file could not be set aside; the process ends after the answer."""

    mutations_replayed: NotRequired[int]
    """Log lines applied. Only when: success is true."""

    groups_replayed: NotRequired[int]
    """Groups with a log. Only when: success is true."""

    set_aside: NotRequired[list[str]]
    """Files kept aside. Only when: success is true."""

    error: NotRequired[str]
    """What went wrong and what helps. Only when: success is false."""

    kind: NotRequired[str]
    """The error kind. Only when: success is false."""

    warnings: NotRequired[list[WarningRecord]]
    """What else to know about the call; absent when there is nothing."""


class RecoverFullResult(TypedDict):
    """What `knowledge_recover_full` returns."""

    success: bool
    """Whether the store is open."""

    recovery_needed: NotRequired[bool]
    """Whether it was damaged. Only when: success is true."""

    episodes_before: NotRequired[int]
    """Episodes found before; 0 when the store could not be read. Only when: success is true."""

    episodes_after: NotRequired[int]
    """Episodes now. Only when: success is true."""

    mutations_replayed: NotRequired[int]
    """Log lines applied. Only when: success is true."""

    indexes_rebuilt: NotRequired[bool]
    """Whether the search indexes were built anew. Only when: success is true."""

    error: NotRequired[str]
    """What went wrong and what helps. Only when: success is false."""

    kind: NotRequired[str]
    """The error kind. Only when: success is false."""

    warnings: NotRequired[list[WarningRecord]]
    """What else to know about the call; absent when there is nothing."""


class CloseResult(TypedDict):
    """What `knowledge_close` returns."""

    status: Literal["closed"]
    """The service is shutting down."""

    warnings: NotRequired[list[WarningRecord]]
    """What else to know about the call; absent when there is nothing."""
