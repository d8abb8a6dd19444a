"""Planning the rows of one text: its episode, the entities that it names, the facts that it states."""

from lcg.graph.entries import ChunkRevision
from lcg.graph.index import GraphIndex
from lcg.graph.planning import Plan, Planned, PlanView
from lcg.model.ids import new_uuid
from lcg.model.names import is_blank
from lcg.model.operations import EdgePut, EntityPut, EpisodePut, MentionPut
from lcg.model.rows import Episode, Mention
from lcg.ontology.model import Ontology
from lcg.services.ingest.chunk import Ingest, Ingested, Reading
from lcg.services.ingest.entities import EntityRows
from lcg.services.ingest.facts import FactRows
from lcg.services.ingest.near import NearNames, Watch


def plan_ingest(
    wish: Ingest, reading: Reading, ontology: Ontology | None, names: NearNames, watch: Watch
) -> Plan[Ingested]:
    """Return the plan that stores a text as one record, or nothing when the newest revision already is that text."""

    def plan(view: PlanView) -> Planned[Ingested]:
        newest = newest_revision(view.index, wish)
        unchanged = outcome_if_unchanged(newest, wish)
        if unchanged is not None:
            return Planned([], unchanged)
        episode = _episode(wish, newest.revision + 1 if newest else 1)
        entities = EntityRows(view, wish.group_id, wish.reference_time, ontology, names, watch)
        for entity in reading.extraction.entities:
            entities.add(entity)
        facts = FactRows(view, wish.group_id, wish.reference_time, episode.uuid, ontology, entities.find)
        for edge in reading.extraction.edges:
            facts.add(edge)
        outcome = _outcome(reading, entities, facts, episode)
        outcome.outcome = "revised" if newest else "created"
        return Planned(
            [
                *map(EntityPut, entities.changed()),
                *map(EdgePut, facts.changed()),
                EpisodePut(episode),
                *(MentionPut(Mention(wish.group_id, episode.uuid, uuid)) for uuid in entities.rows),
            ],
            outcome,
        )

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


def _episode(wish: Ingest, revision: int) -> Episode:
    chunk = wish.chunk
    return Episode(
        uuid=new_uuid(),
        group_id=wish.group_id,
        name=wish.name,
        created_at=wish.reference_time,
        source=wish.source,
        source_description=wish.source_description,
        content=wish.text,
        valid_at=wish.reference_time,
        source_file=chunk.source_file if chunk else None,
        chunk_id=chunk.chunk_id if chunk else None,
        revision=revision if chunk else None,
        text_hash=wish.text_hash if chunk else None,
        extractor_key=chunk.extractor_key if chunk else None,
    )


def _outcome(reading: Reading, entities: EntityRows, facts: FactRows, episode: Episode) -> Ingested:
    return Ingested(
        "created",
        episode.uuid,
        episode.revision or 1,
        resolutions=entities.resolutions,
        edges_written=facts.written,
        edges_invalidated=facts.invalidated,
        dropped_edges=facts.dropped,
        entities_malformed=reading.entities_malformed,
        edges_malformed=reading.edges_malformed,
        entities_without_summary=sum(is_blank(entity.summary) for entity in reading.extraction.entities),
        entities_unclassified=entities.unclassified,
        edges_unclassified=facts.unclassified,
        warnings=entities.warnings,
    )
