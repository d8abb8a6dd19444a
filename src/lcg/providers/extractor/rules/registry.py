"""Collects the names of one text: one entity per name, short forms resolved, types by all their mentions."""

from collections.abc import Iterator
from dataclasses import dataclass

from lcg.model.names import name_key
from lcg.providers.extractor.protocol import ExtractedEntity
from lcg.providers.extractor.rules import cues
from lcg.providers.extractor.rules.entity_types import type_by_context, type_by_name
from lcg.providers.extractor.rules.layout import Sentence
from lcg.providers.extractor.rules.spans import Span
from lcg.providers.extractor.rules.vocabulary import words_of
from lcg.providers.extractor.rules.words import NAME_SUFFIXES

_MIN_SHORT_FORM = 3
_SKIPPED_IN_ACRONYMS = words_of("of for the and in on de der für und")


@dataclass(slots=True)
class _Entry:
    name: str
    position: int
    entity_type: str = ""
    summary: str = ""


class Registry:
    """The entities of one text, by key (`name_key`). First `note` every mention, then `settle`, then ask."""

    def __init__(self, text: str) -> None:
        """Begin without entities."""
        self._text = text
        self._entries: dict[str, _Entry] = {}
        self._aliases: dict[str, str] = {}

    def note(self, name: str, kind: str, position: int) -> str:
        """Take in a name without a sentence (a speaker, a heading) and return its key."""
        key = name_key(name)
        entry = self._entries.setdefault(key, _Entry(name, position))
        entry.entity_type = entry.entity_type or type_by_name(entry.name, kind, titled=False)
        return key

    def note_span(self, span: Span, sentence: Sentence, previous: Span | None) -> None:
        """Take in a mention. `previous` is the name before it in the sentence: it may be the long form of this one."""
        key = name_key(span.name)
        entry = self._entries.setdefault(key, _Entry(span.name, span.start))
        if not entry.entity_type:
            entry.entity_type = type_by_name(entry.name, span.kind, span.titled)
        if not entry.entity_type and sentence.kind == "prose":
            entry.entity_type = type_by_context(self._text, span, sentence.start, sentence.end)
        bracketed = previous is not None and self._text[previous.end : span.start].strip() == "("
        if previous is not None and bracketed and span.name.isupper() and _initials_match(previous.name, span.name):
            self._aliases.setdefault(key, name_key(previous.name))

    def settle(self) -> None:
        """Resolve short forms: `LISA` after its long form, `Clark` where one person's name ends or begins so."""
        self._join_persons()
        self._join_companies()
        first = min(self._entries, key=lambda key: self._entries[key].position, default="")
        owners: dict[str, set[str]] = {}
        for key, entry in self._entries.items():
            words = key.split()
            if entry.entity_type == cues.PERSON and len(words) > 1 and key not in self._aliases:
                for word in {words[0], words[-1]}:
                    owners.setdefault(word, set()).add(key)
        for short, longs in owners.items():
            known = self._entries.get(short)
            if known is None or len(short) < _MIN_SHORT_FORM or short in self._aliases:
                continue
            # Of several Garriotts the plain one is whom the text is about: who opens it.
            chosen = next(iter(longs)) if len(longs) == 1 else first if first in longs else None
            if chosen is not None and known.entity_type in ("", cues.PERSON):
                self._aliases[short] = chosen
        self._aliases = {short: long for short in self._aliases if (long := self.key_of(short)) not in self._aliases}
        for short, longer in self._aliases.items():
            kept, merged = self._entries[longer], self._entries.pop(short)
            kept.position = min(kept.position, merged.position)
            kept.entity_type = kept.entity_type or merged.entity_type

    def _join_persons(self) -> None:
        """`Konstantin Tsiolkovsky` is `Konstantin Eduardovich Tsiolkovsky`: same first and last word."""
        longest: dict[tuple[str, str], str] = {}
        persons = [key for key, entry in self._entries.items() if entry.entity_type == cues.PERSON and " " in key]
        for key in sorted(persons, key=lambda key: (-len(key), key)):
            words = key.split()
            long = longest.setdefault((words[0], words[-1]), key)
            if long != key:
                self._aliases.setdefault(key, long)

    def _join_companies(self) -> None:
        """`Seewerk` is `Seewerk GmbH` where both are met."""
        for key, entry in list(self._entries.items()):
            short, blank, suffix = key.rpartition(" ")
            if blank and suffix.strip(".") in NAME_SUFFIXES and entry.entity_type == cues.ORGANIZATION:
                short = short.rstrip(",")
                if short in self._entries:
                    self._aliases.setdefault(short, key)

    def key_of(self, name: str) -> str:
        """Return the key of the entity that a name means here, short forms resolved."""
        key = name_key(name)
        seen = {key}
        while (longer := self._aliases.get(key)) is not None and longer not in seen:
            seen.add(longer)
            key = longer
        return key

    def name_of(self, key: str) -> str:
        """Return the entity's name as it is written."""
        return self._entries[key].name

    def type_of(self, key: str) -> str:
        """Return the entity's type, or `""`."""
        return self._entries[key].entity_type

    def summarise(self, key: str, sentence: str) -> None:
        """Keep the sentence as the entity's summary unless it has one; on one line."""
        entry = self._entries[key]
        entry.summary = entry.summary or " ".join(sentence.split())

    def entities(self) -> Iterator[ExtractedEntity]:
        """Yield the entities in the order of their first mention."""
        for entry in sorted(self._entries.values(), key=lambda entry: entry.position):
            yield ExtractedEntity(entry.name, entry.entity_type, entry.summary)


def _initials_match(long: str, short: str) -> bool:
    words = [word for word in long.replace("-", " ").split() if word.lower() not in _SKIPPED_IN_ACRONYMS]
    letters = "".join(word[0] for word in words).upper()
    return len(words) > 1 and letters == "".join(c for c in short if c.isalpha())
