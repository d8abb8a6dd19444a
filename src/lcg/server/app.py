"""The service behind every transport: one object that runs any method, from when it is made until it is closed."""

import logging
import threading
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from lcg.errors import LcgError, Unavailable, UnexpectedFailure
from lcg.generated.dispatch import METHODS
from lcg.generated.protocols import Handlers
from lcg.graph.derived import Derived
from lcg.handlers.assertion import AssertionHandlers
from lcg.handlers.curation_types import EntityTypeHandlers
from lcg.handlers.deletion import DeletionHandlers
from lcg.handlers.health import HealthHandlers
from lcg.handlers.importing import IMPORT, ImportHandlers
from lcg.handlers.ingestion import IngestionHandlers
from lcg.handlers.marks import MarkHandlers
from lcg.handlers.pointers import PointerHandlers
from lcg.handlers.reads import ReadHandlers
from lcg.handlers.rebuilds import RebuildCalls
from lcg.handlers.records import extractor_record
from lcg.handlers.recovery import RecoveryHandlers
from lcg.handlers.relations import RelationsHandlers
from lcg.handlers.search import SearchHandlers
from lcg.handlers.status import StatusHandlers, unlogged_mutations
from lcg.handlers.summaries import SummaryHandlers
from lcg.handlers.wal_admin import WalAdminHandlers
from lcg.ontology.workspace import Ontologies
from lcg.runtime.call import Call, served_call
from lcg.runtime.dispatch import find_method
from lcg.server.lifecycle import end_soon
from lcg.server.log_opening import open_log
from lcg.server.migration import migrate_before_open
from lcg.server.models import open_models
from lcg.server.startup import open_core, view_sums
from lcg.services.corrections import Corrections
from lcg.services.marks import Marks
from lcg.services.opening import Opening
from lcg.services.rebinding import rebind_lost
from lcg.services.recovery import Recovery
from lcg.services.situation import Core, Situation
from lcg.settings import Settings, chunk_text_advisory_max_chars
from lcg.store.files import StoreFiles
from lcg.store.kuzu.probe import is_sound
from lcg.store.protocol import StoreError
from lcg.telemetry import Telemetry

_log = logging.getLogger(__name__)


def open_service(settings: Settings) -> "LcgService":
    """Return the service of a workspace at once; the workspace is opened meanwhile."""
    service = LcgService(settings)
    service.start()
    return service


@dataclass(frozen=True, slots=True)
class _Exempt:
    """The handlers that answer whatever the state of the store."""

    health: HealthHandlers
    status: StatusHandlers
    recovery: RecoveryHandlers
    wal_admin: MarkHandlers


@dataclass(frozen=True, slots=True)
class _All:
    """Every category's handlers."""

    health: HealthHandlers
    status: StatusHandlers
    recovery: RecoveryHandlers
    ingestion: IngestionHandlers
    assertion: AssertionHandlers
    search: SearchHandlers
    reads: ReadHandlers
    deletion: DeletionHandlers
    curation: EntityTypeHandlers
    relations: RelationsHandlers
    summaries: SummaryHandlers
    pointers: PointerHandlers
    wal_admin: WalAdminHandlers
    importing: ImportHandlers


_AT_ONCE: Final = frozenset({"knowledge_rebuild_status"})
"""Methods that look at nothing but what this process has in memory, without taking turns with others."""


