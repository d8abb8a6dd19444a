"""What is asked of a model, whatever its dialect."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from lcg.model.times import Micros
from lcg.ontology.model import Ontology
from lcg.providers.classifier.protocol import EntityText, TypeChoice
from lcg.providers.extractor.protocol import SourceType
from lcg.providers.llm import prompts, schemas
from lcg.providers.llm.schemas import Tool

CallType = Literal["entities", "edges", "classify_entities", "classify_facts"]
ROLES: Final[dict[CallType, str]] = {
    "entities": "extraction",
    "edges": "extraction",
    "classify_entities": "classification",
    "classify_facts": "relation_classification",
}
"""What a call is for, in telemetry."""

LEAST_TOKENS: Final = 4096
_EDGES_PER_BYTE: Final = 1.5
_TOKENS_PER_VERDICT: Final = 24


@dataclass(frozen=True, slots=True)
class Question:
    """One request to a model.

    Attributes:
        call: what is asked for.
        key: the key of the answer's array in its JSON object.
        system: the rules.
        shape: what the answer looks like, for models that get no tool.
        user: the data.
        budget: tokens that the answer may take, before the bounds.
        tool: the tool that takes the answer, where the dialect has tools.
        about: what the question is about, for reports on failures: the chunk, or `""`.
        data_bytes: length of the data in bytes.
    """

    call: CallType
    key: str
    system: str
    shape: str
    user: str
    budget: int
    tool: Tool | None
    about: str
    data_bytes: int


def entities_question(text: str, source_type: SourceType, ontology: Ontology | None, about: str) -> Question:
    """Ask for the entities of a text."""
    size = len(text.encode())
    return Question(
        "entities",
        "entities",
        prompts.entity_system(source_type, ontology),
        schemas.ENTITIES_SHAPE,
        prompts.entity_user(text),
        size,
        schemas.entities_tool(),
        about,
        size,
    )


def edges_question(
    text: str,
    source_type: SourceType,
    ontology: Ontology | None,
    names: Sequence[str],
    reference_time: Micros,
    about: str,
) -> Question:
    """Ask for the relationships between entities that were found in a text."""
    size = len(text.encode())
    return Question(
        "edges",
        "edges",
        prompts.edge_system(source_type, ontology),
        schemas.EDGES_SHAPE,
        prompts.edge_user(text, names, reference_time),
        round(size * _EDGES_PER_BYTE),
        schemas.edges_tool(names),
        about,
        size,
    )


def entity_types_question(entities: Sequence[EntityText], menu: Sequence[TypeChoice]) -> Question:
    """Ask for the types of entities."""
    user = prompts.classify_user({"name": entity.name, "summary": entity.summary} for entity in entities)
    system = prompts.classify_entities_system(menu)
    return _types_question("classify_entities", system, user, len(entities))


def relation_types_question(facts: Sequence[str], menu: Sequence[TypeChoice]) -> Question:
    """Ask for the relation types of facts."""
    user = prompts.classify_user({"fact": fact} for fact in facts)
    return _types_question("classify_facts", prompts.classify_facts_system(menu), user, len(facts))


def _types_question(call: CallType, system: str, user: str, count: int) -> Question:
    size = len(user.encode())
    return Question(call, "types", system, schemas.TYPES_SHAPE, user, count * _TOKENS_PER_VERDICT, None, "", size)


def first_budget(question: Question, ceiling: int) -> int:
    """Return the tokens that the first answer may take."""
    return min(max(question.budget, LEAST_TOKENS), ceiling)
