"""What curation, typing and pointers promise, asked of the real program over the socket and by the SDK's client."""

from pathlib import Path
from typing import Any

import pytest

from tests.e2e.clients import KINDS
from tests.processes import Refused, Talker
from tests.workspaces import write_ontology

pytestmark = pytest.mark.e2e

ONTOLOGY = """\
entity_types:
  - {name: Agent, description: Who acts.}
  - {name: Captain, parent: Agent, description: Who commands a ship.}
relation_types:
  - {name: SAILS_TO, description: A ship or a sailor travels to a port., aliases: [VOYAGED_TO], keywords: [set off]}
  - {name: OWNS, description: A person possesses a ship.}
"""
CORRECTIONS = """\
# kept
corrections:
  - {id: c1, type: SAME_AS, canonical: Mira Vane, aliases: [Captain Vane]}  # by hand
  - {id: c2, type: retract, edge_uuid: %s}
  - {id: c3, type: retract, edge_uuid: nowhere}
"""


class Asker:
    """Calls tools by their short names."""

    def __init__(self, talker: Talker) -> None:
        self._talker = talker

    def __call__(self, method: str, **params: Any) -> Any:
        return self._talker.result(f"knowledge_{method}", **params)

    def refused(self, method: str, **params: Any) -> Refused:
        """Return how a call is refused."""
        with pytest.raises(Refused) as caught:
            self(method, **params)
        return caught.value

    def entity(self, name: str, group: str, **more: Any) -> str:
        """Assert an entity and return its uuid."""
        uuid: str = self("assert_entity", name=name, group_id=group, **more)["entity_uuid"]
        return uuid

    def edge(self, source: str, predicate: str, target: str, group: str, **more: Any) -> str:
        """Assert a relationship between entities, which are made if need be, and return its uuid."""
        for name in (source, target):
            self.entity(name, group)
        wish = {"source_name": source, "predicate": predicate, "target_name": target, "group_id": group}
        uuid: str = self("assert_relationship", **wish, **more)["edge_uuid"]
        return uuid

    def seq(self, group: str) -> int:
        """Return the last line of a group's log; 0 without one."""
        found = self("status")["wal_groups"].get(group)
        return found["max_seq"] if found else 0


def relation_types_follow_the_words(ask: Asker) -> None:
    for predicate, target, stored in (
        ("voyaged to", "Port Vell", None),
        ("will set off for", "Bergen", "OWNS"),
        ("admires", "Tern", "owns"),
        ("admires", "Gull", "GUESSED"),
    ):
        ask.edge("Mira", predicate, target, "words", **({"relation_type": stored} if stored else {}))
    counted: dict[str, Any] = {
        "total_edges": 4,
        "mapped_count": 3,
        "noise_count": 0,
        "residual_count": 1,
        "mapped_pct": 75,
    }
    counted |= {"noise_pct": 0, "residual_pct": 25, "embedding_fallback_promoted": 0, "group_id": "words"}
    before = ask.seq("words")
    wish = {"group_id": "words", "embedding_threshold": 7}
    assert ask("canonicalize_relations", dry_run=True, **wish) == {**counted, "dry_run": True}
    assert ask.seq("words") == before
    assert ask("canonicalize_relations", **wish) == {**counted, "dry_run": False}
    edges = ask("list_relationships", group_ids=["words"])["edges"]
    types = {edge["fact"].split()[-1]: edge["relation_type"] for edge in edges}
    assert types == {"Vell": "SAILS_TO", "Bergen": "SAILS_TO", "Tern": "OWNS", "Gull": "UNCLASSIFIED"}
    ask("canonicalize_relations", **wish)
    assert ask.seq("words") == before + 1
    for group_id in ("", "  "):
        assert ask.refused("canonicalize_relations", group_id=group_id).code == -32602
    nobody = ask("canonicalize_relations", group_id="nobody")
    assert {value for key, value in nobody.items() if key.endswith(("count", "pct", "edges", "promoted"))} == {0}
    assert "nobody" not in ask("status")["wal_groups"]


def the_deprecated_way_fills_blanks_only_and_says_what_it_is(ask: Asker) -> None:
    ask.edge("Mira", "Sails-with", "Ada", "blank")
    ask.edge("Mira", "a -> b", "Ada", "blank", fact="Mira's ship went down quickly")
    ask.edge("Mira", "→", "Ben", "blank", fact="…?")
    ask.edge("Mira", "knows", "Ben", "blank", relation_type="KNOWN")
    told = {"group_id": "blank", "total_edges": 4, "backfilled": 3, "deprecated": True}
    assert ask("backfill_relation_types", group_id="blank", dry_run=True) == {**told, "dry_run": True}
    assert ask("backfill_relation_types", group_id="blank") == {**told, "dry_run": False}
    assert ask("backfill_relation_types", group_id="blank")["backfilled"] == 0
    types = {edge["name"]: edge["relation_type"] for edge in ask("list_relationships", group_ids=["blank"])["edges"]}
    assert (types["Sails-with"], types["knows"]) == ("SAILS_WITH", "KNOWN")
    assert types["a -> b"] == "MIRA'S_SHIP_WENT_DOWN"


