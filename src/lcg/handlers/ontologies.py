"""What the status says of ontologies."""

from collections.abc import Iterable
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


def add_declared(result: StatusResultOntology, ontologies: Ontologies, groups: Iterable[str]) -> None:
    """Add what is declared for the workspace, and for those of the groups that have an ontology of their own."""
    result["declared"] = _declared(ontologies.workspace)
    of_groups = {group_id: ontologies.of_group(group_id) for group_id in sorted(groups)}
    result["declared_by_group"] = {
        group_id: _declared(own) for group_id, own in of_groups.items() if own is not ontologies.workspace
    }


def _declared(ontology: Ontology | None) -> dict[str, Any] | None:
    if ontology is None:
        return None
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
