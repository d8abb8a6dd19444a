"""The built-in classifier: words first, then nearness in meaning with a floor. It abstains rather than guesses."""

import re
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from lcg.model.names import is_blank
from lcg.ontology.words import entity_type_name, words
from lcg.providers.classifier.protocol import ClassifierError, EntityText, TypeChoice
from lcg.providers.embedder.protocol import EmbedderError
from lcg.providers.extractor.rules.entity_types import type_by_context, type_by_name
from lcg.providers.extractor.rules.spans import Span

FLOOR = 0.32
"""Least cosine of a text to a type's description; of unrelated texts one in a hundred comes as near as 0.21."""
MARGIN = 0.06
"""By how much the nearest type has to be nearer than the second."""

Vectors = Callable[[Sequence[str]], Mapping[str, NDArray[np.float32]]]
_WORD = re.compile(r"\w+")
_ENDINGS = ("ing", "ed", "es", "s", "e")


class BuiltinClassifier:
    """See `Classifier`. `vectors` gives texts their unit vectors and raises EmbedderError."""

    provider = "builtin"
    model: str | None = None

    def __init__(self, vectors: Vectors) -> None:
        self._vectors = vectors

    def classify_entities(self, entities: Sequence[EntityText], menu: Sequence[TypeChoice]) -> list[str]:
        """Choose by what name and summary say, then by the meaning of the descriptions."""
        by_cue = [_cue_type(entity) for entity in entities]
        if not menu:
            return by_cue
        names = {choice.name: choice for choice in menu}
        phrases = {choice.name: [_stems(words(choice.name))] for choice in menu}
        verdicts = []
        for entity, cue in zip(entities, by_cue, strict=True):
            stems = _stems(_plain_words(entity.summary))
            said = [name for name in names if _holds(stems, phrases[name][0])]
            verdicts.append(cue if cue in names else said[0] if len(said) == 1 else "")
        texts = [f"{entity.name}. {entity.summary}".strip() for entity in entities]
        return self._by_meaning(texts, verdicts, menu, [[] for _ in texts])

    def classify_facts(self, facts: Sequence[str], menu: Sequence[TypeChoice]) -> list[str]:
        """Choose by names, aliases and keywords in the fact, then by the meaning of the descriptions."""
        phrases = [[_stems(words(name)) for name in (choice.name, *choice.aliases)] for choice in menu]
        scored = [_named_in(fact, menu, phrases) for fact in facts]
        verdicts = [best[0] if len(best) == 1 else "" for best in scored]
        return self._by_meaning(facts, verdicts, menu, scored)

    def _by_meaning(
        self, texts: Sequence[str], verdicts: list[str], menu: Sequence[TypeChoice], among: Sequence[list[str]]
    ) -> list[str]:
        """Fill the verdicts that are still open; `among` narrows a text's menu, when it names any."""
        described = [choice for choice in menu if not is_blank(choice.description)]
        open_texts = [text for text, verdict in zip(texts, verdicts, strict=True) if not verdict and text.strip()]
        if not described or not open_texts:
            return verdicts
        descriptions = [f"{' '.join(words(choice.name)).lower()}: {choice.description}" for choice in described]
        try:
            vectors = self._vectors([*descriptions, *open_texts])
        except EmbedderError as error:
            raise ClassifierError(f"The built-in classifier compares meanings, and {error}") from error
        table = np.stack([vectors[text] for text in descriptions])
        return [
            verdict or (_nearest(table @ vectors[text], described, narrowed) if text in vectors else "")
            for text, verdict, narrowed in zip(texts, verdicts, among, strict=True)
        ]


def _nearest(cosines: NDArray[np.float32], described: Sequence[TypeChoice], among: list[str]) -> str:
    ranked = sorted(
        (
            (float(cosine), choice.name)
            for cosine, choice in zip(cosines, described, strict=True)
            if not among or choice.name in among
        ),
        key=lambda pair: -pair[0],
    )
    if not ranked or ranked[0][0] < FLOOR:
        return ""
    return ranked[0][1] if len(ranked) == 1 or ranked[0][0] - ranked[1][0] >= MARGIN else ""


def _named_in(fact: str, menu: Sequence[TypeChoice], phrases: Sequence[list[list[str]]]) -> list[str]:
    """Return the types that the fact's own words name best: a name or alias beats a keyword, more words fewer."""
    plain = _plain_words(fact)
    stems, joined = _stems(plain), f"_{'_'.join(plain)}_"
    scores: dict[str, int] = {}
    for choice, named in zip(menu, phrases, strict=True):
        score = max((10 * len(phrase) for phrase in named if _holds(stems, phrase)), default=0)
        score = score or int(any(f"_{keyword}" in joined for keyword in choice.keywords))
        if score:
            scores[choice.name] = score
    best = max(scores.values(), default=0)
    return [name for name, score in scores.items() if score == best]


def _plain_words(text: str) -> list[str]:
    """Return the words in lower case, without names: those that begin with a capital letter."""
    found = _WORD.findall(text)
    return [word for word in found if not word[0].isupper()] or [word.lower() for word in found]


def _stems(found: Sequence[str]) -> list[str]:
    """Cut endings off, so that forms of a verb meet."""
    return [_stem(word.lower()) for word in found]


def _stem(word: str) -> str:
    ending = next((end for end in _ENDINGS if word.endswith(end) and len(word) - len(end) > 2), "")
    return word[: len(word) - len(ending)]


def _holds(stems: Sequence[str], phrase: Sequence[str]) -> bool:
    """Say whether the words of a phrase stand in a text one after the other."""
    size = len(phrase)
    return size > 0 and any(list(stems[at : at + size]) == list(phrase) for at in range(len(stems) - size + 1))


def _cue_type(entity: EntityText) -> str:
    """Return the type that the rules of the built-in extractor see in name and summary, or `""`."""
    found = type_by_name(entity.name, _kind(entity.name), titled=False)
    at = entity.summary.find(entity.name)
    if not found and at >= 0:
        span = Span(at, at + len(entity.name), entity.name, "name")
        found = type_by_context(entity.summary, span, 0, len(entity.summary))
    return entity_type_name(found)


def _kind(name: str) -> str:
    if "://" in name:
        return "url"
    if re.fullmatch(r"[^\s@]+@[^\s@]+\.[^\s@]+", name):
        return "email"
    return "path" if "/" in name and " " not in name else "name"