def a_classifier_chooses_relation_types_from_facts(ask: Asker) -> None:
    ask.edge("Mira", "x", "Tern", "facts", fact="Mira owns the Tern", relation_type="OWNS")
    ask.edge("Mira", "y", "Bergen", "facts", fact="Mira voyaged to Bergen")
    ask.edge("Mira", "z", "Oslo", "facts", fact="Qqqq zzzz wwww", relation_type="UNCLASSIFIED")
    dry = ask("reprocess_relation_types", group_id="facts", scope="all", dry_run=True)
    assert dry["classifier"] == {"provider": "builtin", "model": None}
    assert (dry["success"], dry["would_reclassify_count"], sum(dry["breakdown"].values())) == (True, 1, 3)
    (change,) = dry["plan"]
    assert change["fact"] == "Mira voyaged to Bergen"
    assert (change["old_type"], change["new_type"]) == (None, "SAILS_TO")
    done = ask("reprocess_relation_types", group_id="facts")
    assert (done["reclassified_count"], done["unchanged_count"], done["breakdown"]) == (1, 0, {"SAILS_TO": 1})
    assert ask("reprocess_relation_types", group_id="facts")["breakdown"] == {}
    assert sum(ask("reprocess_relation_types", group_id="facts", scope="off_ontology")["breakdown"].values()) == 1
    assert ask.refused("reprocess_relation_types", scope="All").code == -32602


def a_classifier_chooses_entity_types_and_chains_follow_the_ontology(ask: Asker) -> None:
    ask.entity("Ines", "typed", summary="Ines is a captain.")
    ask.entity("Odd", "typed", labels=["Captain"])
    ask.entity("Zzz", "typed")
    dry = ask("reprocess_entity_types", group_id="typed", dry_run=True)
    assert [(row["entity_name"], row["old_type"], row["new_type"]) for row in dry["plan"]] == [
        ("Ines", None, "Captain")
    ]
    done = ask("reprocess_entity_types", group_id="typed")
    assert (done["success"], done["reclassified_count"], done["unchanged_count"]) == (True, 1, 1)
    nodes = ask("list_entities", group_ids=["typed"])["nodes"]
    assert {node["name"]: node["labels"] for node in nodes}["Ines"] == ["Entity", "Agent", "Captain"]
    none = ask("reprocess_entity_types", group_id="nobody")
    assert (none["reclassified_count"], none["unchanged_count"], none["restamped_count"]) == (0, 0, 0)


def a_merge_moves_what_an_alias_had(ask: Asker) -> None:
    stays, goes = ask.entity("Ada Ferris", "m"), ask.entity("A. Ferris", "m")
    ask.edge("Ada Ferris", "owns", "Tern", "m")
    ask.edge("A. Ferris", "owns", "Tern", "m")
    moved = ask.edge("A. Ferris", "sees", "Vell", "m")
    ask.edge("A. Ferris", "knows", "Ada Ferris", "m")
    wish = {"canonical_name": "Ada Ferris", "alias_uuids": [goes, stays], "alias_names": ["Nobody"], "group_id": "m"}
    dry = ask("merge_entities", dry_run=True, **wish)
    plan = dry.pop("plan")
    assert plan["total_edges_rewritten"] == dry["edges_rewritten"] == 1
    assert [(row["uuid"], row["active_edges"], row["duplicate_edges"]) for row in plan["aliases"]] == [(goes, 1, 1)]
    done = ask("merge_entities", **wish)
    assert done == dry
    assert (done["success"], done["canonical_uuid"], done["merged_count"]) == (True, stays, 1)
    assert len(done["errors"]) == 1
    old = ask("get_edges_by_uuids", uuids=[moved])["edges"][0]
    assert old["invalid_at"] is not None
    assert ask("merge_entities", **wish)["merged_count"] == 0
    for bad, words in (
        ({"alias_names": ["x"]}, "no canonical selector"),
        ({"canonical_uuid": stays}, "no alias source"),
        ({"canonical_name": "Nobody", "alias_names": ["x"]}, "not found"),
        ({"canonical_uuid": goes, "alias_names": ["x"]}, "already merged"),
    ):
        failed = ask("merge_entities", group_id="m", **bad)
        assert failed["success"] is False
        assert words in " ".join(failed["errors"])


