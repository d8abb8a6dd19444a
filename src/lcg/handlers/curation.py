"""Curation: merging entities, and the corrections that people keep in a file."""

from typing import cast

from lcg.generated.params import ApplyCorrectionsParams, MergeEntitiesParams
from lcg.generated.results import (
    ApplyCorrectionsResult,
    ApplyCorrectionsResultDetails,
    MergeEntitiesResult,
    MergeEntitiesResultPlan,
    ValidateCorrectionsResult,
)
from lcg.graph.graph import Graph
from lcg.model.times import now
from lcg.runtime.call import Call
from lcg.services.corrections import Applied, Corrections
from lcg.services.merge import Merged, merge
from lcg.services.merge_selection import Merge

NO_FILE = "No corrections file."


class CurationHandlers:
    """Keeps what is in the graph good."""

    def __init__(self, graph: Graph, corrections: Corrections) -> None:
        self._graph = graph
        self._corrections = corrections

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

    def validate_corrections(self, call: Call) -> ValidateCorrectionsResult:
        """Check the corrections file."""
        entries, issues = self._corrections.validate()
        count = len(entries or [])
        message = NO_FILE if entries is None else f"{count} corrections, {len(issues)} issues."
        return {
            "valid": not issues,
            "message": message,
            "total_corrections": count,
            "unapplied_corrections": sum(not entry.applied for entry in entries or []),
            "issues": issues,
            "warnings": [],
        }

    def apply_corrections(self, params: ApplyCorrectionsParams, call: Call) -> ApplyCorrectionsResult:
        """Apply the corrections file."""
        done = self._corrections.apply(call.method, dry_run=params.dry_run, cancelled=call.cancelled)
        result: ApplyCorrectionsResult = {
            "success": not done.errors,
            "applied": 0 if params.dry_run else len(done.done),
            "skipped": done.skipped,
            "errors": done.errors,
            "groups_done": list(done.groups_done),
            "details": _details(done, dry_run=params.dry_run),
        }
        if done.entries is None and not done.errors:
            result["message"] = NO_FILE
        if done.warnings:
            result["warnings"] = done.warnings
        return result


def _details(done: Applied, *, dry_run: bool) -> list[ApplyCorrectionsResultDetails]:
    prefix = "dry_run:" if dry_run else ""
    return [cast(ApplyCorrectionsResultDetails, {"id": e.id, "action": f"{prefix}{e.type}"}) for e in done.done]


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
