"""What chooses types for entities and facts that are stored already."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


class ClassifierError(Exception):
    """The classifier did not answer, or not usably. The message is safe to show."""


@dataclass(frozen=True, slots=True)
class TypeChoice:
    """A type on the menu. `aliases` and `keywords` are normalised as in the ontology."""

    name: str
    description: str = ""
    aliases: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EntityText:
    """What a classifier reads of an entity."""

    name: str
    summary: str


class Classifier(Protocol):
    """A classifier. `provider` and `model` (None for rules) name it in results."""

    @property
    def provider(self) -> str:
        """Who is asked: `builtin`, `anthropic` or `openai`."""
        ...

    @property
    def model(self) -> str | None:
        """The model that is asked now."""
        ...

    def classify_entities(self, entities: Sequence[EntityText], menu: Sequence[TypeChoice]) -> list[str]:
        """Return a type for each entity, `""` when unsure; any type when the menu is empty.

        Raises:
            ClassifierError: no usable answer.
        """
        ...

    def classify_facts(self, facts: Sequence[str], menu: Sequence[TypeChoice]) -> list[str]:
        """Return a relation type of the menu for each fact, `""` when unsure. Errors as above."""
        ...
