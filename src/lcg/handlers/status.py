"""Status: knowledge_status, knowledge_rebuild_status."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, cast

from lcg.errors import Unavailable
from lcg.generated.params import RebuildStatusParams, StatusParams
from lcg.generated.results import (
    RebuildStatusResult,
    StatusResult,
    StatusResultCrossGroupPointers,
    StatusResultEmbedding,
    StatusResultRecentFailures,
    StatusResultWal,
)
from lcg.graph.entries import Count
from lcg.graph.index import GraphIndex
from lcg.graph.pointer_counts import count_bindings
from lcg.graph.positions import hydration_status, pending, shown
from lcg.graph.state import GraphState
from lcg.handlers.ontologies import add_declared, group_drifts, workspace_ontology
from lcg.handlers.rebuilds import job_record
from lcg.handlers.records import ExtractorRecord
from lcg.model.digest import as_hex
from lcg.model.names import DEFAULT_GROUP
from lcg.model.times import format_time
from lcg.ontology.workspace import Ontologies
from lcg.runtime.call import Call
from lcg.services.situation import Core, Situation
from lcg.store.protocol import StoreError
from lcg.wal.log import Log
from lcg.wal.stream import Stream

_UNLOGGED = "unlogged_mutations"


class StatusHandlers:
    """Tells what the graph holds and how the service stands, at any time, from counters."""

    def __init__(
        self,
        situation: Situation,
        log: Log,
        *,
        database_path: Path,
        ontologies: Ontologies,
        extractor: Callable[[], ExtractorRecord],
    ) -> None:
        self._situation = situation
        self._log = log
        self._database_path = database_path
        self._ontologies = ontologies
        self._extractor = extractor

    def status(self, params: StatusParams, call: Call) -> StatusResult:
        """Describe graph, log, models and the service itself."""
        result = self._describe()
        if params.include_ontology:
            add_declared(result["ontology"], self._ontologies)
        return result

    def _describe(self) -> StatusResult:
        core, failure = self._situation.core, self._situation.failure
        if core is not None and failure is None:
            try:
                result = self._always(core)
                _add_open(result, core, str(self._database_path), self._log)
                result["group_ontology_drift"] = group_drifts(self._ontologies, core.graph.index)
                return result
            except Unavailable as closed:
                # A recovery began while the graph was described.
                failure = self._situation.advise(closed)
        result = self._always(None)
        result["running"] = True
        if failure is not None:
            result["degraded"] = True
            result["reason"] = str(failure.data["reason"])
            result["recovery_available"] = list(failure.data["recovery_available"])
            if "group_id" in failure.data:
                result["group_id"] = failure.data["group_id"]
                result["seq"] = failure.data["seq"]
        return result

    def rebuild_status(self, params: RebuildStatusParams, call: Call) -> RebuildStatusResult:
        """Tell how far a rebuild is."""
        core = self._situation.core
        return job_record(core.rebuilder.jobs.get(params.job_id) if core else None)

    def _always(self, core: Core | None) -> StatusResult:
        """Return the keys that every variant has. Without the store, the log's facts come from disk alone."""
        situation = self._situation
        state = core.graph.state if core else None
        groups = {group_id: self._log.stream(group_id) for group_id in self._log.groups()}
        default = groups.get(DEFAULT_GROUP) or self._log.stream(DEFAULT_GROUP)
        unlogged = None if state is None else unlogged_mutations(state)
        return {
            "version": situation.version,
            "pid": situation.pid,
            "connected": core is not None,
            "queryable": core is not None,
            "context_graph_initialized": core is not None,
            "initializing": situation.state == "starting",
            "extractor": self._extractor(),
            "wal": _default_wal(default, state, unlogged),
            "wal_groups": {group_id: _group_wal(stream, state) for group_id, stream in groups.items()},
            "recent_failures": self._recent_failures(),
            "indices_built": core is not None,
            "name_index_trusted": None if core is None else True,
            "name_index_fallback_scans": None if core is None else 0,
            "cross_group_pointers": None if state is None else _pointers(state.index),
            "ontology": workspace_ontology(self._ontologies, None if core is None else core.graph.index),
        }

    def _recent_failures(self) -> list[StatusResultRecentFailures]:
        return [
            {
                "time": format_time(failure.time),
                "method": failure.method,
                "code": failure.code,
                "kind": failure.kind,
                "message": failure.message,
            }
            for failure in self._situation.recent_failures()
        ]


