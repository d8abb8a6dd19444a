"""What the user's page and the wire contract say, typed by hand.

Nothing here is ever generated or derived from the registry: these lists are what the registry is held against.
"""

CATEGORIES = {
    "Health": ["health_check"],
    "Status": ["knowledge_status", "knowledge_rebuild_status"],
    "Ingestion": ["knowledge_process_chunk", "knowledge_add_episode"],
    "Direct assertion": ["knowledge_assert_entity", "knowledge_assert_relationship"],
    "Search": [
        "knowledge_find_entities",
        "knowledge_find_relationships",
        "knowledge_search_passages",
        "knowledge_query_cypher",
    ],
    "Graph reads": [
        "knowledge_get_episodes",
        "knowledge_get_nodes_by_group",
        "knowledge_get_edges_by_group",
        "knowledge_get_edges_by_uuids",
        "knowledge_list_entities",
        "knowledge_list_relationships",
        "knowledge_get_entity_neighbors",
        "knowledge_get_entities_by_source",
    ],
    "Deletion": [
        "knowledge_delete_episode",
        "knowledge_delete_by_source",
        "knowledge_delete_chunk_episode",
        "knowledge_delete_by_group",
        "knowledge_clear_all",
    ],
    "Curation": [
        "knowledge_merge_entities",
        "knowledge_validate_corrections",
        "knowledge_apply_corrections",
        "knowledge_reprocess_entity_types",
    ],
    "Relation typing": [
        "knowledge_canonicalize_relations",
        "knowledge_backfill_relation_types",
        "knowledge_reprocess_relation_types",
    ],
    "Semantic search maintenance": ["knowledge_backfill_summary_embeddings"],
    "Cross-group pointers": ["knowledge_add_cross_group_edge", "knowledge_rebind_pointers"],
    "WAL administration": [
        "knowledge_dump_wal",
        "knowledge_prepare_checkpoint",
        "knowledge_wal_mark_create",
        "knowledge_wal_mark_list",
        "knowledge_wal_mark_delete",
        "knowledge_rebuild_from_wal",
        "knowledge_build_indices",
    ],
    "Recovery / lifecycle": ["knowledge_recover", "knowledge_recover_full", "knowledge_close"],
}

READ = {
    "knowledge_status",
    "knowledge_find_entities",
    "knowledge_find_relationships",
    "knowledge_get_episodes",
    "knowledge_get_nodes_by_group",
    "knowledge_get_edges_by_group",
    "knowledge_get_edges_by_uuids",
    "knowledge_search_passages",
    "knowledge_list_entities",
    "knowledge_list_relationships",
    "knowledge_get_entity_neighbors",
    "knowledge_get_entities_by_source",
    "knowledge_rebuild_status",
    "knowledge_validate_corrections",
}

WRITE = {
    "knowledge_process_chunk",
    "knowledge_add_episode",
    "knowledge_delete_episode",
    "knowledge_delete_by_source",
    "knowledge_delete_chunk_episode",
    "knowledge_clear_all",
    "knowledge_apply_corrections",
    "knowledge_merge_entities",
    "knowledge_reprocess_entity_types",
    "knowledge_canonicalize_relations",
    "knowledge_backfill_relation_types",
    "knowledge_reprocess_relation_types",
    "knowledge_add_cross_group_edge",
    "knowledge_assert_entity",
    "knowledge_assert_relationship",
}

CYPHER = {"knowledge_query_cypher"}

ADMIN = {
    "knowledge_dump_wal",
    "knowledge_prepare_checkpoint",
    "knowledge_wal_mark_create",
    "knowledge_wal_mark_list",
    "knowledge_wal_mark_delete",
    "knowledge_rebuild_from_wal",
    "knowledge_recover",
    "knowledge_recover_full",
    "knowledge_close",
    "knowledge_build_indices",
    "knowledge_rebind_pointers",
    "knowledge_delete_by_group",
    "knowledge_backfill_summary_embeddings",
}

CORE_PROFILE = {
    "knowledge_status",
    "knowledge_assert_entity",
    "knowledge_assert_relationship",
    "knowledge_find_entities",
    "knowledge_find_relationships",
    "knowledge_search_passages",
    "knowledge_get_entity_neighbors",
    "knowledge_process_chunk",
    "knowledge_list_entities",
    "knowledge_delete_by_source",
}

EMPTY_LIST_IS_NO_GROUP = {
    "knowledge_find_entities",
    "knowledge_find_relationships",
    "knowledge_get_nodes_by_group",
    "knowledge_get_edges_by_group",
}

EMPTY_LIST_IS_EVERY_GROUP = {
    "knowledge_search_passages",
    "knowledge_list_entities",
    "knowledge_list_relationships",
    "knowledge_get_entity_neighbors",
    "knowledge_get_entities_by_source",
}

GROUPS_REQUIRED = {
    "knowledge_delete_by_source",
    "knowledge_delete_chunk_episode",
    "knowledge_delete_by_group",
}

ONE_GROUP_REQUIRED = {
    "knowledge_canonicalize_relations",
    "knowledge_backfill_relation_types",
    "knowledge_backfill_summary_embeddings",
    "knowledge_rebind_pointers",
}

