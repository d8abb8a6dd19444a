"""Finding and reading: group scope, order, paging, time, tombstones, status and health."""

from typing import Any

import pytest

from lcg.errors import InvalidParams, UnknownMethod
from lcg.model.rows import Edge, Entity
from lcg.model.times import parse_time
from lcg.runtime.call import Call
from lcg.server.app import LcgService
from tests.handlers.conftest import Ask, put


@pytest.fixture
def three_groups(ask: Ask, group: str) -> list[str]:
    groups = [f"{group}-{letter}" for letter in "xyz"]
    for number, name in enumerate(groups):
        for count in range(3 if number else 30):
            ask("assert_entity", name=f"harbour pilot {count}", group_id=name)
    return groups


def owners(answer: dict[str, Any]) -> set[str]:
    return {node["group_id"] for node in answer["nodes"]}


def test_groups_are_filtered_before_the_cut(ask: Ask, three_groups: list[str]) -> None:
    small = ask("find_entities", query="harbour pilot", group_ids=[three_groups[1]], num_results=3)
    assert (owners(small), small["count"]) == ({three_groups[1]}, 3)


@pytest.mark.parametrize(
    ("method", "counted"),
    [
        ("find_entities", "num_results"),
        ("find_relationships", "num_results"),
        ("search_passages", "num_results"),
        ("get_episodes", "last_n"),
        ("get_nodes_by_group", "num_results"),
        ("get_edges_by_group", "num_results"),
        ("list_entities", "num_results"),
        ("list_relationships", "num_results"),
        ("get_entity_neighbors", "num_results"),
        ("get_entities_by_source", "num_results"),
    ],
)
def test_the_largest_legal_count_is_everything(ask: Ask, group: str, method: str, counted: str) -> None:
    here = {"group_id": group}
    for name in ("harbour pilot", "harbour"):
        ask("assert_entity", name=name, **here)
    ask("assert_relationship", source_name="harbour", predicate="HAS", target_name="harbour pilot", **here)
    more: dict[str, Any] = {"get_episodes": here}.get(method, {"group_ids": [group]})
    required = {"get_entity_neighbors": "entity_uuid", "get_entities_by_source": "source"}
    if method.startswith(("find_", "search_")) or method in required:
        more = {required.get(method, "query"): "harbour", **more}
    few, most = (ask(method, **more, **{counted: count}) for count in (100, 2**63 - 1))
    assert most["count"] == few["count"]


@pytest.mark.parametrize(
    ("given", "seen"),
    [
        ({}, "all"),
        ({"group_ids": None}, "all"),
        ({"group_ids": []}, "none"),
        ({"group_ids": ["unknown group"]}, "none"),
    ],
)
def test_left_out_means_every_group_and_an_empty_list_none(
    ask: Ask, three_groups: list[str], given: dict[str, Any], seen: str
) -> None:
    answer = ask("find_entities", query="harbour pilot", num_results=1000, **given)
    if seen == "none":
        assert (answer["nodes"], answer["count"]) == ([], 0)
    else:
        assert set(three_groups) <= owners(answer)


@pytest.mark.parametrize("given", [[""], ["a", ""], [1], ["a", None], "", {"a": 1}, 5, True])
def test_a_mistyped_group_never_means_more_groups(ask: Ask, given: Any) -> None:
    with pytest.raises(InvalidParams) as caught:
        ask("find_entities", query="harbour pilot", group_ids=given)
    assert caught.value.data["parameter"] == "group_ids"


def test_a_mistyped_parameter_name_is_refused_with_the_right_one(ask: Ask) -> None:
    with pytest.raises(InvalidParams) as caught:
        ask("find_entities", query="pilot", groupids=["a"])
    assert caught.value.data["suggestion"] == "group_ids"


def test_results_come_in_rank_order(ask: Ask, group: str) -> None:
    for name in ("harbour", "harbour pilot", "pilot", "lighthouse keeper"):
        ask("assert_entity", name=name, group_id=group)
    nodes = ask("find_entities", query="harbour pilot", group_ids=[group])["nodes"]
    scores = [node["score"] for node in nodes]
    assert nodes[0]["name"] == "harbour pilot"
    assert scores == sorted(scores, reverse=True)


def test_an_exact_name_comes_first_even_where_meaning_cannot_tell(ask: Ask, group: str) -> None:
    # The built-in model ignores the order of words, so these have one and the same vector.
    for name in ("writer 1 0", "writer 0 1", "0 1 writer"):
        ask("assert_entity", name=name, group_id=group)
    for name in ("writer 1 0", "WRITER 0 1", "0 1 writer"):
        assert ask("find_entities", query=name, group_ids=[group])["nodes"][0]["name"] == name.lower()


@pytest.mark.parametrize(
    "query", ["***", '"', "AND OR NOT", "NEAR(", "a:b", "-", "東", "🚀", "' OR 1=1 --", "x" * 10_000]
)
def test_any_query_text_is_legal(ask: Ask, group: str, query: str) -> None:
    ask("assert_entity", name="Mira", group_id=group)
    assert ask("find_entities", query=query, group_ids=[group])["count"] in (0, 1)


@pytest.mark.parametrize("query", [None, "", "  "])
def test_a_blank_query_is_refused(ask: Ask, query: str | None) -> None:
    with pytest.raises(InvalidParams, match="query"):
        ask("find_entities", query=query)


