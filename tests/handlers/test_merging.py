"""Merging entities: what moves, what ends, what stays, and what is refused in words."""

from typing import Any

import orjson
import pytest

from lcg.model.rows import Edge, Entity
from lcg.server.app import LcgService
from tests.handlers.conftest import Ask, put

COUNTS = ("merged_count", "skipped", "edges_rewritten", "edges_deduplicated", "foreign_edges_skipped")


def counts(answer: dict[str, Any]) -> tuple[int, ...]:
    return tuple(answer[key] for key in COUNTS)


def make(ask: Ask, group: str, *names: str) -> dict[str, str]:
    return {name: ask("assert_entity", name=name, group_id=group)["entity_uuid"] for name in names}


def relate(ask: Ask, group: str, *triples: tuple[str, str, str]) -> None:
    for source, predicate, target in triples:
        ask("assert_relationship", source_name=source, predicate=predicate, target_name=target, group_id=group)


def live(ask: Ask, group: str) -> set[tuple[str, str, str]]:
    """Return the facts that are not invalidated, ends by their names."""
    answer = ask(
        "query_cypher",
        query="MATCH (a:Entity)-[:RELATES_TO]->(r:RelatesToNode_ {group_id: $g})-[:RELATES_TO]->(b:Entity) "
        "WHERE r.invalid_at IS NULL RETURN a.name, r.name, b.name",
        parameters={"g": group},
    )
    facts = [tuple(row) for row in answer["rows"]]
    assert len(facts) == len(set(facts))
    return set(facts)


def digest(ask: Ask, group: str) -> Any:
    found = ask("status")["wal_groups"][group]
    return found["applied_seq"], found["digest"]


def row_of(ask: Ask, uuid: str) -> tuple[list[str], dict[str, Any]]:
    answer = ask(
        "query_cypher", query="MATCH (n:Entity {uuid: $u}) RETURN n.labels, n.attributes", parameters={"u": uuid}
    )
    ((labels, attributes),) = answer["rows"]
    return labels, orjson.loads(attributes)


def test_edges_move_duplicates_and_would_be_self_edges_end(ask: Ask, group: str) -> None:
    uuids = make(ask, group, "Mira", "M. Vane", "Tern", "Vell")
    relate(
        ask,
        group,
        ("Mira", "PILOTS", "Tern"),
        ("M. Vane", "PILOTS", "Tern"),
        ("M. Vane", "LIVES_IN", "Vell"),
        ("Vell", "KNOWS", "M. Vane"),
        ("M. Vane", "SAME_AS", "Mira"),
    )
    wish = {"canonical_name": "Mira", "alias_names": ["M. Vane"], "group_id": group}
    seen = ask("merge_entities", dry_run=True, **wish)
    assert live(ask, group) >= {("M. Vane", "LIVES_IN", "Vell")}
    done = ask("merge_entities", **wish)
    assert (done["success"], done["canonical_uuid"], done["errors"]) == (True, uuids["Mira"], [])
    assert counts(done) == counts(seen) == (1, 0, 2, 1, 0)
    assert seen["plan"] == {
        "aliases": [
            {
                "uuid": uuids["M. Vane"],
                "name": "M. Vane",
                "active_edges": 2,
                "duplicate_edges": 1,
                "foreign_edges_skipped": 0,
            }
        ],
        "total_edges_rewritten": 2,
        "total_edges_collapsed": 1,
        "total_foreign_edges_skipped": 0,
    }
    assert "plan" not in done
    assert live(ask, group) == {("Mira", "PILOTS", "Tern"), ("Mira", "LIVES_IN", "Vell"), ("Vell", "KNOWS", "Mira")}


def test_an_alias_becomes_a_tombstone_that_forwards_and_is_not_listed(ask: Ask, group: str) -> None:
    uuids = make(ask, group, "Mira", "M. Vane")
    ask("assert_entity", name="M. Vane", group_id=group, labels=["Person"], attributes={"age": 41})
    ask("merge_entities", canonical_uuid=uuids["Mira"], alias_uuids=[uuids["M. Vane"]], group_id=group)
    assert row_of(ask, uuids["M. Vane"]) == (
        ["Entity", "Person", "Merged"],
        {"age": 41, "merged_into": uuids["Mira"]},
    )
    assert [node["uuid"] for node in ask("list_entities", group_ids=[group])["nodes"]] == [uuids["Mira"]]
    unfound = ask("status")["embedding"]["rows_without_vector"]
    relate(ask, group, ("M. Vane", "IS", "M. Vane"))
    assert live(ask, group) == {("Mira", "IS", "Mira")}
    assert ask("status")["embedding"]["rows_without_vector"] == unfound


