"""Planning the rows of one text: its episode, the entities that it names, the facts that it states."""

from dataclasses import replace
from typing import Literal

import orjson

from lcg.graph.entries import ChunkRevision
from lcg.graph.index import GraphIndex
from lcg.graph.planning import Plan, Planned, PlanView
from lcg.model.ids import new_uuid
from lcg.model.names import is_blank, name_key
from lcg.model.operations import EdgePut, EntityPut, EpisodePut, MentionPut, Operation
from lcg.model.rows import Edge, Entity, Episode, Mention
from lcg.ontology.model import Ontology
from lcg.providers.extractor.protocol import ExtractedEdge, ExtractedEntity
from lcg.services.ingest.chunk import DroppedEdge, Ingest, Ingested, Outcome, Reading, Resolution
from lcg.services.ingest.typing import typed_entity, typed_relation
from lcg.services.names import find_by_name

RELATED_TO = "RELATED_TO"
SUMMARY_LIMIT = 2_000
"""Characters up to which a reused entity's summary takes more sentences. A row is logged whole, so without a bound
an entity that every chunk mentions would make the log grow with the square of the chunks."""

_FactKey = tuple[str, str, str, str]


def plan_ingest(wish: Ingest, reading: Reading, ontology: Ontology | None) -> Plan[Ingested]:
    """Return the plan that stores a text as one record, or nothing when the newest revision already is that text."""

    def plan(view: PlanView) -> Planned[Ingested]:
        newest = newest_revision(view.index, wish)
        unchanged = outcome_if_unchanged(newest, wish)
        if unchanged is not None:
            return Planned([], unchanged)
        revision = newest.revision + 1 if newest else 1
        return _Rows(view, wish, reading, revision, ontology).planned("revised" if newest else "created")

    return plan


def newest_revision(index: GraphIndex, wish: Ingest) -> ChunkRevision | None:
    """Return the newest episode of the text's chunk, or None when there is none or the text is no chunk."""
    if wish.chunk is None:
        return None
    revisions = index.revisions(wish.group_id, wish.chunk.source_file, wish.chunk.chunk_id)
    return revisions[-1] if revisions else None


def outcome_if_unchanged(newest: ChunkRevision | None, wish: Ingest) -> Ingested | None:
    """Return the outcome when the newest revision is this text, read by this extractor; else None."""
    if newest is None or wish.chunk is None:
        return None
    if (newest.text_hash, newest.extractor_key) != (wish.text_hash, wish.chunk.extractor_key):
        return None
    return Ingested("unchanged", newest.episode_uuid, newest.revision)