def corrections_are_checked_then_applied_once(ask: Asker, root: Path) -> None:
    assert ask("validate_corrections")["valid"] is True
    assert ask("apply_corrections")["success"] is True
    ask.entity("Mira Vane", "fix")
    ask.entity("Captain Vane", "fix")
    wrong = ask.edge("Mira Vane", "hates", "Tern", "fix")
    path = root / ".liminis" / "knowledge-corrections.yaml"
    path.parent.mkdir()
    path.write_text(CORRECTIONS % wrong)
    checked = ask("validate_corrections")
    assert (checked["valid"], checked["total_corrections"], checked["unapplied_corrections"]) == (False, 3, 3)
    dry = ask("apply_corrections", dry_run=True)
    assert (dry["applied"], dry["details"][0]) == (0, {"id": "c1", "action": "dry_run:same_as"})
    assert path.read_text() == CORRECTIONS % wrong
    done = ask("apply_corrections")
    assert (done["success"], done["applied"], done["skipped"], done["groups_done"]) == (False, 2, 0, ["fix"])
    assert path.read_text().count("applied_at") == 2
    assert "# kept" in path.read_text()
    assert "# by hand" in path.read_text()
    assert ask("apply_corrections")["skipped"] == 2
    path.write_text("corrections: [")
    assert "YAML parse error" in " ".join(ask("validate_corrections")["issues"])
    assert ask("apply_corrections")["success"] is False


def summaries_are_embedded_on_call(ask: Asker) -> None:
    ask.entity("Lena", "sums", summary="A glaciologist.")
    ask.entity("Lena", "sums", summary="A pastry chef.")
    ask.entity("Mute", "sums")
    told = {"group_id": "sums", "total_entities": 2, "backfilled": 1}
    assert ask("backfill_summary_embeddings", group_id="sums", dry_run=True) == {**told, "dry_run": True}
    before = ask.seq("sums")
    for _ in range(2):
        assert ask("backfill_summary_embeddings", group_id="sums") == {**told, "dry_run": False}
    assert ask.seq("sums") == before + 1


def pointers_bind_by_name_and_are_bound_anew(ask: Asker) -> None:
    own = ask.entity("Layer", "layer")
    wish = {"name": "USES", "fact": "Layer uses Quay", "group_id": "layer", "source": {"uuid": own}}
    far = {"source_group_id": "ground", "endpoint_name": "Quay"}
    made = ask("add_cross_group_edge", target=far, **wish)
    pointer = made["cross_group_pointers"]["dst"]
    assert made["cross_group_pointers"]["src"] is None
    assert (made["target_node_uuid"], made["embedding_warning"]) == ("", None)
    assert pointer == {"source_group_id": "ground", "endpoint_name": "quay", "binding_state": "unbound"}
    assert ask("list_relationships", group_ids=["layer"])["total"] == 0
    quay = ask.entity("QUAY", "ground")
    done = ask("rebind_pointers", source_group_id="ground")
    assert (done["checked"], done["bound"], done["groups_done"]) == (1, 1, ["layer"])
    assert ask("list_relationships", group_ids=["layer"])["edges"][0]["target_node_uuid"] == quay
    again = ask("rebind_pointers", source_group_id="ground")
    assert (again["checked"], again["staleness_skipped"], again["groups_done"]) == (0, 1, [])
    for target in ({"uuid": own, **far}, {}, {"uuid": None, "endpoint_name": "Quay"}, {**far, "more": "x"}):
        assert ask.refused("add_cross_group_edge", target=target, **wish).code == -32602
    same = ask.refused("add_cross_group_edge", target={**far, "source_group_id": "layer"}, **wish)
    assert "knowledge_assert_relationship" in same.message
    assert "uuid" in same.message
    foreign = ask.refused("add_cross_group_edge", target={"uuid": quay}, **wish)
    assert foreign.kind == "precondition"
    for word in (quay, "'ground'", "'layer'"):
        assert word in foreign.message
    lost = ask.refused("add_cross_group_edge", **{**wish, "source": {"uuid": "u1"}, "target": {"uuid": "u2"}})
    assert lost.kind == "not_found"
    assert "u1" in lost.message
    assert "u2" in lost.message
    both = ask.refused("add_cross_group_edge", target={"uuid": own}, **wish)
    assert both.kind == "precondition"
    assert ask.refused("rebind_pointers").code == -32602


@pytest.mark.parametrize("kind", [kind for kind in KINDS if not kind.startswith("attached")])
def test_curation_keeps_its_promises_over_every_transport(tmp_path: Path, kind: str) -> None:
    write_ontology(tmp_path, ONTOLOGY)
    with KINDS[kind](tmp_path) as talker:
        ask = Asker(talker)
        relation_types_follow_the_words(ask)
        the_deprecated_way_fills_blanks_only_and_says_what_it_is(ask)
        a_classifier_chooses_relation_types_from_facts(ask)
        a_classifier_chooses_entity_types_and_chains_follow_the_ontology(ask)
        a_merge_moves_what_an_alias_had(ask)
        corrections_are_checked_then_applied_once(ask, tmp_path)
        summaries_are_embedded_on_call(ask)
        pointers_bind_by_name_and_are_bound_anew(ask)
