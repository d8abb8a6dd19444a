"""Curation: merging entities, and the corrections that people keep in a file."""

from lcg.generated.params import MergeEntitiesParams
from lcg.generated.results import MergeEntitiesResult, MergeEntitiesResultPlan
from lcg.graph.graph import Graph
from lcg.model.times import now
from lcg.runtime.call import Call
from lcg.services.merge import Merged, merge
from lcg.services.merge_selection import Merge


class CurationHandlers:
    """Keeps what is in the graph good."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    def merge_entities(self, params: MergeEntitiesParams, call: Call) -> MergeEntitiesResult:
        """Make one entity of several."""
        wish = Merge(
            group_id=params.group_id,
            now=now(),
            canonical_uuid=params.canonical_uuid,
            canonical_name=params.canonical_name,
            alias_uuids=params.alias_uuids,
            alias_names=params.alias_names,
            merge_all_by_name=params.merge_all_by_name,
        )
        done = merge(self._graph, wish, call.method, dry_run=params.dry_run, cancelled=call.cancelled)
        result: MergeEntitiesResult = {
            "success": done.success,
            "canonical_uuid": done.canonical_uuid,
            "merged_count": done.total("buried"),
            "skipped": done.skipped,
            "edges_rewritten": done.total("rewritten"),
            "edges_deduplicated": done.total("duplicates"),
            "foreign_edges_skipped": done.total("foreign"),
            "errors": done.errors,
        }
        if params.dry_run and done.canonical_uuid:
            result["plan"] = _plan(done)
        if done.warnings:
            result["warnings"] = done.warnings
        return result


def _plan(done: Merged) -> MergeEntitiesResultPlan:
    return {
        "aliases": [
            {
                "uuid": alias.uuid,
                "name": alias.name,
                "active_edges": alias.rewritten,
                "duplicate_edges": alias.duplicates,
                "foreign_edges_skipped": alias.foreign,
            }
            for alias in done.aliases.values()
        ],
        "total_edges_rewritten": done.total("rewritten"),
        "total_edges_collapsed": done.total("duplicates"),
        "total_foreign_edges_skipped": done.total("foreign"),
    }