def test_the_same_merge_again_changes_nothing(ask: Ask, group: str) -> None:
    make(ask, group, "Mira", "M. Vane")
    relate(ask, group, ("M. Vane", "IS", "M. Vane"), ("M. Vane", "KNOWS", "Mira"))
    wish = {"canonical_name": "Mira", "alias_names": ["M. Vane"], "group_id": group}
    ask("merge_entities", **wish)
    before = digest(ask, group)
    again = ask("merge_entities", **wish)
    assert (again["success"], counts(again), again["errors"]) == (True, (0, 1, 0, 0, 0), [])
    assert digest(ask, group) == before


def test_mentions_are_added_to_the_canonical_entity_each_once(ask: Ask, group: str) -> None:
    for chunk, text in (("c-1", "Mira Vane met Tern Vell."), ("c-2", "Tern Vell slept."), ("c-3", "Mira Vane slept.")):
        ask("process_chunk", chunk_text=text, chunk_id=chunk, source_file="log.md", group_id=group)
    nodes = {node["name"]: node for node in ask("list_entities", group_ids=[group])["nodes"]}
    wanted = set(nodes["Mira Vane"]["episode_uuids"]) | set(nodes["Tern Vell"]["episode_uuids"])
    ask("merge_entities", canonical_name="Mira Vane", alias_names=["Tern Vell"], group_id=group)
    (node,) = [n for n in ask("list_entities", group_ids=[group])["nodes"] if n["name"] == "Mira Vane"]
    assert len(wanted) == 3
    assert sorted(node["episode_uuids"]) == sorted(wanted)


def test_the_canonical_takes_the_earliest_date_and_keeps_the_rest(ask: Ask, service: LcgService, group: str) -> None:
    old, young = f"{group}-old", f"{group}-young"
    put(
        service,
        Entity(old, group, "Tern", ("Entity", "Ship"), 1_000_000_000_000_000, "a ship"),
        Entity(young, group, "The Tern", ("Entity", "Boat"), 1_700_000_000_000_000, "a boat", '{"sails":2}'),
    )
    ask("merge_entities", canonical_uuid=young, alias_uuids=old, group_id=group)
    (node,) = ask("list_entities", group_ids=[group])["nodes"]
    assert (node["uuid"], node["created_at"], node["labels"]) == (young, "2001-09-09 01:46:40", ["Entity", "Boat"])
    assert (node["summary"], node["attributes"]) == ("a boat", '{"sails":2}')


def test_edges_of_other_groups_stay_and_are_counted(ask: Ask, service: LcgService, group: str) -> None:
    uuids = make(ask, group, "Mira", "M. Vane")
    other = f"{group}-layer"
    put(service, Edge(f"{other}-r", other, "NOTES", uuids["M. Vane"], uuids["Mira"], "a note", 1_000_000_000_000_000))
    wish = {"canonical_name": "Mira", "alias_names": ["M. Vane"], "group_id": group}
    assert counts(ask("merge_entities", dry_run=True, **wish)) == (1, 0, 0, 0, 1)
    assert counts(ask("merge_entities", **wish)) == (1, 0, 0, 0, 1)
    (edge,) = ask("get_edges_by_uuids", uuids=[f"{other}-r"])["edges"]
    assert (edge["source_node_uuid"], edge["invalid_at"]) == (uuids["M. Vane"], None)


def test_all_of_one_name_become_the_oldest(ask: Ask, service: LcgService, group: str) -> None:
    rows = [Entity(f"{group}-{n}", group, "Tern", ("Entity",), 1_000_000_000_000_000 + n) for n in (2, 1, 3)]
    case = Entity(f"{group}-4", group, "TERN", ("Entity",), 1_000_000_000_000_000)
    put(service, *rows, case)
    seen = ask("merge_entities", canonical_name="Tern", alias_uuids=[f"{group}-3"], group_id=group, dry_run=True)
    assert seen["canonical_uuid"] == f"{group}-1"
    assert [warning["type"] for warning in seen["warnings"]] == ["duplicate_name"]
    done = ask("merge_entities", canonical_name="Tern", merge_all_by_name=True, group_id=group)
    assert counts(done) == (2, 0, 0, 0, 0)
    assert "warnings" not in done
    left = {node["uuid"] for node in ask("list_entities", group_ids=[group])["nodes"]}
    assert left == {f"{group}-1", f"{group}-4"}


