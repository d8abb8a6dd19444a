"""Bad and borderline input through the real program, by its socket and by both ways over MCP."""

import unicodedata
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.contract.results import problems
from tests.e2e.clients import ATTACHED, BUILTIN, over_mcp
from tests.processes import Refused, Talker, daemon

pytestmark = pytest.mark.e2e

DOORS = ("socket", "attached", "standalone")


@pytest.fixture(scope="module")
def roots(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """By door: the workspace behind it."""
    served, owned = tmp_path_factory.mktemp("served"), tmp_path_factory.mktemp("owned")
    return {"socket": served, "attached": served, "standalone": owned}


@pytest.fixture(scope="module")
def talkers(roots: dict[str, Path]) -> Iterator[dict[str, Talker]]:
    """By door: a client that all tests share; whatever one of them sends, the next one is served."""
    with (
        daemon(roots["socket"]) as service,
        service.client() as client,
        over_mcp(roots["attached"], *ATTACHED, era="2026-07-28") as attached,
        over_mcp(roots["standalone"], *BUILTIN, era="legacy") as standalone,
    ):
        talkers: dict[str, Talker] = {"socket": client, "attached": attached, "standalone": standalone}
        for talker in (client, standalone):
            talker.result("knowledge_assert_entity", name="Vell", summary="keeps the lighthouse", group_id="Coast")
        yield talkers
        assert "Traceback" not in service.errors
    for root in roots.values():
        if (errors := root / "stderr").exists():
            assert "Traceback" not in errors.read_text()


@pytest.fixture(params=DOORS)
def door(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def talker(door: str, talkers: dict[str, Talker]) -> Talker:
    return talkers[door]


@pytest.fixture
def group(request: pytest.FixtureRequest, door: str) -> str:
    """A group of the test's own."""
    number = request.node.session.items.index(request.node)
    return f"group-{number}-{door}"


def written(talker: Talker) -> Any:
    """Return what shows whether anything was written: positions and digests of all groups."""
    return talker.result("knowledge_status")["wal_groups"]


def only_entity(talker: Talker, group: str) -> Any:
    (node,) = talker.result("knowledge_list_entities", group_ids=[group])["nodes"]
    return node


ENTITY = {"name": "Vell", "group_id": "Coast"}
LINK = {"source_name": "Vell", "predicate": "SEES", "target_name": "Vell", "group_id": "Coast"}
CHUNK = {"chunk_text": "Ada founded Tern Labs.", "chunk_id": "c", "source_file": "f", "group_id": "Coast"}
EPISODE = {"name": "n", "episode_body": "Ada founded Tern Labs.", "group_id": "Coast"}
SHORT_ID, PLAIN_ID = "at most 200 bytes", "without control characters"
OVER_64_BITS = "at most 64 bits"

REFUSED: Mapping[str, tuple[str, Mapping[str, Any], str, str]] = {
    "text as a count": ("find_entities", {"query": "x", "num_results": "many"}, "num_results", "at least 1"),
    "true as a count": ("find_entities", {"query": "x", "num_results": True}, "num_results", "got true"),
    "fraction as a count": ("find_entities", {"query": "x", "num_results": 2.5}, "num_results", "got the number 2.5"),
    "exponent as a count": ("find_entities", {"query": "x", "num_results": "1e1"}, "num_results", '"1e1"'),
    "number as a text": ("find_entities", {"query": 5}, "query", "got the number 5"),
    "array as a text": ("assert_entity", {"name": ["Vell"]}, "name", "got an array of 1"),
    "text as a yes": ("clear_all", {"confirm": "true"}, "confirm", "boolean"),
    "object as labels": ("assert_entity", ENTITY | {"labels": {"a": 1}}, "labels", "array of strings"),
    "number among labels": ("assert_entity", ENTITY | {"labels": '["a", 1]'}, "labels", "the number 1 at labels[1]"),
    "blank among labels": ("assert_entity", ENTITY | {"labels": ["a", " "]}, "labels", "blank text at labels[1]"),
    "label of the server": ("assert_entity", ENTITY | {"labels": ["Merged"]}, "labels", "Leave Merged out"),
    "array as parameters": ("query_cypher", {"query": "RETURN 1", "parameters": [1]}, "parameters", "object"),
    "blank name": ("assert_entity", ENTITY | {"name": " \t"}, "name", "required"),
    "blank query": ("search_passages", {"query": "\n"}, "query", "required"),
    "blank predicate": ("assert_relationship", LINK | {"predicate": ""}, "predicate", "required"),
    "blank chunk": ("process_chunk", CHUNK | {"chunk_text": "  "}, "chunk_text", "required"),
    "blank group to delete": ("delete_by_group", {"group_ids": [" "], "confirm": True}, "group_ids", "blank"),
    "NUL in a name": ("assert_entity", ENTITY | {"name": "a\0b"}, "name", "control characters"),
    "long group, written": ("assert_entity", ENTITY | {"group_id": "x" * 300}, "group_id", SHORT_ID),
    "long group, read": ("get_episodes", {"group_id": "x" * 300}, "group_id", SHORT_ID),
    "long group among others": ("find_entities", {"query": "x", "group_ids": ["a", "x" * 300]}, "group_ids", SHORT_ID),
    "group that is long when encoded": ("process_chunk", CHUNK | {"group_id": "語" * 100}, "group_id", SHORT_ID),
    "NUL in a group, written": ("assert_relationship", LINK | {"group_id": "a\0b"}, "group_id", PLAIN_ID),
    "NUL in a group, read": ("list_entities", {"group_ids": ["Coast", "a\0b"]}, "group_ids", PLAIN_ID),
    "line feed in a group": ("delete_by_source", {"source_file": "f", "group_ids": "a\nb"}, "group_ids", PLAIN_ID),
    "no results": ("find_relationships", {"query": "x", "num_results": 0}, "num_results", "got the number 0"),
    "negative count": ("get_episodes", {"last_n": -2}, "last_n", "got the number -2"),
    "negative count as text": ("list_entities", {"num_results": "-5"}, "num_results", "at least 1"),
    "negative offset": ("list_relationships", {"offset": -1}, "offset", "at least 0"),
    "negative time-out": ("query_cypher", {"query": "RETURN 1", "timeout_ms": -1}, "timeout_ms", "at least 1"),
    "negative position": ("rebuild_from_wal", {"from_seq": -1, "force_clear": True}, "from_seq", "at least 0"),
    "offset of 2^63": ("list_entities", {"offset": 2**63}, "offset", OVER_64_BITS),
    "count of 31 digits": ("find_entities", {"query": "x", "num_results": 10**30}, "num_results", OVER_64_BITS),
    "text as a score": ("search_passages", {"query": "x", "min_score": "high"}, "min_score", "number"),
    "word as a time": ("assert_relationship", LINK | {"valid_at": "yesterday"}, "valid_at", "RFC 3339"),
    "day that does not exist": ("assert_relationship", LINK | {"valid_at": "2026-02-30"}, "valid_at", "YYYY-MM-DD"),
    "month that does not exist": ("list_relationships", {"valid_at": "2026-13-01"}, "valid_at", "YYYY-MM-DD"),
    "seconds as a time": ("find_relationships", {"query": "x", "valid_at": 1779148800}, "valid_at", "time"),
    "year of five digits": ("process_chunk", CHUNK | {"reference_time": "99999-01-01"}, "reference_time", "RFC 3339"),
    "time before all years": ("list_relationships", {"valid_at": "0001-01-01T00:00:00+14:00"}, "valid_at", "UTC"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_taken_is_refused_with_what_would_be_and_changes_nothing(talker: Talker, case: str) -> None:
    method, params, parameter, words = REFUSED[case]
    before = written(talker)
    with pytest.raises(Refused) as caught:
        talker.result(f"knowledge_{method}", **params)
    assert caught.value.code == -32602
    assert words in caught.value.message
    assert caught.value.message.startswith(f"knowledge_{method}: ")
    assert (caught.value.data["tool"], caught.value.data["parameter"]) == (f"knowledge_{method}", parameter)
    assert {"expected", "received"} <= caught.value.data.keys()
    assert written(talker) == before


@pytest.mark.parametrize(
    ("method", "params", "meant"),
    [
        ("find_entities", {"query": "x", "groupids": ["Coast"]}, "group_ids"),
        ("find_entities", {"query": "x", "n_results": 3}, "num_results"),
        ("delete_by_group", {"groups": ["Coast"], "confirm": True}, "group_ids"),
        ("assert_entity", {"nam": "Vell"}, "name"),
        ("get_entity_neighbors", {"entityUuid": "n1"}, "entity_uuid"),
    ],
)
def test_a_name_that_is_nearly_right_is_refused_with_the_right_one(
    talker: Talker, method: str, params: dict[str, Any], meant: str
) -> None:
    before = written(talker)
    with pytest.raises(Refused, match=f"Did you mean `{meant}`") as caught:
        talker.result(f"knowledge_{method}", **params)
    assert (caught.value.code, caught.value.data["suggestion"]) == (-32602, meant)
    assert written(talker) == before


def test_arrays_objects_and_numbers_may_come_as_json_text(talker: Talker, group: str) -> None:
    asserted = talker.result(
        "knowledge_assert_entity", name="Vell", labels='["Person", "Pilot"]', attributes='{"age": 61}', group_id=group
    )
    node = only_entity(talker, group)
    assert (node["labels"], node["attributes"]) == (["Entity", "Person", "Pilot"], '{"age":61}')
    found = talker.result("knowledge_find_entities", query="Vell", num_results="1", group_ids=f'["{group}"]')
    assert [node["uuid"] for node in found["nodes"]] == [asserted["entity_uuid"]]
    rows = talker.result(
        "knowledge_query_cypher",
        query="MATCH (e:Entity) WHERE e.group_id = $owner RETURN e.name",
        parameters=f'{{"owner": "{group}"}}',
    )["rows"]
    assert rows == [["Vell"]]
    assert talker.result("knowledge_get_edges_by_uuids", uuids='["x", "y"]')["missing"] == ["x", "y"]


def test_a_blank_text_for_what_may_be_left_out_counts_as_left_out(talker: Talker) -> None:
    asserted = talker.result("knowledge_assert_entity", name="Blank", group_id=" ", labels="[]", attributes="")
    (node,) = talker.result("knowledge_find_entities", query="Blank", num_results=1)["nodes"]
    assert (node["uuid"], node["group_id"], node["labels"]) == (asserted["entity_uuid"], "liminis", ["Entity"])
    edge_uuid = talker.result(
        "knowledge_assert_relationship",
        source_name="Blank",
        predicate="SEES",
        target_name="Blank",
        fact=" ",
        valid_at="",
        group_id="",
    )["edge_uuid"]
    (edge,) = talker.result("knowledge_get_edges_by_uuids", uuids=[edge_uuid])["edges"]
    assert (edge["fact"], edge["valid_at"], edge["group_id"]) == ("Blank SEES Blank", None, "liminis")


@pytest.mark.parametrize("strange", ["../../outside", "/", "🚀🎉", "C:\\con", "a\u202eb"])
def test_a_group_of_any_text_has_rows_of_its_own_and_a_directory_among_the_logs(
    talker: Talker, door: str, roots: dict[str, Path], strange: str
) -> None:
    group = f"{strange}-{door}"
    uuid = talker.result("knowledge_assert_entity", name="Vell", group_id=group)["entity_uuid"]
    assert only_entity(talker, group)["uuid"] == uuid
    (file,) = (roots[door] / ".lcg" / "wal" / quote(group, safe="").replace(".", "%2E")).glob("*.jsonl")
    assert uuid in file.read_text(encoding="utf-8")


def test_a_group_that_differs_by_letter_case_only_cannot_be_written_and_is_empty(talker: Talker) -> None:
    before = written(talker)
    for method, params in (("assert_entity", ENTITY), ("process_chunk", CHUNK), ("add_episode", EPISODE)):
        with pytest.raises(Refused, match=r"'COAST' differs from .*'Coast' by letter case only") as caught:
            talker.result(f"knowledge_{method}", **(params | {"group_id": "COAST"}))
        assert (caught.value.code, caught.value.kind) == (-32000, "conflict")
    assert written(talker) == before
    assert talker.result("knowledge_find_entities", query="Vell", group_ids=["COAST"])["nodes"] == []


HOSTILE = [
    "Person`) DETACH DELETE n //",
    "X]->() SET n.name = 'gone",
    "'; DROP TABLE Entity; --",
    "$name {uuid: $uuid}",
    "NUL\0inside",
    "知道 👩‍🚀",
    unicodedata.normalize("NFC", "é") * 5_000,
]


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text[:12]))
def test_labels_and_predicates_are_data_whatever_they_say(talker: Talker, group: str, text: str) -> None:
    talker.result("knowledge_assert_entity", name="Vell", labels=[text], group_id=group)
    edge = {"source_name": "Vell", "predicate": text, "target_name": "Vell", "group_id": group}
    edge_uuid = talker.result("knowledge_assert_relationship", **edge, relation_type=text)["edge_uuid"]
    again = talker.result("knowledge_assert_relationship", **edge)
    assert (again["edge_uuid"], again["created"]) == (edge_uuid, False)
    node = only_entity(talker, group)
    assert (node["name"], node["labels"]) == ("Vell", ["Entity", text])
    (found,) = talker.result("knowledge_find_relationships", query=text, group_ids=[group])["edges"]
    assert (found["uuid"], found["name"], found["relation_type"]) == (edge_uuid, text, text)


QUERIES = [
    "***", "-", '"', "' OR 1=1 --", "AND OR NOT", "NEAR(a b, 2)", "name:Vell", "^Vell*", "(", "{}", "\0", "%", "?!…",
    "知识", "灯", "とうだい", "등대", "🚀", "x" * 10_000, "lighthouse " * 2_000,
]  # fmt: skip
SEARCHES = ("find_entities", "find_relationships", "search_passages")


@pytest.mark.parametrize("query", QUERIES, ids=lambda query: ascii(query[:12]))
def test_every_search_takes_any_query(talker: Talker, query: str) -> None:
    for search in SEARCHES:
        result = talker.result(f"knowledge_{search}", query=query, num_results=3)
        assert problems(f"knowledge_{search}", result) == []


@pytest.mark.parametrize(
    ("name", "query"), [("知识图谱服务器", "知识图谱"), ("東京タワー", "東京"), ("남산등대", "남산등대")]
)
def test_text_without_blanks_is_found_by_a_part_of_it(talker: Talker, group: str, name: str, query: str) -> None:
    for other in ("Vell", "灯台守", name):
        talker.result("knowledge_assert_entity", name=other, group_id=group)
    found = talker.result("knowledge_find_entities", query=query, num_results=1, group_ids=[group])["nodes"]
    assert [node["name"] for node in found] == [name]


def test_numbers_beyond_a_cap_mean_the_cap(talker: Talker, group: str) -> None:
    talker.result("knowledge_assert_entity", name="Vell", group_id=group)
    assert talker.result("knowledge_find_entities", query="x", num_results=10**9, group_ids=[group])["count"] == 1
    page = talker.result("knowledge_list_entities", num_results=10**18, offset=10**18, group_ids=[group])
    assert (page["nodes"], page["total"], page["has_more"]) == ([], 1, False)
    talker.result("knowledge_add_episode", name="n", episode_body="Vell keeps the lighthouse.", group_id=group)
    for score, count in ((-3, 1), (7.5, 0)):
        passages = talker.result(
            "knowledge_search_passages", query="a lighthouse by night", min_score=score, group_ids=[group]
        )
        assert passages["count"] == count
    assert talker.result("knowledge_query_cypher", query="RETURN 1", max_rows=10**12)["rows"] == [[1]]


BULKY = (
    "UNWIND range(1, 12) AS i CREATE (:Entity {uuid: $owner + CAST(i AS STRING), name: CAST(i AS STRING), "
    "group_id: $owner, labels: ['Entity'], summary: '', attributes: repeat($text, 950000), "
    "created_at: timestamp('2026-01-01')})"
)


def test_an_answer_over_the_line_limit_is_an_error_that_says_how_to_ask_for_less(talker: Talker, group: str) -> None:
    # Six bytes in an answer for each byte in the store.
    talker.result("knowledge_query_cypher", query=BULKY, parameters={"owner": group, "text": "\1"})
    with pytest.raises(Refused, match="`num_results` and `offset`") as caught:
        talker.result("knowledge_list_entities", group_ids=[group])
    assert (caught.value.code, caught.value.kind) == (-32000, "limit")
    page = talker.result("knowledge_list_entities", group_ids=[group], num_results=1, offset=12)
    assert (page["count"], page["total"], page["has_more"]) == (0, 12, False)
