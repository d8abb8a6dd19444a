"""Matching predicates with the ontology's relation types by their words alone."""

import re
from dataclasses import dataclass
from typing import Literal

from lcg.ontology.model import Ontology
from lcg.ontology.words import relation_name

_NOISE = re.compile(r"[A-Z][A-Z0-9 ]*\s*(?:→|->)\s*[A-Z][A-Z0-9 ]*")


@dataclass(frozen=True, slots=True)
class Match:
    """What a relationship is: mapped to a relation type, noise, or left over."""

    kind: Literal["mapped", "noise", "residual"]
    relation_type: str | None = None


_NOISY, _RESIDUAL = Match("noise"), Match("residual")


def match(ontology: Ontology, predicate: str, relation_type: str | None) -> Match:
    """Apply the rules, the first that matches decides: noise, then the predicate, then the stored type."""
    stored = (relation_type or "").strip()
    if _NOISE.fullmatch(predicate.strip()) or _NOISE.fullmatch(stored):
        return _NOISY
    found = _by_words(ontology, predicate)
    if found is None and stored in ontology.relations:
        found = stored
    if found is None:
        found = _by_words(ontology, stored)
    return _RESIDUAL if found is None else Match("mapped", found)


def _by_words(ontology: Ontology, text: str) -> str | None:
    """Return the type that a text is the name or an alias of, or holds a keyword of, in the ontology's order."""
    normalised = relation_name(text)
    if normalised in ontology.canonical:
        return ontology.canonical[normalised]
    lower = normalised.lower()
    return next((name for keyword, name in ontology.keywords if keyword in lower), None)