@pytest.fixture
def star(service: LcgService, group: str) -> str:
    """Return the uuid of an entity with three outgoing and two incoming edges; one neighbour is a tombstone."""
    names = ["center", "n1", "n2", "n3", "gone"]
    rows = [
        Entity(f"{group}-{name}", group, name, ("Entity", "Merged") if name == "gone" else ("Entity",), 1)
        for name in names
    ]
    links = [("r1", "center", "n1"), ("r2", "center", "n2"), ("r3", "center", "gone"), ("s1", "n3", "center")]
    links += [("s2", "n1", "center")]
    edges = [
        Edge(
            f"{group}-{uuid}",
            group,
            "KNOWS",
            f"{group}-{source}",
            f"{group}-{target}",
            "a fact",
            1,
            valid_at=parse_time("2026-01-01") if uuid == "r1" else None,
            invalid_at=parse_time("2026-02-01") if uuid in ("r1", "s1") else None,
        )
        for uuid, source, target in links
    ]
    put(service, *rows, *edges)
    return f"{group}-center"


def edge_names(answer: dict[str, Any]) -> list[str]:
    return [edge["uuid"].rsplit("-", 1)[1] for edge in answer["edges"]]


def test_neighbours_come_outgoing_first_then_incoming_by_uuid_descending(ask: Ask, star: str) -> None:
    answer = ask("get_entity_neighbors", entity_uuid=star)
    assert edge_names(answer) == ["r3", "r2", "r1", "s2", "s1"]
    assert [node["name"] for node in answer["nodes"]] == ["n2", "n1", "n3"]
    assert (answer["count"], answer["node_count"], answer["edge_count"], answer["total"]) == (3, 3, 5, 5)
    assert answer["has_more"] is False


def test_neighbours_are_paged_by_edges(ask: Ask, star: str) -> None:
    page = ask("get_entity_neighbors", entity_uuid=star, num_results=2, offset=1)
    assert (edge_names(page), page["total"], page["has_more"]) == (["r2", "r1"], 5, True)
    last = ask("get_entity_neighbors", entity_uuid=star, num_results=2, offset=4)
    assert (edge_names(last), last["has_more"]) == (["s1"], False)
    assert ask("get_entity_neighbors", entity_uuid=star, offset=99)["edges"] == []


@pytest.mark.parametrize(
    ("moment", "expected"),
    [
        ("2025-12-31", ["r3", "r2", "s2", "s1"]),
        ("2026-01-01", ["r3", "r2", "r1", "s2", "s1"]),
        ("2026-02-01", ["r3", "r2", "s2"]),
    ],
)
def test_a_time_keeps_the_facts_that_hold_then(ask: Ask, star: str, moment: str, expected: list[str]) -> None:
    answer = ask("get_entity_neighbors", entity_uuid=star, valid_at=moment)
    assert (edge_names(answer), answer["total"]) == (expected, len(expected))


def test_neighbours_are_scoped_by_the_group_of_the_edge(ask: Ask, star: str, group: str) -> None:
    assert ask("get_entity_neighbors", entity_uuid=star, group_ids=[group])["total"] == 5
    assert ask("get_entity_neighbors", entity_uuid=star, group_ids=[])["total"] == 5
    assert ask("get_entity_neighbors", entity_uuid=star, group_ids=["other"])["total"] == 0


def test_the_neighbours_of_nobody_are_an_empty_success(ask: Ask) -> None:
    assert ask("get_entity_neighbors", entity_uuid="nobody") == {
        "center_uuid": "nobody",
        "nodes": [],
        "edges": [],
        "count": 0,
        "node_count": 0,
        "edge_count": 0,
        "total": 0,
        "has_more": False,
    }


def test_a_tombstone_says_what_it_was_merged_into(service: LcgService, ask: Ask, group: str) -> None:
    gone = Entity(f"{group}-t", group, "M", ("Entity", "Merged"), 1, attributes='{"merged_into":"successor"}')
    put(service, gone)
    assert ask("get_entity_neighbors", entity_uuid=gone.uuid)["merged_into"] == "successor"
    assert ask("find_entities", query="M", group_ids=[group])["count"] == 0


def test_status_counts_what_is_there(ask: Ask, star: str, group: str) -> None:
    before = ask("status")
    ask("assert_entity", name="one more", group_id=group)
    after = ask("status")
    assert after["entity_count"] == before["entity_count"] + 1
    assert after["tombstone_count"] == before["tombstone_count"] >= 1
    assert after["invalidated_relationship_count"] >= 2
    position = after["wal_groups"][group]
    assert (position["applied_seq"], position["max_seq"], position["pending"]) == (2, 2, 0)
    assert (position["hydration_status"], position["generation_status"]) == ("hydrated", "known")
    assert position["digest"] != before["wal_groups"][group]["digest"]
    assert after["embedding"]["rows_without_vector"] == before["embedding"]["rows_without_vector"]


def test_failed_calls_are_remembered_newest_first(ask: Ask) -> None:
    for number in range(12):
        with pytest.raises(InvalidParams):
            ask("find_entities", query="pilot", num_results=-number)
    failures = ask("status")["recent_failures"]
    assert len(failures) == 10
    assert "-11" in failures[0]["message"]
    assert (failures[0]["method"], failures[0]["code"], failures[0]["kind"]) == (
        "knowledge_find_entities",
        -32602,
        None,
    )


def test_a_ready_service_is_healthy(ask: Ask) -> None:
    ask("find_entities", query="ready?")
    health = ask("health_check")
    assert (health["ok"], health["healthy"], health["state"]) == (True, True, "healthy")


def test_an_unknown_method_is_answered_with_the_nearest_one(service: LcgService) -> None:
    with pytest.raises(UnknownMethod) as unknown:
        service.call("knowledge_find_entitys", {}, Call("x"))
    assert unknown.value.data["suggestion"] == "knowledge_find_entities"
