"""Direct assertions: identity, updates, what vectors stand for, refusals."""

from typing import Any

import orjson
import pytest

from lcg.errors import InvalidParams, OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.model.rows import Entity
from lcg.server.app import LcgService
from tests.handlers.conftest import Ask, put


def stored(ask: Ask, uuid: str) -> dict[str, Any]:
    answer = ask(
        "query_cypher",
        query="MATCH (n:Entity {uuid: $u}) RETURN n.name AS name, n.labels AS labels, n.summary AS summary, "
        "n.attributes AS attributes, n._name_embedded AS name_embedded, n._summary_embedded AS summary_embedded",
        parameters={"u": uuid},
    )
    (row,) = answer["rows"]
    return dict(zip(answer["columns"], row, strict=True))


def test_a_name_is_one_entity_whatever_its_case_or_unicode_form(ask: Ask, group: str) -> None:
    first = ask("assert_entity", name="Café Zürich", group_id=group)
    again = ask("assert_entity", name="  CAFE\u0301 ZÜRICH ", group_id=group)
    assert first["created"] is True
    assert again == {"entity_uuid": first["entity_uuid"], "created": False, "embedding_warning": None}
    assert stored(ask, first["entity_uuid"])["name"] == "CAFÉ ZÜRICH"


@pytest.mark.parametrize(
    "name",
    ['O\'Neil "the" `tick`', "MATCH (n) DETACH DELETE n; //", "東京タワー", "🚀", "a\\b", "{x: $y}", "ß", "İstanbul"],
)
def test_any_name_is_kept_as_written_and_found_by_itself(ask: Ask, group: str, name: str) -> None:
    uuid = ask("assert_entity", name=name, group_id=group)["entity_uuid"]
    assert stored(ask, uuid)["name"] == name
    nodes = ask("find_entities", query=name, group_ids=[group])["nodes"]
    assert [node["name"] for node in nodes] == [name]


def test_an_update_clears_what_it_omits_and_keeps_what_the_vectors_stand_for(ask: Ask, group: str) -> None:
    uuid = ask(
        "assert_entity",
        name="Mira",
        group_id=group,
        summary="harbour pilot",
        labels=["Person", "Entity", "Person"],
        attributes={"age": 41, "名": "ミラ"},
    )["entity_uuid"]
    row = stored(ask, uuid)
    assert row["labels"] == ["Entity", "Person"]
    assert orjson.loads(row["attributes"]) == {"age": 41, "名": "ミラ"}
    assert (row["name_embedded"], row["summary_embedded"]) == (None, None)
    ask("assert_entity", name="MIRA", group_id=group)
    assert stored(ask, uuid) == {
        "name": "MIRA",
        "labels": ["Entity"],
        "summary": "",
        "attributes": "{}",
        "name_embedded": "Mira",
        "summary_embedded": "harbour pilot",
    }
    ask("assert_entity", name="Mira", group_id=group, summary="harbour pilot")
    assert stored(ask, uuid)["summary_embedded"] is None


def test_the_same_assertion_again_is_not_logged(ask: Ask, group: str) -> None:
    ask("assert_entity", name="Mira", group_id=group, summary="pilot")
    ask("assert_entity", name="Mira", group_id=group, summary="pilot")
    assert ask("status")["wal_groups"][group]["max_seq"] == 1


def test_a_uuid_demands_an_existing_entity_of_the_group(ask: Ask, group: str) -> None:
    uuid = ask("assert_entity", name="Mira", group_id=group)["entity_uuid"]
    renamed = ask("assert_entity", name="Mira Vane", entity_uuid=uuid, group_id=group)
    assert renamed == {"entity_uuid": uuid, "created": False, "embedding_warning": None}
    with pytest.raises(OperationFailed, match="No entity nobody") as caught:
        ask("assert_entity", name="X", entity_uuid="nobody", group_id=group)
    assert caught.value.kind is ErrorKind.NOT_FOUND
    with pytest.raises(OperationFailed, match=f"in group '{group}-other'"):
        ask("assert_entity", name="X", entity_uuid=uuid, group_id=f"{group}-other")
    assert f"{group}-other" not in ask("status")["wal_groups"]


