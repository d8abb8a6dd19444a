# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 85dfc88f0b48004a618280b012d396acf3875ccc796fa46dea80d6cb5471f49e)
# Template: codegen/templates/dispatch.py.j2
"""From a method's name to its handler, with the parameters decoded on the way."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, cast

from lcg.generated import params
from lcg.generated.protocols import Handlers
from lcg.runtime.call import Call
from lcg.runtime.decode import refuse_unknown
from lcg.runtime.dispatch import Method


def _health_check(handlers: Handlers, raw: Mapping[str, Any], call: Call) -> dict[str, Any]:
    refuse_unknown("health_check", raw, ())
    result = handlers.health.health_check(call)
    return cast(dict[str, Any], result)


def _status(handlers: Handlers, raw: Mapping[str, Any], call: Call) -> dict[str, Any]:
    decoded = params.decode_status(raw)
    result = handlers.status.status(decoded, call)
    return cast(dict[str, Any], result)


def _rebuild_status(handlers: Handlers, raw: Mapping[str, Any], call: Call) -> dict[str, Any]:
    decoded = params.decode_rebuild_status(raw)
    result = handlers.status.rebuild_status(decoded, call)
    return cast(dict[str, Any], result)


def _process_chunk(handlers: Handlers, raw: Mapping[str, Any], call: Call) -> dict[str, Any]:
    decoded = params.decode_process_chunk(raw)
    result = handlers.ingestion.process_chunk(decoded, call)
    return cast(dict[str, Any], result)


def _add_episode(handlers: Handlers, raw: Mapping[str, Any], call: Call) -> dict[str, Any]:
    decoded = params.decode_add_episode(raw)
    result = handlers.ingestion.add_episode(decoded, call)
    return cast(dict[str, Any], result)


def _assert_entity(handlers: Handlers, raw: Mapping[str, Any], call: Call) -> dict[str, Any]:
    decoded = params.decode_assert_entity(raw)
    result = handlers.assertion.assert_entity(decoded, call)
    return cast(dict[str, Any], result)


def _assert_relationship(handlers: Handlers, raw: Mapping[str, Any], call: Call) -> dict[str, Any]:
    decoded = params.decode_assert_relationship(raw)
    result = handlers.assertion.assert_relationship(decoded, call)
    return cast(dict[str, Any], result)


def _find_entities(handlers: Handlers, raw: Mapping[str, Any], call: Call) -> dict[str, Any]:
    decoded = params.decode_find_entities(raw)
    result = handlers.search.find_entities(decoded, call)
    return cast(dict[str, Any], result)


def _find_relationships(handlers: Handlers, raw: Mapping[str, Any], call: Call) -> dict[str, Any]:
    decoded = params.decode_find_relationships(raw)
    result = handlers.search.find_relationships(decoded, call)
    return cast(dict[str, Any], result)


def _search_passages(handlers: Handlers, raw: Mapping[str, Any], call: Call) -> dict[str, Any]:
    decoded = params.decode_search_passages(raw)
    result = handlers.search.search_passages(decoded, call)
    return cast(dict[str, Any], result)


def _query_cypher(handlers: Handlers, raw: Mapping[str, Any], call: Call) -> dict[str, Any]:
    decoded = params.decode_query_cypher(raw)
    result = handlers.search.query_cypher(decoded, call)
    return cast(dict[str, Any], result)


def _get_episodes(handlers: Handlers, raw: Mapping[str, Any], call: Call) -> dict[str, Any]:
    decoded = params.decode_get_episodes(raw)
    result = handlers.reads.get_episodes(decoded, call)
    return cast(dict[str, Any], result)


def _get_nodes_by_group(handlers: Handlers, raw: Mapping[str, Any], call: Call) -> dict[str, Any]:
    decoded = params.decode_get_nodes_by_group(raw)
    result = handlers.reads.get_nodes_by_group(decoded, call)
    return cast(dict[str, Any], result)


def _get_edges_by_group(handlers: Handlers, raw: Mapping[str, Any], call: Call) -> dict[str, Any]:
    decoded = params.decode_get_edges_by_group(raw)
    result = handlers.reads.get_edges_by_group(decoded, call)
    return cast(dict[str, Any], result)


def _get_edges_by_uuids(handlers: Handlers, raw: Mapping[str, Any], call: Call) -> dict[str, Any]:
    decoded = params.decode_get_edges_by_uuids(raw)
    result = handlers.reads.get_edges_by_uuids(decoded, call)
    return cast(dict[str, Any], result)


def _list_entities(handlers: Handlers, raw: Mapping[str, Any], call: Call) -> dict[str, Any]:
    decoded = params.decode_list_entities(raw)
    result = handlers.reads.list_entities(decoded, call)
    return cast(dict[str, Any], result)


def _list_relationships(handlers: Handlers, raw: Mapping[str, Any], call: Call) -> dict[str, Any]:
    decoded = params.decode_list_relationships(raw)
    result = handlers.reads.list_relationships(decoded, call)
    return cast(dict[str, Any], result)


def _get_entity_neighbors(handlers: Handlers, raw: Mapping[str, Any], call: Call) -> dict[str, Any]:
    decoded = params.decode_get_entity_neighbors(raw)
    result = handlers.reads.get_entity_neighbors(decoded, call)
    return cast(dict[str, Any], result)


def _get_entities_by_source(handlers: Handlers, raw: Mapping[str, Any], call: Call) -> dict[str, Any]:
    decoded = params.decode_get_entities_by_source(raw)
    result = handlers.reads.get_entities_by_source(decoded, call)
    return cast(dict[str, Any], result)


def _delete_episode(handlers: Handlers, raw: Mapping[str, Any], call: Call) -> dict[str, Any]:
    decoded = params.decode_delete_episode(raw)
    result = handlers.deletion.delete_episode(decoded, call)
    return cast(dict[str, Any], result)


def _delete_by_source(handlers: Handlers, raw: Mapping[str, Any], call: Call) -> dict[str, Any]:
    decoded = params.decode_delete_by_source(raw)
    result = handlers.deletion.delete_by_source(decoded, call)
    return cast(dict[str, Any], result)


def _delete_chunk_episode(handlers: Handlers, raw: Mapping[str, Any], call: Call) -> dict[str, Any]:
    decoded = params.decode_delete_chunk_episode(raw)
    result = handlers.deletion.delete_chunk_episode(decoded, call)
    return cast(dict[str, Any], result)


def _delete_by_group(handlers: Handlers, raw: Mapping[str, Any], call: Call) -> dict[str, Any]:
    decoded = params.decode_delete_by_group(raw)
    result = handlers.deletion.delete_by_group(decoded, call)
    return cast(dict[str, Any], result)


def _clear_all(handlers: Handlers, raw: Mapping[str, Any], call: Call) -> dict[str, Any]:
    decoded = params.decode_clear_all(raw)
    result = handlers.deletion.clear_all(decoded, call)
    return cast(dict[str, Any], result)


def _merge_entities(handlers: Handlers, raw: Mapping[str, Any], call: Call) -> dict[str, Any]:
    decoded = params.decode_merge_entities(raw)
    result = handlers.curation.merge_entities(decoded, call)
    return cast(dict[str, Any], result)


def _validate_corrections(handlers: Handlers, raw: Mapping[str, Any], call: Call) -> dict[str, Any]:
    refuse_unknown("knowledge_validate_corrections", raw, ())
    result = handlers.curation.validate_corrections(call)
    return cast(dict[str, Any], result)


def _apply_corrections(handlers: Handlers, raw: Mapping[str, Any], call: Call) -> dict[str, Any]:
    decoded = params.decode_apply_corrections(raw)
    result = handlers.curation.apply_corrections(decoded, call)
    return cast(dict[str, Any], result)


def _reprocess_entity_types(handlers: Handlers, raw: Mapping[str, Any], call: Call) -> dict[str, Any]:
    decoded = params.decode_reprocess_entity_types(raw)
    result = handlers.curation.reprocess_entity_types(decoded, call)
    return cast(dict[str, Any], result)


def _canonicalize_relations(handlers: Handlers, raw: Mapping[str, Any], call: Call) -> dict[str, Any]:
    decoded = params.decode_canonicalize_relations(raw)
    result = handlers.relations.canonicalize_relations(decoded, call)
    return cast(dict[str, Any], result)


def _backfill_relation_types(handlers: Handlers, raw: Mapping[str, Any], call: Call) -> dict[str, Any]:
    decoded = params.decode_backfill_relation_types(raw)
    result = handlers.relations.backfill_relation_types(decoded, call)
    return cast(dict[str, Any], result)


def _reprocess_relation_types(handlers: Handlers, raw: Mapping[str, Any], call: Call) -> dict[str, Any]:
    decoded = params.decode_reprocess_relation_types(raw)
    result = handlers.relations.reprocess_relation_types(decoded, call)
    return cast(dict[str, Any], result)


def _backfill_summary_embeddings(handlers: Handlers, raw: Mapping[str, Any], call: Call) -> dict[str, Any]:
    decoded = params.decode_backfill_summary_embeddings(raw)
    result = handlers.summaries.backfill_summary_embeddings(decoded, call)
    return cast(dict[str, Any], result)


def _add_cross_group_edge(handlers: Handlers, raw: Mapping[str, Any], call: Call) -> dict[str, Any]:
    decoded = params.decode_add_cross_group_edge(raw)
    result = handlers.pointers.add_cross_group_edge(decoded, call)
    return cast(dict[str, Any], result)


def _rebind_pointers(handlers: Handlers, raw: Mapping[str, Any], call: Call) -> dict[str, Any]:
    decoded = params.decode_rebind_pointers(raw)
    result = handlers.pointers.rebind_pointers(decoded, call)
    return cast(dict[str, Any], result)


def _dump_wal(handlers: Handlers, raw: Mapping[str, Any], call: Call) -> dict[str, Any]:
    decoded = params.decode_dump_wal(raw)
    result = handlers.wal_admin.dump_wal(decoded, call)
    return cast(dict[str, Any], result)


def _prepare_checkpoint(handlers: Handlers, raw: Mapping[str, Any], call: Call) -> dict[str, Any]:
    refuse_unknown("knowledge_prepare_checkpoint", raw, ())
    result = handlers.wal_admin.prepare_checkpoint(call)
    return cast(dict[str, Any], result)


def _wal_mark_create(handlers: Handlers, raw: Mapping[str, Any], call: Call) -> dict[str, Any]:
    decoded = params.decode_wal_mark_create(raw)
    result = handlers.wal_admin.wal_mark_create(decoded, call)
    return cast(dict[str, Any], result)


def _wal_mark_list(handlers: Handlers, raw: Mapping[str, Any], call: Call) -> dict[str, Any]:
    decoded = params.decode_wal_mark_list(raw)
    result = handlers.wal_admin.wal_mark_list(decoded, call)
    return cast(dict[str, Any], result)


def _wal_mark_delete(handlers: Handlers, raw: Mapping[str, Any], call: Call) -> dict[str, Any]:
    decoded = params.decode_wal_mark_delete(raw)
    result = handlers.wal_admin.wal_mark_delete(decoded, call)
    return cast(dict[str, Any], result)


def _rebuild_from_wal(handlers: Handlers, raw: Mapping[str, Any], call: Call) -> dict[str, Any]:
    decoded = params.decode_rebuild_from_wal(raw)
    result = handlers.wal_admin.rebuild_from_wal(decoded, call)
    return cast(dict[str, Any], result)


def _build_indices(handlers: Handlers, raw: Mapping[str, Any], call: Call) -> dict[str, Any]:
    refuse_unknown("knowledge_build_indices", raw, ())
    result = handlers.wal_admin.build_indices(call)
    return cast(dict[str, Any], result)


def _recover(handlers: Handlers, raw: Mapping[str, Any], call: Call) -> dict[str, Any]:
    decoded = params.decode_recover(raw)
    result = handlers.recovery.recover(decoded, call)
    return cast(dict[str, Any], result)


def _recover_full(handlers: Handlers, raw: Mapping[str, Any], call: Call) -> dict[str, Any]:
    refuse_unknown("knowledge_recover_full", raw, ())
    result = handlers.recovery.recover_full(call)
    return cast(dict[str, Any], result)


def _close(handlers: Handlers, raw: Mapping[str, Any], call: Call) -> dict[str, Any]:
    refuse_unknown("knowledge_close", raw, ())
    result = handlers.recovery.close(call)
    return cast(dict[str, Any], result)


METHODS: Mapping[str, Method] = MappingProxyType(
    {
        "health_check": Method(
            name="health_check",
            scope=None,
            works_degraded=True,
            progress=False,
            run=_health_check,
        ),
        "knowledge_status": Method(
            name="knowledge_status",
            scope="read",
            works_degraded=True,
            progress=False,
            run=_status,
        ),
        "knowledge_rebuild_status": Method(
            name="knowledge_rebuild_status",
            scope="read",
            works_degraded=False,
            progress=False,
            run=_rebuild_status,
        ),
        "knowledge_process_chunk": Method(
            name="knowledge_process_chunk",
            scope="write",
            works_degraded=False,
            progress=False,
            run=_process_chunk,
        ),
        "knowledge_add_episode": Method(
            name="knowledge_add_episode",
            scope="write",
            works_degraded=False,
            progress=False,
            run=_add_episode,
        ),
        "knowledge_assert_entity": Method(
            name="knowledge_assert_entity",
            scope="write",
            works_degraded=False,
            progress=False,
            run=_assert_entity,
        ),
        "knowledge_assert_relationship": Method(
            name="knowledge_assert_relationship",
            scope="write",
            works_degraded=False,
            progress=False,
            run=_assert_relationship,
        ),
        "knowledge_find_entities": Method(
            name="knowledge_find_entities",
            scope="read",
            works_degraded=False,
            progress=False,
            run=_find_entities,
        ),
        "knowledge_find_relationships": Method(
            name="knowledge_find_relationships",
            scope="read",
            works_degraded=False,
            progress=False,
            run=_find_relationships,
        ),
        "knowledge_search_passages": Method(
            name="knowledge_search_passages",
            scope="read",
            works_degraded=False,
            progress=False,
            run=_search_passages,
        ),
        "knowledge_query_cypher": Method(
            name="knowledge_query_cypher",
            scope="cypher",
            works_degraded=False,
            progress=False,
            run=_query_cypher,
        ),
        "knowledge_get_episodes": Method(
            name="knowledge_get_episodes",
            scope="read",
            works_degraded=False,
            progress=False,
            run=_get_episodes,
        ),
        "knowledge_get_nodes_by_group": Method(
            name="knowledge_get_nodes_by_group",
            scope="read",
            works_degraded=False,
            progress=False,
            run=_get_nodes_by_group,
        ),
        "knowledge_get_edges_by_group": Method(
            name="knowledge_get_edges_by_group",
            scope="read",
            works_degraded=False,
            progress=False,
            run=_get_edges_by_group,
        ),
        "knowledge_get_edges_by_uuids": Method(
            name="knowledge_get_edges_by_uuids",
            scope="read",
            works_degraded=False,
            progress=False,
            run=_get_edges_by_uuids,
        ),
        "knowledge_list_entities": Method(
            name="knowledge_list_entities",
            scope="read",
            works_degraded=False,
            progress=False,
            run=_list_entities,
        ),
        "knowledge_list_relationships": Method(
            name="knowledge_list_relationships",
            scope="read",
            works_degraded=False,
            progress=False,
            run=_list_relationships,
        ),
        "knowledge_get_entity_neighbors": Method(
            name="knowledge_get_entity_neighbors",
            scope="read",
            works_degraded=False,
            progress=False,
            run=_get_entity_neighbors,
        ),
        "knowledge_get_entities_by_source": Method(
            name="knowledge_get_entities_by_source",
            scope="read",
            works_degraded=False,
            progress=False,
            run=_get_entities_by_source,
        ),
        "knowledge_delete_episode": Method(
            name="knowledge_delete_episode",
            scope="write",
            works_degraded=False,
            progress=False,
            run=_delete_episode,
        ),
        "knowledge_delete_by_source": Method(
            name="knowledge_delete_by_source",
            scope="write",
            works_degraded=False,
            progress=False,
            run=_delete_by_source,
        ),
        "knowledge_delete_chunk_episode": Method(
            name="knowledge_delete_chunk_episode",
            scope="write",
            works_degraded=False,
            progress=False,
            run=_delete_chunk_episode,
        ),
        "knowledge_delete_by_group": Method(
            name="knowledge_delete_by_group",
            scope="admin",
            works_degraded=False,
            progress=False,
            run=_delete_by_group,
        ),
        "knowledge_clear_all": Method(
            name="knowledge_clear_all",
            scope="write",
            works_degraded=False,
            progress=False,
            run=_clear_all,
        ),
        "knowledge_merge_entities": Method(
            name="knowledge_merge_entities",
            scope="write",
            works_degraded=False,
            progress=False,
            run=_merge_entities,
        ),
        "knowledge_validate_corrections": Method(
            name="knowledge_validate_corrections",
            scope="read",
            works_degraded=False,
            progress=False,
            run=_validate_corrections,
        ),
        "knowledge_apply_corrections": Method(
            name="knowledge_apply_corrections",
            scope="write",
            works_degraded=False,
            progress=False,
            run=_apply_corrections,
        ),
        "knowledge_reprocess_entity_types": Method(
            name="knowledge_reprocess_entity_types",
            scope="write",
            works_degraded=False,
            progress=True,
            run=_reprocess_entity_types,
        ),
        "knowledge_canonicalize_relations": Method(
            name="knowledge_canonicalize_relations",
            scope="write",
            works_degraded=False,
            progress=True,
            run=_canonicalize_relations,
        ),
        "knowledge_backfill_relation_types": Method(
            name="knowledge_backfill_relation_types",
            scope="write",
            works_degraded=False,
            progress=True,
            run=_backfill_relation_types,
        ),
        "knowledge_reprocess_relation_types": Method(
            name="knowledge_reprocess_relation_types",
            scope="write",
            works_degraded=False,
            progress=True,
            run=_reprocess_relation_types,
        ),
        "knowledge_backfill_summary_embeddings": Method(
            name="knowledge_backfill_summary_embeddings",
            scope="admin",
            works_degraded=False,
            progress=True,
            run=_backfill_summary_embeddings,
        ),
        "knowledge_add_cross_group_edge": Method(
            name="knowledge_add_cross_group_edge",
            scope="write",
            works_degraded=False,
            progress=False,
            run=_add_cross_group_edge,
        ),
        "knowledge_rebind_pointers": Method(
            name="knowledge_rebind_pointers",
            scope="admin",
            works_degraded=False,
            progress=False,
            run=_rebind_pointers,
        ),
        "knowledge_dump_wal": Method(
            name="knowledge_dump_wal",
            scope="admin",
            works_degraded=False,
            progress=False,
            run=_dump_wal,
        ),
        "knowledge_prepare_checkpoint": Method(
            name="knowledge_prepare_checkpoint",
            scope="admin",
            works_degraded=False,
            progress=False,
            run=_prepare_checkpoint,
        ),
        "knowledge_wal_mark_create": Method(
            name="knowledge_wal_mark_create",
            scope="admin",
            works_degraded=False,
            progress=False,
            run=_wal_mark_create,
        ),
        "knowledge_wal_mark_list": Method(
            name="knowledge_wal_mark_list",
            scope="admin",
            works_degraded=True,
            progress=False,
            run=_wal_mark_list,
        ),
        "knowledge_wal_mark_delete": Method(
            name="knowledge_wal_mark_delete",
            scope="admin",
            works_degraded=True,
            progress=False,
            run=_wal_mark_delete,
        ),
        "knowledge_rebuild_from_wal": Method(
            name="knowledge_rebuild_from_wal",
            scope="admin",
            works_degraded=False,
            progress=True,
            run=_rebuild_from_wal,
        ),
        "knowledge_build_indices": Method(
            name="knowledge_build_indices",
            scope="admin",
            works_degraded=False,
            progress=False,
            run=_build_indices,
        ),
        "knowledge_recover": Method(
            name="knowledge_recover",
            scope="admin",
            works_degraded=True,
            progress=False,
            run=_recover,
        ),
        "knowledge_recover_full": Method(
            name="knowledge_recover_full",
            scope="admin",
            works_degraded=True,
            progress=False,
            run=_recover_full,
        ),
        "knowledge_close": Method(
            name="knowledge_close",
            scope="admin",
            works_degraded=True,
            progress=False,
            run=_close,
        ),
    }
)
"""Every method of the registry."""
