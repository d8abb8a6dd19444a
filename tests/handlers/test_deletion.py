"""Deletion: what goes, what stays, what is refused, and that a clear is finished whatever interrupts it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lcg.errors import InvalidParams, OperationFailed, Unavailable
from lcg.generated.errors import ErrorKind
from lcg.model.rows import Edge, Entity
from lcg.runtime.call import Call
from lcg.server.app import LcgService, open_service
from lcg.services.clearing import Clearing
from tests.handlers.conftest import Ask, put
from tests.workspaces import workspace_settings

TEXTS = {"c-1": "Mira Vane sailed to Port Vell.", "c-2": "The Tern belongs to Mira Vane."}


@pytest.fixture
def chunks(ask: Ask, group: str) -> dict[str, str]:
    """Ingest two chunks of one file and return their episodes."""
    return {
        chunk: ask("process_chunk", chunk_text=text, chunk_id=chunk, source_file="log.md", group_id=group)[
            "episode_uuid"
        ]
        for chunk, text in TEXTS.items()
    }


def provenance(ask: Ask, group: str) -> list[list[str]]:
    return [edge["episode_uuids"] for edge in ask("list_relationships", group_ids=[group])["edges"]]


def test_a_deleted_episode_leaves_entities_and_facts_without_it(ask: Ask, group: str, chunks: dict[str, str]) -> None:
    before = ask("list_entities", group_ids=[group])["total"]
    answer = ask("delete_episode", episode_uuid=chunks["c-1"])
    assert (answer["status"], answer["deleted_count"]) == ("deleted", 1)
    # Port Vell is in that text only; Mira Vane is in the other one, too.
    assert answer["orphaned_entities"] == 1
    assert ask("list_entities", group_ids=[group])["total"] == before
    assert all(chunks["c-1"] not in episodes for episodes in provenance(ask, group))
    rows = ask(
        "query_cypher", query="MATCH (r:RelatesToNode_ {group_id: $g}) RETURN r.episodes", parameters={"g": group}
    )["rows"]
    assert all(chunks["c-1"] not in row[0] for row in rows)
    assert ask("get_episodes", group_id=group)["total"] == 1
    assert ask("search_passages", query="Port Vell", group_ids=[group], min_score=0)["count"] == 1


def test_an_unknown_episode_is_deleted_already(ask: Ask) -> None:
    assert ask("delete_episode", episode_uuid="nobody") == {
        "status": "deleted",
        "deleted_count": 0,
        "orphaned_entities": 0,
    }


def test_the_uuid_of_another_kind_of_row_deletes_nothing(ask: Ask, group: str) -> None:
    uuid = ask("assert_entity", name="Mira", group_id=group)["entity_uuid"]
    assert ask("delete_episode", episode_uuid=uuid)["deleted_count"] == 0
    assert ask("list_entities", group_ids=[group])["total"] == 1


def test_after_a_deletion_the_newest_revision_that_is_left_counts(ask: Ask, group: str) -> None:
    def ingest(text: str) -> dict[str, Any]:
        return ask("process_chunk", chunk_text=text, chunk_id="c", source_file="f.md", group_id=group)

    ingest("Mira is here.")
    second = ingest("Mira is there.")["episode_uuid"]
    found = ask("search_passages", query="Mira is", group_ids=[group], min_score=0)["passages"]
    assert [passage["uuid"] for passage in found] == [second]
    ask("delete_episode", episode_uuid=second)
    assert ingest("Mira is here.")["outcome"] == "unchanged"
    found = ask("search_passages", query="Mira is", group_ids=[group], min_score=0)["passages"]
    assert [passage["content"] for passage in found] == ["Mira is here."]
    assert ingest("Mira is there.")["revision"] == 2


def test_the_episodes_of_a_file_go_and_those_of_similar_names_stay(
    ask: Ask, group: str, chunks: dict[str, str]
) -> None:
    ask("process_chunk", chunk_text="Other.", chunk_id="c", source_file="log.md2", group_id=group)
    ask("add_episode", name="n", episode_body="Plain.", source_description="log.md", group_id=group)
    answer = ask("delete_by_source", source_file="log.md", group_ids=[group, "unknown group"])
    assert answer["deleted_count"] == 3
    assert set(chunks.values()) < set(answer["deleted_uuids"])
    assert answer["groups_done"] == [group]
    left = ask("get_episodes", group_id=group)["episodes"]
    assert [episode["source_description"] for episode in left] == ["log.md2:c"]


def test_a_chunk_goes_with_every_revision_in_every_file(ask: Ask, group: str) -> None:
    for text, file in (("One.", "a.md"), ("Two.", "a.md"), ("Three.", "b.md")):
        ask("process_chunk", chunk_text=text, chunk_id="c-7", source_file=file, group_id=group)
    assert ask("delete_chunk_episode", chunk_id="c-7", group_ids=group)["deleted_count"] == 3
    again = ask("process_chunk", chunk_text="One.", chunk_id="c-7", source_file="a.md", group_id=group)
    assert (again["outcome"], again["revision"]) == ("created", 1)


@pytest.mark.parametrize("method", ["delete_by_source", "delete_chunk_episode", "delete_by_group"])
@pytest.mark.parametrize("groups", [None, [], "", [""], ["a", None]])
def test_a_deletion_must_name_its_groups(ask: Ask, method: str, groups: Any) -> None:
    first = {"delete_by_source": "source_file", "delete_chunk_episode": "chunk_id"}.get(method)
    params: dict[str, Any] = {first: "x"} if first else {"confirm": True}
    with pytest.raises(InvalidParams) as caught:
        ask(method, group_ids=groups, **params)
    assert caught.value.data["parameter"] == "group_ids"


def test_a_purge_without_confirmation_names_the_exact_call(ask: Ask, group: str) -> None:
    ask("assert_entity", name="Mira", group_id=group)
    with pytest.raises(OperationFailed) as caught:
        ask("delete_by_group", group_ids=[group])
    assert caught.value.kind is ErrorKind.PRECONDITION
    assert f'knowledge_delete_by_group {{"group_ids":["{group}"],"confirm":true}}' in caught.value.message
    assert ask("list_entities", group_ids=[group])["total"] == 1


def test_a_dry_run_of_a_purge_counts_what_the_real_one_removes(ask: Ask, group: str, chunks: dict[str, str]) -> None:
    before = ask("status")["wal_groups"][group]
    dry = ask("delete_by_group", group_ids=[group, "unknown group"], dry_run=True, confirm=True)
    assert ask("status")["wal_groups"][group] == before
    assert "unknown group" not in ask("status")["wal_groups"]
    real = ask("delete_by_group", group_ids=[group, "unknown group"], confirm=True)
    known, unknown = real["groups"]
    assert known["purge_seq"] == before["max_seq"] + 1
    assert unknown == {"group_id": "unknown group", "entities": 0, "episodes": 0, "edges": 0, "purge_seq": None}
    assert {**known, "purge_seq": None} == dry["groups"][0]
    assert (known["episodes"], real["groups_done"], real["applied_seq_reset"]) == (2, [group], False)
    assert dry["groups_done"] == []


def test_a_purged_group_is_empty_everywhere_and_can_be_used_again(ask: Ask, group: str, chunks: dict[str, str]) -> None:
    ask("delete_by_group", group_ids=[group], confirm=True)
    for method in ("list_entities", "list_relationships", "get_nodes_by_group", "get_edges_by_group"):
        assert ask(method, group_ids=[group])["total"] == 0
    assert ask("get_episodes", group_id=group)["total"] == 0
    assert ask("find_entities", query="Mira Vane", group_ids=[group])["count"] == 0
    assert ask("search_passages", query="Mira", group_ids=[group], min_score=0)["count"] == 0
    assert ask("status")["wal_groups"][group]["digest"] == "0" * 32
    assert ask("assert_entity", name="Mira Vane", group_id=group)["created"] is True
    assert ask("find_entities", query="Mira Vane", group_ids=[group])["count"] == 1


def test_edges_of_other_groups_into_a_purged_one_become_unbound(service: LcgService, ask: Ask, group: str) -> None:
    other = group + "-layer"
    put(service, Entity(f"{group}-t", group, "Tern", ("Entity",), 1))
    put(
        service,
        Entity(f"{other}-m", other, "Mira", ("Entity",), 1),
        Edge(f"{other}-e", other, "USES", f"{other}-m", f"{group}-t", "Mira uses the Tern", 1),
    )
    assert ask("list_relationships", group_ids=[other])["total"] == 1
    unbound = ask("status")["unbound_relationship_count"]
    dry = ask("delete_by_group", group_ids=[group], dry_run=True)
    assert dry["unbound_impacts"] == [{"group_id": other, "pointer_count": 1}]
    ask("delete_by_group", group_ids=[group], confirm=True)
    assert ask("list_relationships", group_ids=[other])["total"] == 0
    assert ask("find_relationships", query="uses the Tern", group_ids=[other])["count"] == 0
    assert ask("status")["unbound_relationship_count"] == unbound + 1
    assert ask("get_edges_by_uuids", uuids=[f"{other}-e"])["missing"] == [f"{other}-e"]
    put(service, Entity(f"{group}-t", group, "Tern", ("Entity",), 1))
    assert ask("list_relationships", group_ids=[other])["total"] == 1


class Own:
    """A service over a workspace of its own, restarted at will."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.service = open_service(workspace_settings(root))

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        return self.service.call(f"knowledge_{method}", params, Call(f"knowledge_{method}"))

    def restart(self) -> None:
        self.service.close()
        self.service = open_service(workspace_settings(self.root))


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Own]:
    made = Own(tmp_path)
    made.ask("assert_entity", name="Mira", group_id="a")
    made.ask("assert_entity", name="Tern", group_id="b")
    yield made
    made.service.close()