def unlogged_mutations(state: GraphState) -> int | None:
    """Return how many Cypher queries changed rows past the logs; None when the store cannot tell right now."""
    try:
        return int(state.store.meta(_UNLOGGED) or "0")
    except StoreError:
        # The store failed a moment ago and is about to be opened again. Status answers in any case.
        return None


def _add_open(result: StatusResult, core: Core, database_path: str, log: Log) -> None:
    """Add what only an open store can tell."""
    state = core.graph.state
    index = state.index
    result["entity_count"] = index.count(Count.ENTITIES)
    result["relationship_count"] = index.count(Count.EDGES)
    result["episode_count"] = index.count(Count.EPISODES)
    result["tombstone_count"] = index.count(Count.TOMBSTONES)
    result["unbound_relationship_count"] = index.count(Count.UNBOUND)
    result["invalidated_relationship_count"] = index.count(Count.INVALIDATED)
    _add_span(result, index)
    result["database_path"] = database_path
    result["embedding"] = _embedding(core, state)
    result["embedding_model"] = core.embedding.embedder.model
    result["embedding_dim"] = core.embedding.embedder.dim
    result["failed_records"] = [
        {"group_id": str(entry["group_id"]), "seq": int(str(entry["seq"])), "error": str(entry["error"])}
        for entry in state.failed_records
    ]
    result["writes_refused"] = "log_uncertain" if log.uncertain_groups else None


def _pointers(index: GraphIndex) -> StatusResultCrossGroupPointers:
    counts = count_bindings(index)
    return {"bound": counts["bound"], "unbound": counts["unbound"], "ambiguous": counts["ambiguous"]}


def _add_span(result: StatusResult, index: GraphIndex) -> None:
    span = index.episode_span()
    result["last_index_time"] = format_time(span[1]) if span else None
    if span:
        result["index_created_at"] = format_time(span[0])


def _embedding(core: Core, state: GraphState) -> StatusResultEmbedding:
    embedder = core.embedding.embedder
    index = core.embedding.index
    rows = sum(state.index.count(what) for what in (Count.ENTITIES, Count.EDGES, Count.EPISODES))
    stored = index.former or (index.space if rows and index.space.dim else None)
    return {
        "provider": embedder.provider,
        "model": embedder.model,
        "dim": embedder.dim,
        "state": cast(Literal["ready", "unreachable"], core.embedding.state),
        "store_model": stored.model if stored else None,
        "store_dim": stored.dim if stored else None,
        "matches": index.former is None,
        "rows_without_vector": index.missing(),
    }


def _default_wal(stream: Stream, state: GraphState | None, unlogged: int | None) -> StatusResultWal:
    group = _group_wal(stream, state)
    del group["digest"]
    return cast(
        StatusResultWal,
        {
            "exists": stream.file_count > 0,
            "file_count": stream.file_count,
            "byte_size": stream.byte_size,
            **group,
            "unlogged_mutations": unlogged,
        },
    )


def _group_wal(stream: Stream, state: GraphState | None) -> dict[str, Any]:
    position = state.positions.get(stream.group_id) if state else None
    waiting = pending(stream, position) if state else None
    return {
        "applied_seq": shown(position) if state else None,
        "max_seq": stream.max_seq,
        "generation": stream.generation,
        "generation_status": stream.generation_status,
        "hydration_status": hydration_status(stream, waiting),
        "excluded": [list(span) for span in stream.excluded.everything],
        "pending": waiting,
        "digest": as_hex(position.digest if position else 0) if state else None,
    }
