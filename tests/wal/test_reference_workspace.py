"""Workspaces whose logs the reference implementation wrote, opened and rebuilt on the real store."""

import json
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from lcg.providers.embedder.builtin import BuiltinEmbedder
from lcg.runtime.call import Call
from lcg.server.app import LcgService
from tests.wal.reference_corpus import GROUP, START, STATEMENTS, entity, line
from tests.workspaces import running_service

_DATA = os.environ.get("LCG_TEST_DATA")
needs_data = pytest.mark.skipif(not _DATA, reason="LCG_TEST_DATA is not set: it names the folder of reference data")
LEGACY_FILES = (
    "falkordb_era_episodes",
    "falkordb_era_expired_at",
    "python_produced",
    "rust_produced_expected",
    "timestamps_in_params",
)


def write_log(root: Path, lines: list[dict[str, Any]], name: str = "published.jsonl", group_id: str = GROUP) -> None:
    directory = root / "wal" / group_id
    directory.mkdir(parents=True, exist_ok=True)
    (directory / ".wal-generation.json").write_text('{"generation": "published"}')
    (directory / name).write_text("".join(json.dumps(content) + "\n" for content in lines))


@contextmanager
def opened(root: Path, **settings: Any) -> Iterator["Asked"]:
    with running_service(root, **settings) as service:
        yield Asked(service)


class Asked:
    """A service that is asked by short names."""

    def __init__(self, service: LcgService) -> None:
        self._service = service

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        self._service.call("knowledge_list_entities", {}, Call("knowledge_list_entities"))
        return self._service.call(f"knowledge_{method}", params, Call(f"knowledge_{method}"))

    def position(self, group_id: str = GROUP) -> dict[str, Any]:
        found: dict[str, Any] = self.ask("status")["wal_groups"][group_id]
        return {name: found[name] for name in ("applied_seq", "max_seq", "pending", "hydration_status")}

    def digest(self, group_id: str = GROUP) -> str:
        return str(self.ask("status")["wal_groups"][group_id]["digest"])

    def rebuild(self, group_id: str = GROUP, **params: Any) -> dict[str, Any]:
        return self.ask("rebuild_from_wal", group_id=group_id, force_clear=True, **params)

    def names(self) -> list[str]:
        return sorted(node["name"] for node in self.ask("list_entities", group_ids=[GROUP])["nodes"])


def test_nothing_applied_and_line_0_applied_are_told_apart(tmp_path: Path) -> None:
    write_log(tmp_path, [line(0, *entity("n1"))])
    with opened(tmp_path, auto_hydrate=False) as service:
        assert service.position() == {"applied_seq": 0, "max_seq": 0, "pending": 1, "hydration_status": "wal_ahead"}
        with pytest.raises(Exception, match='"from_seq": 0'):
            service.ask("assert_entity", name="Quay", group_id=GROUP)
        assert service.rebuild(to_seq=0)["mutations_replayed"] == 1
        assert service.position() == {"applied_seq": 0, "max_seq": 0, "pending": 0, "hydration_status": "hydrated"}
        assert service.names() == ["Pier n1"]
    with opened(tmp_path, auto_hydrate=False) as service:
        assert service.position()["pending"] == 0
        service.ask("assert_entity", name="Quay", group_id=GROUP)
        assert service.position()["applied_seq"] == 1


def test_a_log_that_begins_anywhere_counts_its_own_lines_only(tmp_path: Path) -> None:
    write_log(tmp_path, [line(8_000 + seq, *row) for seq, row in enumerate(START)])
    with opened(tmp_path, auto_hydrate=False) as service:
        assert service.position()["pending"] == len(START)


def test_every_known_statement_rebuilds_on_the_real_store(tmp_path: Path) -> None:
    purge = ("W25", "W26", "W27", "W28", "W29", "L6")
    names = [name for name in STATEMENTS if name not in purge]
    lines = [line(seq, *row) for seq, row in enumerate([*START, *(STATEMENTS[name] for name in names)])]
    write_log(tmp_path, lines)
    with opened(tmp_path) as service:
        live = service.digest()
        result = service.rebuild()
        assert (result["lines_skipped"], result["failed_samples"], result["fidelity_warning"]) == (0, [], None)
        assert (result["legacy_skipped_lines"], result["mutations_replayed"]) == (6, len(lines) - 6)
        begun = [content for content in lines if content["cypher"].startswith("MATCH")]
        assert result["match_prefixed_replayed"] == len(begun) - 4  # Four of the passed over ones are links.
        assert service.digest() == live
        (fact,) = service.ask("find_relationships", query="It sank there", num_results=1)["edges"]
        assert fact["uuid"] == "r1"
    write_log(tmp_path, [line(1_000 + seq, *STATEMENTS[name]) for seq, name in enumerate(purge)], "purge.jsonl")
    with opened(tmp_path) as service:
        assert service.ask("get_nodes_by_group", group_ids=[GROUP])["nodes"] == []
        assert int(service.digest(), 16) == 0


