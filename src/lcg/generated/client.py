# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 85dfc88f0b48004a618280b012d396acf3875ccc796fa46dea80d6cb5471f49e)
# Template: codegen/templates/client.py.j2
"""Every method of the service as a function, for programs: once for threads, once for an event loop. See `lcg.client`."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Literal, cast

from lcg.generated import results
from lcg.runtime.call_params import OnProgress, given


class Methods(ABC):
    """The methods of the service. Arguments that are None are left out of the call."""

    @abstractmethod
    def call(
        self, method: str, params: Mapping[str, Any] | None = None, on_progress: OnProgress | None = None
    ) -> dict[str, Any]:
        """Call a method by its name, with parameters as they are on the wire."""

    def health_check(self) -> results.HealthCheckResult:
        """Says whether the service is ready for work.

        Raises:
            OperationFailed: `unavailable`: the store is open but does not answer the probe; the recovery methods help.
        """
        params = given()
        result = self.call("health_check", params)
        return cast(results.HealthCheckResult, result)

    def knowledge_status(self, *, include_ontology: bool | None = None) -> results.StatusResult:
        """What the graph holds and how the service is doing.

        Args:
            include_ontology: Add the declared types. Left out: `false`.
        """
        params = given(include_ontology=include_ontology)
        result = self.call("knowledge_status", params)
        return cast(results.StatusResult, result)

    def knowledge_rebuild_status(self, job_id: str) -> results.RebuildStatusResult:
        """How far a rebuild of this process has come, and what it returned.

        Args:
            job_id: The job.
        """
        params = given(job_id=job_id)
        result = self.call("knowledge_rebuild_status", params)
        return cast(results.RebuildStatusResult, result)

    def knowledge_process_chunk(
        self,
        chunk_text: str,
        chunk_id: str,
        source_file: str,
        *,
        reference_time: str | None = None,
        group_id: str | None = None,
    ) -> results.ProcessChunkResult:
        """Reads one chunk of a file and stores what it says.

        Args:
            chunk_text: The text, whole. It is never cut or split.
            chunk_id: Its name. Keep it when the chunk is sent again.
            source_file: Its file. One that ends in .json is read as JSON.
            reference_time: When written; default now.
            group_id: The group. Left out: the group `liminis`.

        Raises:
            OperationFailed: `unconfigured`: no extractor is set; the message names every way to set one, the built-in first.
            OperationFailed: `provider_failed`: the extractor gave no usable answer; nothing was stored.
        """
        params = given(
            chunk_text=chunk_text,
            chunk_id=chunk_id,
            source_file=source_file,
            reference_time=reference_time,
            group_id=group_id,
        )
        result = self.call("knowledge_process_chunk", params)
        return cast(results.ProcessChunkResult, result)

    def knowledge_add_episode(
        self,
        name: str,
        episode_body: str,
        *,
        source: str | None = None,
        source_description: str | None = None,
        reference_time: str | None = None,
        group_id: str | None = None,
    ) -> results.AddEpisodeResult:
        """Stores a text as a new episode, and what an extractor finds in it.

        Args:
            name: Its name.
            episode_body: The text, whole.
            source: Such as json or message. Free text; the two words select a way of reading in any letter case, all else is read as prose. Left out: `text`.
            source_description: Where it comes from. Left out: ``.
            reference_time: When written; default now. Becomes created_at of the episode and of every row made from it.
            group_id: The group. Left out: the group `liminis`.

        Raises:
            OperationFailed: `unconfigured`: no extractor is set; the message names every way to set one, the built-in first.
            OperationFailed: `provider_failed`: the extractor gave no usable answer; nothing was stored.
        """
        params = given(
            name=name,
            episode_body=episode_body,
            source=source,
            source_description=source_description,
            reference_time=reference_time,
            group_id=group_id,
        )
        result = self.call("knowledge_add_episode", params)
        return cast(results.AddEpisodeResult, result)

    def knowledge_assert_entity(
        self,
        name: str,
        *,
        entity_uuid: str | None = None,
        labels: Sequence[str] | None = None,
        summary: str | None = None,
        attributes: Mapping[str, Any] | None = None,
        group_id: str | None = None,
    ) -> results.AssertEntityResult:
        """Creates or overwrites one entity, exactly as given.

        Args:
            name: Its name. Unique in the group, letter case aside.
            entity_uuid: Update this one; it has to exist. It is looked for in the group only.
            labels: Types, such as Person. Left out: `['Entity']`.
            summary: What it is, in a sentence. Left out: ``.
            attributes: Further facts, a JSON object. Left out: `{}`.
            group_id: The group. Left out: the group `liminis`.

        Raises:
            OperationFailed: `not_found`: no entity with that entity_uuid in the group.
            OperationFailed: `conflict`: the new name belongs to another live entity of the group; its uuid is named.
            OperationFailed: `precondition`: the entity was merged, and the chain of merges ends nowhere or in another group.
        """
        params = given(
            name=name, entity_uuid=entity_uuid, labels=labels, summary=summary, attributes=attributes, group_id=group_id
        )
        result = self.call("knowledge_assert_entity", params)
        return cast(results.AssertEntityResult, result)

    def knowledge_assert_relationship(
        self,
        source_name: str,
        predicate: str,
        target_name: str,
        *,
        fact: str | None = None,
        relation_type: str | None = None,
        valid_at: str | None = None,
        attributes: Mapping[str, Any] | None = None,
        group_id: str | None = None,
    ) -> results.AssertRelationshipResult:
        """Creates or updates one relationship between two named entities.

        Args:
            source_name: What the fact is about.
            predicate: The relation, such as MAINTAINS.
            target_name: The other end.
            fact: The fact as a sentence. Made from names and predicate when a new one comes without. Left out for something new: the two names with the predicate between them.
            relation_type: Type from the ontology. Left out for something new: null.
            valid_at: Since when, such as 2026-05-20. Left out for something new: null.
            attributes: Further facts, a JSON object. Replaces the stored one as a whole. Left out for something new: {}.
            group_id: The group. Left out: the group `liminis`.

        Raises:
            OperationFailed: `not_found`: a name matches no entity of the group; every missing name is listed.
        """
        params = given(
            source_name=source_name,
            predicate=predicate,
            target_name=target_name,
            fact=fact,
            relation_type=relation_type,
            valid_at=valid_at,
            attributes=attributes,
            group_id=group_id,
        )
        result = self.call("knowledge_assert_relationship", params)
        return cast(results.AssertRelationshipResult, result)

    def knowledge_find_entities(
        self, query: str, *, num_results: int | None = None, group_ids: Sequence[str] | None = None
    ) -> results.FindEntitiesResult:
        """Finds entities by words and by meaning.

        Args:
            query: A name or a question.
            num_results: Limit. Left out: `10`.
            group_ids: The groups. Left out: all groups.
        """
        params = given(query=query, num_results=num_results, group_ids=group_ids)
        result = self.call("knowledge_find_entities", params)
        return cast(results.FindEntitiesResult, result)

    def knowledge_find_relationships(
        self,
        query: str,
        *,
        num_results: int | None = None,
        valid_at: str | None = None,
        group_ids: Sequence[str] | None = None,
    ) -> results.FindRelationshipsResult:
        """Finds facts by words and by meaning.

        Args:
            query: Words or a question.
            num_results: Limit. Left out: `10`.
            valid_at: Only what held then.
            group_ids: The groups. Left out: all groups.
        """
        params = given(query=query, num_results=num_results, valid_at=valid_at, group_ids=group_ids)
        result = self.call("knowledge_find_relationships", params)
        return cast(results.FindRelationshipsResult, result)

    def knowledge_search_passages(
        self,
        query: str,
        *,
        num_results: int | None = None,
        min_score: float | None = None,
        group_ids: Sequence[str] | None = None,
    ) -> results.SearchPassagesResult:
        """Finds ingested text by words and by meaning.

        Args:
            query: Words or a question.
            num_results: Limit. Left out: `10`.
            min_score: Least similarity. Left out: `0.5`.
            group_ids: The groups. Left out: all groups.
        """
        params = given(query=query, num_results=num_results, min_score=min_score, group_ids=group_ids)
        result = self.call("knowledge_search_passages", params)
        return cast(results.SearchPassagesResult, result)

    def knowledge_query_cypher(
        self,
        query: str,
        *,
        parameters: Mapping[str, Any] | None = None,
        max_rows: int | None = None,
        timeout_ms: int | None = None,
    ) -> results.QueryCypherResult:
        """Runs one Cypher statement against the store.

        Args:
            query: One Cypher statement.
            parameters: A value for every $name of the query, and no others. Left out: `{}`.
            max_rows: Return at most this many rows. Left out: `1000`.
            timeout_ms: Give up after this many milliseconds. Left out: `30000`.

        Raises:
            OperationFailed: `precondition`: the engine refused the query, the statement is of a kind that is not allowed, or rows would be left that other tools could not read.
            OperationFailed: `limit`: timeout_ms ran out; nothing was changed.
            OperationFailed: `busy`: too many queries wait for their turn already.
        """
        params = given(query=query, parameters=parameters, max_rows=max_rows, timeout_ms=timeout_ms)
        result = self.call("knowledge_query_cypher", params)
        return cast(results.QueryCypherResult, result)

    def knowledge_get_episodes(
        self, *, last_n: int | None = None, offset: int | None = None, group_id: str | None = None
    ) -> results.GetEpisodesResult:
        """The newest episodes of one group, whole.

        Args:
            last_n: Limit. Left out: `50`.
            offset: Skip this many. Left out: `0`.
            group_id: The group. Left out: the group `liminis`.
        """
        params = given(last_n=last_n, offset=offset, group_id=group_id)
        result = self.call("knowledge_get_episodes", params)
        return cast(results.GetEpisodesResult, result)

    def knowledge_get_nodes_by_group(
        self, *, num_results: int | None = None, offset: int | None = None, group_ids: Sequence[str] | None = None
    ) -> results.GetNodesByGroupResult:
        """Every entity of the groups named.

        Args:
            num_results: Limit; default all.
            offset: Skip this many. Left out: `0`.
            group_ids: The groups. Left out: all groups.
        """
        params = given(num_results=num_results, offset=offset, group_ids=group_ids)
        result = self.call("knowledge_get_nodes_by_group", params)
        return cast(results.GetNodesByGroupResult, result)

    def knowledge_get_edges_by_group(
        self,
        *,
        num_results: int | None = None,
        offset: int | None = None,
        valid_at: str | None = None,
        group_ids: Sequence[str] | None = None,
    ) -> results.GetEdgesByGroupResult:
        """Every relationship that the groups named own.

        Args:
            num_results: Limit; default all.
            offset: Skip this many. Left out: `0`.
            valid_at: Only what held then.
            group_ids: The groups. Left out: all groups.
        """
        params = given(num_results=num_results, offset=offset, valid_at=valid_at, group_ids=group_ids)
        result = self.call("knowledge_get_edges_by_group", params)
        return cast(results.GetEdgesByGroupResult, result)

    def knowledge_get_edges_by_uuids(self, uuids: Sequence[str]) -> results.GetEdgesByUuidsResult:
        """The relationships with these uuids, in the order asked for.

        Args:
            uuids: Uuids of relationships.
        """
        params = given(uuids=uuids)
        result = self.call("knowledge_get_edges_by_uuids", params)
        return cast(results.GetEdgesByUuidsResult, result)

    def knowledge_list_entities(
        self, *, num_results: int | None = None, offset: int | None = None, group_ids: Sequence[str] | None = None
    ) -> results.ListEntitiesResult:
        """Pages through the entities of all groups or some.

        Args:
            num_results: Limit. Left out: `500`.
            offset: Skip this many. Left out: `0`.
            group_ids: The groups. Left out: all groups.
        """
        params = given(num_results=num_results, offset=offset, group_ids=group_ids)
        result = self.call("knowledge_list_entities", params)
        return cast(results.ListEntitiesResult, result)

    def knowledge_list_relationships(
        self,
        *,
        num_results: int | None = None,
        offset: int | None = None,
        valid_at: str | None = None,
        group_ids: Sequence[str] | None = None,
    ) -> results.ListRelationshipsResult:
        """Pages through the relationships of all groups or some.

        Args:
            num_results: Limit. Left out: `1000`.
            offset: Skip this many. Left out: `0`.
            valid_at: Only what held then.
            group_ids: The groups. Left out: all groups.
        """
        params = given(num_results=num_results, offset=offset, valid_at=valid_at, group_ids=group_ids)
        result = self.call("knowledge_list_relationships", params)
        return cast(results.ListRelationshipsResult, result)

    def knowledge_get_entity_neighbors(
        self,
        entity_uuid: str,
        *,
        num_results: int | None = None,
        offset: int | None = None,
        valid_at: str | None = None,
        group_ids: Sequence[str] | None = None,
    ) -> results.GetEntityNeighborsResult:
        """The relationships of one entity and the entities at their other ends.

        Args:
            entity_uuid: Where to start.
            num_results: Limit, in edges. Left out: `50`.
            offset: Skip this many. Left out: `0`.
            valid_at: Only what held then.
            group_ids: The groups. Left out: all groups.
        """
        params = given(
            entity_uuid=entity_uuid, num_results=num_results, offset=offset, valid_at=valid_at, group_ids=group_ids
        )
        result = self.call("knowledge_get_entity_neighbors", params)
        return cast(results.GetEntityNeighborsResult, result)

    def knowledge_get_entities_by_source(
        self,
        source: str,
        *,
        num_results: int | None = None,
        offset: int | None = None,
        group_ids: Sequence[str] | None = None,
    ) -> results.GetEntitiesBySourceResult:
        """The entities that the text of one source mentions.

        Args:
            source: Part of its name. Letter case counts.
            num_results: Limit. Left out: `100`.
            offset: Skip this many. Left out: `0`.
            group_ids: The groups. Left out: all groups.
        """
        params = given(source=source, num_results=num_results, offset=offset, group_ids=group_ids)
        result = self.call("knowledge_get_entities_by_source", params)
        return cast(results.GetEntitiesBySourceResult, result)

    def knowledge_delete_episode(self, episode_uuid: str) -> results.DeleteEpisodeResult:
        """Removes one episode; entities and facts stay.

        Args:
            episode_uuid: The episode.
        """
        params = given(episode_uuid=episode_uuid)
        result = self.call("knowledge_delete_episode", params)
        return cast(results.DeleteEpisodeResult, result)

    def knowledge_delete_by_source(self, source_file: str, group_ids: Sequence[str]) -> results.DeleteBySourceResult:
        """Removes every episode that came from one source file.

        Args:
            source_file: The file, as ingested.
            group_ids: The groups.
        """
        params = given(source_file=source_file, group_ids=group_ids)
        result = self.call("knowledge_delete_by_source", params)
        return cast(results.DeleteBySourceResult, result)

    def knowledge_delete_chunk_episode(
        self, chunk_id: str, group_ids: Sequence[str]
    ) -> results.DeleteChunkEpisodeResult:
        """Removes every revision of one chunk.

        Args:
            chunk_id: The chunk, as ingested.
            group_ids: The groups.
        """
        params = given(chunk_id=chunk_id, group_ids=group_ids)
        result = self.call("knowledge_delete_chunk_episode", params)
        return cast(results.DeleteChunkEpisodeResult, result)

    def knowledge_delete_by_group(
        self, group_ids: Sequence[str], *, confirm: bool | None = None, dry_run: bool | None = None
    ) -> results.DeleteByGroupResult:
        """Removes everything that the groups named own.

        Args:
            group_ids: The groups.
            confirm: Has to be true, unless dry_run is. Left out: `false`.
            dry_run: Only count; wins over confirm. Left out: `false`.

        Raises:
            OperationFailed: `precondition`: neither confirm nor dry_run is true; the message holds the exact call.
        """
        params = given(group_ids=group_ids, confirm=confirm, dry_run=dry_run)
        result = self.call("knowledge_delete_by_group", params)
        return cast(results.DeleteByGroupResult, result)

    def knowledge_clear_all(self, confirm: bool, *, preserve_wal: bool | None = None) -> results.ClearAllResult:
        """Empties the graph of all groups, with or without its logs.

        Args:
            confirm: Has to be true.
            preserve_wal: Keep logs and marks. Left out: `false`.

        Raises:
            OperationFailed: `precondition`: confirm is false; nothing was changed.
            OperationFailed: `busy`: a rebuild or a recovery is running.
        """
        params = given(confirm=confirm, preserve_wal=preserve_wal)
        result = self.call("knowledge_clear_all", params)
        return cast(results.ClearAllResult, result)

    def knowledge_merge_entities(
        self,
        *,
        canonical_uuid: str | None = None,
        canonical_name: str | None = None,
        alias_uuids: Sequence[str] | None = None,
        alias_names: Sequence[str] | None = None,
        merge_all_by_name: bool | None = None,
        dry_run: bool | None = None,
        group_id: str | None = None,
    ) -> results.MergeEntitiesResult:
        """Makes one entity of several that mean the same thing.

        Args:
            canonical_uuid: The one that stays. Wins over canonical_name.
            canonical_name: Or its exact name. Letter case counts. Of several live entities of that name the oldest is taken.
            alias_uuids: Those to merge into it. Left out: `[]`.
            alias_names: The same, by exact name. Left out: `[]`.
            merge_all_by_name: All of the canonical's name. Left out: `false`.
            dry_run: Only return `plan`. Left out: `false`.
            group_id: The group. Left out: the group `liminis`.
        """
        params = given(
            canonical_uuid=canonical_uuid,
            canonical_name=canonical_name,
            alias_uuids=alias_uuids,
            alias_names=alias_names,
            merge_all_by_name=merge_all_by_name,
            dry_run=dry_run,
            group_id=group_id,
        )
        result = self.call("knowledge_merge_entities", params)
        return cast(results.MergeEntitiesResult, result)

    def knowledge_validate_corrections(self) -> results.ValidateCorrectionsResult:
        """Checks the corrections file of the workspace without applying it."""
        params = given()
        result = self.call("knowledge_validate_corrections", params)
        return cast(results.ValidateCorrectionsResult, result)

    def knowledge_apply_corrections(self, *, dry_run: bool | None = None) -> results.ApplyCorrectionsResult:
        """Carries out the merges and retractions of the corrections file.

        Args:
            dry_run: Only list in `details` what would be done. Left out: `false`.
        """
        params = given(dry_run=dry_run)
        result = self.call("knowledge_apply_corrections", params)
        return cast(results.ApplyCorrectionsResult, result)

    def knowledge_reprocess_entity_types(
        self,
        *,
        scope: Literal["untyped", "off_ontology", "all"] | None = None,
        dry_run: bool | None = None,
        group_id: str | None = None,
        on_progress: OnProgress | None = None,
    ) -> results.ReprocessEntityTypesResult:
        """Lets the classifier choose the types of a group's entities anew.

        Args:
            scope: Which entities. Left out: `untyped`.
            dry_run: Only return `plan`. Left out: `false`.
            group_id: The group. Left out: the group `liminis`.
            on_progress: is given each frame of progress.

        Raises:
            OperationFailed: `unconfigured`: there are candidates but no extractor; the message names every way to set one.
        """
        params = given(scope=scope, dry_run=dry_run, group_id=group_id)
        result = self.call("knowledge_reprocess_entity_types", params, on_progress)
        return cast(results.ReprocessEntityTypesResult, result)

    def knowledge_canonicalize_relations(
        self,
        group_id: str,
        *,
        dry_run: bool | None = None,
        embedding_threshold: float | None = None,
        on_progress: OnProgress | None = None,
    ) -> results.CanonicalizeRelationsResult:
        """Maps the predicates of a group to the ontology's relation types.

        Args:
            group_id: The group.
            dry_run: Only count. Left out: `false`.
            embedding_threshold: Least similarity. For the fallback only. Left out: `0.7`.
            on_progress: is given each frame of progress.

        Raises:
            OperationFailed: `precondition`: there is no ontology, or it declares no relation_types.
        """
        params = given(group_id=group_id, dry_run=dry_run, embedding_threshold=embedding_threshold)
        result = self.call("knowledge_canonicalize_relations", params, on_progress)
        return cast(results.CanonicalizeRelationsResult, result)

    def knowledge_backfill_relation_types(
        self, group_id: str, *, dry_run: bool | None = None, on_progress: OnProgress | None = None
    ) -> results.BackfillRelationTypesResult:
        """Gives untyped relationships a made-up type. Do not use.

        Deprecated: use `knowledge_reprocess_relation_types`. It makes types up from the words of predicate or fact and never looks at the ontology.

        Args:
            group_id: The group.
            dry_run: Only count. Left out: `false`.
            on_progress: is given each frame of progress.
        """
        params = given(group_id=group_id, dry_run=dry_run)
        result = self.call("knowledge_backfill_relation_types", params, on_progress)
        return cast(results.BackfillRelationTypesResult, result)

    def knowledge_reprocess_relation_types(
        self,
        *,
        scope: Literal["untyped", "off_ontology", "all"] | None = None,
        dry_run: bool | None = None,
        group_id: str | None = None,
        on_progress: OnProgress | None = None,
    ) -> results.ReprocessRelationTypesResult:
        """Lets the classifier choose relation types anew, from the facts.

        Args:
            scope: Which relationships. Left out: `untyped`.
            dry_run: Only return `plan`. Left out: `false`.
            group_id: The group. Left out: the group `liminis`.
            on_progress: is given each frame of progress.

        Raises:
            OperationFailed: `unconfigured`: there are candidates but no extractor; the message names every way to set one.
        """
        params = given(scope=scope, dry_run=dry_run, group_id=group_id)
        result = self.call("knowledge_reprocess_relation_types", params, on_progress)
        return cast(results.ReprocessRelationTypesResult, result)

    def knowledge_backfill_summary_embeddings(
        self, group_id: str, *, dry_run: bool | None = None, on_progress: OnProgress | None = None
    ) -> results.BackfillSummaryEmbeddingsResult:
        """Embeds the current summary of every entity of a group.

        Args:
            group_id: The group.
            dry_run: Only count. Left out: `false`.
            on_progress: is given each frame of progress.

        Raises:
            OperationFailed: `provider_failed`: the embedder gave no usable answer; data has `backfilled` so far.
        """
        params = given(group_id=group_id, dry_run=dry_run)
        result = self.call("knowledge_backfill_summary_embeddings", params, on_progress)
        return cast(results.BackfillSummaryEmbeddingsResult, result)

    def knowledge_add_cross_group_edge(
        self,
        name: str,
        source: Mapping[str, str],
        target: Mapping[str, str],
        fact: str,
        *,
        valid_at: str | None = None,
        relation_type: str | None = None,
        group_id: str | None = None,
    ) -> results.AddCrossGroupEdgeResult:
        """Joins entities of different groups by a relationship.

        Args:
            name: The predicate.
            source: `uuid`, or `source_group_id` with `endpoint_name`.
            target: Likewise.
            fact: The fact as a sentence.
            valid_at: Since when it holds.
            relation_type: Type from the ontology.
            group_id: The group. Left out: the group `liminis`.

        Raises:
            OperationFailed: `not_found`: a uuid is unknown; every unknown one is listed.
            OperationFailed: `precondition`: a uuid belongs to another group than the edge, or both ends are one entity.
        """
        params = given(
            name=name,
            source=source,
            target=target,
            fact=fact,
            valid_at=valid_at,
            relation_type=relation_type,
            group_id=group_id,
        )
        result = self.call("knowledge_add_cross_group_edge", params)
        return cast(results.AddCrossGroupEdgeResult, result)

    def knowledge_rebind_pointers(self, source_group_id: str) -> results.RebindPointersResult:
        """Looks up again every pointer into one group.

        Args:
            source_group_id: The group.
        """
        params = given(source_group_id=source_group_id)
        result = self.call("knowledge_rebind_pointers", params)
        return cast(results.RebindPointersResult, result)

    def knowledge_dump_wal(
        self, *, target_dir: str | None = None, group_id: str | None = None
    ) -> results.DumpWalResult:
        """Writes the graph as fresh logs into a directory of their own.

        Args:
            target_dir: Where to; new or empty. Relative to the workspace; by default wal-compacted beside the store's directory. Not inside the live logs.
            group_id: The group. Left out: all groups.

        Raises:
            OperationFailed: `conflict`: the directory already exists and is not empty.
            OperationFailed: `precondition`: the directory lies inside the live logs.
            OperationFailed: `io`: the dump cannot be written; the path and the cause are named.
        """
        params = given(target_dir=target_dir, group_id=group_id)
        result = self.call("knowledge_dump_wal", params)
        return cast(results.DumpWalResult, result)

    def knowledge_prepare_checkpoint(self) -> results.PrepareCheckpointResult:
        """Closes the current log files, so that they can be copied.

        Raises:
            OperationFailed: `io`: a file cannot be written; the file and the cause are named.
        """
        params = given()
        result = self.call("knowledge_prepare_checkpoint", params)
        return cast(results.PrepareCheckpointResult, result)

    def knowledge_wal_mark_create(self, name: str, *, group_id: str | None = None) -> results.WalMarkCreateResult:
        """Gives the present position of a group's log a name.

        Args:
            name: 1 to 200 of A-Z a-z 0-9 _ -.
            group_id: The group. Left out: the group `liminis`.

        Raises:
            OperationFailed: `conflict`: a mark of that name already exists in the group.
            OperationFailed: `precondition`: the position of the group is unknown, or before a line 0.
        """
        params = given(name=name, group_id=group_id)
        result = self.call("knowledge_wal_mark_create", params)
        return cast(results.WalMarkCreateResult, result)

    def knowledge_wal_mark_list(self, *, group_id: str | None = None) -> results.WalMarkListResult:
        """The marks of one group's log, and whether they can still be reached.

        Args:
            group_id: The group. Left out: the group `liminis`.
        """
        params = given(group_id=group_id)
        result = self.call("knowledge_wal_mark_list", params)
        return cast(results.WalMarkListResult, result)

    def knowledge_wal_mark_delete(self, name: str, *, group_id: str | None = None) -> results.WalMarkDeleteResult:
        """Removes one mark; its name is free again.

        Args:
            name: The mark.
            group_id: The group. Left out: the group `liminis`.

        Raises:
            OperationFailed: `not_found`: the group has no mark of that name.
        """
        params = given(name=name, group_id=group_id)
        result = self.call("knowledge_wal_mark_delete", params)
        return cast(results.WalMarkDeleteResult, result)

    def knowledge_rebuild_from_wal(
        self,
        *,
        from_seq: int | None = None,
        to_seq: int | None = None,
        dry_run: bool | None = None,
        force_clear: bool | None = None,
        background: bool | None = None,
        group_id: str | None = None,
        on_progress: OnProgress | None = None,
    ) -> results.RebuildFromWalResult:
        """Replays one group's log, in full or over a range.

        Args:
            from_seq: First line; 0 = full rebuild. Inclusive; from 1 on a resume. Left out: `0`.
            to_seq: Last line; left out, all. Inclusive, not below from_seq. 0 applies nothing but a line 0.
            dry_run: Only read and count. Left out: `false`.
            force_clear: Empty the group first. For a full rebuild only; not logged, and ignored by a dry run. Left out: `false`.
            background: Return a job_id at once. Refusals still come first. Ignored by a dry run. Left out: `false`.
            group_id: The group. Left out: the group `liminis`.
            on_progress: is given each frame of progress.

        Raises:
            OperationFailed: `not_found`: the group has no log files; the directory is named.
            OperationFailed: `generation_unknown`: the identity file of the log is gone or damaged; both remedies are named.
            OperationFailed: `precondition`: the group already contains data; force_clear and the purge call are named.
            OperationFailed: `busy`: a job or a write on this group is running; data names it.
        """
        params = given(
            from_seq=from_seq,
            to_seq=to_seq,
            dry_run=dry_run,
            force_clear=force_clear,
            background=background,
            group_id=group_id,
        )
        result = self.call("knowledge_rebuild_from_wal", params, on_progress)
        return cast(results.RebuildFromWalResult, result)

    def knowledge_build_indices(self) -> results.BuildIndicesResult:
        """Builds the name, full-text and vector indexes anew.

        Raises:
            OperationFailed: `precondition`: a table is missing; it is named, and indices_built in knowledge_status becomes false.
            OperationFailed: `io`: an index file cannot be written; the file and the cause are named.
        """
        params = given()
        result = self.call("knowledge_build_indices", params)
        return cast(results.BuildIndicesResult, result)

    def knowledge_recover(
        self, strategy: Literal["drop_lbug_wal", "rebuild_from_workspace_wal", "restore_from_backup"]
    ) -> results.RecoverResult:
        """Brings a damaged store back by the strategy that you choose.

        Args:
            strategy: How.

        Raises:
            OperationFailed: `busy`: a recovery, a rebuild or the start is running.
            OperationFailed: `not_found`: what the strategy needs is not there; it is named.
        """
        params = given(strategy=strategy)
        result = self.call("knowledge_recover", params)
        return cast(results.RecoverResult, result)

    def knowledge_recover_full(self) -> results.RecoverFullResult:
        """Tries the recovery strategies in turn; does nothing on a healthy store.

        Raises:
            OperationFailed: `busy`: a recovery or the start is running.
            OperationFailed: `not_found`: there are no logs to rebuild from.
        """
        params = given()
        result = self.call("knowledge_recover_full", params)
        return cast(results.RecoverFullResult, result)

    def knowledge_close(self) -> results.CloseResult:
        """Ends the service once work in flight has come to a consistent point."""
        params = given()
        result = self.call("knowledge_close", params)
        return cast(results.CloseResult, result)


class AsyncMethods(ABC):
    """The methods of the service. Arguments that are None are left out of the call."""

    @abstractmethod
    async def call(
        self, method: str, params: Mapping[str, Any] | None = None, on_progress: OnProgress | None = None
    ) -> dict[str, Any]:
        """Call a method by its name, with parameters as they are on the wire."""

    async def health_check(self) -> results.HealthCheckResult:
        """Says whether the service is ready for work.

        Raises:
            OperationFailed: `unavailable`: the store is open but does not answer the probe; the recovery methods help.
        """
        params = given()
        result = await self.call("health_check", params)
        return cast(results.HealthCheckResult, result)

    async def knowledge_status(self, *, include_ontology: bool | None = None) -> results.StatusResult:
        """What the graph holds and how the service is doing.

        Args:
            include_ontology: Add the declared types. Left out: `false`.
        """
        params = given(include_ontology=include_ontology)
        result = await self.call("knowledge_status", params)
        return cast(results.StatusResult, result)

    async def knowledge_rebuild_status(self, job_id: str) -> results.RebuildStatusResult:
        """How far a rebuild of this process has come, and what it returned.

        Args:
            job_id: The job.
        """
        params = given(job_id=job_id)
        result = await self.call("knowledge_rebuild_status", params)
        return cast(results.RebuildStatusResult, result)

    async def knowledge_process_chunk(
        self,
        chunk_text: str,
        chunk_id: str,
        source_file: str,
        *,
        reference_time: str | None = None,
        group_id: str | None = None,
    ) -> results.ProcessChunkResult:
        """Reads one chunk of a file and stores what it says.

        Args:
            chunk_text: The text, whole. It is never cut or split.
            chunk_id: Its name. Keep it when the chunk is sent again.
            source_file: Its file. One that ends in .json is read as JSON.
            reference_time: When written; default now.
            group_id: The group. Left out: the group `liminis`.

        Raises:
            OperationFailed: `unconfigured`: no extractor is set; the message names every way to set one, the built-in first.
            OperationFailed: `provider_failed`: the extractor gave no usable answer; nothing was stored.
        """
        params = given(
            chunk_text=chunk_text,
            chunk_id=chunk_id,
            source_file=source_file,
            reference_time=reference_time,
            group_id=group_id,
        )
        result = await self.call("knowledge_process_chunk", params)
        return cast(results.ProcessChunkResult, result)

    async def knowledge_add_episode(
        self,
        name: str,
        episode_body: str,
        *,
        source: str | None = None,
        source_description: str | None = None,
        reference_time: str | None = None,
        group_id: str | None = None,
    ) -> results.AddEpisodeResult:
        """Stores a text as a new episode, and what an extractor finds in it.

        Args:
            name: Its name.
            episode_body: The text, whole.
            source: Such as json or message. Free text; the two words select a way of reading in any letter case, all else is read as prose. Left out: `text`.
            source_description: Where it comes from. Left out: ``.
            reference_time: When written; default now. Becomes created_at of the episode and of every row made from it.
            group_id: The group. Left out: the group `liminis`.

        Raises:
            OperationFailed: `unconfigured`: no extractor is set; the message names every way to set one, the built-in first.
            OperationFailed: `provider_failed`: the extractor gave no usable answer; nothing was stored.
        """
        params = given(
            name=name,
            episode_body=episode_body,
            source=source,
            source_description=source_description,
            reference_time=reference_time,
            group_id=group_id,
        )
        result = await self.call("knowledge_add_episode", params)
        return cast(results.AddEpisodeResult, result)

    async def knowledge_assert_entity(
        self,
        name: str,
        *,
        entity_uuid: str | None = None,
        labels: Sequence[str] | None = None,
        summary: str | None = None,
        attributes: Mapping[str, Any] | None = None,
        group_id: str | None = None,
    ) -> results.AssertEntityResult:
        """Creates or overwrites one entity, exactly as given.

        Args:
            name: Its name. Unique in the group, letter case aside.
            entity_uuid: Update this one; it has to exist. It is looked for in the group only.
            labels: Types, such as Person. Left out: `['Entity']`.
            summary: What it is, in a sentence. Left out: ``.
            attributes: Further facts, a JSON object. Left out: `{}`.
            group_id: The group. Left out: the group `liminis`.

        Raises:
            OperationFailed: `not_found`: no entity with that entity_uuid in the group.
            OperationFailed: `conflict`: the new name belongs to another live entity of the group; its uuid is named.
            OperationFailed: `precondition`: the entity was merged, and the chain of merges ends nowhere or in another group.
        """
        params = given(
            name=name, entity_uuid=entity_uuid, labels=labels, summary=summary, attributes=attributes, group_id=group_id
        )
        result = await self.call("knowledge_assert_entity", params)
        return cast(results.AssertEntityResult, result)

    async def knowledge_assert_relationship(
        self,
        source_name: str,
        predicate: str,
        target_name: str,
        *,
        fact: str | None = None,
        relation_type: str | None = None,
        valid_at: str | None = None,
        attributes: Mapping[str, Any] | None = None,
        group_id: str | None = None,
    ) -> results.AssertRelationshipResult:
        """Creates or updates one relationship between two named entities.

        Args:
            source_name: What the fact is about.
            predicate: The relation, such as MAINTAINS.
            target_name: The other end.
            fact: The fact as a sentence. Made from names and predicate when a new one comes without. Left out for something new: the two names with the predicate between them.
            relation_type: Type from the ontology. Left out for something new: null.
            valid_at: Since when, such as 2026-05-20. Left out for something new: null.
            attributes: Further facts, a JSON object. Replaces the stored one as a whole. Left out for something new: {}.
            group_id: The group. Left out: the group `liminis`.

        Raises:
            OperationFailed: `not_found`: a name matches no entity of the group; every missing name is listed.
        """
        params = given(
            source_name=source_name,
            predicate=predicate,
            target_name=target_name,
            fact=fact,
            relation_type=relation_type,
            valid_at=valid_at,
            attributes=attributes,
            group_id=group_id,
        )
        result = await self.call("knowledge_assert_relationship", params)
        return cast(results.AssertRelationshipResult, result)

    async def knowledge_find_entities(
        self, query: str, *, num_results: int | None = None, group_ids: Sequence[str] | None = None
    ) -> results.FindEntitiesResult:
        """Finds entities by words and by meaning.

        Args:
            query: A name or a question.
            num_results: Limit. Left out: `10`.
            group_ids: The groups. Left out: all groups.
        """
        params = given(query=query, num_results=num_results, group_ids=group_ids)
        result = await self.call("knowledge_find_entities", params)
        return cast(results.FindEntitiesResult, result)

    async def knowledge_find_relationships(
        self,
        query: str,
        *,
        num_results: int | None = None,
        valid_at: str | None = None,
        group_ids: Sequence[str] | None = None,
    ) -> results.FindRelationshipsResult:
        """Finds facts by words and by meaning.

        Args:
            query: Words or a question.
            num_results: Limit. Left out: `10`.
            valid_at: Only what held then.
            group_ids: The groups. Left out: all groups.
        """
        params = given(query=query, num_results=num_results, valid_at=valid_at, group_ids=group_ids)
        result = await self.call("knowledge_find_relationships", params)
        return cast(results.FindRelationshipsResult, result)

    async def knowledge_search_passages(
        self,
        query: str,
        *,
        num_results: int | None = None,
        min_score: float | None = None,
        group_ids: Sequence[str] | None = None,
    ) -> results.SearchPassagesResult:
        """Finds ingested text by words and by meaning.

        Args:
            query: Words or a question.
            num_results: Limit. Left out: `10`.
            min_score: Least similarity. Left out: `0.5`.
            group_ids: The groups. Left out: all groups.
        """
        params = given(query=query, num_results=num_results, min_score=min_score, group_ids=group_ids)
        result = await self.call("knowledge_search_passages", params)
        return cast(results.SearchPassagesResult, result)

    async def knowledge_query_cypher(
        self,
        query: str,
        *,
        parameters: Mapping[str, Any] | None = None,
        max_rows: int | None = None,
        timeout_ms: int | None = None,
    ) -> results.QueryCypherResult:
        """Runs one Cypher statement against the store.

        Args:
            query: One Cypher statement.
            parameters: A value for every $name of the query, and no others. Left out: `{}`.
            max_rows: Return at most this many rows. Left out: `1000`.
            timeout_ms: Give up after this many milliseconds. Left out: `30000`.

        Raises:
            OperationFailed: `precondition`: the engine refused the query, the statement is of a kind that is not allowed, or rows would be left that other tools could not read.
            OperationFailed: `limit`: timeout_ms ran out; nothing was changed.
            OperationFailed: `busy`: too many queries wait for their turn already.
        """
        params = given(query=query, parameters=parameters, max_rows=max_rows, timeout_ms=timeout_ms)
        result = await self.call("knowledge_query_cypher", params)
        return cast(results.QueryCypherResult, result)

    async def knowledge_get_episodes(
        self, *, last_n: int | None = None, offset: int | None = None, group_id: str | None = None
    ) -> results.GetEpisodesResult:
        """The newest episodes of one group, whole.

        Args:
            last_n: Limit. Left out: `50`.
            offset: Skip this many. Left out: `0`.
            group_id: The group. Left out: the group `liminis`.
        """
        params = given(last_n=last_n, offset=offset, group_id=group_id)
        result = await self.call("knowledge_get_episodes", params)
        return cast(results.GetEpisodesResult, result)

    async def knowledge_get_nodes_by_group(
        self, *, num_results: int | None = None, offset: int | None = None, group_ids: Sequence[str] | None = None
    ) -> results.GetNodesByGroupResult:
        """Every entity of the groups named.

        Args:
            num_results: Limit; default all.
            offset: Skip this many. Left out: `0`.
            group_ids: The groups. Left out: all groups.
        """
        params = given(num_results=num_results, offset=offset, group_ids=group_ids)
        result = await self.call("knowledge_get_nodes_by_group", params)
        return cast(results.GetNodesByGroupResult, result)

    async def knowledge_get_edges_by_group(
        self,
        *,
        num_results: int | None = None,
        offset: int | None = None,
        valid_at: str | None = None,
        group_ids: Sequence[str] | None = None,
    ) -> results.GetEdgesByGroupResult:
        """Every relationship that the groups named own.

        Args:
            num_results: Limit; default all.
            offset: Skip this many. Left out: `0`.
            valid_at: Only what held then.
            group_ids: The groups. Left out: all groups.
        """
        params = given(num_results=num_results, offset=offset, valid_at=valid_at, group_ids=group_ids)
        result = await self.call("knowledge_get_edges_by_group", params)
        return cast(results.GetEdgesByGroupResult, result)

    async def knowledge_get_edges_by_uuids(self, uuids: Sequence[str]) -> results.GetEdgesByUuidsResult:
        """The relationships with these uuids, in the order asked for.

        Args:
            uuids: Uuids of relationships.
        """
        params = given(uuids=uuids)
        result = await self.call("knowledge_get_edges_by_uuids", params)
        return cast(results.GetEdgesByUuidsResult, result)

    async def knowledge_list_entities(
        self, *, num_results: int | None = None, offset: int | None = None, group_ids: Sequence[str] | None = None
    ) -> results.ListEntitiesResult:
        """Pages through the entities of all groups or some.

        Args:
            num_results: Limit. Left out: `500`.
            offset: Skip this many. Left out: `0`.
            group_ids: The groups. Left out: all groups.
        """
        params = given(num_results=num_results, offset=offset, group_ids=group_ids)
        result = await self.call("knowledge_list_entities", params)
        return cast(results.ListEntitiesResult, result)

    async def knowledge_list_relationships(
        self,
        *,
        num_results: int | None = None,
        offset: int | None = None,
        valid_at: str | None = None,
        group_ids: Sequence[str] | None = None,
    ) -> results.ListRelationshipsResult:
        """Pages through the relationships of all groups or some.

        Args:
            num_results: Limit. Left out: `1000`.
            offset: Skip this many. Left out: `0`.
            valid_at: Only what held then.
            group_ids: The groups. Left out: all groups.
        """
        params = given(num_results=num_results, offset=offset, valid_at=valid_at, group_ids=group_ids)
        result = await self.call("knowledge_list_relationships", params)
        return cast(results.ListRelationshipsResult, result)

    async def knowledge_get_entity_neighbors(
        self,
        entity_uuid: str,
        *,
        num_results: int | None = None,
        offset: int | None = None,
        valid_at: str | None = None,
        group_ids: Sequence[str] | None = None,
    ) -> results.GetEntityNeighborsResult:
        """The relationships of one entity and the entities at their other ends.

        Args:
            entity_uuid: Where to start.
            num_results: Limit, in edges. Left out: `50`.
            offset: Skip this many. Left out: `0`.
            valid_at: Only what held then.
            group_ids: The groups. Left out: all groups.
        """
        params = given(
            entity_uuid=entity_uuid, num_results=num_results, offset=offset, valid_at=valid_at, group_ids=group_ids
        )
        result = await self.call("knowledge_get_entity_neighbors", params)
        return cast(results.GetEntityNeighborsResult, result)

    async def knowledge_get_entities_by_source(
        self,
        source: str,
        *,
        num_results: int | None = None,
        offset: int | None = None,
        group_ids: Sequence[str] | None = None,
    ) -> results.GetEntitiesBySourceResult:
        """The entities that the text of one source mentions.

        Args:
            source: Part of its name. Letter case counts.
            num_results: Limit. Left out: `100`.
            offset: Skip this many. Left out: `0`.
            group_ids: The groups. Left out: all groups.
        """
        params = given(source=source, num_results=num_results, offset=offset, group_ids=group_ids)
        result = await self.call("knowledge_get_entities_by_source", params)
        return cast(results.GetEntitiesBySourceResult, result)

    async def knowledge_delete_episode(self, episode_uuid: str) -> results.DeleteEpisodeResult:
        """Removes one episode; entities and facts stay.

        Args:
            episode_uuid: The episode.
        """
        params = given(episode_uuid=episode_uuid)
        result = await self.call("knowledge_delete_episode", params)
        return cast(results.DeleteEpisodeResult, result)

    async def knowledge_delete_by_source(
        self, source_file: str, group_ids: Sequence[str]
    ) -> results.DeleteBySourceResult:
        """Removes every episode that came from one source file.

        Args:
            source_file: The file, as ingested.
            group_ids: The groups.
        """
        params = given(source_file=source_file, group_ids=group_ids)
        result = await self.call("knowledge_delete_by_source", params)
        return cast(results.DeleteBySourceResult, result)

    async def knowledge_delete_chunk_episode(
        self, chunk_id: str, group_ids: Sequence[str]
    ) -> results.DeleteChunkEpisodeResult:
        """Removes every revision of one chunk.

        Args:
            chunk_id: The chunk, as ingested.
            group_ids: The groups.
        """
        params = given(chunk_id=chunk_id, group_ids=group_ids)
        result = await self.call("knowledge_delete_chunk_episode", params)
        return cast(results.DeleteChunkEpisodeResult, result)

    async def knowledge_delete_by_group(
        self, group_ids: Sequence[str], *, confirm: bool | None = None, dry_run: bool | None = None
    ) -> results.DeleteByGroupResult:
        """Removes everything that the groups named own.

        Args:
            group_ids: The groups.
            confirm: Has to be true, unless dry_run is. Left out: `false`.
            dry_run: Only count; wins over confirm. Left out: `false`.

        Raises:
            OperationFailed: `precondition`: neither confirm nor dry_run is true; the message holds the exact call.
        """
        params = given(group_ids=group_ids, confirm=confirm, dry_run=dry_run)
        result = await self.call("knowledge_delete_by_group", params)
        return cast(results.DeleteByGroupResult, result)

    async def knowledge_clear_all(self, confirm: bool, *, preserve_wal: bool | None = None) -> results.ClearAllResult:
        """Empties the graph of all groups, with or without its logs.

        Args:
            confirm: Has to be true.
            preserve_wal: Keep logs and marks. Left out: `false`.

        Raises:
            OperationFailed: `precondition`: confirm is false; nothing was changed.
            OperationFailed: `busy`: a rebuild or a recovery is running.
        """
        params = given(confirm=confirm, preserve_wal=preserve_wal)
        result = await self.call("knowledge_clear_all", params)
        return cast(results.ClearAllResult, result)

    async def knowledge_merge_entities(
        self,
        *,
        canonical_uuid: str | None = None,
        canonical_name: str | None = None,
        alias_uuids: Sequence[str] | None = None,
        alias_names: Sequence[str] | None = None,
        merge_all_by_name: bool | None = None,
        dry_run: bool | None = None,
        group_id: str | None = None,
    ) -> results.MergeEntitiesResult:
        """Makes one entity of several that mean the same thing.

        Args:
            canonical_uuid: The one that stays. Wins over canonical_name.
            canonical_name: Or its exact name. Letter case counts. Of several live entities of that name the oldest is taken.
            alias_uuids: Those to merge into it. Left out: `[]`.
            alias_names: The same, by exact name. Left out: `[]`.
            merge_all_by_name: All of the canonical's name. Left out: `false`.
            dry_run: Only return `plan`. Left out: `false`.
            group_id: The group. Left out: the group `liminis`.
        """
        params = given(
            canonical_uuid=canonical_uuid,
            canonical_name=canonical_name,
            alias_uuids=alias_uuids,
            alias_names=alias_names,
            merge_all_by_name=merge_all_by_name,
            dry_run=dry_run,
            group_id=group_id,
        )
        result = await self.call("knowledge_merge_entities", params)
        return cast(results.MergeEntitiesResult, result)

    async def knowledge_validate_corrections(self) -> results.ValidateCorrectionsResult:
        """Checks the corrections file of the workspace without applying it."""
        params = given()
        result = await self.call("knowledge_validate_corrections", params)
        return cast(results.ValidateCorrectionsResult, result)

    async def knowledge_apply_corrections(self, *, dry_run: bool | None = None) -> results.ApplyCorrectionsResult:
        """Carries out the merges and retractions of the corrections file.

        Args:
            dry_run: Only list in `details` what would be done. Left out: `false`.
        """
        params = given(dry_run=dry_run)
        result = await self.call("knowledge_apply_corrections", params)
        return cast(results.ApplyCorrectionsResult, result)

    async def knowledge_reprocess_entity_types(
        self,
        *,
        scope: Literal["untyped", "off_ontology", "all"] | None = None,
        dry_run: bool | None = None,
        group_id: str | None = None,
        on_progress: OnProgress | None = None,
    ) -> results.ReprocessEntityTypesResult:
        """Lets the classifier choose the types of a group's entities anew.

        Args:
            scope: Which entities. Left out: `untyped`.
            dry_run: Only return `plan`. Left out: `false`.
            group_id: The group. Left out: the group `liminis`.
            on_progress: is given each frame of progress.

        Raises:
            OperationFailed: `unconfigured`: there are candidates but no extractor; the message names every way to set one.
        """
        params = given(scope=scope, dry_run=dry_run, group_id=group_id)
        result = await self.call("knowledge_reprocess_entity_types", params, on_progress)
        return cast(results.ReprocessEntityTypesResult, result)

    async def knowledge_canonicalize_relations(
        self,
        group_id: str,
        *,
        dry_run: bool | None = None,
        embedding_threshold: float | None = None,
        on_progress: OnProgress | None = None,
    ) -> results.CanonicalizeRelationsResult:
        """Maps the predicates of a group to the ontology's relation types.

        Args:
            group_id: The group.
            dry_run: Only count. Left out: `false`.
            embedding_threshold: Least similarity. For the fallback only. Left out: `0.7`.
            on_progress: is given each frame of progress.

        Raises:
            OperationFailed: `precondition`: there is no ontology, or it declares no relation_types.
        """
        params = given(group_id=group_id, dry_run=dry_run, embedding_threshold=embedding_threshold)
        result = await self.call("knowledge_canonicalize_relations", params, on_progress)
        return cast(results.CanonicalizeRelationsResult, result)

    async def knowledge_backfill_relation_types(
        self, group_id: str, *, dry_run: bool | None = None, on_progress: OnProgress | None = None
    ) -> results.BackfillRelationTypesResult:
        """Gives untyped relationships a made-up type. Do not use.

        Deprecated: use `knowledge_reprocess_relation_types`. It makes types up from the words of predicate or fact and never looks at the ontology.

        Args:
            group_id: The group.
            dry_run: Only count. Left out: `false`.
            on_progress: is given each frame of progress.
        """
        params = given(group_id=group_id, dry_run=dry_run)
        result = await self.call("knowledge_backfill_relation_types", params, on_progress)
        return cast(results.BackfillRelationTypesResult, result)

    async def knowledge_reprocess_relation_types(
        self,
        *,
        scope: Literal["untyped", "off_ontology", "all"] | None = None,
        dry_run: bool | None = None,
        group_id: str | None = None,
        on_progress: OnProgress | None = None,
    ) -> results.ReprocessRelationTypesResult:
        """Lets the classifier choose relation types anew, from the facts.

        Args:
            scope: Which relationships. Left out: `untyped`.
            dry_run: Only return `plan`. Left out: `false`.
            group_id: The group. Left out: the group `liminis`.
            on_progress: is given each frame of progress.

        Raises:
            OperationFailed: `unconfigured`: there are candidates but no extractor; the message names every way to set one.
        """
        params = given(scope=scope, dry_run=dry_run, group_id=group_id)
        result = await self.call("knowledge_reprocess_relation_types", params, on_progress)
        return cast(results.ReprocessRelationTypesResult, result)

    async def knowledge_backfill_summary_embeddings(
        self, group_id: str, *, dry_run: bool | None = None, on_progress: OnProgress | None = None
    ) -> results.BackfillSummaryEmbeddingsResult:
        """Embeds the current summary of every entity of a group.

        Args:
            group_id: The group.
            dry_run: Only count. Left out: `false`.
            on_progress: is given each frame of progress.

        Raises:
            OperationFailed: `provider_failed`: the embedder gave no usable answer; data has `backfilled` so far.
        """
        params = given(group_id=group_id, dry_run=dry_run)
        result = await self.call("knowledge_backfill_summary_embeddings", params, on_progress)
        return cast(results.BackfillSummaryEmbeddingsResult, result)

    async def knowledge_add_cross_group_edge(
        self,
        name: str,
        source: Mapping[str, str],
        target: Mapping[str, str],
        fact: str,
        *,
        valid_at: str | None = None,
        relation_type: str | None = None,
        group_id: str | None = None,
    ) -> results.AddCrossGroupEdgeResult:
        """Joins entities of different groups by a relationship.

        Args:
            name: The predicate.
            source: `uuid`, or `source_group_id` with `endpoint_name`.
            target: Likewise.
            fact: The fact as a sentence.
            valid_at: Since when it holds.
            relation_type: Type from the ontology.
            group_id: The group. Left out: the group `liminis`.

        Raises:
            OperationFailed: `not_found`: a uuid is unknown; every unknown one is listed.
            OperationFailed: `precondition`: a uuid belongs to another group than the edge, or both ends are one entity.
        """
        params = given(
            name=name,
            source=source,
            target=target,
            fact=fact,
            valid_at=valid_at,
            relation_type=relation_type,
            group_id=group_id,
        )
        result = await self.call("knowledge_add_cross_group_edge", params)
        return cast(results.AddCrossGroupEdgeResult, result)

    async def knowledge_rebind_pointers(self, source_group_id: str) -> results.RebindPointersResult:
        """Looks up again every pointer into one group.

        Args:
            source_group_id: The group.
        """
        params = given(source_group_id=source_group_id)
        result = await self.call("knowledge_rebind_pointers", params)
        return cast(results.RebindPointersResult, result)

    async def knowledge_dump_wal(
        self, *, target_dir: str | None = None, group_id: str | None = None
    ) -> results.DumpWalResult:
        """Writes the graph as fresh logs into a directory of their own.

        Args:
            target_dir: Where to; new or empty. Relative to the workspace; by default wal-compacted beside the store's directory. Not inside the live logs.
            group_id: The group. Left out: all groups.

        Raises:
            OperationFailed: `conflict`: the directory already exists and is not empty.
            OperationFailed: `precondition`: the directory lies inside the live logs.
            OperationFailed: `io`: the dump cannot be written; the path and the cause are named.
        """
        params = given(target_dir=target_dir, group_id=group_id)
        result = await self.call("knowledge_dump_wal", params)
        return cast(results.DumpWalResult, result)

    async def knowledge_prepare_checkpoint(self) -> results.PrepareCheckpointResult:
        """Closes the current log files, so that they can be copied.

        Raises:
            OperationFailed: `io`: a file cannot be written; the file and the cause are named.
        """
        params = given()
        result = await self.call("knowledge_prepare_checkpoint", params)
        return cast(results.PrepareCheckpointResult, result)

    async def knowledge_wal_mark_create(self, name: str, *, group_id: str | None = None) -> results.WalMarkCreateResult:
        """Gives the present position of a group's log a name.

        Args:
            name: 1 to 200 of A-Z a-z 0-9 _ -.
            group_id: The group. Left out: the group `liminis`.

        Raises:
            OperationFailed: `conflict`: a mark of that name already exists in the group.
            OperationFailed: `precondition`: the position of the group is unknown, or before a line 0.
        """
        params = given(name=name, group_id=group_id)
        result = await self.call("knowledge_wal_mark_create", params)
        return cast(results.WalMarkCreateResult, result)

    async def knowledge_wal_mark_list(self, *, group_id: str | None = None) -> results.WalMarkListResult:
        """The marks of one group's log, and whether they can still be reached.

        Args:
            group_id: The group. Left out: the group `liminis`.
        """
        params = given(group_id=group_id)
        result = await self.call("knowledge_wal_mark_list", params)
        return cast(results.WalMarkListResult, result)

    async def knowledge_wal_mark_delete(self, name: str, *, group_id: str | None = None) -> results.WalMarkDeleteResult:
        """Removes one mark; its name is free again.

        Args:
            name: The mark.
            group_id: The group. Left out: the group `liminis`.

        Raises:
            OperationFailed: `not_found`: the group has no mark of that name.
        """
        params = given(name=name, group_id=group_id)
        result = await self.call("knowledge_wal_mark_delete", params)
        return cast(results.WalMarkDeleteResult, result)

    async def knowledge_rebuild_from_wal(
        self,
        *,
        from_seq: int | None = None,
        to_seq: int | None = None,
        dry_run: bool | None = None,
        force_clear: bool | None = None,
        background: bool | None = None,
        group_id: str | None = None,
        on_progress: OnProgress | None = None,
    ) -> results.RebuildFromWalResult:
        """Replays one group's log, in full or over a range.

        Args:
            from_seq: First line; 0 = full rebuild. Inclusive; from 1 on a resume. Left out: `0`.
            to_seq: Last line; left out, all. Inclusive, not below from_seq. 0 applies nothing but a line 0.
            dry_run: Only read and count. Left out: `false`.
            force_clear: Empty the group first. For a full rebuild only; not logged, and ignored by a dry run. Left out: `false`.
            background: Return a job_id at once. Refusals still come first. Ignored by a dry run. Left out: `false`.
            group_id: The group. Left out: the group `liminis`.
            on_progress: is given each frame of progress.

        Raises:
            OperationFailed: `not_found`: the group has no log files; the directory is named.
            OperationFailed: `generation_unknown`: the identity file of the log is gone or damaged; both remedies are named.
            OperationFailed: `precondition`: the group already contains data; force_clear and the purge call are named.
            OperationFailed: `busy`: a job or a write on this group is running; data names it.
        """
        params = given(
            from_seq=from_seq,
            to_seq=to_seq,
            dry_run=dry_run,
            force_clear=force_clear,
            background=background,
            group_id=group_id,
        )
        result = await self.call("knowledge_rebuild_from_wal", params, on_progress)
        return cast(results.RebuildFromWalResult, result)

    async def knowledge_build_indices(self) -> results.BuildIndicesResult:
        """Builds the name, full-text and vector indexes anew.

        Raises:
            OperationFailed: `precondition`: a table is missing; it is named, and indices_built in knowledge_status becomes false.
            OperationFailed: `io`: an index file cannot be written; the file and the cause are named.
        """
        params = given()
        result = await self.call("knowledge_build_indices", params)
        return cast(results.BuildIndicesResult, result)

    async def knowledge_recover(
        self, strategy: Literal["drop_lbug_wal", "rebuild_from_workspace_wal", "restore_from_backup"]
    ) -> results.RecoverResult:
        """Brings a damaged store back by the strategy that you choose.

        Args:
            strategy: How.

        Raises:
            OperationFailed: `busy`: a recovery, a rebuild or the start is running.
            OperationFailed: `not_found`: what the strategy needs is not there; it is named.
        """
        params = given(strategy=strategy)
        result = await self.call("knowledge_recover", params)
        return cast(results.RecoverResult, result)

    async def knowledge_recover_full(self) -> results.RecoverFullResult:
        """Tries the recovery strategies in turn; does nothing on a healthy store.

        Raises:
            OperationFailed: `busy`: a recovery or the start is running.
            OperationFailed: `not_found`: there are no logs to rebuild from.
        """
        params = given()
        result = await self.call("knowledge_recover_full", params)
        return cast(results.RecoverFullResult, result)

    async def knowledge_close(self) -> results.CloseResult:
        """Ends the service once work in flight has come to a consistent point."""
        params = given()
        result = await self.call("knowledge_close", params)
        return cast(results.CloseResult, result)