def test_a_clear_needs_confirmation(own: Own) -> None:
    with pytest.raises(OperationFailed, match="confirm"):
        own.ask("clear_all", confirm=False)
    assert own.ask("list_entities")["total"] == 2


def test_a_clear_empties_graph_and_logs_and_everything_goes_on(own: Own) -> None:
    assert own.ask("clear_all", confirm=True)["success"] is True
    for again in (False, True):
        if again:
            own.restart()
        assert own.ask("list_entities")["total"] == 0
        assert own.ask("find_entities", query="Mira")["count"] == 0
        assert own.ask("status")["wal_groups"] == {}
    assert own.ask("assert_entity", name="Mira", group_id="a")["created"] is True
    assert own.ask("status")["wal_groups"]["a"]["applied_seq"] == 1
    own.restart()
    assert own.ask("list_entities")["total"] == 1


def test_a_clear_that_keeps_the_logs_leaves_out_what_they_hold(own: Own) -> None:
    own.ask("clear_all", confirm=True, preserve_wal=True)
    for again in (False, True):
        if again:
            own.restart()
        assert own.ask("list_entities")["total"] == 0
        position = own.ask("status")["wal_groups"]["a"]
        assert (position["applied_seq"], position["max_seq"], position["pending"]) == (0, 1, 0)
        assert (position["excluded"], position["hydration_status"]) == ([[1, 1]], "wal_ahead")
    own.ask("assert_entity", name="Grace", group_id="a")
    own.service.close()
    (own.root / "db" / "liminis.db").unlink()
    own.service = open_service(workspace_settings(own.root))
    assert [node["name"] for node in own.ask("list_entities")["nodes"]] == ["Grace"]


@pytest.mark.parametrize("preserve", [False, True])
@pytest.mark.parametrize("step", ["remove_files", "_reopen", "end"])
def test_an_interrupted_clear_is_finished_at_the_next_start(
    own: Own, step: str, preserve: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(*_: object) -> None:
        raise KeyboardInterrupt

    core = own.service._situation.core
    assert core is not None
    with monkeypatch.context() as patch:
        patch.setattr(core.clearing if step == "_reopen" else Clearing, step, crash)
        with pytest.raises(KeyboardInterrupt):
            own.ask("clear_all", confirm=True, preserve_wal=preserve)
    with pytest.raises(Unavailable):
        own.ask("list_entities")
    own.restart()
    assert own.ask("list_entities")["total"] == 0
    assert set(own.ask("status")["wal_groups"]) == ({"a", "b"} if preserve else set())
    own.ask("assert_entity", name="Grace", group_id="c")
    own.restart()
    assert [node["name"] for node in own.ask("list_entities")["nodes"]] == ["Grace"]