def test_a_rename_onto_a_taken_name_is_refused(ask: Ask, group: str) -> None:
    mira = ask("assert_entity", name="Mira", group_id=group)["entity_uuid"]
    tern = ask("assert_entity", name="Tern", group_id=group)["entity_uuid"]
    with pytest.raises(OperationFailed, match=f"'mira' already belongs to entity {mira}") as caught:
        ask("assert_entity", name="mira", entity_uuid=tern, group_id=group)
    assert caught.value.kind is ErrorKind.CONFLICT
    assert stored(ask, tern)["name"] == "Tern"


@pytest.mark.parametrize("attributes", [[1, 2], "no object", 7, True])
def test_attributes_that_are_no_object_count_as_none_with_a_warning(ask: Ask, group: str, attributes: Any) -> None:
    answer = ask("assert_entity", name="Mira", group_id=group, attributes=attributes)
    assert [warning["type"] for warning in answer["warnings"]] == ["attributes_not_object"]
    assert stored(ask, answer["entity_uuid"])["attributes"] == "{}"


@pytest.mark.parametrize("params", [{"labels": ["Merged"]}, {"attributes": {"merged_into": "x"}}, {"name": "a\x00b"}])
def test_what_only_the_server_may_set_is_refused(ask: Ask, group: str, params: dict[str, Any]) -> None:
    with pytest.raises(InvalidParams):
        ask("assert_entity", **{"name": "Mira", "group_id": group, **params})
    assert group not in ask("status")["wal_groups"]


def test_a_tombstone_leads_to_what_it_was_merged_into(service: LcgService, ask: Ask, group: str) -> None:
    live = Entity("live-" + group, group, "Mira", ("Entity",), 1)
    gone = Entity(
        "gone-" + group, group, "M. Vane", ("Entity", "Merged"), 0, attributes=f'{{"merged_into":"live-{group}"}}'
    )
    put(service, live, gone)
    answer = ask("assert_entity", name="M. Vane", group_id=group)
    assert (answer["entity_uuid"], answer["created"]) == (live.uuid, False)
    assert stored(ask, live.uuid)["name"] == "M. Vane"
    ask("assert_entity", name="Tern", group_id=group)
    edge = ask("assert_relationship", source_name="m. vane", predicate="PILOTS", target_name="Tern", group_id=group)
    assert edge["created"] is True


def test_a_merge_chain_that_ends_nowhere_is_refused(service: LcgService, ask: Ask, group: str) -> None:
    put(
        service,
        Entity("x-" + group, group, "Lost", ("Entity", "Merged"), 0, attributes='{"merged_into":"nobody"}'),
        Entity("y-" + group, group, "Ring", ("Entity", "Merged"), 0, attributes=f'{{"merged_into":"y-{group}"}}'),
    )
    for name, where in (("Lost", "nowhere"), ("Ring", "in a circle")):
        with pytest.raises(OperationFailed, match=where) as caught:
            ask("assert_entity", name=name, group_id=group)
        assert caught.value.kind is ErrorKind.PRECONDITION


def test_of_several_entities_of_one_name_the_oldest_is_taken_and_said(
    service: LcgService, ask: Ask, group: str
) -> None:
    put(
        service,
        Entity("young-" + group, group, "Mira", ("Entity",), 9),
        Entity("old-" + group, group, "MIRA", ("Entity",), 5),
    )
    answer = ask("assert_entity", name="mira", group_id=group)
    assert answer["entity_uuid"] == "old-" + group
    assert [(w["type"], w["uuid"]) for w in answer["warnings"]] == [("duplicate_name", "old-" + group)]


def relate(ask: Ask, group: str, **params: Any) -> dict[str, Any]:
    call = {"source_name": "Mira", "predicate": "PILOTS", "target_name": "Tern", "group_id": group, **params}
    return ask("assert_relationship", **call)


@pytest.fixture
def ends(ask: Ask, group: str) -> tuple[str, str]:
    names = ("Mira", "Tern")
    first, second = (ask("assert_entity", name=name, group_id=group)["entity_uuid"] for name in names)
    return first, second


