"""Upkeep on request."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lcg.runtime.call import Call
from lcg.search.protocol import TextKind, VectorKind
from lcg.server.app import LcgService
from tests.workspaces import running_service


@pytest.fixture
def service(tmp_path: Path) -> Iterator[LcgService]:
    with running_service(tmp_path) as running:
        yield running


def ask(service: LcgService, method: str, **params: Any) -> dict[str, Any]:
    return service.call(f"knowledge_{method}", params, Call(f"knowledge_{method}"))


def test_indexes_are_built_anew_from_the_rows(service: LcgService) -> None:
    uuid = ask(service, "assert_entity", name="Mira", summary="harbour pilot")["entity_uuid"]
    core = service._situation.core
    assert core is not None
    derived = core.graph.state.derived
    derived.text.update([], [(TextKind.ENTITY, uuid)], {})
    derived.vectors.update([], [(kind, uuid) for kind in VectorKind], {})
    assert ask(service, "find_entities", query="harbour pilot")["count"] == 0
    answer = ask(service, "build_indices")
    assert answer == {"status": "ok", "indices_built": True, "embedded": 0, "embedding_warning": None}
    assert ask(service, "find_entities", query="harbour pilot")["count"] == 1
    assert ask(service, "assert_entity", name="mira")["created"] is False
    assert ask(service, "assert_entity", name="Tern")["created"] is True


def test_rows_without_a_vector_get_one(service: LcgService, monkeypatch: pytest.MonkeyPatch) -> None:
    ask(service, "status")
    core = service._situation.wait(Call("x").cancelled)
    with monkeypatch.context() as patch:
        patch.setattr(core.embedding, "prepare", lambda texts: "the embedder is away")
        answer = ask(service, "assert_entity", name="Mira", summary="harbour pilot")
    assert answer["embedding_warning"] == "the embedder is away"
    found = ask(service, "find_entities", query="harbour pilot")
    assert [warning["type"] for warning in found["warnings"]] == ["vectors_missing"]
    assert ask(service, "build_indices")["embedded"] == 2
    assert "warnings" not in ask(service, "find_entities", query="harbour pilot")


def test_after_a_checkpoint_the_next_write_begins_a_new_log_file(service: LcgService) -> None:
    assert ask(service, "prepare_checkpoint") == {"success": True, "files_flushed": 0, "files_total": 0}
    for group in ("a", "b"):
        ask(service, "assert_entity", name="Mira", group_id=group)
    assert ask(service, "prepare_checkpoint") == {"success": True, "files_flushed": 2, "files_total": 2}
    assert ask(service, "prepare_checkpoint") == {"success": True, "files_flushed": 0, "files_total": 2}
    ask(service, "assert_entity", name="Tern", group_id="a")
    assert ask(service, "prepare_checkpoint") == {"success": True, "files_flushed": 1, "files_total": 3}
    assert ask(service, "status")["wal_groups"]["a"]["max_seq"] == 2