def test_two_aliases_with_the_same_fact_leave_one_with_the_provenance_of_both(
    ask: Ask, service: LcgService, group: str
) -> None:
    uuids = make(ask, group, "A", "B", "C", "X")
    at = 1_000_000_000_000_000
    put(
        service,
        Edge(f"{group}-b", group, "KNOWS", uuids["B"], uuids["X"], "b", at, episodes=("e1",)),
        Edge(f"{group}-c", group, "KNOWS", uuids["C"], uuids["X"], "c", at + 1, episodes=("e2",)),
        Edge(f"{group}-bc", group, "KNOWS", uuids["B"], uuids["C"], "bc", at),
    )
    done = ask("merge_entities", canonical_name="A", alias_names=["B", "C", "A"], group_id=group)
    assert counts(done) == (2, 0, 1, 1, 0)
    assert live(ask, group) == {("A", "KNOWS", "X")}
    answer = ask(
        "query_cypher",
        query="MATCH (r:RelatesToNode_ {group_id: $g}) WHERE r.invalid_at IS NULL RETURN r.episodes",
        parameters={"g": group},
    )
    assert answer["rows"] == [[["e1", "e2"]]]


def test_an_edge_that_lacks_its_other_end_moves_as_well(ask: Ask, service: LcgService, group: str) -> None:
    uuids = make(ask, group, "A", "B")
    at = 1_000_000_000_000_000
    put(
        service,
        Edge(f"{group}-1", group, "USES", uuids["B"], "", "one", at),
        Edge(f"{group}-2", group, "USES", uuids["B"], "", "two", at),
    )
    assert counts(ask("merge_entities", canonical_name="A", alias_names="B", group_id=group)) == (1, 0, 2, 0, 0)


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"alias_names": ["Mira"]}, "no canonical selector"),
        ({"canonical_name": "Mira"}, "no alias source"),
        ({"canonical_name": "mira", "alias_names": ["Tern"]}, "not found"),
        ({"canonical_uuid": "nobody", "canonical_name": "Mira", "alias_names": ["Tern"]}, "not found"),
    ],
)
def test_a_merge_that_cannot_be_is_told_in_the_result(ask: Ask, group: str, wish: dict[str, Any], words: str) -> None:
    make(ask, group, "Mira", "Tern")
    answer = ask("merge_entities", group_id=group, dry_run=True, **wish)
    assert (answer["success"], answer["canonical_uuid"], counts(answer)) == (False, "", (0, 0, 0, 0, 0))
    assert words in answer["errors"][0]
    assert "plan" not in answer


def test_a_tombstone_is_no_canonical_entity(ask: Ask, group: str) -> None:
    uuids = make(ask, group, "Mira", "M. Vane")
    ask("merge_entities", canonical_name="Mira", alias_names=["M. Vane"], group_id=group)
    back = ask("merge_entities", canonical_uuid=uuids["M. Vane"], alias_uuids=[uuids["Mira"]], group_id=group)
    assert back["success"] is False
    assert "already merged" in back["errors"][0]
    assert uuids["Mira"] in back["errors"][0]


def test_unknown_aliases_are_noted_and_foreign_ones_fail_while_the_others_merge(ask: Ask, group: str) -> None:
    uuids = make(ask, group, "Mira", "M. Vane", "Vane")
    foreign = make(ask, f"{group}-2", "Elsewhere")["Elsewhere"]
    noted = ask(
        "merge_entities", canonical_name="Mira", alias_names=["Nobody", "Vane"], alias_uuids=["x"], group_id=group
    )
    assert (noted["success"], noted["merged_count"], len(noted["errors"])) == (True, 1, 2)
    failed = ask("merge_entities", canonical_name="Mira", alias_uuids=[foreign, uuids["M. Vane"]], group_id=group)
    assert (failed["success"], failed["merged_count"]) == (False, 1)
    assert "foreign to the requested merge group" in failed["errors"][0]
    wrong = ask("merge_entities", canonical_uuid=foreign, alias_names=["Mira"], group_id=group)
    assert (wrong["success"], wrong["canonical_uuid"]) == (False, "")
    assert "foreign to the requested merge group" in wrong["errors"][0]
