"""Gives an entity its type from cue words, or none: `""` is better than a guess."""

import re

from lcg.model.names import name_key
from lcg.providers.extractor.rules import cues
from lcg.providers.extractor.rules.spans import Span
from lcg.providers.extractor.rules.vocabulary import words_of
from lcg.providers.extractor.rules.words import GIVEN_NAMES, NAME_SUFFIXES, PARTICLES

_DEFINED = re.compile(
    r"\s*(?:\([^()]{0,120}\)|,[^,.]{0,60},)?\s*"
    r"(?:is|was|are|were|ist|war|became|,)\s+(?:(?:one|the name|a type|a kind|part) of\s+)?"
    r"(?:a|an|the|ein|eine|der|die|das)\s+(?P<noun>[^.;:()]{1,80})",
)
_NOUN_ENDS = re.compile(
    r"\b(?:of|that|which|who|for|in|from|by|with|and|on|at|to|used|made|von|der|des|im|für|aus)\b|,"
)
_BORN = re.compile(r"\s*(?:\([^()]{0,60}?\bborn\b|was born|wurde geboren|\([^()]{0,40}\d{4}\s?[-–]|died\b)")
_ORGANIZATION_SUFFIXES = words_of("inc ltd llc gmbh ag kg corp co plc")
_ORGANIZATION_HEADS = words_of("university universität institut institute ministry ministerium hochschule bundesamt")
_DOTTED = re.compile(r"[a-z]{2}\.[a-z]")
_WORD = re.compile(r"[\w'-]+")


def type_by_name(name: str, kind: str, titled: bool) -> str:
    """Return the type that the name itself shows, or `""`."""
    if kind == "email":
        return cues.PERSON
    if kind in ("handle", "speaker"):
        return cues.PERSON
    if kind == "url":
        return cues.DOCUMENT
    if kind == "path":
        ending = name.rsplit("/", 1)[-1].rpartition(".")[2].lower()
        return (
            cues.DOCUMENT if ending in cues.DOCUMENT_ENDINGS else cues.SOFTWARE if ending in cues.CODE_ENDINGS else ""
        )
    if titled:
        return cues.PERSON
    words = name_key(name).split()
    if name_key(name) in cues.PLACES:
        return cues.LOCATION
    if len(words) == 1 and words[0] in cues.ORGANIZATIONS:
        return cues.ORGANIZATION
    return _type_by_words(name, words, kind)


def _type_by_words(name: str, words: list[str], kind: str) -> str:
    core = [word for word in words if not word.rstrip(".,").isdigit()] or words
    tail = core[-1].strip(".,")
    if tail in _ORGANIZATION_SUFFIXES and len(words) > 1:
        return cues.ORGANIZATION
    if " of " in f" {' '.join(words)} " and words[0] in cues.NAME_TAILS:
        return cues.NAME_TAILS[words[0]]
    if len(core) > 1 and tail in cues.NAME_TAILS:
        return cues.NAME_TAILS[tail]
    if len(core) > 1 and any(word in _ORGANIZATION_HEADS for word in core):
        return cues.ORGANIZATION
    if len(words) > 1 and words[0] in ("project", "operation", "projekt"):
        return cues.PROJECT
    if words[0] in ("adr", "rfc") or name.startswith(("ADR-", "RFC-")):
        return cues.DOCUMENT
    if _is_person(name, words):
        return cues.PERSON
    snake_or_camel = (
        "_" in name or _DOTTED.search(name) is not None or (name[0].islower() and any(c.isupper() for c in name))
    )
    is_code = kind == "code" or (kind == "identifier" and snake_or_camel)
    return cues.SOFTWARE if is_code and " " not in name else ""


def _is_person(name: str, words: list[str]) -> bool:
    """Two to five capitalised words of letters, the first a given name; or a given name alone."""
    if words[0] not in GIVEN_NAMES or name.split()[0].isupper() or any(c.isdigit() for c in name):
        return False
    rest = [word.strip('.,"') for word in name.split()[1:]]
    given = [w for w in rest if len(w) > 1 and w not in PARTICLES and w.lower() not in NAME_SUFFIXES]
    return len(given) <= 2 and all(w[0].isupper() for w in given)


def type_by_context(text: str, span: Span, sentence_start: int, sentence_end: int) -> str:
    """Return the type that one mention shows: `the astronaut X`, `X is a company`, `born in X`; or `""`."""
    after = text[span.end : min(sentence_end, span.end + 260)]
    if not span.owns:
        defined = _DEFINED.match(after)
        if defined is not None:
            found = _head_type(defined["noun"])
            if found:
                return found
        if _BORN.match(after):
            return cues.PERSON
    before = text[max(sentence_start, span.start - 60) : span.start].lower().rstrip(" \"'“„*`")
    before = before.removesuffix(" the").removesuffix(" der")
    if before.endswith(cues.PLACE_CONTEXT):
        return cues.LOCATION
    words = _WORD.findall(before[-30:])
    adjacent = bool(words) and before.endswith(words[-1])
    return cues.DEFINITIONS.get(words[-1], "") if adjacent and words[-1] not in cues.PLACES | {"board"} else ""


def _head_type(phrase: str) -> str:
    """Return the type of the noun phrase's head: the last cue word before its first preposition or clause."""
    ends = _NOUN_ENDS.search(phrase)
    if ends is not None and ends.start() > 0:
        phrase = phrase[: ends.start()]
    for word in reversed(_WORD.findall(phrase)):
        if word[0].islower() or word[0].isupper():
            found = cues.DEFINITIONS.get(word.lower(), "")
            if found:
                return found
    return ""
