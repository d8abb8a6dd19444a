"""What the status says of ontologies."""

from dataclasses import asdict
from typing import Any

from lcg.generated.results import StatusResultGroupOntologyDrift, StatusResultOntology
from lcg.graph.entries import Count
from lcg.graph.index import GraphIndex
from lcg.ontology.model import Ontology
from lcg.ontology.workspace import Ontologies


def workspace_ontology(ontologies: Ontologies, index: GraphIndex | None) -> StatusResultOntology:
    """Describe the workspace's ontology; without the store nothing is said of drift."""
    ontology = ontologies.workspace
    in_use = index is not None and index.count(Count.EPISODES) > 0
    drift = ontologies.record.drift_of_workspace(ontology, in_use=in_use)
    return {
        "present": ontologies.present,
        "loaded": ontology is not None,
        "mode": ontology.mode if ontology else None,
        "entity_type_count": len(ontology.entity_types) if ontology else 0,
        "relation_type_count": len(ontology.relation_types) if ontology else 0,
        "drifted": drift is not None,
        "drift_summary": drift,
        "issues": ontologies.issues,
    }


def add_declared(result: StatusResultOntology, ontologies: Ontologies) -> None:
    """Add what is declared for the workspace, and for groups that have an ontology of their own."""
    own = ontologies.workspace
    result["declared"] = None if own is None else _declared(own)
    result["declared_by_group"] = {name: _declared(found) for name, found in ontologies.of_groups.items()}


def _declared(ontology: Ontology) -> dict[str, Any]:
    return {
        "mode": ontology.mode,
        "entity_types": [asdict(declared) for declared in ontology.entity_types],
        "relation_types": [asdict(declared) for declared in ontology.relation_types],
    }


def group_drifts(ontologies: Ontologies, index: GraphIndex) -> list[StatusResultGroupOntologyDrift]:
    """Describe the groups that have texts and go, or went, by an ontology."""
    recorded = ontologies.record.recorded_groups()
    drifts: list[StatusResultGroupOntologyDrift] = []
    for group_id in sorted(index.groups()):
        ontology = ontologies.of_group(group_id)
        in_use = index.count(Count.EPISODES, group_id) > 0
        if not in_use or (ontology is None and group_id not in recorded):
            continue
        drift = ontologies.record.drift_of_group(group_id, ontology, in_use=in_use)
        drifts.append({"group_id": group_id, "drifted": drift is not None, "drift_summary": drift})
    return drifts
