"""An ontology as the program uses it: every name normalised, no unknown parents, no cycles."""

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import orjson

from lcg.ontology.words import entity_type_name, relation_name

Mode = Literal["open", "strict"]
ROOT = "Entity"
UNCLASSIFIED_ENTITY = "Unclassified"
UNCLASSIFIED_RELATION = "UNCLASSIFIED"


@dataclass(frozen=True, slots=True)
class EntityType:
    """A declared type of entities. `parent` is another declared type, or None below the root."""

    name: str
    description: str = ""
    parent: str | None = None


@dataclass(frozen=True, slots=True)
class RelationType:
    """A declared type of relationships. `source_type` and `target_type` inform, nothing enforces them."""

    name: str
    description: str = ""
    source_type: str = ""
    target_type: str = ""
    aliases: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    single_valued: bool = False


@dataclass(frozen=True)
class Ontology:
    """What a file declares, in its order. At least one type is declared."""

    mode: Mode
    entity_types: tuple[EntityType, ...] = ()
    relation_types: tuple[RelationType, ...] = ()

    @cached_property
    def entities(self) -> dict[str, EntityType]:
        """Entity types by name."""
        return {declared.name: declared for declared in self.entity_types}

    @cached_property
    def relations(self) -> dict[str, RelationType]:
        """Relation types by name."""
        return {declared.name: declared for declared in self.relation_types}

    @cached_property
    def canonical(self) -> dict[str, str]:
        """The relation type that a name or an alias means. A name wins over an alias, the first of two aliases."""
        names: dict[str, str] = {}
        for declared in self.relation_types:
            for alias in declared.aliases:
                names.setdefault(alias, declared.name)
        return names | {name: name for name in self.relations}

    @cached_property
    def keywords(self) -> tuple[tuple[str, str], ...]:
        """Every keyword with its relation type, in the order of the file."""
        return tuple((word, declared.name) for declared in self.relation_types for word in declared.keywords)

    @property
    def has_hierarchy(self) -> bool:
        """Whether any entity type has a parent."""
        return any(declared.parent for declared in self.entity_types)

    def chain(self, entity_type: str) -> tuple[str, ...]:
        """Return the labels of an entity of a type: the root, its ancestors from the top, the type."""
        labels = [entity_type]
        declared = self.entities.get(entity_type)
        while declared is not None and declared.parent is not None:
            labels.append(declared.parent)
            declared = self.entities.get(declared.parent)
        return (ROOT, *reversed(labels))

    def entity_type(self, text: str) -> str | None:
        """Return the declared entity type that a text names, or None."""
        name = entity_type_name(text)
        return name if name in self.entities else None

    def relation_type(self, text: str) -> str | None:
        """Return the declared relation type that a text names or is an alias of, or None."""
        return self.canonical.get(relation_name(text))

    @cached_property
    def fingerprint(self) -> str:
        """A hash of everything that is declared; order and spellings that are normalised away do not change it."""
        content = {
            "mode": self.mode,
            "entity_types": sorted([item.name, item.description, item.parent or ""] for item in self.entity_types),
            "relation_types": sorted(_relation_content(item) for item in self.relation_types),
        }
        return hashlib.sha256(orjson.dumps(content, option=orjson.OPT_SORT_KEYS)).hexdigest()


def _relation_content(item: RelationType) -> list[str | list[str]]:
    texts: list[str | list[str]] = [item.name, item.description, item.source_type, item.target_type]
    return [*texts, sorted(item.aliases), sorted(item.keywords), str(item.single_valued)]


def labels_for(entity_type: str, ontology: Ontology | None) -> tuple[str, ...]:
    """Return the labels of an entity of a type, declared or not; the root alone for no type."""
    if entity_type in ("", ROOT):
        return (ROOT,)
    return (ROOT, entity_type) if ontology is None else ontology.chain(entity_type)


def type_of(labels: tuple[str, ...]) -> str | None:
    """Return the type that labels end with, or None for an entity without one."""
    return labels[-1] if labels and labels[-1] != ROOT else None
