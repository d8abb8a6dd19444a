"""A store that can be read and yet takes nothing more is set aside at a start, and the logs fill a new one."""

from pathlib import Path
from typing import Any

import pytest

from lcg.graph.opening import catch_up
from lcg.runtime.call import Call
from lcg.server import store_opening
from lcg.store.protocol import StoreError
from tests.workspaces import running_service


def test_a_store_that_does_not_take_the_tail_is_replaced_from_the_logs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running_service(tmp_path) as service:
        service.call("knowledge_assert_entity", {"name": "Mira"}, Call("knowledge_assert_entity"))
    refusals = ["Found duplicated primary key value"]

    def refuse_once(*args: Any, **more: Any) -> None:
        if refusals:
            raise StoreError(refusals.pop())
        catch_up(*args, **more)

    monkeypatch.setattr(store_opening, "catch_up", refuse_once)
    with running_service(tmp_path) as service:
        found = service.call("knowledge_list_entities", {}, Call("knowledge_list_entities"))
    assert [node["name"] for node in found["nodes"]] == ["Mira"]
    assert list((tmp_path / "db").glob("liminis.db.corrupt-*"))