def edges(ask: Ask, uuid: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = ask("get_entity_neighbors", entity_uuid=uuid)["edges"]
    return found


def test_a_relationship_is_known_by_its_ends_and_predicate(ask: Ask, group: str, ends: tuple[str, str]) -> None:
    first = relate(ask, group)
    again = relate(ask, group, source_name="MIRA", target_name=" tern ")
    assert (first["created"], again["created"]) == (True, False)
    assert again["edge_uuid"] == first["edge_uuid"]
    assert relate(ask, group, predicate="pilots")["created"] is True
    assert edges(ask, ends[0])[-1]["fact"] == "Mira PILOTS Tern"


def test_an_update_of_a_relationship_keeps_what_it_omits(ask: Ask, group: str, ends: tuple[str, str]) -> None:
    relate(ask, group, fact="Mira steers the Tern.", relation_type="PILOTS", valid_at="2026-03-01", attributes={"a": 1})
    relate(ask, group, fact="  ", relation_type="", valid_at="", attributes=None)
    (edge,) = edges(ask, ends[0])
    assert edge["fact"] == "Mira steers the Tern."
    assert (edge["relation_type"], edge["valid_at"]) == ("PILOTS", "2026-03-01 00:00:00")
    assert edge["attributes"] == '{"a":1}'
    relate(ask, group, attributes={"b": 2}, valid_at="2026-04-01T12:00:00+02:00")
    (edge,) = edges(ask, ends[0])
    assert (edge["attributes"], edge["valid_at"]) == ('{"b":2}', "2026-04-01 10:00:00")
    warned = relate(ask, group, attributes=[1])
    assert [warning["type"] for warning in warned["warnings"]] == ["attributes_not_object"]
    assert edges(ask, ends[0])[0]["attributes"] == '{"b":2}'


def test_a_relationship_from_an_entity_to_itself_is_possible(ask: Ask, group: str, ends: tuple[str, str]) -> None:
    relate(ask, group, target_name="mira", predicate="KNOWS")
    answer = ask("get_entity_neighbors", entity_uuid=ends[0])
    assert (answer["edge_count"], [node["uuid"] for node in answer["nodes"]]) == (1, [ends[0]])


def test_every_missing_end_is_named_and_nothing_is_written(ask: Ask, group: str) -> None:
    ask("assert_entity", name="Mira", group_id=group)
    with pytest.raises(OperationFailed, match="knowledge_add_cross_group_edge") as caught:
        relate(ask, group, source_name="Nobody", target_name="No ship")
    assert caught.value.data["names"] == ["Nobody", "No ship"]
    assert ask("status")["wal_groups"][group]["max_seq"] == 1


def test_endpoints_are_never_looked_up_in_another_group(ask: Ask, group: str, ends: tuple[str, str]) -> None:
    ask("assert_entity", name="Mira", group_id=group + "-b")
    with pytest.raises(OperationFailed, match="named 'Tern'"):
        relate(ask, group + "-b")


@pytest.mark.parametrize(
    ("method", "wish"),
    [
        ("assert_relationship", {"source_name": "Mira", "predicate": "SEES", "target_name": "Nobody"}),
        (
            "add_cross_group_edge",
            {"name": "SEES", "fact": "f", "source": {"uuid": "u"}, "target": {"uuid": "v"}},
        ),
        ("assert_entity", {"name": "Mira", "entity_uuid": "unknown"}),
    ],
)
def test_in_a_group_that_differs_by_letter_case_the_collision_is_told_before_what_is_not_found_there(
    ask: Ask, group: str, method: str, wish: dict[str, Any]
) -> None:
    ask("assert_entity", name="Mira", group_id=group)
    with pytest.raises(OperationFailed) as caught:
        ask(method, group_id=group.upper(), **wish)
    assert (caught.value.kind, caught.value.data["existing"]) == (ErrorKind.CONFLICT, group)
    with pytest.raises(OperationFailed) as caught:
        ask(method, group_id=f"{group}-other", **{**wish, "source_name": "Nobody"} if "source_name" in wish else wish)
    assert caught.value.kind is ErrorKind.NOT_FOUND
