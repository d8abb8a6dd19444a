"""The results of all 44 methods as the page and the wire contract give them, typed by hand.

A key stands as it is; `?` behind it = it may be missing; `|null` = it may be null.
"""

RESULTS = {
    "health_check": "ok healthy state reason? version pid",
    "knowledge_status": """
        database_path? embedding_model? embedding_dim? embedding? extractor
        entity_count?|null relationship_count?|null episode_count?|null
        tombstone_count?|null unbound_relationship_count?|null invalidated_relationship_count?|null
        last_index_time?|null index_created_at?|null
        context_graph_initialized connected queryable initializing
        wal wal_groups failed_records? writes_refused?|null recent_failures
        indices_built name_index_trusted|null name_index_fallback_scans|null
        cross_group_pointers|null ontology group_ontology_drift?
        reason? group_id? seq? running? degraded? recovery_available? version pid
        """,
    "knowledge_rebuild_status": """
        status job_id? group_id? start_time? mutations_replayed? wal_files_processed? wal_files_total? elapsed_seconds?
        error?|null kind?|null result?|null
        """,
    "knowledge_process_chunk": """
        success outcome revision chunk_id source_file episode_uuid
        nodes_extracted edges_extracted nodes_created nodes_reused resolutions extractor
        edges_dropped_unresolvable dropped_edges
        edges_invalidated edges_reclassified_unclassified entities_reclassified_unclassified
        entities_dropped_malformed edges_dropped_malformed
        duration_seconds embedding_warning|null warning?
        """,
    "knowledge_add_episode": "episode_uuid",
    "knowledge_assert_entity": "entity_uuid created embedding_warning|null",
    "knowledge_assert_relationship": "edge_uuid created embedding_warning|null",
    "knowledge_find_entities": "nodes count",
    "knowledge_find_relationships": "edges count",
    "knowledge_search_passages": "passages count",
    "knowledge_query_cypher": "columns rows count truncated",
    "knowledge_get_episodes": "episodes count total has_more",
    "knowledge_get_nodes_by_group": "nodes count total has_more",
    "knowledge_get_edges_by_group": "edges count total has_more",
    "knowledge_get_edges_by_uuids": "edges count missing",
    "knowledge_list_entities": "nodes count total has_more",
    "knowledge_list_relationships": "edges count total has_more",
    "knowledge_get_entity_neighbors": "center_uuid merged_into? nodes edges count node_count edge_count total has_more",
    "knowledge_get_entities_by_source": "source nodes count total has_more",
    "knowledge_delete_episode": "status deleted_count orphaned_entities",
    "knowledge_delete_by_source": "success source_file deleted_count orphaned_entities deleted_uuids groups_done",
    "knowledge_delete_chunk_episode": "success chunk_id deleted_count orphaned_entities deleted_uuids groups_done",
    "knowledge_delete_by_group": "success dry_run groups unbound_impacts groups_done applied_seq_reset",
    "knowledge_clear_all": "success message",
    "knowledge_merge_entities": """
        success canonical_uuid merged_count skipped
        edges_rewritten edges_deduplicated foreign_edges_skipped errors plan?
        """,
    "knowledge_validate_corrections": "valid message total_corrections unapplied_corrections issues warnings",
    "knowledge_apply_corrections": "success applied skipped errors groups_done details message?",
    "knowledge_reprocess_entity_types": """
        success group_id classifier reclassified_count? unchanged_count? restamped_count? would_reclassify_count? plan?
        error? kind?
        """,
    "knowledge_canonicalize_relations": """
        group_id total_edges mapped_count noise_count residual_count embedding_fallback_promoted
        mapped_pct noise_pct residual_pct dry_run embedding_warning?
        """,
    "knowledge_backfill_relation_types": "group_id total_edges backfilled dry_run deprecated",
    "knowledge_reprocess_relation_types": """
        success group_id classifier reclassified_count? unchanged_count? would_reclassify_count? plan? breakdown?
        error? kind?
        """,
    "knowledge_backfill_summary_embeddings": "group_id total_entities backfilled dry_run",
    "knowledge_add_cross_group_edge": """
        uuid name group_id fact source_node_uuid target_node_uuid cross_group_pointers embedding_warning|null
        """,
    "knowledge_rebind_pointers": """
        checked bound unbound ambiguous invalidated_self_loop invalidated_duplicate staleness_skipped groups_done
        """,
    "knowledge_dump_wal": "success nodes_dumped edges_dumped files_written groups target_dir includes_unlogged",
    "knowledge_prepare_checkpoint": "success files_flushed files_total",
    "knowledge_wal_mark_create": "success name group_id seq generation|null",
    "knowledge_wal_mark_list": "group_id checkpoints count",
    "knowledge_wal_mark_delete": "success name group_id",
    "knowledge_rebuild_from_wal": """
        success job_id? status? group_id from_seq? to_seq?|null mutations_replayed? match_prefixed_replayed?
        wal_files_processed? indexes_created?
        unrecognised_lines? failed_lines? unparseable_lines? legacy_skipped_lines? lines_skipped?
        failed_samples? failed_sample_categories_dropped? fidelity_warning?|null
        rolled_back_lines? transactions_committed? transactions_rolled_back? last_committed_seq?|null
        reset_detected? previous_generation?|null generation?|null excluded? cross_group_rebind?|null
        dry_run? message? indices_built?
        """,
    "knowledge_build_indices": "status indices_built embedded embedding_warning|null",
    "knowledge_recover": """
        strategy success restart_required mutations_replayed? groups_replayed? set_aside? error? kind?
        """,
    "knowledge_recover_full": """
        success recovery_needed? episodes_before? episodes_after? mutations_replayed? indexes_rebuilt? error? kind?
        """,
    "knowledge_close": "status",
}

