"""The types of all keys of results and records as the page and the wire contract give them, typed by hand.

A key has the same type wherever it stands, but for those in UNLIKE. Below are facts that no schema publishes.
"""

SHAPES = {
    "string": """
        state reason version
        database_path embedding_model provider model store_model last_index_time index_created_at
        generation generation_status hydration_status mode drift_summary error time method kind message writes_refused
        status job_id start_time
        outcome chunk_id source_file episode_uuid name entity_uuid by embedding_warning
        source_name target_name relation_type fact unresolved_endpoint edge_uuid
        center_uuid merged_into source canonical_uuid id action
        entity_id entity_name old_type new_type edge_id
        target_dir sample fidelity_warning previous_generation strategy
        uuid group_id summary attributes created_at valid_at invalid_at source_node_uuid target_node_uuid
        source_description content
        source_group_id endpoint_name binding_state resolved_uuid bound_generation type
    """,
    "integer": """
        pid embedding_dim dim store_dim rows_without_vector
        entity_count relationship_count episode_count
        tombstone_count unbound_relationship_count invalidated_relationship_count
        file_count byte_size applied_seq max_seq pending unlogged_mutations seq code name_index_fallback_scans
        bound unbound ambiguous entity_type_count relation_type_count
        mutations_replayed wal_files_processed wal_files_total
        revision nodes_extracted edges_extracted nodes_created nodes_reused edges_dropped_unresolvable
        edges_invalidated edges_reclassified_unclassified entities_reclassified_unclassified
        entities_dropped_malformed edges_dropped_malformed
        count total node_count edge_count deleted_count orphaned_entities purge_seq pointer_count
        merged_count skipped edges_rewritten edges_deduplicated foreign_edges_skipped
        active_edges duplicate_edges total_edges_rewritten total_edges_collapsed total_foreign_edges_skipped
        total_corrections unapplied_corrections applied
        reclassified_count unchanged_count restamped_count would_reclassify_count
        total_edges mapped_count noise_count residual_count embedding_fallback_promoted backfilled total_entities
        checked invalidated_self_loop invalidated_duplicate staleness_skipped
        nodes_dumped edges_dumped files_written files_flushed files_total wal_min_seq wal_max_seq
        from_seq to_seq match_prefixed_replayed indexes_created
        unrecognised_lines failed_lines unparseable_lines legacy_skipped_lines lines_skipped
        failed_sample_categories_dropped rolled_back_lines transactions_committed transactions_rolled_back
        last_committed_seq embedded groups_replayed episodes_before episodes_after
        bound_at_seq rows_without_vector chunk_text_chars recommended_max_chars
    """,
    "number": "elapsed_seconds duration_seconds mapped_pct noise_pct residual_pct score",
    "boolean": """
        ok healthy context_graph_initialized connected queryable initializing exists matches
        indices_built name_index_trusted present loaded drifted running degraded
        success created truncated has_more dry_run applied_seq_reset valid deprecated
        includes_unlogged reachable reset_detected restart_required recovery_needed indexes_rebuilt superseded
    """,
    "object": """
        embedding extractor wal wal_groups cross_group_pointers ontology result warning classifier breakdown
        cross_group_rebind src dst declared declared_by_group
    """,
    "array of string": """
        issues recovery_available columns missing deleted_uuids groups_done errors warnings set_aside
        labels episode_uuids source_descriptions entity_edges
    """,
    "array of array": "excluded rows",
    "array of object": """
        failed_records recent_failures group_ontology_drift resolutions dropped_edges
        nodes edges episodes passages groups unbound_impacts aliases details plan checkpoints failed_samples
    """,
}

# Method or record and key: where it has another type than elsewhere.
UNLIKE = {
    ("knowledge_delete_by_group", "entities"): "integer",
    ("knowledge_delete_by_group", "episodes"): "integer",
    ("knowledge_delete_by_group", "edges"): "integer",
    ("knowledge_merge_entities", "plan"): "object",
    ("Warning", "rows"): "integer",
}

