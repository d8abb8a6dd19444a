"""What a service tells of itself on stderr, and what it remembers of failures."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest

from lcg.errors import LcgError, OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.runtime.call import Call
from lcg.server.app import LcgService
from lcg.server.migration import migrate_before_bind
from lcg.services.situation import Situation
from lcg.settings import Settings
from tests.workspaces import running_service, workspace_settings

Events = Callable[[], list[dict[str, Any]]]


@pytest.fixture
def events(capsys: pytest.CaptureFixture[str]) -> Events:
    """Return the events since the last time."""

    def read() -> list[dict[str, Any]]:
        return [orjson.loads(line) for line in capsys.readouterr().err.splitlines() if line.startswith('{"type"')]

    return read


def ask(service: LcgService, method: str, request_id: str | int | None = None, **params: Any) -> dict[str, Any]:
    name = f"knowledge_{method}"
    return service.call(name, params, Call(name, request_id=request_id))


def only(told: list[dict[str, Any]], event: str) -> list[dict[str, Any]]:
    return [found for found in told if found["type"] == event]


def test_every_call_is_told_with_its_id_its_time_and_whether_it_succeeded(tmp_path: Path, events: Events) -> None:
    with running_service(tmp_path) as service:
        ask(service, "assert_entity", 7, name="Mira")
        with pytest.raises(LcgError):
            ask(service, "assert_relationship", "b", source_name="Mira", target_name="Nobody", predicate="KNOWS")
        with pytest.raises(LcgError):
            ask(service, "no_such_method")
        calls = only(events(), "ipc_call")
    assert [(call["method"], call["request_id"], call["success"]) for call in calls] == [
        ("knowledge_assert_entity", 7, True),
        ("knowledge_assert_relationship", "b", False),
        ("knowledge_no_such_method", None, False),
    ]
    assert all(call["duration_ms"] >= 0 for call in calls)


def test_the_life_of_a_service_is_told_once_per_state(tmp_path: Path, events: Events) -> None:
    with running_service(tmp_path) as service:
        for _ in range(3):
            ask(service, "find_entities", query="anything")
    assert [event["state"] for event in only(events(), "service_state")] == ["healthy", "shutting_down", "stopped"]


def test_a_service_that_cannot_open_its_store_says_why_and_tells_of_the_recovery(
    tmp_path: Path, events: Events
) -> None:
    (tmp_path / "db").mkdir()
    (tmp_path / "db" / "liminis.db").write_bytes(b"no store at all")
    with running_service(tmp_path) as service:
        with pytest.raises(LcgError):
            ask(service, "find_entities", query="anything")
        assert ask(service, "recover", strategy="rebuild_from_workspace_wal")["success"]
    first, second = only(events(), "service_state")[:2]
    assert (first["state"], second["state"]) == ("degraded", "healthy")
    assert first["reason"]


def test_a_full_log_file_and_a_rebuild_are_told(tmp_path: Path, events: Events) -> None:
    with running_service(tmp_path, wal_max_events_per_file=2) as service:
        for name in ("Mira", "Ada", "Bo"):
            ask(service, "assert_entity", name=name, group_id="a b")
        ask(service, "rebuild_from_wal", group_id="a b", force_clear=True)
        told = events()
    (rotated,) = only(told, "wal_rotated")
    assert (rotated["group_id"], rotated["closed_events"]) == ("a b", 2)
    assert rotated["to_file_seq"] == rotated["from_file_seq"] + 1
    assert rotated["closed_bytes"] > 0
    (replayed,) = only(told, "wal_replay_complete")
    assert (replayed["group_id"], replayed["mutations_replayed"], replayed["failed_lines"]) == ("a b", 3, 0)
    assert {"unrecognised_lines", "unparseable_lines", "legacy_skipped_lines", "duration_ms"} <= set(replayed)


def test_the_migration_of_a_workspace_is_told(tmp_path: Path, events: Events, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    migrate_before_bind(Settings())
    (tmp_path / ".graphiti" / "wal").mkdir(parents=True)
    migrate_before_bind(Settings())
    phases = [(event["type"], event["phase"]) for event in events()]
    assert phases == [("workspace_migration", "started"), ("workspace_migration", "complete")]


def test_nothing_is_told_when_telemetry_is_off(tmp_path: Path, events: Events) -> None:
    with running_service(tmp_path, telemetry=False) as service:
        ask(service, "assert_entity", name="Mira")
    assert events() == []
    assert workspace_settings(tmp_path).telemetry


def test_the_last_ten_failures_are_remembered_newest_first_and_without_secrets(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "top-secret-key")
    situation = Situation()
    for number in range(12):
        error = OperationFailed(ErrorKind.PROVIDER_FAILED, f"{number}: the key top-secret-key was refused")
        situation.note_failure("knowledge_process_chunk", error)
    kept = situation.recent_failures()
    assert [failure.message for failure in kept] == [f"{n}: the key *** was refused" for n in range(11, 1, -1)]
    assert {(failure.method, failure.code, failure.kind) for failure in kept} == {
        ("knowledge_process_chunk", -32000, "provider_failed")
    }
