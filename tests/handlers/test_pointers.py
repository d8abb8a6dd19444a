"""Cross-group edges: what is resolved, refused, hidden, bound again and counted, and that no group touches another."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
import pytest

from lcg.errors import InvalidParams, OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.model.pointers import KEY, pointers_of
from lcg.model.rows import Entity
from lcg.runtime.call import Call
from lcg.server.app import LcgService
from tests.handlers.conftest import Ask, put
from tests.workspaces import running_service

NOON = 1_772_452_800_000_000


@dataclass
class Layer:
    """A group `own` whose edges point into a group `other`."""

    ask: Ask
    own: str
    other: str

    def entity(self, name: str, group: str | None = None) -> str:
        return str(self.ask("assert_entity", name=name, group_id=group or self.other)["entity_uuid"])

    def edge(self, source: dict[str, str], target: dict[str, str], name: str = "USES") -> dict[str, Any]:
        return self.ask(
            "add_cross_group_edge", name=name, fact="One uses it.", group_id=self.own, source=source, target=target
        )

    def pointer(self, name: str) -> dict[str, str]:
        return {"source_group_id": self.other, "endpoint_name": name}

    def rebind(self) -> dict[str, Any]:
        """Rebind, and leave the zeros out of what comes back."""
        answer = self.ask("rebind_pointers", source_group_id=self.other)
        return {key: value for key, value in answer.items() if value}

    def shown(self) -> list[dict[str, Any]]:
        return list(self.ask("list_relationships", group_ids=[self.own])["edges"])

    def counts(self) -> dict[str, int]:
        return dict(self.ask("status")["cross_group_pointers"])

    def wal(self, group: str) -> dict[str, Any]:
        return dict(self.ask("status")["wal_groups"][group])


@pytest.fixture
def layer(tmp_path: Path) -> Iterator[Layer]:
    """A workspace of its own, since status counts all groups together."""
    with running_service(tmp_path) as service:

        def ask(method: str, **params: Any) -> dict[str, Any]:
            return service.call(f"knowledge_{method}", params, Call(f"knowledge_{method}"))

        yield Layer(ask, "layer", "source")


def test_an_end_is_found_by_its_name_in_its_group(layer: Layer) -> None:
    tern, mira = layer.entity("Tern"), layer.entity("Mira", "layer")
    made = layer.edge({"uuid": mira}, layer.pointer("  TERN "))
    assert (made["source_node_uuid"], made["target_node_uuid"]) == (mira, tern)
    generation = layer.wal("source")["generation"]
    pointer = {
        "source_group_id": "source",
        "endpoint_name": "tern",
        "binding_state": "bound",
        "resolved_uuid": tern,
        "bound_at_seq": 1,
        "bound_generation": generation,
    }
    assert made["cross_group_pointers"] == {"src": None, "dst": pointer}
    assert made["embedding_warning"] is None
    [shown] = layer.shown()
    assert orjson.loads(shown["attributes"]) == {"cross_group_pointers": {"dst": pointer}}
    assert layer.counts() == {"bound": 1, "unbound": 0, "ambiguous": 0}


def test_every_call_makes_a_new_edge(layer: Layer) -> None:
    layer.entity("Tern")
    mira = layer.entity("Mira", "layer")
    first, second = (layer.edge({"uuid": mira}, layer.pointer("Tern")) for _ in range(2))
    assert first["uuid"] != second["uuid"]
    assert len(layer.shown()) == 2


def test_an_edge_whose_end_is_unknown_is_hidden_until_it_binds(layer: Layer) -> None:
    mira = layer.entity("Mira", "layer")
    made = layer.edge({"uuid": mira}, layer.pointer("Tern"))
    assert made["target_node_uuid"] == ""
    # A group without a log has no position.
    assert made["cross_group_pointers"]["dst"] == {
        "source_group_id": "source",
        "endpoint_name": "tern",
        "binding_state": "unbound",
    }
    assert layer.shown() == []
    assert layer.ask("get_edges_by_uuids", uuids=[made["uuid"]])["missing"] == [made["uuid"]]
    assert layer.ask("find_relationships", query="uses", group_ids=["layer"])["count"] == 0
    assert layer.counts() == {"bound": 0, "unbound": 1, "ambiguous": 0}
    tern = layer.entity("Tern")
    assert layer.rebind() == {"checked": 1, "bound": 1, "groups_done": ["layer"]}
    assert [edge["target_node_uuid"] for edge in layer.shown()] == [tern]
    assert layer.ask("find_relationships", query="uses", group_ids=["layer"])["count"] == 1
    assert layer.ask("get_entity_neighbors", entity_uuid=mira)["total"] == 1
    assert layer.counts() == {"bound": 1, "unbound": 0, "ambiguous": 0}


def test_an_unbound_edge_stays_as_it_is_while_nothing_is_found(layer: Layer) -> None:
    layer.entity("Mira")
    layer.edge(layer.pointer("Mira"), layer.pointer("Tern"))
    before = layer.wal("layer")["max_seq"]
    assert layer.rebind() == {"checked": 1, "unbound": 1, "staleness_skipped": 1}
    assert layer.wal("layer")["max_seq"] == before


def test_a_name_that_several_have_is_ambiguous(service: LcgService, ask: Ask, group: str) -> None:
    layer = Layer(ask, f"{group} layer", group)
    twins = [Entity(f"{group}-{number}", group, "Tern", ("Entity",), NOON) for number in range(2)]
    put(service, *twins)
    mira = layer.entity("Mira", layer.own)
    made = layer.edge({"uuid": mira}, layer.pointer("Tern"))
    assert made["cross_group_pointers"]["dst"]["binding_state"] == "ambiguous"
    assert "resolved_uuid" not in made["cross_group_pointers"]["dst"]
    assert layer.shown() == []
    assert layer.rebind() == {"checked": 1, "ambiguous": 1}
    put(service, Entity(twins[1].uuid, group, "Other", ("Entity",), NOON))
    assert layer.rebind() == {"checked": 1, "bound": 1, "groups_done": [layer.own]}
    assert [edge["target_node_uuid"] for edge in layer.shown()] == [twins[0].uuid]


def test_a_merged_name_leads_on_and_one_that_leads_nowhere_is_unbound(
    service: LcgService, ask: Ask, group: str
) -> None:
    layer = Layer(ask, f"{group} layer", group)
    live = layer.entity("Tern")

    def buried(name: str, into: str) -> Entity:
        attributes = orjson.dumps({"merged_into": into}).decode()
        return Entity(f"{group}-{name}", group, name, ("Entity", "Merged"), NOON, attributes=attributes)

    put(service, buried("Old Tern", live), buried("Lost", "nobody"))
    made = layer.edge(layer.pointer("Old Tern"), layer.pointer("Lost"))
    states = {side: pointer["binding_state"] for side, pointer in made["cross_group_pointers"].items()}
    assert states == {"src": "bound", "dst": "unbound"}
    assert made["source_node_uuid"] == live


@pytest.mark.parametrize(
    "end",
    [
        {},
        {"uuid": "u", "source_group_id": "source"},
        {"uuid": "u", "source_group_id": "source", "endpoint_name": "n"},
        {"source_group_id": "source"},
        {"source_group_id": "source", "endpoint_name": "  "},
        {"source_group_id": "", "endpoint_name": "n"},
        {"endpoint_name": "n", "uuid": None},
    ],
)
def test_an_end_is_one_of_the_two_pairings(layer: Layer, end: dict[str, str]) -> None:
    with pytest.raises(InvalidParams) as caught:
        layer.edge(layer.pointer("Tern"), end)
    assert caught.value.data["parameter"] == "target"
    for word in ("`uuid`", "`source_group_id`", "`endpoint_name`"):
        assert word in caught.value.message


def test_a_blank_half_counts_as_absent(layer: Layer) -> None:
    assert layer.edge({"uuid": " ", **layer.pointer("A")}, layer.pointer("B"))["source_node_uuid"] == ""


def test_the_edges_own_group_is_no_other_group(layer: Layer) -> None:
    with pytest.raises(InvalidParams) as caught:
        layer.edge({"source_group_id": " layer ", "endpoint_name": "n"}, layer.pointer("Tern"))
    assert caught.value.data["parameter"] == "source.source_group_id"
    assert "`uuid`" in caught.value.message
    assert "knowledge_assert_relationship" in caught.value.message


def test_a_group_id_that_no_group_can_have_is_refused(layer: Layer) -> None:
    with pytest.raises(InvalidParams) as caught:
        layer.edge({"source_group_id": "a\0b", "endpoint_name": "n"}, layer.pointer("Tern"))
    assert caught.value.data["parameter"] == "source.source_group_id"


def test_every_unknown_uuid_is_named(layer: Layer) -> None:
    with pytest.raises(OperationFailed) as caught:
        layer.edge({"uuid": "u-1"}, {"uuid": "u-2"})
    assert caught.value.kind is ErrorKind.NOT_FOUND
    assert caught.value.data["uuids"] == ["u-1", "u-2"]


def test_a_uuid_of_another_group_is_refused_and_nothing_is_written(layer: Layer) -> None:
    tern, mira = layer.entity("Tern"), layer.entity("Mira", "layer")
    with pytest.raises(OperationFailed) as caught:
        layer.edge({"uuid": mira}, {"uuid": tern})
    assert caught.value.kind is ErrorKind.PRECONDITION
    assert all(word in caught.value.message for word in (tern, "'source'", "'layer'"))
    assert layer.wal("layer")["max_seq"] == 1


def test_both_ends_must_not_be_one_entity(layer: Layer) -> None:
    layer.entity("Tern")
    mira = layer.entity("Mira", "layer")
    for end in (layer.pointer("Tern"), {"uuid": mira}):
        with pytest.raises(OperationFailed) as caught:
            layer.edge(end, end)
        assert caught.value.kind is ErrorKind.PRECONDITION
    assert layer.counts() == {"bound": 0, "unbound": 0, "ambiguous": 0}


def test_a_bound_pointer_is_skipped_until_its_group_moves_on(layer: Layer) -> None:
    layer.entity("Tern")
    mira = layer.entity("Mira", "layer")
    layer.edge({"uuid": mira}, layer.pointer("Tern"))
    assert layer.rebind() == {"staleness_skipped": 1}
    layer.entity("Something else", "a third group")
    assert layer.rebind() == {"staleness_skipped": 1}
    digest = layer.wal("layer")["digest"]
    layer.entity("Something else")
    assert layer.rebind() == {"checked": 1, "bound": 1, "groups_done": ["layer"]}
    assert layer.rebind() == {"staleness_skipped": 1}
    # Where the other group was does not count as content.
    assert layer.wal("layer")["digest"] == digest


def test_pointers_into_a_purged_group_are_unbound_and_bind_again(layer: Layer) -> None:
    layer.entity("Tern")
    mira = layer.entity("Mira", "layer")
    layer.edge({"uuid": mira}, layer.pointer("Tern"))
    before = layer.wal("layer")
    impacts = [{"group_id": "layer", "pointer_count": 1}]
    assert layer.ask("delete_by_group", group_ids=["source"], dry_run=True)["unbound_impacts"] == impacts
    assert layer.ask("delete_by_group", group_ids=["source"], confirm=True)["unbound_impacts"] == impacts
    assert layer.counts() == {"bound": 0, "unbound": 1, "ambiguous": 0}
    assert layer.wal("layer") == before
    assert layer.shown() == []
    assert layer.rebind() == {"checked": 1, "unbound": 1, "groups_done": ["layer"]}
    again = layer.entity("Tern")
    assert layer.rebind() == {"checked": 1, "bound": 1, "groups_done": ["layer"]}
    assert [edge["target_node_uuid"] for edge in layer.shown()] == [again]


def test_what_would_join_an_entity_to_itself_is_invalidated(service: LcgService, ask: Ask, group: str) -> None:
    layer = Layer(ask, f"{group} layer", group)
    tern = layer.entity("Tern")
    layer.edge(layer.pointer("Tern"), layer.pointer("Old Tern"))
    attributes = orjson.dumps({"merged_into": tern}).decode()
    put(service, Entity(f"{group}-old", group, "Old Tern", ("Entity", "Merged"), NOON, attributes=attributes))
    assert layer.rebind() == {"checked": 2, "bound": 2, "invalidated_self_loop": 1, "groups_done": [layer.own]}
    assert layer.shown() == []
    assert layer.rebind() == {}


def test_what_would_repeat_a_relationship_is_invalidated(layer: Layer) -> None:
    mira = layer.entity("Mira", "layer")
    for _ in range(2):
        layer.edge({"uuid": mira}, layer.pointer("Tern"))
    layer.edge({"uuid": mira}, layer.pointer("Tern"), name="OWNS")
    layer.entity("Tern")
    assert layer.rebind() == {"checked": 3, "bound": 3, "invalidated_duplicate": 1, "groups_done": ["layer"]}
    assert sorted(edge["name"] for edge in layer.shown()) == ["OWNS", "USES"]
    assert layer.counts() == {"bound": 2, "unbound": 0, "ambiguous": 0}
    assert layer.rebind() == {"staleness_skipped": 2}


def test_a_group_that_nobody_points_to_gives_zeros(layer: Layer) -> None:
    assert layer.rebind() == {}
    assert "source" not in layer.ask("status")["wal_groups"]


def test_a_forced_rebuild_binds_what_lost_its_entity(layer: Layer) -> None:
    tern = layer.entity("Tern")
    layer.entity("Late")
    mira = layer.entity("Mira", "layer")
    layer.edge({"uuid": mira}, layer.pointer("Tern"))
    layer.edge({"uuid": mira}, layer.pointer("Late"))
    before = layer.wal("layer")
    whole = layer.ask("rebuild_from_wal", group_id="source", force_clear=True)
    assert whole["cross_group_rebind"] is None
    assert layer.wal("layer") == before
    shorter = layer.ask("rebuild_from_wal", group_id="source", force_clear=True, to_seq=1)
    assert shorter["cross_group_rebind"] == {
        "checked": 1,
        "bound": 0,
        "unbound": 1,
        "ambiguous": 0,
        "invalidated_self_loop": 0,
        "invalidated_duplicate": 0,
        "staleness_skipped": 1,
        "groups_done": ["layer"],
    }
    assert [edge["target_node_uuid"] for edge in layer.shown()] == [tern]
    again = layer.ask("rebuild_from_wal", group_id="source", force_clear=True)
    assert (again["cross_group_rebind"]["bound"], again["cross_group_rebind"]["checked"]) == (1, 1)
    assert layer.counts() == {"bound": 2, "unbound": 0, "ambiguous": 0}


def test_a_cancelled_pass_tells_which_groups_are_done(service: LcgService, ask: Ask, group: str) -> None:
    layer = Layer(ask, f"{group} layer", group)
    layer.edge(layer.pointer("A"), layer.pointer("B"))
    call = Call("knowledge_rebind_pointers")
    call.cancelled.set()
    with pytest.raises(OperationFailed) as caught:
        service.call(call.method, {"source_group_id": group}, call)
    assert (caught.value.kind, caught.value.data["groups_done"]) == (ErrorKind.CANCELLED, [])


@pytest.mark.parametrize("group_id", [None, "", " ", []])
def test_the_group_to_rebind_must_be_named(layer: Layer, group_id: Any) -> None:
    with pytest.raises(InvalidParams) as caught:
        layer.ask("rebind_pointers", source_group_id=group_id)
    assert caught.value.data["parameter"] == "source_group_id"


def test_what_a_query_has_left_in_place_of_a_pointer_is_not_taken_for_one() -> None:
    pointer = {"source_group_id": "g", "endpoint_name": "Ada", "binding_state": "bound"}
    spoilt = {**pointer, "resolved_uuid": 1, "bound_at_seq": True, "bound_generation": False}
    (found,) = pointers_of(
        orjson.dumps({KEY: {"src": spoilt, "dst": {**pointer, "binding_state": True}}}).decode()
    ).values()
    assert (found.resolved_uuid, found.bound_at_seq, found.bound_generation) == (None, None, None)
