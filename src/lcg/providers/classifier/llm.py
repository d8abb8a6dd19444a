"""A language model as classifier: one request for a batch of entities or facts. It may abstain."""

from collections.abc import Mapping, Sequence
from typing import Any

from lcg.ontology.words import entity_type_name, relation_name
from lcg.providers.classifier.protocol import ClassifierError, EntityText, TypeChoice
from lcg.providers.llm.cassette import CassetteError
from lcg.providers.llm.client import LlmClient, NoAnswer, Provider
from lcg.providers.llm.items import read_types
from lcg.providers.llm.question import Question, entity_types_question, relation_types_question


class LlmClassifier:
    """See `Classifier`. Shares the model, and its fallback, with the extractor."""

    def __init__(self, client: LlmClient) -> None:
        self._client = client

    @property
    def provider(self) -> Provider:
        """Who is asked."""
        return self._client.provider

    @property
    def model(self) -> str | None:
        """The model that is asked now."""
        return self._client.model

    def classify_entities(self, entities: Sequence[EntityText], menu: Sequence[TypeChoice]) -> list[str]:
        """See `Classifier`. Without a menu the model names types of its own."""
        if not entities:
            return []
        verdicts = self._ask(entity_types_question(entities, menu), len(entities))
        if not menu:
            return [entity_type_name(verdict) for verdict in verdicts]
        legal = {entity_type_name(choice.name): choice.name for choice in menu}
        return [legal.get(entity_type_name(verdict), "") for verdict in verdicts]

    def classify_facts(self, facts: Sequence[str], menu: Sequence[TypeChoice]) -> list[str]:
        """See `Classifier`. A name or an alias of the menu counts, anything else is no verdict."""
        if not facts or not menu:
            return [""] * len(facts)
        legal = _relations(menu)
        verdicts = self._ask(relation_types_question(facts, menu), len(facts))
        return [legal.get(relation_name(verdict), "") for verdict in verdicts]

    def _ask(self, question: Question, count: int) -> list[str]:
        def take(items: list[Any]) -> tuple[list[str], int]:
            return read_types(items, count), 0

        try:
            return self._client.ask(question, take)[0]
        except (NoAnswer, CassetteError) as error:
            raise ClassifierError(f"The {self.provider} classifier gave no usable answer. {error}") from error


def _relations(menu: Sequence[TypeChoice]) -> Mapping[str, str]:
    aliases = {relation_name(alias): choice.name for choice in reversed(menu) for alias in choice.aliases}
    return aliases | {relation_name(choice.name): choice.name for choice in menu}