class _Rows:
    """The rows of one text in the making. Names and facts that the text repeats become one row."""

    def __init__(
        self, view: PlanView, wish: Ingest, reading: Reading, revision: int, ontology: Ontology | None
    ) -> None:
        self._view = view
        self._wish = wish
        self._reading = reading
        self._revision = revision
        self._ontology = ontology
        self._episode_uuid = new_uuid()
        self._entities: dict[str, Entity] = {}
        self._stored: dict[str, Entity] = {}
        self._by_name: dict[str, str] = {}
        self._edges: dict[_FactKey, Edge] = {}
        self.outcome = Ingested("created", self._episode_uuid, revision)

    def planned(self, outcome: Outcome) -> Planned[Ingested]:
        """Return everything as operations, and what became of it."""
        for extracted in self._reading.extraction.entities:
            self._entity(extracted)
        for fact in self._reading.extraction.edges:
            self._edge(fact)
        self.outcome.outcome = outcome
        self.outcome.edges_written = len(self._edges)
        self.outcome.entities_malformed = self._reading.entities_malformed
        self.outcome.edges_malformed = self._reading.edges_malformed
        return Planned(self._operations(), self.outcome)

    def _operations(self) -> list[Operation]:
        changed = [row for uuid, row in self._entities.items() if row != self._stored.get(uuid)]
        mentions = [Mention(self._wish.group_id, self._episode_uuid, uuid) for uuid in self._entities]
        return [
            *map(EntityPut, changed),
            *map(EdgePut, self._edges.values()),
            EpisodePut(self._episode()),
            *map(MentionPut, mentions),
        ]

    def _episode(self) -> Episode:
        wish, chunk = self._wish, self._wish.chunk
        return Episode(
            uuid=self._episode_uuid,
            group_id=wish.group_id,
            name=wish.name,
            created_at=wish.reference_time,
            source=wish.source,
            source_description=wish.source_description,
            content=wish.text,
            valid_at=wish.reference_time,
            source_file=chunk.source_file if chunk else None,
            chunk_id=chunk.chunk_id if chunk else None,
            revision=self._revision if chunk else None,
            text_hash=wish.text_hash if chunk else None,
            extractor_key=chunk.extractor_key if chunk else None,
        )

    def _entity(self, extracted: ExtractedEntity) -> None:
        key = name_key(extracted.name)
        if key in self._by_name:
            uuid = self._by_name[key]
            self._entities[uuid] = _with_summary(self._entities[uuid], extracted.summary)
            return
        found = find_by_name(self._view, self._wish.group_id, extracted.name)
        self.outcome.warnings.extend(found.warnings)
        if found.entity is None:
            row = self._new_entity(extracted)
        else:
            # Two names of one text can lead to one entity (through a tombstone): the later adds to the earlier.
            row = _with_summary(self._entities.get(found.entity.uuid, found.entity), extracted.summary)
            self._stored[row.uuid] = found.entity
        self._by_name[key] = row.uuid
        self._entities[row.uuid] = row
        self.outcome.entities_unclassified += bool(typed_entity(extracted.entity_type, self._ontology).original)
        reused = found.entity is not None
        self.outcome.resolutions.append(
            Resolution(extracted.name, row.uuid, "reused" if reused else "created", "name" if reused else None)
        )

    def _new_entity(self, extracted: ExtractedEntity) -> Entity:
        typed = typed_entity(extracted.entity_type, self._ontology)
        return Entity(
            uuid=new_uuid(),
            group_id=self._wish.group_id,
            name=extracted.name,
            labels=typed.labels,
            created_at=self._wish.reference_time,
            summary=extracted.summary,
            attributes=_attributes("original_entity_type", typed.original),
        )

    def _edge(self, extracted: ExtractedEdge) -> None:
        source, target = self._end(extracted.source_name), self._end(extracted.target_name)
        if source is None or target is None:
            self._drop(extracted, source, target)
            return
        if source == target:
            return
        name = extracted.relation or RELATED_TO
        key = (source, name, target, fact_key(extracted.fact))
        known = self._edges.get(key) or self._stored_fact(key)
        row = known or self._new_edge(extracted, source, name, target)
        self._edges[key] = replace(row, episodes=tuple(dict.fromkeys((*row.episodes, self._episode_uuid))))

    def _end(self, name: str) -> str | None:
        uuid = self._by_name.get(name_key(name))
        if uuid is not None:
            return uuid
        found = find_by_name(self._view, self._wish.group_id, name)
        return found.entity.uuid if found.entity else None

    def _stored_fact(self, key: _FactKey) -> Edge | None:
        source, name, target, fact = key
        candidates = self._view.active_edges(self._wish.group_id, source, name, target)
        return next((edge for edge in candidates if fact_key(edge.fact) == fact), None)

    def _new_edge(self, extracted: ExtractedEdge, source: str, name: str, target: str) -> Edge:
        wish = self._wish
        typed = typed_relation(extracted.relation, self._ontology)
        self.outcome.edges_unclassified += bool(typed.original)
        return Edge(
            uuid=new_uuid(),
            group_id=wish.group_id,
            name=name,
            source_uuid=source,
            target_uuid=target,
            fact=extracted.fact,
            created_at=wish.reference_time,
            valid_at=wish.reference_time if extracted.valid_at is None else extracted.valid_at,
            invalid_at=extracted.invalid_at,
            attributes=_attributes("original_relation_type", typed.original),
            relation_type=typed.relation_type,
        )

    def _drop(self, extracted: ExtractedEdge, source: str | None, target: str | None) -> None:
        missing: Literal["source", "target", "both"] = "source" if target else "target" if source else "both"
        self.outcome.dropped_edges.append(
            DroppedEdge(extracted.source_name, extracted.target_name, extracted.relation, extracted.fact, missing)
        )


def _attributes(key: str, original: str) -> str:
    """Return the attributes of a new row: the type that the extractor gave, if it was replaced."""
    return orjson.dumps({key: original}).decode() if original else "{}"


def fact_key(fact: str) -> str:
    """Return what two facts are compared by: case and the amount of white space do not matter."""
    return name_key(" ".join(fact.split()))


def _with_summary(row: Entity, addition: str) -> Entity:
    """Append a sentence to a summary, unless it is there already or the summary is long enough."""
    if is_blank(addition) or addition in row.summary or len(row.summary) + len(addition) > SUMMARY_LIMIT:
        return row
    embedded = row.summary if row.summary_embedded is None else row.summary_embedded
    summary = f"{row.summary} {addition}".strip()
    return replace(row, summary=summary, summary_embedded=None if embedded == summary else embedded)