INNER = {
    ("knowledge_status", "embedding"): """
        provider model dim state store_model|null store_dim|null matches rows_without_vector
        """,
    ("knowledge_status", "extractor"): "provider model|null",
    ("knowledge_status", "wal"): """
        exists file_count byte_size applied_seq|null max_seq|null generation|null generation_status hydration_status
        excluded pending|null unlogged_mutations|null
        """,
    ("knowledge_status", "failed_records"): "group_id seq error",
    ("knowledge_status", "recent_failures"): "time method code kind|null message",
    ("knowledge_status", "cross_group_pointers"): "bound|null unbound|null ambiguous|null",
    ("knowledge_status", "ontology"): """
        present loaded mode|null entity_type_count relation_type_count drifted drift_summary|null issues
        declared?|null declared_by_group?
        """,
    ("knowledge_status", "group_ontology_drift"): "group_id drifted drift_summary|null",
    ("knowledge_process_chunk", "resolutions"): "name entity_uuid outcome by|null",
    ("knowledge_process_chunk", "extractor"): "provider model|null",
    ("knowledge_process_chunk", "dropped_edges"): "source_name target_name relation_type|null fact unresolved_endpoint",
    ("knowledge_delete_by_group", "groups"): "group_id entities episodes edges purge_seq|null",
    ("knowledge_delete_by_group", "unbound_impacts"): "group_id pointer_count",
    ("knowledge_merge_entities", "plan"): """
        aliases total_edges_rewritten total_edges_collapsed total_foreign_edges_skipped
        """,
    ("knowledge_apply_corrections", "details"): "id action",
    ("knowledge_reprocess_entity_types", "classifier"): "provider model|null",
    ("knowledge_reprocess_entity_types", "plan"): "entity_id entity_name old_type|null new_type",
    ("knowledge_reprocess_relation_types", "classifier"): "provider model|null",
    ("knowledge_reprocess_relation_types", "plan"): "edge_id fact old_type|null new_type",
    ("knowledge_add_cross_group_edge", "cross_group_pointers"): "src|null dst|null",
    ("knowledge_dump_wal", "groups"): "group_id max_seq generation",
    ("knowledge_wal_mark_list", "checkpoints"): """
        name seq reachable wal_min_seq|null wal_max_seq|null generation|null created_at
        """,
    ("knowledge_rebuild_from_wal", "failed_samples"): "sample error count",
}

