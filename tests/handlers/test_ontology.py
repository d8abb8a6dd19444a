"""What an ontology does to ingested texts and to the status."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import orjson
import pytest

from lcg.model.times import Micros
from lcg.providers.extractor.protocol import (
    NO_SURROUNDINGS,
    ExtractedEdge,
    ExtractedEntity,
    Extraction,
    SourceType,
    Surroundings,
)
from lcg.runtime.call import Call
from lcg.server.app import LcgService
from tests.workspaces import running_service

STRICT = """\
mode: strict
entity_types: [{name: Agent}, {name: Captain, parent: Agent}]
relation_types: [{name: SAILS_TO, aliases: [VOYAGED_TO]}]
"""
OPEN = STRICT.replace("strict", "open")


class FixedExtractor:
    """Finds the same in every text."""

    provider = "builtin"
    model: str | None = None

    def extract(
        self, text: str, source_type: SourceType, reference_time: Micros, surroundings: Surroundings = NO_SURROUNDINGS
    ) -> Extraction:
        return Extraction(
            [ExtractedEntity("Mira", "captain"), ExtractedEntity("Vell", "Lighthouse"), ExtractedEntity("Tern")],
            [
                ExtractedEdge("Mira", "Vell", "Mira voyaged to Vell.", "VOYAGED_TO"),
                ExtractedEdge("Mira", "Tern", "Mira owns the Tern.", "OWNS"),
                ExtractedEdge("Tern", "Vell", "The Tern and Vell."),
            ],
        )


def write(root: Path, name: str, text: str) -> None:
    path = root / ".lcg" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def ask(service: LcgService, method: str, **params: Any) -> dict[str, Any]:
    return service.call(f"knowledge_{method}", params, Call(f"knowledge_{method}"))


@contextmanager
def serving(root: Path) -> Iterator[LcgService]:
    with running_service(root) as service:
        ask(service, "list_entities")
        core = service._situation.core
        assert core is not None
        core.ingestion.extractor = FixedExtractor()
        yield service


def ingest(service: LcgService, group: str = "liminis") -> dict[str, Any]:
    return ask(service, "process_chunk", chunk_text="t", chunk_id="c", source_file="f.md", group_id=group)


def labels(service: LcgService) -> dict[str, list[str]]:
    return {row["name"]: row["labels"] for row in ask(service, "list_entities")["nodes"]}


def types(service: LcgService) -> dict[str, str | None]:
    return {row["fact"]: row["relation_type"] for row in ask(service, "list_relationships")["edges"]}


def test_strict_mode_keeps_what_it_may_not_call_by_its_name(tmp_path: Path) -> None:
    write(tmp_path, "ontology.yaml", STRICT)
    with serving(tmp_path) as service:
        answer = ingest(service)
        assert answer["entities_reclassified_unclassified"] == 1
        assert answer["edges_reclassified_unclassified"] == 1
        assert labels(service) == {
            "Mira": ["Entity", "Agent", "Captain"],
            "Vell": ["Entity", "Unclassified"],
            "Tern": ["Entity"],
        }
        assert types(service) == {
            "Mira voyaged to Vell.": "SAILS_TO",
            "Mira owns the Tern.": "UNCLASSIFIED",
            "The Tern and Vell.": None,
        }
        originals = {
            row["name"]: orjson.loads(row["attributes"])
            for row in [*ask(service, "list_entities")["nodes"], *ask(service, "list_relationships")["edges"]]
            if row["attributes"] != "{}"
        }
        assert originals == {"Vell": {"original_entity_type": "Lighthouse"}, "OWNS": {"original_relation_type": "OWNS"}}


def test_open_mode_maps_aliases_and_leaves_the_rest(tmp_path: Path) -> None:
    write(tmp_path, "ontology.yaml", OPEN)
    with serving(tmp_path) as service:
        answer = ingest(service)
        assert answer["entities_reclassified_unclassified"] == answer["edges_reclassified_unclassified"] == 0
        assert labels(service)["Mira"] == ["Entity", "Agent", "Captain"]
        assert labels(service)["Vell"] == ["Entity", "Lighthouse"]
        assert set(types(service).values()) == {"SAILS_TO", "OWNS", None}


def test_an_extractor_cannot_make_a_tombstone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = Extraction([ExtractedEntity("Mira", "merged")], [])
    monkeypatch.setattr(FixedExtractor, "extract", lambda *_: found)
    with serving(tmp_path) as service:
        ingest(service)
        assert labels(service) == {"Mira": ["Entity"]}


def test_a_group_goes_by_its_own_file_unless_that_is_unusable(tmp_path: Path) -> None:
    write(tmp_path, "ontology.yaml", STRICT)
    write(tmp_path, "ontology/own%20group.yaml", "entity_types: [{name: Lighthouse}]")
    write(tmp_path, "ontology/broken.yaml", "mode: [")
    with serving(tmp_path) as service:
        assert ingest(service, "own group")["entities_reclassified_unclassified"] == 0
        assert ingest(service, "broken")["entities_reclassified_unclassified"] == 1
        status = ask(service, "status")["ontology"]
        assert (status["present"], status["loaded"], status["mode"]) == (True, True, "strict")
        assert (status["entity_type_count"], status["relation_type_count"]) == (2, 1)
        (issue,) = status["issues"]
        assert issue.startswith(f"{tmp_path / '.lcg' / 'ontology' / 'broken.yaml'}:1:")


@pytest.mark.parametrize("text", ["", "mode: [", "\x00", "entity_types: 3"])
def test_a_bad_file_never_stops_the_service(tmp_path: Path, text: str) -> None:
    write(tmp_path, "ontology.yaml", text)
    with serving(tmp_path) as service:
        assert ingest(service)["outcome"] == "created"
        status = ask(service, "status")["ontology"]
        assert (status["present"], status["loaded"], status["mode"]) == (True, False, None)
        assert status["issues"]


def test_another_ontology_is_drift_until_a_text_is_read_with_it(tmp_path: Path) -> None:
    def drifts(service: LcgService) -> list[Any]:
        status = ask(service, "status")
        own = status["ontology"]
        return [own["drifted"], own["drift_summary"], status["group_ontology_drift"]]

    with serving(tmp_path) as service:
        ingest(service)
        assert drifts(service) == [False, None, []]
    write(tmp_path, "ontology.yaml", OPEN)
    added = "ontology added: 2 entity types, 1 relation types"
    with serving(tmp_path) as service:
        assert drifts(service) == [True, added, [{"group_id": "liminis", "drifted": True, "drift_summary": added}]]
        # Another ontology reads the same text in another way, so it is a revision.
        assert ingest(service)["outcome"] == "revised"
        assert ingest(service)["outcome"] == "unchanged"
        settled = {"group_id": "liminis", "drifted": False, "drift_summary": None}
        assert drifts(service) == [False, None, [settled]]
    write(tmp_path, "ontology.yaml", STRICT.replace("{name: Agent}, {name: Captain, parent: Agent}", "{name: Agent}"))
    with serving(tmp_path) as service:
        changed = "mode open is now strict; entity types removed: Captain"
        assert drifts(service)[:2] == [True, changed]
    (tmp_path / ".lcg" / "ontology.yaml").unlink()
    with serving(tmp_path) as service:
        assert drifts(service)[1] == "ontology removed (was 2 entity types, 1 relation types)"


def test_a_damaged_record_of_the_ontology_is_passed_over(tmp_path: Path) -> None:
    write(tmp_path, "ontology.yaml", OPEN)
    write(tmp_path, "ontology-hash.json", '{"hash": 3, "groups": []}')
    with serving(tmp_path) as service:
        assert ingest(service)["outcome"] == "created"
        assert not ask(service, "status")["ontology"]["drifted"]


def test_status_says_what_is_declared_when_it_is_asked(tmp_path: Path) -> None:
    write(tmp_path, "ontology.yaml", STRICT)
    write(tmp_path, "ontology/own%20group.yaml", "entity_types: [{name: Lighthouse, description: Shines.}]")
    write(tmp_path, "ontology/broken.yaml", "mode: [")
    with serving(tmp_path) as service:
        assert "declared" not in ask(service, "status")["ontology"]
        told = ask(service, "status", include_ontology=True)["ontology"]
    assert told["declared"]["mode"] == "strict"
    assert [(kind["name"], kind["parent"]) for kind in told["declared"]["entity_types"]] == [
        ("Agent", None),
        ("Captain", "Agent"),
    ]
    (relation,) = told["declared"]["relation_types"]
    assert (relation["name"], list(relation["aliases"]), relation["single_valued"]) == (
        "SAILS_TO",
        ["VOYAGED_TO"],
        False,
    )
    # Also of a group that holds nothing yet: its types are wanted before its first text.
    assert told["declared_by_group"].keys() == {"own group"}
    assert told["declared_by_group"]["own group"]["entity_types"] == [
        {"name": "Lighthouse", "description": "Shines.", "parent": None}
    ]
    orjson.dumps(told)


def test_without_an_ontology_nothing_is_declared(tmp_path: Path) -> None:
    with serving(tmp_path) as service:
        told = ask(service, "status", include_ontology=True)["ontology"]
    assert (told["declared"], told["declared_by_group"]) == (None, {})
