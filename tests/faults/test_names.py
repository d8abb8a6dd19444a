"""Names in any script, with quotes, Cypher or ten thousand characters, survive a kill and a rebuild as they are."""

import shutil
import unicodedata
from itertools import pairwise
from pathlib import Path

import pytest

from tests.faults.picture import take_picture
from tests.processes import Daemon, daemon

pytestmark = pytest.mark.e2e

NAMES = [
    "O'Brien \"the 'quoted' one\" `back\\ticked`",
    "x' }) DETACH DELETE n //",
    'MATCH (n) WHERE n.name = "$name" RETURN n; DROP TABLE Entity',
    "{name: $name} \\u0041 \\n %s {} ${HOME}",
    "知识图谱服务器",
    "東京タワー",
    "서울특별시",
    "नई दिल्ली",
    "القاهرة",
    "👩‍👩‍👧‍👦 family 🏳️‍🌈",
    "𝔘𝔫𝔦𝔠𝔬𝔡𝔢",
    "Zoë Ångström",
    unicodedata.normalize("NFD", "Crème brûlée Ångström"),
    "Straße",
    "ǅ İstanbul ﬁn",
    "-- ; -- /* */ AND OR NOT NEAR(",
    "*",
    "line\u2028separator, paragraph\u2029separator",
    "long " + "x" * 9_995,
    "語" * 10_000,
]


def check(service: Daemon, given: dict[str, str]) -> None:
    """Check that each name has its entity, under its stored spelling, and that asserting it again finds that one."""
    with service.client() as client:
        picture = take_picture(client)
        assert {uuid: row[1] for uuid, row in picture.entities.items()} == {
            uuid: unicodedata.normalize("NFC", name) for name, uuid in given.items()
        }
        for name, uuid in given.items():
            found = client.result("knowledge_find_entities", query=name, num_results=3)["nodes"]
            assert found[0]["uuid"] == uuid, name[:50]
            for spelling in (unicodedata.normalize("NFD", name), f"  {name} "):
                again = client.result("knowledge_assert_entity", name=spelling)
                assert (again["entity_uuid"], again["created"]) == (uuid, False), name[:50]


def test_strange_names_are_found_after_a_kill_and_after_a_rebuild(tmp_path: Path) -> None:
    with daemon(tmp_path) as service:
        with service.client() as client:
            given = {name: client.result("knowledge_assert_entity", name=name)["entity_uuid"] for name in NAMES}
            facts = [
                client.result(
                    "knowledge_assert_relationship",
                    source_name=source,
                    predicate="BESIDE",
                    target_name=target,
                    fact=f"{source[:100]} stands beside {target[:100]}",
                )["edge_uuid"]
                for source, target in pairwise(NAMES)
            ]
        assert len(set(given.values())) == len(NAMES)
        check(service, given)
        service.kill()
    with daemon(tmp_path) as service:
        check(service, given)
        assert service.end() == 0
    shutil.rmtree(tmp_path / ".lcg" / "db")
    shutil.rmtree(tmp_path / ".lcg" / "search")
    with daemon(tmp_path) as service:
        check(service, given)
        with service.client() as client:
            picture = take_picture(client)
            assert set(picture.edges) == set(facts)
            assert all(edge[4].count(" stands beside ") == 1 for edge in picture.edges.values())


GROUPS = ["O'Brien", "知识", "a/../b", "%2e", "..", "x'}) DETACH DELETE n //", "liminis"]


def test_strange_groups_are_kept_apart_and_survive(tmp_path: Path) -> None:
    def assert_in(group_id: str) -> str:
        return str(client.result("knowledge_assert_entity", name="Ada", group_id=group_id)["entity_uuid"])

    with daemon(tmp_path) as service:
        with service.client() as client:
            given = {group_id: assert_in(group_id) for group_id in GROUPS}
        service.kill()
    shutil.rmtree(tmp_path / ".lcg" / "db")
    with daemon(tmp_path) as service, service.client() as client:
        picture = take_picture(client)
        for group_id, uuid in given.items():
            assert picture.named("Ada", group_id) == [uuid]
            found = client.result("knowledge_find_entities", query="Ada", group_ids=[group_id])["nodes"]
            assert [node["uuid"] for node in found] == [uuid]
    root = tmp_path / ".lcg" / "wal"
    assert {path.parent for path in tmp_path.rglob("*.jsonl")} == set(root.iterdir())
    assert len(list(root.iterdir())) == len(GROUPS)
