"""A language model as extractor: one request for the entities, one for the relationships between them."""

from typing import Final

from lcg.model.times import Micros
from lcg.providers.extractor.protocol import (
    NO_SURROUNDINGS,
    Extraction,
    ExtractorError,
    SourceType,
    Surroundings,
    TextTooLong,
)
from lcg.providers.llm.cassette import CassetteError
from lcg.providers.llm.client import LlmClient, NoAnswer, Provider
from lcg.providers.llm.items import prompt_names, read_edges, read_entities
from lcg.providers.llm.question import edges_question, entities_question

MOST_TEXT_BYTES: Final = 400_000
"""About 100,000 tokens: longer texts leave no room for the answer in the windows of most models, and cost much."""


class LlmExtractor:
    """See `Extractor`. Names the model that is asked now."""

    def __init__(self, client: LlmClient) -> None:
        self.client = client

    @property
    def provider(self) -> Provider:
        """Who is asked."""
        return self.client.provider

    @property
    def model(self) -> str | None:
        """The model that is asked now."""
        return self.client.model

    def extract(
        self,
        text: str,
        source_type: SourceType,
        reference_time: Micros,
        surroundings: Surroundings = NO_SURROUNDINGS,
    ) -> Extraction:
        """See `Extractor`. Without entities there is no second request."""
        size = len(text.encode())
        if size > MOST_TEXT_BYTES:
            raise TextTooLong(
                f"The text has {size:,} bytes, and a model is sent {MOST_TEXT_BYTES:,} at most. Send it in chunks."
            )
        ontology, about = surroundings.ontology, surroundings.about
        try:
            entities, entities_malformed = self.client.ask(
                entities_question(text, source_type, ontology, about), read_entities
            )
            names = prompt_names(entity.name for entity in entities)
            if not names:
                return Extraction(entities, [], entities_malformed)
            edges, edges_malformed = self.client.ask(
                edges_question(text, source_type, ontology, names, reference_time, about), read_edges
            )
        except (NoAnswer, CassetteError) as error:
            raise ExtractorError(str(error)) from error
        return Extraction(entities, edges, entities_malformed, edges_malformed)
