"""Having a text read by the extractor, and trusting nothing of what comes back."""

from dataclasses import replace

from lcg.errors import OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.model.names import has_control, is_blank, normalise
from lcg.ontology.model import Ontology
from lcg.providers.extractor.protocol import (
    ExtractedEdge,
    ExtractedEntity,
    Extraction,
    Extractor,
    ExtractorError,
    Surroundings,
    TextTooLong,
)
from lcg.services.ingest.chunk import Ingest, Reading

UNCONFIGURED = (
    "No extraction provider configured. Start the service with `--extractor builtin` or LCG_EXTRACTOR=builtin (rules, "
    "offline), or set ANTHROPIC_API_KEY, or LCG_EXTRACTION_URL (with LCG_EXTRACTION_API_KEY where needed), or use "
    "`--extractor-http` or `--extractor-uds`. Facts that you already know need no extractor: knowledge_assert_entity "
    "and knowledge_assert_relationship store them as they are."
)


_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u2060\ufeff"))
"""Soft hyphens and spaces without width: a name with one looks like the name without, and would be another one."""


def read_text(extractor: Extractor | None, wish: Ingest, ontology: Ontology | None) -> Reading:
    """Extract entities and facts from a text, by the group's ontology.

    Raises:
        OperationFailed: `unconfigured` without an extractor, `provider_failed` when it gave no usable answer,
            `limit` when the text is too long for it.
    """
    if extractor is None:
        raise OperationFailed(ErrorKind.UNCONFIGURED, UNCONFIGURED)
    try:
        surroundings = Surroundings(ontology, wish.source_description or wish.name)
        found = extractor.extract(wish.text, wish.source_type, wish.reference_time, surroundings)
    except TextTooLong as error:
        raise OperationFailed(ErrorKind.LIMIT, str(error)) from error
    except ExtractorError as error:
        raise OperationFailed(
            ErrorKind.PROVIDER_FAILED,
            f"The {extractor.provider} extractor gave no usable answer, nothing was stored; try again. {error}",
            provider=extractor.provider,
            model=extractor.model,
        ) from error
    entities = [entity for entity in map(_clean_entity, found.entities) if entity is not None]
    edges = [edge for edge in map(_clean_edge, found.edges) if edge is not None]
    return Reading(
        Extraction(entities, edges),
        found.entities_malformed + len(found.entities) - len(entities),
        found.edges_malformed + len(found.edges) - len(edges),
    )


def _clean_name(name: str) -> str:
    """Return a name as it is stored: in NFC, one space where the text had a line break or several blanks."""
    return normalise(" ".join(name.translate(_INVISIBLE).split()))


def _clean_entity(entity: ExtractedEntity) -> ExtractedEntity | None:
    name = _clean_name(entity.name)
    if not name or has_control(name):
        return None
    return replace(entity, name=name, entity_type=normalise(entity.entity_type))


def _clean_edge(edge: ExtractedEdge) -> ExtractedEdge | None:
    source, target = _clean_name(edge.source_name), _clean_name(edge.target_name)
    unusable = not source or not target or is_blank(edge.fact) or has_control(source) or has_control(target)
    return None if unusable else replace(edge, source_name=source, target_name=target)