def test_lines_of_both_formats_follow_one_another(tmp_path: Path) -> None:
    write_log(tmp_path, [line(seq, *row) for seq, row in enumerate(START)])
    with opened(tmp_path) as service:
        known = service.ask("assert_entity", name="pier n1", summary="Rebuilt", group_id=GROUP)
        made = service.ask("assert_entity", name="Quay", group_id=GROUP)
        assert (known["created"], known["entity_uuid"]) == (False, "n1")
        assert service.position()["applied_seq"] == len(START) + 1
    later = [
        ("MATCH (e:Entity {uuid: $u}) SET e.summary = $s", {"u": made["entity_uuid"], "s": "Long and narrow"}),
        ("MATCH (e:Entity {uuid: $u}) SET e.summary = $s", {"u": "nowhere", "s": "x"}),
        ("CALL show_tables() RETURN *", {}),
    ]
    write_log(tmp_path, [line(20 + seq, *row) for seq, row in enumerate(later)], "later.jsonl")
    with opened(tmp_path) as service:
        tail = (service.digest(), service.position(), service.ask("status")["failed_records"])
        (quay,) = service.ask("find_entities", query="narrow", num_results=1, group_ids=[GROUP])["nodes"]
        assert (quay["name"], quay["summary"]) == ("Quay", "Long and narrow")
        result = service.rebuild()
        assert (service.digest(), service.position(), service.ask("status")["failed_records"]) == tail
        assert [(entry["group_id"], entry["seq"]) for entry in tail[2]] == [(GROUP, 21), (GROUP, 22)]
        assert (result["failed_lines"], result["unrecognised_lines"], result["unparseable_lines"]) == (1, 1, 0)
        missing, unknown = result["failed_samples"]
        assert "no line made" in missing["error"]
        assert "later.jsonl:2 MATCH" in missing["sample"]
        assert ("'CALL'" in unknown["error"], "later.jsonl:3 CALL" in unknown["sample"]) == (True, True)


def test_a_line_left_out_leaves_its_changes_out_too(tmp_path: Path) -> None:
    rename = "MATCH (e:Entity {uuid: 'n1'}) SET e.name = "
    write_log(tmp_path, [line(0, *entity("n1")), line(1, f"{rename}'Quay'"), line(2, f"{rename}'Mole'")])
    with opened(tmp_path) as service:
        assert service.names() == ["Mole"]
        service.rebuild(to_seq=1)
        assert service.names() == ["Quay"]
        service.ask("rebuild_from_wal", group_id=GROUP, from_seq=2)
        assert service.names() == ["Mole"]


# Data that is not part of the project


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(content) for content in path.read_text().splitlines()]


@needs_data
def test_the_reference_log_rebuilds_without_an_unexplained_line(tmp_path: Path) -> None:
    assert _DATA
    files = sorted((Path(_DATA) / "reference-wal" / "liminis").glob("*.jsonl"))
    lines = [content for path in files for content in _lines(path)]
    write_log(tmp_path, lines, group_id="liminis")
    made = {c["params"]["uuid"] for c in lines if c["cypher"].startswith("CREATE (:E")}
    # A summary or a mention of an entity that stands in a file that is not here has nothing to change.
    orphans = Counter(
        "links" if "MENTIONS" in c["cypher"] else "changes"
        for c in lines
        if c["params"].get("en", c["params"]["uuid"] if "SET e.summary" in c["cypher"] else None) not in (None, *made)
    )
    bound = [
        c["params"]["rn"] for c in lines if "rn" in c["params"] and {c["params"]["src"], c["params"]["dst"]} <= made
    ]
    with opened(tmp_path) as service:
        result = service.rebuild("liminis")
        counts = Counter({sample["error"].split()[1]: sample["count"] for sample in result["failed_samples"]})
        assert counts == orphans
        assert all("no line made" in sample["error"] for sample in result["failed_samples"])
        assert (result["unrecognised_lines"], result["unparseable_lines"]) == (0, 0)
        assert result["mutations_replayed"] == len(lines) - orphans.total()
        assert service.position("liminis")["hydration_status"] == "hydrated"
        status = service.ask("status")
        assert status["entity_count"] == sum("CREATE (:Entity " in c["cypher"] for c in lines)
        assert status["episode_count"] == sum("CREATE (:Episodic " in c["cypher"] for c in lines)
        assert status["relationship_count"] == len(bound)
        named = " ".join(entry["error"] for entry in status["failed_records"])
        assert len(status["failed_records"]) == orphans.total()
        assert all(c["params"]["en"] in named for c in lines if c["params"].get("en", "") not in {"", *made})


