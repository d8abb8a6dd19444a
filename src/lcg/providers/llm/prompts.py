"""The prompts. Their words are in the files beside this one; here only the data is put in, fenced."""

import hashlib
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from string import Template
from typing import Final

import orjson

from lcg.model.times import Micros, to_log
from lcg.ontology.model import EntityType, Ontology, RelationType
from lcg.providers.classifier.protocol import TypeChoice
from lcg.providers.extractor.protocol import SourceType

COMMON_TYPES: Final = (
    "Person",
    "Organization",
    "Software",
    "Service",
    "System",
    "Technology",
    "Concept",
    "Location",
    "Event",
    "Process",
    "Requirement",
    "Document",
    "Product",
    "Project",
    "Award",
    "Book",
)
"""The types that are offered where no ontology declares any."""

_SOURCES: Final[dict[SourceType, str]] = {
    "text": "The text is prose, notes or a piece of a document.",
    "message": "The text is a conversation. Who speaks stands before the colon of a turn and is an entity; I and we "
    "mean the speaker.",
    "json": "The text is JSON. Entities are in the values; keys say what values mean and are no entities.",
}
_UNTYPED: Final = "Give an empty string where none fits."


@cache
def _template(name: str) -> Template:
    return Template((files("lcg.providers.llm") / "prompts" / f"{name}.txt").read_text(encoding="utf-8"))


def render(name: str, **values: str) -> str:
    """Fill a template; what the values hold is never a placeholder."""
    return _template(name).substitute(values).strip()


def fence(label: str, text: str) -> str:
    """Put data between two lines with a mark that the data cannot hold, since it is made from the data's hash.

    The same data always gets the same mark: a prompt depends on nothing but its contents.
    """
    mark = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return f"<<<{label} {mark}\n{text}\n{label} {mark}>>>"


def entity_system(source_type: SourceType, ontology: Ontology | None) -> str:
    """Return the system prompt that asks for entities."""
    types = _entity_types(ontology)
    return render("entities_system", types=types, source=_SOURCES[source_type])


def entity_user(text: str) -> str:
    """Return the message that holds the text whose entities are asked for."""
    return render("entities_user", text=fence("TEXT", text))


def edge_system(source_type: SourceType, ontology: Ontology | None) -> str:
    """Return the system prompt that asks for relationships."""
    types = _relation_types(ontology)
    return render("edges_system", types=types, source=_SOURCES[source_type])


def edge_user(text: str, names: Sequence[str], reference_time: Micros) -> str:
    """Return the message that holds the text, the names found in it and the time from which relative ones count."""
    return render(
        "edges_user",
        text=fence("TEXT", text),
        names=fence("NAMES", "\n".join(f"- {name}" for name in names)),
        reference_time=to_log(reference_time),
    )


def classify_entities_system(menu: Sequence[TypeChoice]) -> str:
    """Return the system prompt that asks for types of entities; any type when the menu is empty."""
    anything = (
        "- Use a short general type in CamelCase. Prefer one of these, and another only where none of them fits: "
        + ", ".join(COMMON_TYPES)
    )
    return render("classify_entities_system", types=_menu(menu) if menu else anything)


def classify_facts_system(menu: Sequence[TypeChoice]) -> str:
    """Return the system prompt that asks for relation types of facts."""
    return render("classify_facts_system", types=_menu(menu))


def classify_user(items: Iterable[dict[str, str]]) -> str:
    """Return the message that holds numbered items, each a JSON object of its own line."""
    lines = [f"{number}. {orjson.dumps(item).decode()}" for number, item in enumerate(items, start=1)]
    return render("classify_user", items=fence("LIST", "\n".join(lines)), count=str(len(lines)))


def _menu(menu: Sequence[TypeChoice]) -> str:
    return _bullets(_described(choice.name, choice.description, _also(choice.aliases)) for choice in menu)


def _also(words: Sequence[str]) -> str:
    return f" (also said as: {', '.join(words)})" if words else ""


def _entity_types(ontology: Ontology | None) -> str:
    if ontology is None or not ontology.entity_types:
        return (
            "- `entity_type` is one of these where it fits, else a short general type in CamelCase. "
            f"{_UNTYPED}\n{_bullets(COMMON_TYPES)}"
        )
    rule = (
        f"- `entity_type` is one of the declared types below, written exactly so, and nothing else. {_UNTYPED}"
        if ontology.mode == "strict"
        else "- Prefer one of the declared types below for `entity_type`, written exactly so; only where none fits, "
        f"another short general type in CamelCase. {_UNTYPED}"
    )
    return f"{rule}\n{_bullets(map(_declared_entity, ontology.entity_types))}"


def _declared_entity(declared: EntityType) -> str:
    parent = f" (a kind of {declared.parent})" if declared.parent else ""
    return _described(declared.name, declared.description, parent)


def _relation_types(ontology: Ontology | None) -> str:
    if ontology is None or not ontology.relation_types:
        return "- Use the same phrase for the same kind of relationship throughout."
    strict = ontology.mode == "strict"
    rule = (
        "- It is one of the declared types below, written exactly so, and nothing else; null where none fits."
        if strict
        else "- Prefer one of the declared types below, written exactly so; only where none fits, another phrase."
    )
    return f"{rule}\n{_bullets(_declared_relation(declared, strict) for declared in ontology.relation_types)}"


def _declared_relation(declared: RelationType, strict: bool) -> str:
    ends = ""
    if declared.source_type or declared.target_type:
        ends = f" ({declared.source_type or 'anything'} → {declared.target_type or 'anything'})"
    other = (*declared.aliases, *declared.keywords) if strict else ()
    return _described(declared.name, declared.description, ends + _also(other))


def _described(name: str, description: str, more: str) -> str:
    return f"{name}{more}: {' '.join(description.split())}" if description.strip() else f"{name}{more}"


def _bullets(lines: Iterable[str]) -> str:
    return "\n".join(f"  - {line}" for line in lines)
