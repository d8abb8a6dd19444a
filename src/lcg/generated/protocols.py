# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 85dfc88f0b48004a618280b012d396acf3875ccc796fa46dea80d6cb5471f49e)
# Template: codegen/templates/protocols.py.j2
"""What the handlers have to provide: a protocol for each category, and `Handlers`, which holds one of each."""

from typing import Protocol

from lcg.generated.params import (
    AddCrossGroupEdgeParams,
    AddEpisodeParams,
    ApplyCorrectionsParams,
    AssertEntityParams,
    AssertRelationshipParams,
    BackfillRelationTypesParams,
    BackfillSummaryEmbeddingsParams,
    CanonicalizeRelationsParams,
    ClearAllParams,
    DeleteByGroupParams,
    DeleteBySourceParams,
    DeleteChunkEpisodeParams,
    DeleteEpisodeParams,
    DumpWalParams,
    FindEntitiesParams,
    FindRelationshipsParams,
    GetEdgesByGroupParams,
    GetEdgesByUuidsParams,
    GetEntitiesBySourceParams,
    GetEntityNeighborsParams,
    GetEpisodesParams,
    GetNodesByGroupParams,
    ListEntitiesParams,
    ListRelationshipsParams,
    MergeEntitiesParams,
    ProcessChunkParams,
    QueryCypherParams,
    RebindPointersParams,
    RebuildFromWalParams,
    RebuildStatusParams,
    RecoverParams,
    ReprocessEntityTypesParams,
    ReprocessRelationTypesParams,
    SearchPassagesParams,
    StatusParams,
    WalMarkCreateParams,
    WalMarkDeleteParams,
    WalMarkListParams,
)
from lcg.generated.results import (
    AddCrossGroupEdgeResult,
    AddEpisodeResult,
    ApplyCorrectionsResult,
    AssertEntityResult,
    AssertRelationshipResult,
    BackfillRelationTypesResult,
    BackfillSummaryEmbeddingsResult,
    BuildIndicesResult,
    CanonicalizeRelationsResult,
    ClearAllResult,
    CloseResult,
    DeleteByGroupResult,
    DeleteBySourceResult,
    DeleteChunkEpisodeResult,
    DeleteEpisodeResult,
    DumpWalResult,
    FindEntitiesResult,
    FindRelationshipsResult,
    GetEdgesByGroupResult,
    GetEdgesByUuidsResult,
    GetEntitiesBySourceResult,
    GetEntityNeighborsResult,
    GetEpisodesResult,
    GetNodesByGroupResult,
    HealthCheckResult,
    ListEntitiesResult,
    ListRelationshipsResult,
    MergeEntitiesResult,
    PrepareCheckpointResult,
    ProcessChunkResult,
    QueryCypherResult,
    RebindPointersResult,
    RebuildFromWalResult,
    RebuildStatusResult,
    RecoverFullResult,
    RecoverResult,
    ReprocessEntityTypesResult,
    ReprocessRelationTypesResult,
    SearchPassagesResult,
    StatusResult,
    ValidateCorrectionsResult,
    WalMarkCreateResult,
    WalMarkDeleteResult,
    WalMarkListResult,
)
from lcg.runtime.call import Call


class HealthHandlers(Protocol):
    """Health."""

    def health_check(self, call: Call) -> HealthCheckResult:
        """Says whether the service is ready for work.

        Raises:
            OperationFailed: unavailable: the store is open but does not answer the probe; the recovery methods help.
        """
        ...


class StatusHandlers(Protocol):
    """Status."""

    def status(self, params: StatusParams, call: Call) -> StatusResult:
        """What the graph holds and how the service is doing."""
        ...

    def rebuild_status(self, params: RebuildStatusParams, call: Call) -> RebuildStatusResult:
        """How far a rebuild of this process has come, and what it returned."""
        ...