@needs_data
@pytest.mark.parametrize("name", LEGACY_FILES)
def test_every_older_log_rebuilds_whole(tmp_path: Path, name: str) -> None:
    assert _DATA
    path = Path(_DATA) / "reference-wal-legacy" / f"{name}.jsonl"
    lines = _lines(path)
    group_id = next((c["params"]["group_id"] for c in lines if "group_id" in c["params"]), "liminis")
    write_log(tmp_path, lines, group_id=group_id)
    with opened(tmp_path) as service:
        result = service.rebuild(group_id)
        assert (result["mutations_replayed"], result["lines_skipped"]) == (len(lines), 0)
        assert result["failed_samples"] == []
        assert service.ask("status")["failed_records"] == []


PURGE = [STATEMENTS[name] for name in ("W27", "W28", "W29")]


def warned(result: dict[str, Any]) -> list[tuple[str, int]]:
    return [(warning["type"], warning["seq"]) for warning in result.get("warnings", ())]


def test_a_purge_that_ends_the_log_in_three_lines_counts_as_clearing_by_hand(tmp_path: Path) -> None:
    end = len(START)
    write_log(tmp_path, [line(seq, *row) for seq, row in enumerate([*START, *PURGE])])
    with opened(tmp_path) as service:
        assert service.names() == [], "a start applies every purge"
        result = service.ask("rebuild_from_wal", group_id=GROUP)
        assert service.names() == ["Pier n1", "Pier n2"]
        assert warned(result) == [("purge_skipped", end)]
        assert result["excluded"] == [[end, end + 2]]
        assert service.position() == {
            "applied_seq": end - 1, "max_seq": end + 2, "pending": 0, "hydration_status": "hydrated"
        }  # fmt: skip
        service.ask("assert_entity", name="Quay", group_id=GROUP)
        assert warned(service.rebuild()) == []
        assert service.names() == ["Pier n1", "Pier n2", "Quay"]


def test_a_purge_in_three_lines_that_others_follow_is_history_and_told_once(tmp_path: Path) -> None:
    end = len(START)
    write_log(tmp_path, [line(seq, *row) for seq, row in enumerate([*START, *PURGE, entity("n9")])])
    with opened(tmp_path) as service:
        assert warned(service.rebuild()) == [("purge_in_range", end)]
        assert service.names() == ["Pier n9"]
        assert warned(service.rebuild(to_seq=end - 1)) == []
        assert service.names() == ["Pier n1", "Pier n2"]


def test_a_log_that_holds_nothing_but_many_purges_rebuilds_empty(tmp_path: Path) -> None:
    lines = [line(seq, *row) for seq, row in enumerate(PURGE * 40)]
    write_log(tmp_path, lines)
    with opened(tmp_path) as service:
        result = service.rebuild()
        assert (service.names(), result["excluded"]) == ([], [[0, len(lines) - 1]])


@pytest.mark.parametrize("count", [8, 300], ids=["line by line", "in bulk"])
def test_a_start_uses_the_vectors_that_a_log_brings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    uuids = [f"n{number}" for number in range(count)]
    vectors = BuiltinEmbedder().embed([f"Pier {uuid}" for uuid in uuids])
    rows = [entity(u, summary="", name_embedding=v.tolist()) for u, v in zip(uuids, vectors, strict=True)]
    write_log(tmp_path, [line(seq, *row) for seq, row in enumerate(rows)])
    asked: set[str] = set()
    embed = BuiltinEmbedder.embed

    def note(self: BuiltinEmbedder, texts: Sequence[str]) -> Any:
        asked.update(texts)
        return embed(self, texts)

    monkeypatch.setattr(BuiltinEmbedder, "embed", note)
    with opened(tmp_path) as service:
        status = service.ask("status")
        assert (status["entity_count"], status["embedding"]["rows_without_vector"]) == (count, 0)
    assert {text for text in asked if text.startswith("Pier")} == {f"Pier {uuid}" for uuid in uuids[:4]}
