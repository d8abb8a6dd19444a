"""Ingestion: knowledge_process_chunk, knowledge_add_episode."""

import time
from collections import Counter
from collections.abc import Callable
from typing import Any

from lcg.generated.params import AddEpisodeParams, ProcessChunkParams
from lcg.generated.results import AddEpisodeResult, ProcessChunkResult, ProcessChunkResultDroppedEdges
from lcg.handlers.records import extractor_record
from lcg.model.times import now
from lcg.providers.extractor.protocol import SourceType
from lcg.runtime.call import Call
from lcg.services import warnings
from lcg.services.ingest.chunk import ChunkIdentity, DroppedEdge, Ingest, Ingested
from lcg.services.ingest.pipeline import Ingestion
from lcg.services.warnings import Warnings
from lcg.telemetry import Telemetry

_MOST_NEAR_TOLD = 10
_SOURCE_TYPES: dict[str, SourceType] = {"json": "json", "message": "message"}


class IngestionHandlers:
    """Takes text in. `advisory_chars` gives the present advisory limit of a chunk's length, in characters."""

    def __init__(self, ingestion: Ingestion, advisory_chars: Callable[[], int], telemetry: Telemetry) -> None:
        self._ingestion = ingestion
        self._advisory_chars = advisory_chars
        self._telemetry = telemetry

    def process_chunk(self, params: ProcessChunkParams, call: Call) -> ProcessChunkResult:
        """Store a chunk of a file with the entities and facts that it names."""
        started = time.monotonic()
        wish = Ingest(
            group_id=params.group_id,
            text=params.chunk_text,
            name=params.chunk_id,
            source="text",
            source_description=f"{params.source_file}:{params.chunk_id}",
            source_type="json" if params.source_file.lower().endswith(".json") else "text",
            reference_time=now() if params.reference_time is None else params.reference_time,
            chunk=ChunkIdentity(params.source_file, params.chunk_id, self._ingestion.extractor_key(params.group_id)),
        )
        done = self._ingest(wish, call)
        result = self._result(params, done)
        result["duration_seconds"] = round(time.monotonic() - started, 6)
        for oversized in self._oversized(params.chunk_text, params.chunk_id, params.source_file):
            result["warning"] = oversized
        if done.warnings:
            result["warnings"] = done.warnings
        return result

    def add_episode(self, params: AddEpisodeParams, call: Call) -> AddEpisodeResult:
        """Store a text as a new episode, with the entities and facts that it names."""
        wish = Ingest(
            group_id=params.group_id,
            text=params.episode_body,
            name=params.name,
            source=params.source,
            source_description=params.source_description,
            source_type=_SOURCE_TYPES.get(params.source.lower(), "text"),
            reference_time=now() if params.reference_time is None else params.reference_time,
            chunk=None,
        )
        done = self._ingest(wish, call)
        said = [*done.warnings, *self._oversized(params.episode_body, params.name, None)]
        if done.embedding_warning:
            said.append(warnings.rows_without_vectors(done.embedding_warning))
        if done.dropped_edges:
            said.append(warnings.edges_dropped([_dropped(edge) for edge in done.dropped_edges]))
        result: AddEpisodeResult = {"episode_uuid": done.episode_uuid}
        if said:
            result["warnings"] = said
        return result

    def _ingest(self, wish: Ingest, call: Call) -> Ingested:
        done = self._ingestion.ingest(wish, call.method)
        if done.outcome != "unchanged":
            self._telemetry.emit("entity_resolution", **_resolved(wish, done))
            self._note_missing_summaries(wish, done)
        return done

    def _note_missing_summaries(self, wish: Ingest, done: Ingested) -> None:
        """Tell when a language model left summaries out. Rules have none for names that no sentence holds."""
        extractor = self._ingestion.extractor
        if done.entities_without_summary and extractor is not None and extractor.provider != "builtin":
            self._telemetry.emit(
                "entities_missing_summary",
                model=extractor.model,
                chunk_key=wish.source_description or wish.name,
                entities_extracted=len(done.resolutions),
                missing_summary=done.entities_without_summary,
            )

    def _oversized(self, text: str, chunk_id: str, source_file: str | None) -> Warnings:
        advised = self._advisory_chars()
        if len(text) <= advised:
            return []
        self._telemetry.emit(
            "chunk_text_oversized",
            chunk_id=chunk_id,
            source_file=source_file,
            chunk_text_chars=len(text),
            threshold_chars=advised,
        )
        return [warnings.chunk_text_oversized(len(text), advised)]

    def _result(self, params: ProcessChunkParams, done: Ingested) -> ProcessChunkResult:
        created = sum(resolution.outcome == "created" for resolution in done.resolutions)
        return {
            "success": True,
            "outcome": done.outcome,
            "revision": done.revision,
            "chunk_id": params.chunk_id,
            "source_file": params.source_file,
            "episode_uuid": done.episode_uuid,
            "nodes_extracted": len(done.resolutions),
            "edges_extracted": done.edges_written,
            "nodes_created": created,
            "nodes_reused": len(done.resolutions) - created,
            "resolutions": [
                {"name": found.name, "entity_uuid": found.entity_uuid, "outcome": found.outcome, "by": found.by}
                for found in done.resolutions
            ],
            "extractor": extractor_record(self._ingestion.extractor),
            "edges_dropped_unresolvable": len(done.dropped_edges),
            "dropped_edges": [_dropped(edge) for edge in done.dropped_edges],
            "edges_invalidated": done.edges_invalidated,
            "edges_reclassified_unclassified": done.edges_unclassified,
            "entities_reclassified_unclassified": done.entities_unclassified,
            "entities_dropped_malformed": done.entities_malformed,
            "edges_dropped_malformed": done.edges_malformed,
            "duration_seconds": 0.0,
            "embedding_warning": done.embedding_warning,
        }


def _resolved(wish: Ingest, done: Ingested) -> dict[str, Any]:
    """Return what telemetry tells of a text: how its names were resolved, and which by more than their name."""
    by = Counter(found.by or found.outcome for found in done.resolutions)
    near = [found for found in done.resolutions if found.by in ("embedding", "adapter")]
    return {
        "group_id": wish.group_id,
        "episode_uuid": done.episode_uuid,
        "created": by["created"],
        "by_name": by["name"],
        "by_embedding": by["embedding"],
        "by_adapter": by["adapter"],
        "near": [
            {
                "name": found.name,
                "entity_uuid": found.entity_uuid,
                "entity_name": found.entity_name,
                "cosine": found.cosine,
                "by": found.by,
            }
            for found in near[:_MOST_NEAR_TOLD]
        ],
        "edges_dropped": len(done.dropped_edges),
        "edges_invalidated": done.edges_invalidated,
    }


def _dropped(edge: DroppedEdge) -> ProcessChunkResultDroppedEdges:
    return {
        "source_name": edge.source_name,
        "target_name": edge.target_name,
        "relation_type": edge.relation_type,
        "fact": edge.fact,
        "unresolved_endpoint": edge.unresolved_endpoint,
    }