class IngestionHandlers(Protocol):
    """Ingestion."""

    def process_chunk(self, params: ProcessChunkParams, call: Call) -> ProcessChunkResult:
        """Reads one chunk of a file and stores what it says.

        Raises:
            OperationFailed: unconfigured: no extractor is set; the message names every way to set one, the built-in first.
            OperationFailed: provider_failed: the extractor gave no usable answer; nothing was stored.
        """
        ...

    def add_episode(self, params: AddEpisodeParams, call: Call) -> AddEpisodeResult:
        """Stores a text as a new episode, and what an extractor finds in it.

        Raises:
            OperationFailed: unconfigured: no extractor is set; the message names every way to set one, the built-in first.
            OperationFailed: provider_failed: the extractor gave no usable answer; nothing was stored.
        """
        ...


class AssertionHandlers(Protocol):
    """Direct assertion."""

    def assert_entity(self, params: AssertEntityParams, call: Call) -> AssertEntityResult:
        """Creates or overwrites one entity, exactly as given.

        Raises:
            OperationFailed: not_found: no entity with that entity_uuid in the group.
            OperationFailed: conflict: the new name belongs to another live entity of the group; its uuid is named.
            OperationFailed: precondition: the entity was merged, and the chain of merges ends nowhere or in another group.
        """
        ...

    def assert_relationship(self, params: AssertRelationshipParams, call: Call) -> AssertRelationshipResult:
        """Creates or updates one relationship between two named entities.

        Raises:
            OperationFailed: not_found: a name matches no entity of the group; every missing name is listed.
        """
        ...


class SearchHandlers(Protocol):
    """Search."""

    def find_entities(self, params: FindEntitiesParams, call: Call) -> FindEntitiesResult:
        """Finds entities by words and by meaning."""
        ...

    def find_relationships(self, params: FindRelationshipsParams, call: Call) -> FindRelationshipsResult:
        """Finds facts by words and by meaning."""
        ...

    def search_passages(self, params: SearchPassagesParams, call: Call) -> SearchPassagesResult:
        """Finds ingested text by words and by meaning."""
        ...

    def query_cypher(self, params: QueryCypherParams, call: Call) -> QueryCypherResult:
        """Runs one Cypher statement against the store.

        Raises:
            OperationFailed: precondition: the engine refused the query, the statement is of a kind that is not allowed, or rows would be left that other tools could not read.
            OperationFailed: limit: timeout_ms ran out; nothing was changed.
            OperationFailed: busy: too many queries wait for their turn already.
        """
        ...


class ReadsHandlers(Protocol):
    """Graph reads."""

    def get_episodes(self, params: GetEpisodesParams, call: Call) -> GetEpisodesResult:
        """The newest episodes of one group, whole."""
        ...

    def get_nodes_by_group(self, params: GetNodesByGroupParams, call: Call) -> GetNodesByGroupResult:
        """Every entity of the groups named."""
        ...

    def get_edges_by_group(self, params: GetEdgesByGroupParams, call: Call) -> GetEdgesByGroupResult:
        """Every relationship that the groups named own."""
        ...

    def get_edges_by_uuids(self, params: GetEdgesByUuidsParams, call: Call) -> GetEdgesByUuidsResult:
        """The relationships with these uuids, in the order asked for."""
        ...

    def list_entities(self, params: ListEntitiesParams, call: Call) -> ListEntitiesResult:
        """Pages through the entities of all groups or some."""
        ...

    def list_relationships(self, params: ListRelationshipsParams, call: Call) -> ListRelationshipsResult:
        """Pages through the relationships of all groups or some."""
        ...

    def get_entity_neighbors(self, params: GetEntityNeighborsParams, call: Call) -> GetEntityNeighborsResult:
        """The relationships of one entity and the entities at their other ends."""
        ...

    def get_entities_by_source(self, params: GetEntitiesBySourceParams, call: Call) -> GetEntitiesBySourceResult:
        """The entities that the text of one source mentions."""
        ...


