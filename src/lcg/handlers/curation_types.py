"""Curation: choosing the types of entities anew."""

from lcg.generated.params import ReprocessEntityTypesParams
from lcg.generated.results import ReprocessEntityTypesResult
from lcg.graph.graph import Graph
from lcg.handlers.curation import CurationHandlers
from lcg.handlers.records import extractor_record
from lcg.ontology.model import type_of
from lcg.ontology.workspace import Ontologies
from lcg.providers.classifier.protocol import Classifier, ClassifierError
from lcg.runtime.call import Call
from lcg.services.corrections import Corrections
from lcg.services.entity_types import retype
from lcg.services.ontology_needs import missing_types


class EntityTypeHandlers(CurationHandlers):
    """All of curation: what CurationHandlers does, and typing entities that are stored."""

    def __init__(
        self, graph: Graph, corrections: Corrections, ontologies: Ontologies, classifier: Classifier | None
    ) -> None:
        super().__init__(graph, corrections)
        self._ontologies = ontologies
        self._classifier = classifier

    def reprocess_entity_types(self, params: ReprocessEntityTypesParams, call: Call) -> ReprocessEntityTypesResult:
        """Let the classifier choose the types of entities."""
        result: ReprocessEntityTypesResult = {
            "success": True,
            "group_id": params.group_id,
            "classifier": extractor_record(self._classifier),
        }
        if params.scope != "untyped":
            missing = missing_types(self._ontologies, params.group_id, "entity_types")
            if missing is not None:
                return result | {"success": False, "error": missing, "kind": "precondition"}
        try:
            done = retype(
                self._graph,
                self._classifier,
                self._ontologies.of_group(params.group_id),
                params.group_id,
                params.scope,
                call,
                dry_run=params.dry_run,
            )
        except ClassifierError as error:
            return result | {"success": False, "error": f"{error} Nothing was written.", "kind": "provider_failed"}
        if not params.dry_run:
            return result | {
                "reclassified_count": done.written,
                "unchanged_count": done.candidates - done.written,
                "restamped_count": done.restamped,
            }
        return result | {
            "would_reclassify_count": len(done.changes),
            "plan": [
                {
                    "entity_id": change.uuid,
                    "entity_name": change.name,
                    "old_type": type_of(change.old),
                    "new_type": change.new[-1],
                }
                for change in done.changes
            ],
        }