# Method and key: the only words that may stand there.
WORDS = {
    ("health_check", "state"): ["starting", "healthy", "degraded"],
    ("knowledge_rebuild_status", "status"): ["running", "completed", "failed", "not_found"],
    ("knowledge_process_chunk", "outcome"): ["created", "unchanged", "revised"],
    ("knowledge_delete_episode", "status"): ["deleted"],
    ("knowledge_reprocess_entity_types", "kind"): ["precondition", "provider_failed"],
    ("knowledge_reprocess_relation_types", "kind"): ["precondition", "provider_failed"],
    ("knowledge_rebuild_from_wal", "status"): ["completed", "running"],
    ("knowledge_build_indices", "status"): ["ok"],
    ("knowledge_recover", "strategy"): ["drop_lbug_wal", "rebuild_from_workspace_wal", "restore_from_backup"],
    ("knowledge_close", "status"): ["closed"],
}

ALWAYS_TRUE = {
    ("knowledge_process_chunk", "success"),
    ("knowledge_delete_by_source", "success"),
    ("knowledge_delete_chunk_episode", "success"),
    ("knowledge_delete_by_group", "success"),
    ("knowledge_clear_all", "success"),
    ("knowledge_backfill_relation_types", "deprecated"),
    ("knowledge_dump_wal", "success"),
    ("knowledge_prepare_checkpoint", "success"),
    ("knowledge_wal_mark_create", "success"),
    ("knowledge_wal_mark_delete", "success"),
    ("knowledge_rebuild_from_wal", "success"),
    ("knowledge_rebuild_from_wal", "dry_run"),
    ("knowledge_build_indices", "indices_built"),
    ("knowledge_status", "running"),
    ("knowledge_status", "degraded"),
}

SHOWN_RECORDS = {
    ("knowledge_process_chunk", "warning"): "Warning",
    ("knowledge_find_entities", "nodes"): "Entity",
    ("knowledge_find_relationships", "edges"): "Edge",
    ("knowledge_search_passages", "passages"): "Passage",
    ("knowledge_get_episodes", "episodes"): "Episode",
    ("knowledge_get_nodes_by_group", "nodes"): "Entity",
    ("knowledge_get_edges_by_group", "edges"): "Edge",
    ("knowledge_get_edges_by_uuids", "edges"): "Edge",
    ("knowledge_list_entities", "nodes"): "Entity",
    ("knowledge_list_relationships", "edges"): "Edge",
    ("knowledge_get_entity_neighbors", "nodes"): "Entity",
    ("knowledge_get_entity_neighbors", "edges"): "Edge",
    ("knowledge_get_entities_by_source", "nodes"): "Entity",
}

# Method: how it can fail beyond what every call can meet.
FAILURES = {
    "health_check": "unavailable",
    "knowledge_process_chunk": "unconfigured provider_failed",
    "knowledge_add_episode": "unconfigured provider_failed",
    "knowledge_assert_entity": "not_found conflict precondition",
    "knowledge_assert_relationship": "not_found",
    "knowledge_query_cypher": "precondition limit busy",
    "knowledge_delete_by_group": "precondition",
    "knowledge_clear_all": "precondition busy",
    "knowledge_reprocess_entity_types": "unconfigured",
    "knowledge_canonicalize_relations": "precondition",
    "knowledge_reprocess_relation_types": "unconfigured",
    "knowledge_backfill_summary_embeddings": "provider_failed",
    "knowledge_add_cross_group_edge": "not_found precondition",
    "knowledge_dump_wal": "conflict precondition io",
    "knowledge_prepare_checkpoint": "io",
    "knowledge_wal_mark_create": "conflict precondition",
    "knowledge_wal_mark_delete": "not_found",
    "knowledge_rebuild_from_wal": "not_found generation_unknown precondition busy",
    "knowledge_build_indices": "precondition io",
    "knowledge_recover": "busy not_found",
    "knowledge_recover_full": "busy not_found",
}