class DeletionHandlers(Protocol):
    """Deletion."""

    def delete_episode(self, params: DeleteEpisodeParams, call: Call) -> DeleteEpisodeResult:
        """Removes one episode; entities and facts stay."""
        ...

    def delete_by_source(self, params: DeleteBySourceParams, call: Call) -> DeleteBySourceResult:
        """Removes every episode that came from one source file."""
        ...

    def delete_chunk_episode(self, params: DeleteChunkEpisodeParams, call: Call) -> DeleteChunkEpisodeResult:
        """Removes every revision of one chunk."""
        ...

    def delete_by_group(self, params: DeleteByGroupParams, call: Call) -> DeleteByGroupResult:
        """Removes everything that the groups named own.

        Raises:
            OperationFailed: precondition: neither confirm nor dry_run is true; the message holds the exact call.
        """
        ...

    def clear_all(self, params: ClearAllParams, call: Call) -> ClearAllResult:
        """Empties the graph of all groups, with or without its logs.

        Raises:
            OperationFailed: precondition: confirm is false; nothing was changed.
            OperationFailed: busy: a rebuild or a recovery is running.
        """
        ...


class CurationHandlers(Protocol):
    """Curation."""

    def merge_entities(self, params: MergeEntitiesParams, call: Call) -> MergeEntitiesResult:
        """Makes one entity of several that mean the same thing."""
        ...

    def validate_corrections(self, call: Call) -> ValidateCorrectionsResult:
        """Checks the corrections file of the workspace without applying it."""
        ...

    def apply_corrections(self, params: ApplyCorrectionsParams, call: Call) -> ApplyCorrectionsResult:
        """Carries out the merges and retractions of the corrections file."""
        ...

    def reprocess_entity_types(self, params: ReprocessEntityTypesParams, call: Call) -> ReprocessEntityTypesResult:
        """Lets the classifier choose the types of a group's entities anew.

        Raises:
            OperationFailed: unconfigured: there are candidates but no extractor; the message names every way to set one.
        """
        ...


class RelationsHandlers(Protocol):
    """Relation typing."""

    def canonicalize_relations(self, params: CanonicalizeRelationsParams, call: Call) -> CanonicalizeRelationsResult:
        """Maps the predicates of a group to the ontology's relation types.

        Raises:
            OperationFailed: precondition: there is no ontology, or it declares no relation_types.
        """
        ...

    def backfill_relation_types(self, params: BackfillRelationTypesParams, call: Call) -> BackfillRelationTypesResult:
        """Gives untyped relationships a made-up type. Do not use."""
        ...

    def reprocess_relation_types(
        self, params: ReprocessRelationTypesParams, call: Call
    ) -> ReprocessRelationTypesResult:
        """Lets the classifier choose relation types anew, from the facts.

        Raises:
            OperationFailed: unconfigured: there are candidates but no extractor; the message names every way to set one.
        """
        ...


class SummariesHandlers(Protocol):
    """Semantic search maintenance."""

    def backfill_summary_embeddings(
        self, params: BackfillSummaryEmbeddingsParams, call: Call
    ) -> BackfillSummaryEmbeddingsResult:
        """Embeds the current summary of every entity of a group.

        Raises:
            OperationFailed: provider_failed: the embedder gave no usable answer; data has `backfilled` so far.
        """
        ...


class PointersHandlers(Protocol):
    """Cross-group pointers."""

    def add_cross_group_edge(self, params: AddCrossGroupEdgeParams, call: Call) -> AddCrossGroupEdgeResult:
        """Joins entities of different groups by a relationship.

        Raises:
            OperationFailed: not_found: a uuid is unknown; every unknown one is listed.
            OperationFailed: precondition: a uuid belongs to another group than the edge, or both ends are one entity.
        """
        ...

    def rebind_pointers(self, params: RebindPointersParams, call: Call) -> RebindPointersResult:
        """Looks up again every pointer into one group."""
        ...


