"""The entities of one text in the making: each name becomes a stored entity, or a new one, and no name becomes two."""

from collections.abc import Collection
from dataclasses import dataclass, field, replace

import orjson

from lcg.graph.planning import PlanView
from lcg.model.ids import new_uuid
from lcg.model.names import name_key
from lcg.model.rows import Entity
from lcg.model.times import Micros
from lcg.ontology.model import Ontology
from lcg.providers.extractor.protocol import ExtractedEntity
from lcg.services.ingest.chunk import Resolution
from lcg.services.ingest.likeness import Likeness, holds, words
from lcg.services.ingest.near import NEAR, Match, NearNames, Watch, best_match
from lcg.services.ingest.summary import with_summary
from lcg.services.ingest.typing import TypedEntity, typed_entity
from lcg.services.names import find_by_name
from lcg.services.warnings import Warnings

_MOST_COMPARED = 500
"""Entities of one text up to which the end of a fact is held against each; beyond, against those with a common word."""


@dataclass(slots=True)
class EntityRows:
    """Resolves the names of one text. Used on the writer's thread, while the write is planned."""

    view: PlanView
    group_id: str
    created_at: Micros
    ontology: Ontology | None
    names: NearNames
    watch: Watch
    rows: dict[str, Entity] = field(default_factory=dict)
    resolutions: list[Resolution] = field(default_factory=list)
    warnings: Warnings = field(default_factory=list)
    unclassified: int = 0
    _stored: dict[str, Entity] = field(default_factory=dict)
    _by_name: dict[str, str] = field(default_factory=dict)
    _by_word: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    _rescued: dict[str, str | None] = field(default_factory=dict)

    def add(self, extracted: ExtractedEntity) -> None:
        """Find or make the entity of an extracted name; one that the text has had already gains the summary only."""
        key = name_key(extracted.name)
        if key in self._by_name:
            self._take(self.rows[self._by_name[key]], extracted.summary)
            return
        typed = typed_entity(extracted.entity_type, self.ontology)
        self.unclassified += bool(typed.original)
        found = find_by_name(self.view, self.group_id, extracted.name)
        self.warnings.extend(found.warnings)
        match = None if found.entity else self._match(extracted.name, typed.labels)
        known = found.entity or (match.entity if match else None)
        if known is None:
            known = self._new(extracted, typed)
            self.rows[known.uuid] = known
            self.resolutions.append(Resolution(extracted.name, known.uuid, "created", None))
        else:
            self._reuse(extracted.name, known, match)
            self._take(known, extracted.summary)
        self._by_name[key] = known.uuid

    def find(self, name: str) -> str | None:
        """Return the uuid of the entity that the end of a fact names, or None.

        A name that is nobody's is rescued: by an entity of the same text that it is spelled like, is a part of or has
        as a part, else by one of the group as in `add`.
        """
        uuid = self._by_name.get(name_key(name))
        if uuid is not None:
            return uuid
        found = find_by_name(self.view, self.group_id, name)
        if found.entity is not None:
            return found.entity.uuid
        return self._rescue(name)

    def changed(self) -> list[Entity]:
        """Return the rows that are new or differ from what is stored."""
        return [row for uuid, row in self.rows.items() if row != self._stored.get(uuid)]

    def _reuse(self, name: str, known: Entity, match: Match | None) -> None:
        self.resolutions.append(
            Resolution(name, known.uuid, "reused", match.by, known.name, match.cosine)
            if match
            else Resolution(name, known.uuid, "reused", "name", known.name)
        )
        if known.uuid not in self.rows:
            self._stored[known.uuid] = known

    def _take(self, known: Entity, summary: str) -> None:
        # Two names of one text can lead to one entity: the later adds to the earlier.
        row = self.rows.get(known.uuid, known)
        is_first = not row.summary and known.uuid not in self._stored
        # What was embedded for this text is each summary as it came, so the first one of a new entity is kept so.
        self.rows[row.uuid] = replace(row, summary=summary) if is_first else with_summary(row, summary)

    def _new(self, extracted: ExtractedEntity, typed: TypedEntity) -> Entity:
        row = Entity(
            uuid=new_uuid(),
            group_id=self.group_id,
            name=extracted.name,
            labels=typed.labels,
            created_at=self.created_at,
            summary=extracted.summary,
            attributes=orjson.dumps({"original_entity_type": typed.original}).decode() if typed.original else "{}",
        )
        self.names.plan(self.watch, row)
        return row

    def _match(self, name: str, labels: tuple[str, ...]) -> Match | None:
        chosen = (self.watch.judged or {}).get(name_key(name))
        row = self._read([chosen]).get(chosen) if chosen else None
        if chosen and row is not None and not row.is_tombstone:
            return Match(row, Likeness.SAME, self.watch.near[name_key(name)][chosen], "adapter")
        candidates = self.watch.candidates(self.group_id, name)
        all_known = name_key(name) not in self.watch.crowded
        return best_match(name, labels, candidates, self._read(candidates), all_known)

    def _read(self, uuids: Collection[str]) -> dict[str, Entity]:
        made = {uuid: self.rows[uuid] for uuid in uuids if uuid in self.rows}
        found = self.view.entities(uuid for uuid in uuids if uuid not in made) | made
        return {uuid: row for uuid, row in found.items() if row.group_id == self.group_id}

    def _rescue(self, name: str) -> str | None:
        """Look for the entity that an end may mean, once: every entity of the text is known by then."""
        key = name_key(name)
        if key not in self._rescued:
            self._rescued[key] = self._rescued_by_text(name) or self._rescued_by_part(name)
        return self._rescued[key]

    def _rescued_by_text(self, name: str) -> str | None:
        held = self._sharing_a_word(name) if len(self.rows) > _MOST_COMPARED else self.rows
        match = best_match(name, (), dict.fromkeys(held, 1.0), self.rows)
        return match.entity.uuid if match else None

    def _rescued_by_part(self, name: str) -> str | None:
        vectors = self.watch.vectors
        vector = vectors.get(name_key(name))
        if vector is None:
            return None
        sharing = self._sharing_a_word(name)
        held = {
            uuid
            for uuid, keys in sharing.items()
            if holds(name, self.rows[uuid].name)
            if any((other := vectors.get(key)) is not None and float(vector @ other) >= NEAR for key in keys)
        }
        if len(held) == 1:
            return held.pop()
        match = None if held else self._match(name, ())
        return match.entity.uuid if match else None

    def _sharing_a_word(self, name: str) -> dict[str, list[str]]:
        """Return the entities of the text that have a word in common with a name, and the keys that led to them."""
        if not self._by_word:
            for key, uuid in self._by_name.items():
                for word in words(self.rows[uuid].name):
                    self._by_word.setdefault(word, {}).setdefault(uuid, []).append(key)
        found: dict[str, list[str]] = {}
        for word in words(name):
            found.update(self._by_word.get(word, {}))
        return found
