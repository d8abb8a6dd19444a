"""Rebuilding from the log: what comes back, what stays out, what is refused, and what goes on meanwhile."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lcg.errors import InvalidParams, OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.graph import loading
from lcg.runtime.call import Call
from lcg.server.app import open_service
from lcg.services.rebuild import rebuilder
from tests.handlers.own_group import ALL, Own
from tests.server.running import eventually
from tests.workspaces import workspace_settings


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Own]:
    made = Own(tmp_path)
    yield made
    made.service.close()


def test_a_group_that_holds_data_is_left_alone_unless_told(own: Own) -> None:
    with pytest.raises(OperationFailed, match="already contains data") as caught:
        own.rebuild()
    assert caught.value.kind is ErrorKind.PRECONDITION
    assert "force_clear: true" in caught.value.message
    assert 'knowledge_delete_by_group {"group_ids":["a"],"confirm":true}' in caught.value.message
    with pytest.raises(OperationFailed, match="dry run"):
        own.rebuild(dry_run=True, force_clear=True)


def test_a_rebuilt_group_is_as_it_was(own: Own) -> None:
    own.ask("process_chunk", chunk_text="n1 sailed to Port Vell.", chunk_id="c", source_file="f", group_id="a")
    own.ask("assert_relationship", source_name="n1", predicate="KNOWS", target_name="n2", group_id="a")
    before, rows = own.position(), own.ask("list_relationships", group_ids=["a"])
    result = own.rebuild(force_clear=True)
    assert (result["success"], result["status"], result["mutations_replayed"]) == (True, "completed", 7)
    assert (result["lines_skipped"], result["fidelity_warning"], result["last_committed_seq"]) == (0, None, 7)
    assert (result["reset_detected"], result["excluded"], result["indices_built"]) == (False, [], True)
    assert "warnings" not in result
    assert own.position() == before
    assert own.ask("list_relationships", group_ids=["a"]) == rows
    assert own.ask("find_entities", query="thing 3", group_ids=["a"], num_results=1)["nodes"][0]["name"] == "n3"
    assert own.ask("status")["embedding"]["rows_without_vector"] == 0
    assert own.names("b") == ["other"]
    assert own.ask("assert_entity", name="N3", group_id="a")["created"] is False
    job = own.ask("rebuild_status", job_id=result["job_id"])
    assert (job["status"], job["result"]["mutations_replayed"], job["error"]) == ("completed", 7, None)


def test_a_bounded_rebuild_leaves_the_rest_out_for_good(own: Own) -> None:
    result = own.rebuild(force_clear=True, to_seq=3)
    assert (result["mutations_replayed"], result["excluded"], result["to_seq"]) == (3, [[4, 5]], 3)
    for lose_store in (False, True, None):
        position = own.position()
        assert own.names() == ALL[:3]
        assert (position["applied_seq"], position["max_seq"], position["pending"]) == (3, 5, 0)
        assert position["hydration_status"] == "wal_ahead"
        if lose_store is not None:
            own.restart(lose_store=lose_store)
    own.ask("assert_entity", name="n6", group_id="a")
    assert own.position()["applied_seq"] == 6
    own.restart(lose_store=True)
    assert own.names() == [*ALL[:3], "n6"]
    own.rebuild(force_clear=True)
    assert own.names() == [*ALL, "n6"]
    assert (own.position()["excluded"], own.position()["hydration_status"]) == ([], "hydrated")


def test_a_resume_takes_lines_back_in_at_their_own_place(own: Own) -> None:
    own.rebuild(force_clear=True, to_seq=2)
    own.ask("assert_entity", name="n4", summary="newer", group_id="a")
    assert own.position()["excluded"] == [[3, 5]]
    result = own.rebuild(from_seq=4, to_seq=4)
    assert (result["mutations_replayed"], result["excluded"]) == (1, [[3, 3], [5, 5]])
    # Line 4 asserted another n4; the newer one of line 6 is a row of its own.
    assert own.names() == ["n1", "n2", "n4", "n4"]
    assert own.position()["applied_seq"] == 6
    result = own.rebuild(from_seq=1)
    assert result["excluded"] == []
    assert own.names() == ["n1", "n2", "n3", "n4", "n4", "n5"]
    assert own.rebuild(from_seq=1)["mutations_replayed"] == 6
    digest = own.position()["digest"]
    own.restart(lose_store=True)
    assert own.position()["digest"] == digest


def test_a_resume_that_jumps_leaves_out_what_it_jumps_over(own: Own) -> None:
    own.rebuild(force_clear=True, to_seq=0)
    assert (own.names(), own.position()["pending"]) == ([], 0)
    result = own.rebuild(from_seq=4)
    assert own.names() == ["n4", "n5"]
    assert (result["excluded"], own.position()["applied_seq"]) == ([[1, 3]], 5)


def test_a_purge_at_the_end_counts_as_clearing_by_hand(own: Own) -> None:
    own.ask("delete_by_group", group_ids=["a"], confirm=True)
    result = own.rebuild()
    assert own.names() == ALL
    assert [(w["type"], w["seq"]) for w in result["warnings"]] == [("purge_skipped", 6)]
    position = own.position()
    assert (position["applied_seq"], position["max_seq"], position["excluded"]) == (5, 6, [[6, 6]])
    assert (position["pending"], position["hydration_status"]) == (0, "hydrated")
    own.ask("assert_entity", name="n6", group_id="a")
    own.restart(lose_store=True)
    assert own.names() == [*ALL, "n6"]
    assert "warnings" not in own.rebuild(force_clear=True)
    assert own.names() == [*ALL, "n6"]


def test_a_purge_that_later_writes_followed_is_history(own: Own) -> None:
    own.ask("delete_by_group", group_ids=["a"], confirm=True)
    own.ask("assert_entity", name="later", group_id="a")
    result = own.rebuild(force_clear=True)
    assert own.names() == ["later"]
    assert [(w["type"], w["seq"]) for w in result["warnings"]] == [("purge_in_range", 6)]
    own.rebuild(force_clear=True, to_seq=5)
    assert own.names() == ALL


def test_a_dry_run_reads_and_changes_nothing(own: Own) -> None:
    own.ask("delete_by_group", group_ids=["a"], confirm=True)
    before = own.position()
    result = own.rebuild(dry_run=True)
    assert (result["dry_run"], result["mutations_replayed"]) == (True, 5)
    assert not {"job_id", "status", "excluded", "indices_built"} & set(result)
    assert (own.position(), own.names()) == (before, [])


def test_lines_that_cannot_be_taken_in_are_counted_and_shown(own: Own) -> None:
    own.service.close()
    file = next((own.root / "wal" / "a").glob("*.jsonl"))
    lines = file.read_bytes().splitlines(keepends=True)
    lines[1] = lines[1].replace(b"entity.put", b"entity.pat")
    lines[2] = lines[2].replace(b"entity.put", b"entity.pat")
    file.write_bytes(b"".join(lines))
    own.service = open_service(workspace_settings(own.root))
    result = own.rebuild(force_clear=True)
    assert (result["mutations_replayed"], result["unparseable_lines"], result["lines_skipped"]) == (3, 2, 2)
    (sample,) = result["failed_samples"]
    assert sample["count"] == 2
    assert "2 of 5 lines" in result["fidelity_warning"]
    assert [entry["seq"] for entry in own.ask("status")["failed_records"]] == [2, 3]
    assert own.names() == ["n1", "n4", "n5"]


def test_another_stream_in_place_of_the_log_is_noticed_and_taken_whole(own: Own) -> None:
    identity = own.root / "wal" / "a" / ".wal-generation.json"
    identity.write_text('{"generation": "published elsewhere"}', encoding="utf-8")
    with pytest.raises(OperationFailed, match="knowledge_rebuild_from_wal"):
        own.ask("assert_entity", name="n6", group_id="a")
    result = own.rebuild(from_seq=4, to_seq=4)
    assert (result["reset_detected"], result["generation"]) == (True, "published elsewhere")
    assert (result["from_seq"], result["to_seq"], result["mutations_replayed"]) == (0, None, 5)
    assert own.names() == ALL
    own.ask("assert_entity", name="n6", group_id="a")


def test_without_its_identity_a_log_that_was_applied_is_not_trusted(own: Own) -> None:
    (own.root / "wal" / "a" / ".wal-generation.json").unlink()
    with pytest.raises(OperationFailed) as caught:
        own.rebuild(force_clear=True)
    assert caught.value.kind is ErrorKind.GENERATION_UNKNOWN
    assert ".wal-generation.json" in caught.value.message
    assert own.names() == ALL


def test_a_stream_that_comes_from_elsewhere_is_taken_in_on_request(own: Own, tmp_path: Path) -> None:
    donor = tmp_path / "donor"
    donor.mkdir()
    other = Own(donor)
    other.service.close()
    (donor / "wal" / "a").rename(own.root / "wal" / "c")
    found = own.ask("find_entities", query="n1", group_ids=["c"])
    assert (found["count"], [w["type"] for w in found["warnings"]]) == (0, ["wal_ahead"])
    result = own.ask("rebuild_from_wal", group_id="c")
    assert result["unparseable_lines"] == 5  # They say that they belong to group a.
    assert own.names("a") == ALL


@pytest.mark.parametrize(
    ("params", "parameter"), [({"from_seq": -1}, "from_seq"), ({"from_seq": 3, "to_seq": 2}, "to_seq")]
)
def test_a_range_that_cannot_be_is_refused(own: Own, params: dict[str, int], parameter: str) -> None:
    with pytest.raises(InvalidParams) as caught:
        own.rebuild(force_clear=True, **params)
    assert caught.value.data["parameter"] == parameter
    assert own.names() == ALL


def test_a_group_without_a_log_cannot_be_rebuilt(own: Own) -> None:
    with pytest.raises(OperationFailed, match="'nowhere' has no log") as caught:
        own.ask("rebuild_from_wal", group_id="nowhere")
    assert caught.value.kind is ErrorKind.NOT_FOUND
    assert "nowhere" not in own.ask("status")["wal_groups"]


def test_a_cancelled_rebuild_changes_nothing_and_its_job_says_so(own: Own) -> None:
    call = Call("knowledge_rebuild_from_wal")
    call.cancelled.set()
    with pytest.raises(OperationFailed, match="operation cancelled"):
        own.ask("rebuild_from_wal", call, group_id="a", force_clear=True)
    assert own.names() == ALL
    assert own.ask("assert_entity", name="n6", group_id="a")["created"] is True


def test_progress_names_its_phases_and_never_falls_back(own: Own) -> None:
    frames: list[dict[str, Any]] = []
    own.ask(
        "rebuild_from_wal",
        Call("knowledge_rebuild_from_wal", report=lambda frame: frames.append(dict(frame))),
        group_id="a",
        force_clear=True,
    )
    phases = list(dict.fromkeys(frame["phase"] for frame in frames))
    assert phases == ["reading", "applying", "indexing"]
    for phase in phases:
        own_frames = [frame for frame in frames if frame["phase"] == phase]
        done = [frame["processed"] for frame in own_frames]
        assert done == sorted(done)
        assert (done[0], done[-1]) == (0, own_frames[0]["total"])


def test_in_the_background_the_job_is_answered_at_once(own: Own) -> None:
    answer = own.rebuild(force_clear=True, background=True)
    assert set(answer) == {"success", "job_id", "group_id", "status"}
    assert answer["status"] == "running"
    for _ in range(200):
        job = own.ask("rebuild_status", job_id=answer["job_id"])
        if job["status"] != "running":
            break
        own.ask("status")
    assert (job["status"], job["result"]["mutations_replayed"]) == ("completed", 5)
    assert own.ask("rebuild_status", job_id="nobody") == {"status": "not_found"}


def test_a_rebuild_in_the_background_is_work_that_no_call_waits_for(own: Own, monkeypatch: pytest.MonkeyPatch) -> None:
    reached, go_on = threading.Event(), threading.Event()

    def load_group(*arguments: Any) -> Any:
        reached.set()
        assert go_on.wait(30)
        return load(*arguments)

    load = loading.load_group
    monkeypatch.setattr(rebuilder, "load_group", load_group)
    own.names()
    eventually(lambda: not own.service.works_unasked())
    job = own.rebuild(force_clear=True, background=True)["job_id"]
    assert reached.wait(30)
    assert own.service.works_unasked()
    go_on.set()
    eventually(lambda: not own.service.works_unasked())
    eventually(lambda: own.ask("rebuild_status", job_id=job)["status"] == "completed")


@pytest.mark.parametrize("step", ["save_excluded", "load_group", "index_steps"])
def test_a_rebuild_that_a_crash_interrupts_is_finished_at_the_next_start(
    own: Own, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(*_: object) -> Any:
        raise KeyboardInterrupt

    core = own.service._situation.core
    assert core is not None
    with monkeypatch.context() as patch:
        patch.setattr(core.rebuilder._log if step == "save_excluded" else rebuilder, step, crash)
        with pytest.raises(KeyboardInterrupt):
            own.rebuild(force_clear=True, to_seq=3)
    own.restart()
    position = own.position()
    assert position["pending"] == 0
    assert own.names() == (ALL if step == "save_excluded" else ALL[:3])
    own.restart(lose_store=True)
    assert own.position()["digest"] == position["digest"]


def test_what_cypher_changed_is_gone_once_every_group_was_rebuilt_in_full(own: Own) -> None:
    own.ask("query_cypher", query="MATCH (n:Entity {name: 'n1'}) SET n.summary = 'changed'")
    assert own.ask("status")["wal"]["unlogged_mutations"] == 1
    result = own.rebuild(force_clear=True, to_seq=5)
    assert [warning["type"] for warning in result["warnings"]] == ["unlogged_mutations"]
    own.rebuild(force_clear=True)
    assert own.ask("status")["wal"]["unlogged_mutations"] == 1
    result = own.ask("rebuild_from_wal", group_id="b", force_clear=True)
    assert "warnings" not in result
    assert own.ask("status")["wal"]["unlogged_mutations"] == 0
    own.ask("query_cypher", query="MATCH (n:Entity {name: 'other'}) SET n.summary = 'changed'")
    own.rebuild(force_clear=True)
    assert own.ask("status")["wal"]["unlogged_mutations"] == 1
