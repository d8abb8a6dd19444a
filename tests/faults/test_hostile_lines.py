"""Lines that nobody should have written stand in a log: each is passed over, counted, and named by its place."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.processes import Client, Refused, daemon
from tests.wal.reference_corpus import CREATE_ENTITY, entity

pytestmark = pytest.mark.e2e

GROUP, OTHER = "harbour", "anchorage"
HUGE = 65 * 1024 * 1024


def own(seq: int, *ops: dict[str, Any], **more: Any) -> bytes:
    """Return a line of this program's log."""
    content = {"seq": seq, "ts": "2026-03-02T12:00:00Z", "v": 1, "group": GROUP, "origin": "x", "ops": list(ops)}
    return json.dumps({**content, **more}).encode()


def put(name: str, **more: Any) -> dict[str, Any]:
    row = {"op": "entity.put", "uuid": f"uuid of {name}", "name": name, "labels": ["Entity"]}
    return {**row, "created_at": "2026-03-02T12:00:00Z", **more}


def reference(seq: int, cypher: str, params: dict[str, Any]) -> bytes:
    return json.dumps({"seq": seq, "ts": "2026-03-02T12:00:00Z", "db": "", "cypher": cypher, "params": params}).encode()


def hostile_lines(foreign_uuid: str) -> list[bytes]:
    """Return lines that cannot be taken in, numbered from 2; `foreign_uuid` is that of a row of the other group."""
    deep = b"[" * 200_000 + b"]" * 200_000
    intruder = {**entity("intruder", group_id=OTHER)[1], "name": "Intruder"}
    return [
        own(2, put("Huge", summary="x" * HUGE)),
        own(3).replace(b"[]", deep),
        own(4, {"op": "entity.explode", "uuid": "u"}),
        own(5, put("Intruder"), group=OTHER),
        own(6, put("Intruder"), {"op": "mention.put", "episode": foreign_uuid, "entity": foreign_uuid}),
        own(7, put("Intruder", uuid=foreign_uuid)),
        own(8, put("Intruder")).replace(b"Intruder", b"Intr\xff\xfeder"),
        own(9, put("Intruder"), v=99),
        reference(10, CREATE_ENTITY, intruder),
        reference(11, "MATCH (e:Entity {uuid: $u}) SET e.name = 'Intruder'", {"u": foreign_uuid}),
        reference(12, "CALL dbms.shutdown() YIELD x RETURN x", {}),
        reference(13, "CREATE (:Entity {uuid: " + "[" * 5_000 + "]" * 5_000 + "})", {}),
        b"\x00\x01 garbage",
        b"42",
    ]


def names(client: Client, group_id: str) -> list[str]:
    return sorted(node["name"] for node in client.result("knowledge_list_entities", group_ids=[group_id])["nodes"])


def check(client: Client, path: Path, lines: int, digest: str) -> None:
    """Check that the good lines are there, every hostile one is named, and the other group is as it was."""
    assert names(client, GROUP) == ["Ada", "Survivor"]
    assert names(client, OTHER) == ["Grace"]
    assert client.rows("MATCH (e:Entity) RETURN count(e)") == [[3]]
    status = client.result("knowledge_status")
    assert (status["wal_groups"][GROUP]["pending"], status["wal_groups"][OTHER]["digest"]) == (0, digest)
    records = status["failed_records"]
    assert {record["group_id"] for record in records} == {GROUP}
    places = sorted(record["error"].partition(": ")[0] for record in records)
    assert places == sorted(f"{path.name}:{number}" for number in range(2, lines + 2))


def test_hostile_lines_are_passed_over_and_never_reach_another_group(tmp_path: Path) -> None:
    with daemon(tmp_path) as service, service.client() as client:
        client.result("knowledge_assert_entity", name="Ada", group_id=GROUP)
        grace = client.result("knowledge_assert_entity", name="Grace", group_id=OTHER)["entity_uuid"]
        digest = client.result("knowledge_status")["wal_groups"][OTHER]["digest"]
        (path,) = (tmp_path / ".lcg" / "wal" / GROUP).glob("*.jsonl")
        hostile = hostile_lines(grace)
        # To delete what the group does not hold is no contradiction, whoever else holds it.
        harmless = [own(14, put("Survivor")), own(15, {"op": "entity.delete", "uuid": grace})]
        with path.open("ab") as log:
            log.writelines(line + b"\n" for line in [*hostile, *harmless])
        with pytest.raises(Refused) as refused:
            client.result("knowledge_assert_entity", name="Late", group_id=GROUP)
        assert refused.value.kind == "precondition"
        assert names(client, GROUP) == ["Ada"]

        result = client.result("knowledge_rebuild_from_wal", group_id=GROUP, force_clear=True)
        assert result["mutations_replayed"] == 3
        counts = [result[f"{kind}_lines"] for kind in ("unrecognised", "failed", "unparseable")]
        assert sum(counts) == result["lines_skipped"] == len(hostile)
        assert all(counts)
        assert f"{len(hostile)} of {len(hostile) + 3} lines" in result["fidelity_warning"]
        samples = result["failed_samples"]
        assert len(samples) == 10
        assert sum(sample["count"] for sample in samples) + result["failed_sample_categories_dropped"] == len(hostile)
        for sample in samples:
            assert sample["sample"].startswith(f"{path.name}:")
            assert len(sample["sample"]) <= 200
            assert sample["error"]
        check(client, path, len(hostile), digest)
        service.kill()
    for lost in ((), ("db",), ("db", "search")):
        for part in lost:
            shutil.rmtree(tmp_path / ".lcg" / part)
        with daemon(tmp_path) as service, service.client() as client:
            check(client, path, len(hostile), digest)
            assert service.end() == 0
    with daemon(tmp_path) as service, service.client() as client:
        assert client.result("knowledge_assert_entity", name="Late", group_id=GROUP)["created"]
        assert names(client, GROUP) == ["Ada", "Late", "Survivor"]
