"""What /metrics tells, in the text format of Prometheus: calls of every transport, and how far the groups are."""

import time
from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

import prometheus_client
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from lcg.errors import LcgError
from lcg.generated.errors import ErrorCode
from lcg.runtime.call import Call, Service

_BUCKETS_S: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 60.0, 600.0)
_UNKNOWN: Final = "unknown"
_ROWS: Final = {"entities": "entity_count", "relationships": "relationship_count", "episodes": "episode_count"}


class Metrics:
    """Counts calls and renders all that is known.

    Args:
        methods: the names that are told apart; any other counts as one, since a client can make up as many as it likes.
    """

    def __init__(self, methods: Collection[str]) -> None:
        prometheus_client.disable_created_metrics()  # type: ignore[no-untyped-call]
        self._methods = frozenset(methods)
        self._registry = registry = CollectorRegistry()
        self._calls = Counter(
            "lcg_calls", "Calls that ended, by method and outcome.", ["method", "outcome"], registry=registry
        )
        self._seconds = Histogram(
            "lcg_call_seconds", "Seconds that calls took.", ["method"], buckets=_BUCKETS_S, registry=registry
        )
        self._running = Gauge("lcg_calls_running", "Calls that run now.", registry=registry)

    def measure(self, service: Service) -> Service:
        """Return the same service, whose calls are counted from now on."""
        return _Measured(service, self)

    def call(self, service: Service, method: str, params: Mapping[str, Any] | None, call: Call) -> dict[str, Any]:
        """Run one call and count it."""
        label = method if method in self._methods else _UNKNOWN
        began = time.monotonic()
        outcome = "unexpected"
        self._running.inc()
        try:
            result = service.call(method, params, call)
            outcome = "ok"
        except LcgError as error:
            outcome = str(error.data.get("kind") or ErrorCode(error.code).name.lower())
            raise
        finally:
            self._running.dec()
            self._calls.labels(label, outcome).inc()
            self._seconds.labels(label).observe(time.monotonic() - began)
        return result

    def render(self, status: Mapping[str, Any] | None) -> bytes:
        """Write everything down; `status` is a result of knowledge_status, None when there is none."""
        now = CollectorRegistry()
        now.register(_Status(status or {}))
        return bytes(generate_latest(self._registry)) + bytes(generate_latest(now))


class _Measured:
    """A service whose calls are counted."""

    def __init__(self, service: Service, metrics: Metrics) -> None:
        self._service = service
        self._metrics = metrics

    def call(self, method: str, params: Mapping[str, Any] | None, call: Call) -> dict[str, Any]:
        return self._metrics.call(self._service, method, params, call)

    def answers_at_once(self, method: str) -> bool:
        return self._service.answers_at_once(method)

    def works_unasked(self) -> bool:
        return self._service.works_unasked()

    def close(self) -> None:
        self._service.close()


class _Status(Collector):
    """What a result of knowledge_status says, as far as it is numbers."""

    def __init__(self, status: Mapping[str, Any]) -> None:
        self._status = status

    def collect(self) -> Iterator[GaugeMetricFamily]:
        queryable = 1.0 if self._status.get("queryable") else 0.0
        yield GaugeMetricFamily("lcg_queryable", "1: the store is open, and every method can be used.", value=queryable)
        for what, key in _ROWS.items():
            if isinstance(self._status.get(key), int):
                yield GaugeMetricFamily(f"lcg_{what}", f"All {what} of the workspace.", value=self._status[key])
        groups = self._status.get("wal_groups") or {}
        yield GaugeMetricFamily("lcg_groups", "Groups of the workspace.", value=len(groups))
        pending = GaugeMetricFamily(
            "lcg_group_pending", "Lines of a group's log that the store has not.", labels=["group"]
        )
        applied = GaugeMetricFamily(
            "lcg_group_applied_seq", "The last applied line of a group's log.", labels=["group"]
        )
        for group, record in groups.items():
            for family, key in ((pending, "pending"), (applied, "applied_seq")):
                if isinstance(record.get(key), int):
                    family.add_metric([group], record[key])
        yield from (pending, applied)