class WalAdminHandlers(Protocol):
    """WAL administration."""

    def dump_wal(self, params: DumpWalParams, call: Call) -> DumpWalResult:
        """Writes the graph as fresh logs into a directory of their own.

        Raises:
            OperationFailed: conflict: the directory already exists and is not empty.
            OperationFailed: precondition: the directory lies inside the live logs.
            OperationFailed: io: the dump cannot be written; the path and the cause are named.
        """
        ...

    def prepare_checkpoint(self, call: Call) -> PrepareCheckpointResult:
        """Closes the current log files, so that they can be copied.

        Raises:
            OperationFailed: io: a file cannot be written; the file and the cause are named.
        """
        ...

    def wal_mark_create(self, params: WalMarkCreateParams, call: Call) -> WalMarkCreateResult:
        """Gives the present position of a group's log a name.

        Raises:
            OperationFailed: conflict: a mark of that name already exists in the group.
            OperationFailed: precondition: the position of the group is unknown, or before a line 0.
        """
        ...

    def wal_mark_list(self, params: WalMarkListParams, call: Call) -> WalMarkListResult:
        """The marks of one group's log, and whether they can still be reached."""
        ...

    def wal_mark_delete(self, params: WalMarkDeleteParams, call: Call) -> WalMarkDeleteResult:
        """Removes one mark; its name is free again.

        Raises:
            OperationFailed: not_found: the group has no mark of that name.
        """
        ...

    def rebuild_from_wal(self, params: RebuildFromWalParams, call: Call) -> RebuildFromWalResult:
        """Replays one group's log, in full or over a range.

        Raises:
            OperationFailed: not_found: the group has no log files; the directory is named.
            OperationFailed: generation_unknown: the identity file of the log is gone or damaged; both remedies are named.
            OperationFailed: precondition: the group already contains data; force_clear and the purge call are named.
            OperationFailed: busy: a job or a write on this group is running; data names it.
        """
        ...

    def build_indices(self, call: Call) -> BuildIndicesResult:
        """Builds the name, full-text and vector indexes anew.

        Raises:
            OperationFailed: precondition: a table is missing; it is named, and indices_built in knowledge_status becomes false.
            OperationFailed: io: an index file cannot be written; the file and the cause are named.
        """
        ...


class RecoveryHandlers(Protocol):
    """Recovery / lifecycle."""

    def recover(self, params: RecoverParams, call: Call) -> RecoverResult:
        """Brings a damaged store back by the strategy that you choose.

        Raises:
            OperationFailed: busy: a recovery, a rebuild or the start is running.
            OperationFailed: not_found: what the strategy needs is not there; it is named.
        """
        ...

    def recover_full(self, call: Call) -> RecoverFullResult:
        """Tries the recovery strategies in turn; does nothing on a healthy store.

        Raises:
            OperationFailed: busy: a recovery or the start is running.
            OperationFailed: not_found: there are no logs to rebuild from.
        """
        ...

    def close(self, call: Call) -> CloseResult:
        """Ends the service once work in flight has come to a consistent point."""
        ...


class Handlers(Protocol):
    """All handlers, by category."""

    @property
    def health(self) -> HealthHandlers:
        """Health."""
        ...

    @property
    def status(self) -> StatusHandlers:
        """Status."""
        ...

    @property
    def ingestion(self) -> IngestionHandlers:
        """Ingestion."""
        ...

    @property
    def assertion(self) -> AssertionHandlers:
        """Direct assertion."""
        ...

    @property
    def search(self) -> SearchHandlers:
        """Search."""
        ...

    @property
    def reads(self) -> ReadsHandlers:
        """Graph reads."""
        ...

    @property
    def deletion(self) -> DeletionHandlers:
        """Deletion."""
        ...

    @property
    def curation(self) -> CurationHandlers:
        """Curation."""
        ...

    @property
    def relations(self) -> RelationsHandlers:
        """Relation typing."""
        ...

    @property
    def summaries(self) -> SummariesHandlers:
        """Semantic search maintenance."""
        ...

    @property
    def pointers(self) -> PointersHandlers:
        """Cross-group pointers."""
        ...

    @property
    def wal_admin(self) -> WalAdminHandlers:
        """WAL administration."""
        ...

    @property
    def recovery(self) -> RecoveryHandlers:
        """Recovery / lifecycle."""
        ...
