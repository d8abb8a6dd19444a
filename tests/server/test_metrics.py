"""What /metrics tells, read by the parser of the client library."""

import threading
from collections.abc import Mapping
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from lcg.errors import InvalidParams, LcgError, Unavailable, UnexpectedFailure
from lcg.runtime.call import Call
from lcg.server.metrics import Metrics
from tests.server.fake_service import FakeService

Samples = dict[tuple[str, tuple[tuple[str, str], ...]], float]


def samples(metrics: Metrics, status: Mapping[str, Any] | None = None) -> Samples:
    text = metrics.render(status).decode()
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def calls(method: str, outcome: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    return "lcg_calls_total", (("method", method), ("outcome", outcome))


class Failing(FakeService):
    """Fails as it is told to."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self._error = error

    def call(self, method: str, params: Mapping[str, Any] | None, call: Call) -> dict[str, Any]:
        raise self._error


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        (InvalidParams("wait", "seconds", "a number", "nothing"), "invalid_params"),
        (Unavailable("unknown", []), "unavailable"),
        (UnexpectedFailure("abc"), "internal_error"),
        (ValueError("a fault"), "unexpected"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_failures_are_counted_by_kind_and_passed_on(error: Exception, outcome: str) -> None:
    metrics = Metrics(["wait"])
    service = metrics.measure(Failing(error))
    with pytest.raises((LcgError, ValueError)) as caught:
        service.call("wait", {}, Call("wait"))
    assert caught.value is error
    told = samples(metrics)
    assert told[calls("wait", outcome)] == 1
    assert told["lcg_call_seconds_count", (("method", "wait"),)] == 1
    assert told["lcg_calls_running", ()] == 0


def test_calls_that_run_are_told() -> None:
    metrics = Metrics(["wait"])
    fake = FakeService()
    call = Call("wait")
    thread = threading.Thread(target=metrics.measure(fake).call, args=("wait", {"seconds": 0.3}, call))
    thread.start()
    while not fake.seen:
        pass
    assert samples(metrics)["lcg_calls_running", ()] == 1
    thread.join()


def test_made_up_names_share_one_label() -> None:
    metrics = Metrics(["wait"])
    service = metrics.measure(FakeService())
    for number in range(5):
        service.call(f"made_up_{number}", {}, Call("x"))
    told = samples(metrics)
    assert told[calls("unknown", "ok")] == 5
    assert not any("made_up" in str(key) for key in told)


def test_counts_and_groups_come_from_status() -> None:
    status = {
        "queryable": True,
        "entity_count": 7,
        "relationship_count": 3,
        "episode_count": 2,
        "wal_groups": {
            'a "quoted"\ngroup': {"pending": 4, "applied_seq": 9},
            "cold": {"pending": None, "applied_seq": None},
        },
    }
    told = samples(Metrics([]), status)
    group = (("group", 'a "quoted"\ngroup'),)
    assert told["lcg_queryable", ()] == 1
    assert told["lcg_entities", ()] == 7
    assert told["lcg_groups", ()] == 2
    assert told["lcg_group_pending", group] == 4
    assert told["lcg_group_applied_seq", group] == 9
    assert ("lcg_group_pending", (("group", "cold"),)) not in told


def test_without_a_status_the_store_counts_as_closed() -> None:
    told = samples(Metrics([]))
    assert told["lcg_queryable", ()] == 0
    assert ("lcg_entities", ()) not in told


def test_two_servers_in_one_process_count_apart() -> None:
    one, other = Metrics(["wait"]), Metrics(["wait"])
    one.measure(FakeService()).call("knowledge_close", {}, Call("knowledge_close"))
    assert calls("unknown", "ok") not in samples(other)