DEFAULT_GROUP = {
    "knowledge_process_chunk",
    "knowledge_add_episode",
    "knowledge_assert_entity",
    "knowledge_assert_relationship",
    "knowledge_get_episodes",
    "knowledge_merge_entities",
    "knowledge_reprocess_entity_types",
    "knowledge_reprocess_relation_types",
    "knowledge_add_cross_group_edge",
    "knowledge_wal_mark_create",
    "knowledge_wal_mark_list",
    "knowledge_wal_mark_delete",
    "knowledge_rebuild_from_wal",
}

ONE_GROUP_OR_ALL = {"knowledge_dump_wal"}

NO_GROUP_PARAMETER = {
    "health_check",
    "knowledge_status",
    "knowledge_rebuild_status",
    "knowledge_query_cypher",
    "knowledge_get_edges_by_uuids",
    "knowledge_delete_episode",
    "knowledge_clear_all",
    "knowledge_validate_corrections",
    "knowledge_apply_corrections",
    "knowledge_prepare_checkpoint",
    "knowledge_build_indices",
    "knowledge_recover",
    "knowledge_recover_full",
    "knowledge_close",
}

PROGRESS_PHASES = {
    "knowledge_rebuild_from_wal": ["reading", "applying", "indexing"],
    "knowledge_canonicalize_relations": ["lexical", "embedding_fallback", "writing"],
    "knowledge_backfill_relation_types": ["writing"],
    "knowledge_backfill_summary_embeddings": ["writing"],
    "knowledge_reprocess_relation_types": ["classifying", "writing"],
    "knowledge_reprocess_entity_types": ["classifying", "writing", "restamping"],
}

WORKS_WHILE_DEGRADED = {
    "health_check",
    "knowledge_status",
    "knowledge_recover",
    "knowledge_recover_full",
    "knowledge_close",
    "knowledge_wal_mark_list",
    "knowledge_wal_mark_delete",
}

READ_ONLY = READ | {"health_check", "knowledge_wal_mark_list"}

DESTRUCTIVE = {
    "knowledge_assert_entity",
    "knowledge_assert_relationship",
    "knowledge_query_cypher",
    "knowledge_delete_episode",
    "knowledge_delete_by_source",
    "knowledge_delete_chunk_episode",
    "knowledge_delete_by_group",
    "knowledge_clear_all",
    "knowledge_merge_entities",
    "knowledge_apply_corrections",
    "knowledge_reprocess_entity_types",
    "knowledge_canonicalize_relations",
    "knowledge_reprocess_relation_types",
    "knowledge_rebind_pointers",
    "knowledge_wal_mark_delete",
    "knowledge_rebuild_from_wal",
    "knowledge_recover",
    "knowledge_recover_full",
    "knowledge_close",
}

NOT_IDEMPOTENT = {
    "knowledge_add_episode",
    "knowledge_query_cypher",
    "knowledge_canonicalize_relations",
    "knowledge_add_cross_group_edge",
    "knowledge_dump_wal",
    "knowledge_wal_mark_create",
    "knowledge_wal_mark_delete",
    "knowledge_rebuild_from_wal",
    "knowledge_recover",
}

OPEN_WORLD = {
    "knowledge_process_chunk",
    "knowledge_add_episode",
    "knowledge_reprocess_entity_types",
    "knowledge_reprocess_relation_types",
}

NEEDS_CONFIRMATION = {"knowledge_delete_by_group", "knowledge_clear_all"}

ERROR_CODES = {
    "PARSE_ERROR": -32700,
    "INVALID_REQUEST": -32600,
    "METHOD_NOT_FOUND": -32601,
    "INVALID_PARAMS": -32602,
    "INTERNAL_ERROR": -32603,
    "OPERATION_FAILED": -32000,
    "UNAVAILABLE": -32001,
}

ERROR_KINDS = {
    "not_found",
    "conflict",
    "precondition",
    "unavailable",
    "unconfigured",
    "provider_failed",
    "cancelled",
    "busy",
    "generation_unknown",
    "limit",
    "io",
}

WARNING_TYPES = {
    "wal_ahead",
    "chunk_text_oversized",
    "embedding_model_mismatch",
    "embedding_unavailable",
    "vectors_missing",
    "attributes_not_object",
    "purge_in_range",
    "purge_skipped",
    "unlogged_mutations",
    "duplicate_name",
    "edges_dropped",
    "large_result",
}

RECORD_KEYS = {
    "Entity": {
        "uuid",
        "name",
        "group_id",
        "labels",
        "created_at",
        "summary",
        "attributes",
        "episode_uuids",
        "source_descriptions",
        "score",
    },
    "Edge": {
        "uuid",
        "name",
        "source_node_uuid",
        "target_node_uuid",
        "group_id",
        "fact",
        "created_at",
        "valid_at",
        "invalid_at",
        "attributes",
        "relation_type",
        "episode_uuids",
        "source_descriptions",
        "score",
    },
    "Episode": {
        "uuid",
        "name",
        "group_id",
        "created_at",
        "source",
        "source_description",
        "content",
        "valid_at",
        "entity_edges",
        "superseded",
    },
    "Passage": {"uuid", "name", "content", "source_description", "group_id", "created_at", "valid_at", "score"},
    "Pointer": {
        "source_group_id",
        "endpoint_name",
        "binding_state",
        "resolved_uuid",
        "bound_at_seq",
        "bound_generation",
    },
}

METHODS = [name for names in CATEGORIES.values() for name in names]
