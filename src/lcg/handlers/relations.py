"""Relation typing: by words, by the facts, and the deprecated way that makes types up."""

from lcg.errors import OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.generated.params import (
    BackfillRelationTypesParams,
    CanonicalizeRelationsParams,
    ReprocessRelationTypesParams,
)
from lcg.generated.results import (
    BackfillRelationTypesResult,
    CanonicalizeRelationsResult,
)
from lcg.generated.results import (
    ReprocessRelationTypesResult as Reprocessed,
)
from lcg.graph.graph import Graph
from lcg.handlers.records import extractor_record
from lcg.model.names import is_blank
from lcg.ontology.workspace import Ontologies
from lcg.providers.classifier.protocol import Classifier, ClassifierError
from lcg.runtime.call import Call
from lcg.services.embedding import Embedding
from lcg.services.ontology_needs import missing_types
from lcg.services.relations import backfill, canonicalize, reclassify


class RelationsHandlers:
    """Types relationships that are stored."""

    def __init__(
        self, graph: Graph, ontologies: Ontologies, embedding: Embedding, classifier: Classifier | None
    ) -> None:
        self._graph = graph
        self._ontologies = ontologies
        self._embedding = embedding
        self._classifier = classifier

    def canonicalize_relations(self, params: CanonicalizeRelationsParams, call: Call) -> CanonicalizeRelationsResult:
        """Map predicates to relation types by their words."""
        missing = missing_types(self._ontologies, params.group_id, "relation_types")
        ontology = self._ontologies.of_group(params.group_id)
        if missing is not None or ontology is None:
            raise OperationFailed(ErrorKind.PRECONDITION, str(missing))
        done = canonicalize(
            self._graph,
            self._embedding,
            ontology,
            params.group_id,
            params.embedding_threshold,
            call,
            dry_run=params.dry_run,
        )
        share = {kind: round(100 * count / done.total) for kind, count in done.counts.items()}
        result: CanonicalizeRelationsResult = {
            "group_id": params.group_id,
            "total_edges": done.total,
            "mapped_count": done.counts["mapped"],
            "noise_count": done.counts["noise"],
            "residual_count": done.counts["residual"],
            "embedding_fallback_promoted": done.promoted,
            "mapped_pct": share.get("mapped", 0),
            "noise_pct": share.get("noise", 0),
            "residual_pct": share.get("residual", 0),
            "dry_run": params.dry_run,
        }
        if done.embedding_warning is not None:
            result["embedding_warning"] = done.embedding_warning
        return result

    def backfill_relation_types(self, params: BackfillRelationTypesParams, call: Call) -> BackfillRelationTypesResult:
        """Make types up for relationships without one."""
        total, filled = backfill(self._graph, params.group_id, call, dry_run=params.dry_run)
        return {
            "group_id": params.group_id,
            "total_edges": total,
            "backfilled": filled,
            "dry_run": params.dry_run,
            "deprecated": True,
        }

    def reprocess_relation_types(self, params: ReprocessRelationTypesParams, call: Call) -> Reprocessed:
        """Let the classifier choose relation types from the facts."""
        result: Reprocessed = {
            "success": True,
            "group_id": params.group_id,
            "classifier": extractor_record(self._classifier),
        }
        missing = missing_types(self._ontologies, params.group_id, "relation_types")
        ontology = self._ontologies.of_group(params.group_id)
        if missing is not None or ontology is None:
            return result | {"success": False, "error": str(missing), "kind": "precondition"}
        try:
            done = reclassify(
                self._graph,
                self._classifier,
                ontology,
                params.group_id,
                params.scope,
                call,
                dry_run=params.dry_run,
            )
        except ClassifierError as error:
            return result | {"success": False, "error": f"{error} Nothing was written.", "kind": "provider_failed"}
        result["breakdown"] = dict(sorted(done.breakdown.items()))
        if not params.dry_run:
            unchanged = done.breakdown.total() - done.written
            return result | {"reclassified_count": done.written, "unchanged_count": unchanged}
        result["would_reclassify_count"] = len(done.changes)
        result["plan"] = [
            {
                "edge_id": change.uuid,
                "fact": change.fact,
                "old_type": None if is_blank(change.old or "") else change.old,
                "new_type": change.new,
            }
            for change in done.changes
        ]
        return result
