"""What the ontology makes of the types that an extractor gave. Nothing is dropped: a type that may not stay is kept."""

from dataclasses import dataclass

from lcg.model.rows import MERGED
from lcg.ontology.model import ROOT, UNCLASSIFIED_ENTITY, UNCLASSIFIED_RELATION, Ontology, labels_for
from lcg.ontology.words import entity_type_name, relation_name


@dataclass(frozen=True, slots=True)
class TypedEntity:
    """The labels of an entity. `original` is the extractor's type when strict mode replaced it, else `""`."""

    labels: tuple[str, ...]
    original: str = ""


@dataclass(frozen=True, slots=True)
class TypedRelation:
    """The relation type of an edge, None when it was given none. `original` as with entities."""

    relation_type: str | None
    original: str = ""


def typed_entity(given: str, ontology: Ontology | None) -> TypedEntity:
    """Return the labels for an extracted type."""
    if entity_type_name(given) in (ROOT, MERGED):
        # The label of tombstones is nobody's to give.
        given = ""
    if ontology is None or not ontology.entity_types or not given:
        return TypedEntity(labels_for(given, ontology))
    declared = ontology.entity_type(given)
    if declared is not None:
        return TypedEntity(ontology.chain(declared))
    if ontology.mode == "open":
        return TypedEntity(labels_for(given, ontology))
    return TypedEntity((ROOT, UNCLASSIFIED_ENTITY), original=given)


def typed_relation(given: str | None, ontology: Ontology | None) -> TypedRelation:
    """Return the relation type for an extracted relation: aliases become the type that they stand for."""
    if given is None or ontology is None or not ontology.relation_types:
        return TypedRelation(given)
    declared = ontology.relation_type(given)
    if declared is not None or ontology.mode == "open":
        return TypedRelation(declared or relation_name(given))
    return TypedRelation(UNCLASSIFIED_RELATION, original=given)
