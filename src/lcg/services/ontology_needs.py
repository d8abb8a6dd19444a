"""What is said when a pass needs types that no ontology declares."""

from typing import Literal

from lcg.ontology.model import Ontology
from lcg.ontology.workspace import Ontologies

Section = Literal["entity_types", "relation_types"]


def missing_types(ontologies: Ontologies, group_id: str, section: Section) -> str | None:
    """Return what is missing and where to put it, or None when the group's ontology declares such types."""
    ontology = ontologies.of_group(group_id)
    if ontology is not None and _declared(ontology, section):
        return None
    has = (
        f"The ontology of group {group_id!r} declares no {section}"
        if ontology
        else f"Group {group_id!r} has no ontology"
    )
    ignored = f" Ignored so far: {ontologies.issues[0]}." if ontologies.issues else ""
    return (
        f"{has}. Declare {section} in {ontologies.path} for the workspace, or in {ontologies.group_path(group_id)} for "
        f"this group alone, then restart the service.{ignored}"
    )


def _declared(ontology: Ontology, section: Section) -> int:
    return len(ontology.entity_types if section == "entity_types" else ontology.relation_types)