# What a key of an inner object or a record may hold: the only words.
INNER_WORDS = {
    ("knowledge_status", "embedding.state"): ["ready", "unreachable"],
    ("knowledge_status", "extractor.provider"): ["none", "builtin", "anthropic", "openai"],
    ("knowledge_status", "wal.generation_status"): ["known", "unknown", "not_applicable"],
    ("knowledge_status", "wal.hydration_status"): ["hydrated", "wal_ahead", "not_applicable"],
    ("knowledge_status", "ontology.mode"): ["open", "strict"],
    ("knowledge_process_chunk", "resolutions.outcome"): ["created", "reused"],
    ("knowledge_process_chunk", "resolutions.by"): ["name", "embedding", "adapter"],
    ("knowledge_process_chunk", "extractor.provider"): ["none", "builtin", "anthropic", "openai"],
    ("knowledge_process_chunk", "dropped_edges.unresolved_endpoint"): ["source", "target", "both"],
    ("knowledge_apply_corrections", "details.action"): ["same_as", "retract", "dry_run:same_as", "dry_run:retract"],
    ("knowledge_reprocess_entity_types", "classifier.provider"): ["none", "builtin", "anthropic", "openai"],
    ("knowledge_reprocess_relation_types", "classifier.provider"): ["none", "builtin", "anthropic", "openai"],
    ("Pointer", "binding_state"): ["bound", "unbound", "ambiguous"],
}

# Method and key: the order of a list, where the contract gives one.
ORDERS = {
    ("knowledge_status", "recent_failures"): "newest_first",
    ("knowledge_process_chunk", "dropped_edges"): "extraction",
    ("knowledge_find_entities", "nodes"): "rank",
    ("knowledge_find_relationships", "edges"): "rank",
    ("knowledge_search_passages", "passages"): "rank",
    ("knowledge_get_episodes", "episodes"): "newest_first",
    ("knowledge_get_nodes_by_group", "nodes"): "uuid_descending",
    ("knowledge_get_edges_by_group", "edges"): "uuid_descending",
    ("knowledge_get_edges_by_uuids", "edges"): "as_asked",
    ("knowledge_list_entities", "nodes"): "uuid_descending",
    ("knowledge_list_relationships", "edges"): "uuid_descending",
    ("knowledge_get_entity_neighbors", "edges"): "outgoing_first",
    ("knowledge_get_entities_by_source", "nodes"): "uuid_descending",
    ("knowledge_delete_by_group", "groups"): "as_asked",
    ("knowledge_delete_by_group", "unbound_impacts"): "by_name",
    ("knowledge_wal_mark_list", "checkpoints"): "by_name",
    # The contract leaves these open; a client may still see them.
    ("knowledge_get_edges_by_uuids", "missing"): "as_asked",
    ("knowledge_get_entity_neighbors", "nodes"): "first_seen",
    ("knowledge_dump_wal", "groups"): "by_name",
}

# How a text is taken: by parameter, the same wherever it stands, but for those below.
TEXTS = {
    "name": "source_name target_name endpoint_name",
    "term": """
        chunk_id source_file source source_description predicate relation_type query
        canonical_name labels uuids alias_uuids alias_names
    """,
    "id": "job_id entity_uuid episode_uuid canonical_uuid uuid source_group_id",
    "time": "reference_time valid_at",
    "prose": "chunk_text episode_body summary fact target_dir",
}
TEXTS_UNLIKE = {
    ("knowledge_assert_entity", "name"): "name",
    ("knowledge_add_episode", "name"): "term",
    ("knowledge_add_cross_group_edge", "name"): "term",
    ("knowledge_wal_mark_create", "name"): "slug",
    ("knowledge_wal_mark_delete", "name"): "slug",
    ("knowledge_query_cypher", "query"): "prose",
}

# What a type of warning says beside its type and message, key by key.
WARNING_KEYS = """
    type message group_id? name? uuid? seq? applied_seq? max_seq? pending? rows?
    chunk_text_chars? recommended_max_chars? dropped_edges?
"""

# Whose group counts, where a row could be found by several.
OWNERS_OF_THE_GROUP = {
    "knowledge_find_relationships": "edge",
    "knowledge_get_edges_by_group": "edge",
    "knowledge_list_relationships": "edge",
    "knowledge_get_entity_neighbors": "edge",
    "knowledge_get_entities_by_source": "entity",
}

# What progress frames carry beside phase, processed, total and message.
FRAMES = {
    "knowledge_rebuild_from_wal": """
        mutations_replayed_so_far files_processed_so_far files_total failed_lines_so_far legacy_skipped_lines_so_far
    """,
    "knowledge_reprocess_entity_types": "total_mutations",
    "knowledge_reprocess_relation_types": "total_mutations",
    "knowledge_canonicalize_relations": "total_mutations",
    "knowledge_backfill_relation_types": "total_mutations",
    "knowledge_backfill_summary_embeddings": "total_mutations",
}