class LcgService:
    """See `lcg.runtime.call.Service`."""

    def __init__(self, settings: Settings, end_soon: Callable[[], None] = end_soon) -> None:
        self._settings = settings
        self._situation = Situation()
        self._telemetry = Telemetry(enabled=settings.telemetry)
        self._log = open_log(settings, self._telemetry)
        self._marks = Marks(self._log)
        self._models = open_models(settings, self._telemetry)
        self._ontologies = Ontologies(settings.workspace_root)
        self._derived: Derived | None = None
        files = StoreFiles(settings.db_path)
        probe = partial(is_sound, engine=settings.engine)
        self._recovery = Recovery(self._situation, files, self._log, self._open_all, probe)
        self._situation.strategies = self._recovery.available
        self._exempt = _Exempt(
            HealthHandlers(self._situation),
            StatusHandlers(
                self._situation,
                self._log,
                database_path=settings.db_path,
                ontologies=self._ontologies,
                extractor=partial(extractor_record, self._models.extractor),
            ),
            RecoveryHandlers(self._recovery, end_soon),
            MarkHandlers(self._marks),
        )
        self._handlers: Handlers | None = None
        self._opener = threading.Thread(target=self._open, name="lcg-startup", daemon=True)
        self._closing = threading.Lock()
        self._telling = threading.Lock()
        self._told_state: str | None = None
        self._closed = False

    def start(self) -> None:
        """Begin to open the workspace."""
        self._opener.start()

    def call(self, method: str, params: Mapping[str, Any] | None, call: Call) -> dict[str, Any]:
        """Run one method to its end. See `Service.call`."""
        if not self._telemetry.is_on:
            return self._run(method, params or {}, call)
        began = time.monotonic()
        success = False
        try:
            result = self._run(method, params or {}, call)
            success = True
        finally:
            elapsed = round((time.monotonic() - began) * 1000, 3)
            self._telemetry.emit(
                "ipc_call", method=method, request_id=call.request_id, duration_ms=elapsed, success=success
            )
            self._tell_state()
        return result

    def _run(self, name: str, params: Mapping[str, Any], call: Call) -> dict[str, Any]:
        # As `serving` does, without what a `with` block costs every call.
        token = served_call.set(call)
        try:
            method = METHODS.get(name) or (IMPORT if name == IMPORT.name else find_method(name, METHODS))
            if method.works_degraded:
                return method.run(self._exempt, params, call)
            self._situation.wait(call.cancelled)
            return method.run(self._handlers, params, call)
        except LcgError as error:
            if isinstance(error, Unavailable):
                self._situation.advise(error)
            self._situation.note_failure(name, error)
            raise
        except StoreError as error:
            # A read that was under way when the store was closed or swapped.
            raise self._situation.failure or self._unexpected(name, error) from error
        except Exception as error:
            raise self._unexpected(name, error) from error
        finally:
            served_call.reset(token)

    def _unexpected(self, method: str, error: Exception) -> UnexpectedFailure:
        failure = UnexpectedFailure(uuid.uuid4().hex[:12])
        _log.error("%s failed unexpectedly, ref %s", method, failure.data["ref"], exc_info=error)
        self._situation.note_failure(method, failure)
        return failure

    def _rebuild_calls(self, core: Core) -> RebuildCalls:
        return RebuildCalls(
            core.rebuilder,
            self._telemetry,
            fidelity_threshold=self._settings.replay_fidelity_threshold,
            unlogged=lambda: unlogged_mutations(core.graph.state) or 0,
            explain=self._unexpected,
            rebind=partial(rebind_lost, core.graph),
        )

    def answers_at_once(self, method: str) -> bool:
        """Say whether a call of this method would return now. See `Service.answers_at_once`."""
        return method in _AT_ONCE and self._situation.is_ready

    def works_unasked(self) -> bool:
        """Say whether work goes on that no call waits for. See `Service.works_unasked`."""
        core = self._situation.core
        if self._opener.is_alive():
            return True
        return core is not None and (core.rebuilder.is_at_work or core.healer.is_at_work)

    def close(self) -> None:
        """End the service. See `Service.close`."""
        with self._closing:
            if self._closed:
                return
            self._closed = True
        self._telemetry.emit("service_state", state="shutting_down")
        # First, so that nothing below waits for a provider.
        self._models.close()
        self._opener.join()
        self._recovery.finish()
        core = self._situation.core
        if core is not None:
            core.healer.stop()
            core.graph.close()
        if self._derived is not None:
            self._derived.close()
            if core is not None and core.graph.failure is None:
                view_sums(self._settings).write()
        self._log.close()
        self._telemetry.emit("service_state", state="stopped")

    def _open(self) -> None:
        try:
            self._open_all(Opening.MEND)
        except Unavailable as trouble:
            self._situation.settle(None, trouble)
        except Exception:
            _log.exception("the workspace could not be opened")
            self._situation.settle(None, Unavailable("unknown", []))
        self._tell_state()

    def _tell_state(self) -> None:
        """Tell telemetry when the store can be used, or cannot any more. A start and a repair are no state to tell."""
        core, trouble = self._situation.core, self._situation.trouble
        failure = trouble if core is None else core.graph.failure
        state = "degraded" if failure else "healthy" if core else None
        if state == self._told_state:
            return
        with self._telling:
            if state is None or state == self._told_state:
                return
            self._told_state = state
        told = {"reason": failure.data.get("reason")} if failure else {}
        self._telemetry.emit("service_state", state=state, **told)

    def _open_all(self, how: Opening) -> Core:
        migrate_before_open(self._settings)
        core, self._derived = open_core(self._settings, self._log, self._models, self._telemetry, self._ontologies, how)
        self._handlers = self._wire(core)
        self._situation.settle(core)
        return core

    def _wire(self, core: Core) -> _All:
        classifier = self._models.classifier(core.embedding)
        return _All(
            health=self._exempt.health,
            status=self._exempt.status,
            recovery=self._exempt.recovery,
            ingestion=IngestionHandlers(core.ingestion, chunk_text_advisory_max_chars, self._telemetry),
            assertion=AssertionHandlers(core.graph, core.embedding, refresh_vectors=self._settings.reembed_on_update),
            search=SearchHandlers(core.graph, core.search, core.passages, core.cypher, core.freshness),
            reads=ReadHandlers(core.graph, core.freshness),
            deletion=DeletionHandlers(core.graph, core.clearing, core.rebuilder.jobs),
            curation=EntityTypeHandlers(
                core.graph, Corrections(core.graph, self._settings.workspace_root), self._ontologies, classifier
            ),
            relations=RelationsHandlers(core.graph, self._ontologies, core.embedding, classifier),
            summaries=SummaryHandlers(core.graph, core.embedding),
            pointers=PointerHandlers(core.graph, core.embedding),
            wal_admin=WalAdminHandlers(
                core.graph, self._marks, core.dumper, core.maintenance, self._rebuild_calls(core)
            ),
            importing=ImportHandlers(core.graph, core.embedding),
        )
