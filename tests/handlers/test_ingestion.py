"""Ingestion of chunks: identity, revisions, reuse, provenance, refusals."""

import time
from pathlib import Path
from typing import Any

import orjson
import pytest

from lcg.errors import InvalidParams, OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.model.times import Micros
from lcg.providers.extractor.protocol import (
    NO_SURROUNDINGS,
    ExtractedEdge,
    ExtractedEntity,
    Extraction,
    ExtractorError,
    SourceType,
    Surroundings,
)
from lcg.runtime.call import Call
from lcg.server.app import LcgService
from tests.handlers.conftest import Ask
from tests.workspaces import running_service, write_ontology

TEXT = "Mira Vane sailed to Port Vell. The Tern belongs to Mira Vane."


def ingest(ask: Ask, group: str, text: str = TEXT, **params: Any) -> dict[str, Any]:
    call = {"chunk_text": text, "chunk_id": "c-1", "source_file": "log.md", "group_id": group, **params}
    return ask("process_chunk", **call)


def cells(ask: Ask, query: str, **parameters: Any) -> list[list[Any]]:
    rows: list[list[Any]] = ask("query_cypher", query=query, parameters=parameters)["rows"]
    return rows


def test_a_chunk_becomes_an_episode_with_entities_and_facts(ask: Ask, group: str) -> None:
    answer = ingest(ask, group, reference_time="2026-03-02T08:00:00Z")
    assert (answer["success"], answer["outcome"], answer["revision"]) == (True, "created", 1)
    assert answer["extractor"] == {"provider": "builtin", "model": None}
    assert answer["nodes_created"] + answer["nodes_reused"] == answer["nodes_extracted"] == len(answer["resolutions"])
    assert {"Mira Vane", "Port Vell"} <= {found["name"] for found in answer["resolutions"]}
    episodes = cells(
        ask,
        "MATCH (e:Episodic {uuid: $u}) RETURN e.name, e.source, e.source_description, e.content, e.created_at, "
        "e.valid_at, e.entity_edges",
        u=answer["episode_uuid"],
    )
    name, source, description, content, created, valid, entities = episodes[0]
    assert (name, source, description, content) == ("c-1", "text", "log.md:c-1", TEXT)
    assert created == valid == "2026-03-02 08:00:00"
    assert sorted(entities) == sorted(found["entity_uuid"] for found in answer["resolutions"])


def test_the_facts_carry_the_episode_as_their_provenance(ask: Ask, group: str) -> None:
    answer = ingest(ask, group)
    mira = next(found["entity_uuid"] for found in answer["resolutions"] if found["name"] == "Mira Vane")
    around = ask("get_entity_neighbors", entity_uuid=mira)
    assert around["edges"]
    for edge in around["edges"]:
        assert edge["fact"] in TEXT
        assert (edge["episode_uuids"], edge["source_descriptions"]) == ([answer["episode_uuid"]], ["log.md:c-1"])
    (node,) = ask("find_entities", query="Mira Vane", group_ids=[group], num_results=1)["nodes"]
    assert node["episode_uuids"] == [answer["episode_uuid"]]


def test_the_same_text_again_writes_nothing(ask: Ask, group: str) -> None:
    first = ingest(ask, group)
    before = ask("status")["wal_groups"][group]
    again = ingest(ask, group, reference_time="2020-01-01")
    assert (again["outcome"], again["revision"], again["episode_uuid"]) == ("unchanged", 1, first["episode_uuid"])
    assert (again["nodes_extracted"], again["edges_extracted"], again["resolutions"]) == (0, 0, [])
    assert ask("status")["wal_groups"][group] == before


def test_texts_a_b_a_make_three_revisions(ask: Ask, group: str) -> None:
    answers = [ingest(ask, group, text) for text in (TEXT, "Mira Vane left Port Vell.", TEXT)]
    assert [(a["outcome"], a["revision"]) for a in answers] == [("created", 1), ("revised", 2), ("revised", 3)]
    assert len({a["episode_uuid"] for a in answers}) == 3


def test_a_chunk_is_known_by_file_and_id_inside_its_group(ask: Ask, group: str) -> None:
    outcomes = [
        ingest(ask, group)["outcome"],
        ingest(ask, group, source_file="other.md")["outcome"],
        ingest(ask, group, chunk_id="c-2")["outcome"],
        ingest(ask, group + "-b")["outcome"],
    ]
    assert outcomes == ["created"] * 4


def test_a_name_that_the_group_has_is_reused_and_its_summary_grows_once(ask: Ask, group: str) -> None:
    uuid = ask("assert_entity", name="mira vane", summary="harbour pilot", group_id=group)["entity_uuid"]
    answer = ingest(ask, group)
    found = next(found for found in answer["resolutions"] if found["name"] == "Mira Vane")
    assert found == {"name": "Mira Vane", "entity_uuid": uuid, "outcome": "reused", "by": "name"}
    ingest(ask, group, chunk_id="c-2")
    ((summary,),) = cells(ask, "MATCH (n:Entity {uuid: $u}) RETURN n.summary", u=uuid)
    assert summary == "harbour pilot Mira Vane sailed to Port Vell."


def test_an_equal_fact_is_not_doubled_but_joins_the_provenance(ask: Ask, group: str) -> None:
    first = ingest(ask, group)
    second = ingest(ask, group, chunk_id="c-2")
    assert second["edges_extracted"] == first["edges_extracted"]
    ((count,),) = cells(ask, "MATCH (r:RelatesToNode_ {group_id: $g}) RETURN count(r)", g=group)
    assert count == first["edges_extracted"]
    episodes = cells(ask, "MATCH (r:RelatesToNode_ {group_id: $g}) RETURN r.episodes", g=group)
    assert all(sorted(row[0]) == sorted([first["episode_uuid"], second["episode_uuid"]]) for row in episodes)


@pytest.mark.parametrize("missing", ["chunk_text", "chunk_id", "source_file"])
@pytest.mark.parametrize("value", [None, "", "  \n"])
def test_a_chunk_needs_text_id_and_file(ask: Ask, group: str, missing: str, value: str | None) -> None:
    with pytest.raises(InvalidParams) as caught:
        params: dict[str, Any] = {missing: value}
        ingest(ask, group, **params)
    assert caught.value.data["parameter"] == missing
    assert group not in ask("status")["wal_groups"]


def test_a_long_text_is_taken_whole_with_a_warning_and_an_event(
    ask: Ask, group: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LCG_CHUNK_TEXT_ADVISORY_MAX_CHARS", "50")
    text = "Ünïcödé. " * 20
    warning = ingest(ask, group, text)["warning"]
    assert warning["type"] == "chunk_text_oversized"
    assert (warning["chunk_text_chars"], warning["recommended_max_chars"]) == (len(text), 50)
    assert str(len(text)) in warning["message"]
    assert "50" in warning["message"]
    assert "warning" not in ingest(ask, group, "Short.", chunk_id="c-2")
    (line,) = [line for line in capsys.readouterr().err.splitlines() if "chunk_text_oversized" in line]
    event = orjson.loads(line)
    assert (event["chunk_id"], event["source_file"]) == ("c-1", "log.md")
    assert (event["chunk_text_chars"], event["threshold_chars"]) == (len(text), 50)
    assert abs(event["ts_ms"] - time.time() * 1000) < 60_000


class ScriptedExtractor:
    """Answers with what a test prepared, or fails."""

    provider = "builtin"
    model: str | None = "scripted"

    def __init__(self) -> None:
        self.answer: Extraction | ExtractorError = Extraction()

    def extract(
        self,
        text: str,
        source_type: SourceType,
        reference_time: Micros,
        surroundings: Surroundings = NO_SURROUNDINGS,
    ) -> Extraction:
        """Return the prepared answer."""
        if isinstance(self.answer, ExtractorError):
            raise self.answer
        return self.answer


@pytest.fixture
def scripted(service: LcgService, monkeypatch: pytest.MonkeyPatch) -> ScriptedExtractor:
    service.call("knowledge_find_entities", {"query": "ready?"}, Call("knowledge_find_entities"))
    core = service._situation.core
    assert core is not None
    extractor = ScriptedExtractor()
    monkeypatch.setattr(core.ingestion, "extractor", extractor)
    return extractor


def test_a_fact_without_an_entity_at_an_end_is_dropped_and_reported(
    ask: Ask, group: str, scripted: ScriptedExtractor
) -> None:
    fact = "Mira sailed to Port Vell."
    scripted.answer = Extraction(
        [ExtractedEntity("Mira", "Person")],
        [
            ExtractedEdge("Mira", "Port Vell", fact, "SAILED_TO"),
            ExtractedEdge("Nobody", "Mira", fact),
            ExtractedEdge("Nobody", "Nowhere", fact),
            ExtractedEdge("Mira", "mira", fact),
        ],
    )
    answer = ingest(ask, group)
    assert answer["edges_dropped_unresolvable"] == 3
    assert answer["edges_extracted"] == 0
    assert [(edge["relation_type"], edge["unresolved_endpoint"]) for edge in answer["dropped_edges"]] == [
        ("SAILED_TO", "target"),
        (None, "source"),
        (None, "both"),
    ]
    assert cells(ask, "MATCH (n:Entity {group_id: $g}) RETURN n.labels", g=group) == [[["Entity", "Person"]]]


def test_an_end_may_be_an_entity_that_the_group_already_has(ask: Ask, group: str, scripted: ScriptedExtractor) -> None:
    ask("assert_entity", name="Port Vell", group_id=group)
    scripted.answer = Extraction([ExtractedEntity("Mira")], [ExtractedEdge("Mira", "port vell", "They met.")])
    answer = ingest(ask, group, reference_time="2026-03-02")
    assert (answer["edges_extracted"], answer["dropped_edges"]) == (1, [])
    rows = cells(ask, "MATCH (r:RelatesToNode_ {group_id: $g}) RETURN r.name, r.relation_type, r.valid_at", g=group)
    assert rows == [["RELATED_TO", None, "2026-03-02 00:00:00"]]


def test_unusable_items_are_counted_and_names_repeated_in_one_text_are_one_entity(
    ask: Ask, group: str, scripted: ScriptedExtractor
) -> None:
    scripted.answer = Extraction(
        [ExtractedEntity("Mira"), ExtractedEntity(" MIRA "), ExtractedEntity("  "), ExtractedEntity("a\x00b")],
        [ExtractedEdge("Mira", "", "x"), ExtractedEdge("Mira", "Tern", " ")],
        entities_malformed=1,
    )
    answer = ingest(ask, group)
    assert (answer["entities_dropped_malformed"], answer["edges_dropped_malformed"]) == (3, 2)
    assert answer["nodes_created"] == 1


def test_near_names_are_reported_in_the_result_and_as_telemetry(
    ask: Ask, group: str, scripted: ScriptedExtractor, capsys: pytest.CaptureFixture[str]
) -> None:
    uuid = ask("assert_entity", name="Harbour Office of Port Vell", group_id=group)["entity_uuid"]
    scripted.answer = Extraction([ExtractedEntity("The Harbour Office of Port Vell"), ExtractedEntity("Mira")])
    capsys.readouterr()
    answer = ingest(ask, group)
    assert [(found["entity_uuid"], found["by"]) for found in answer["resolutions"]][:1] == [(uuid, "embedding")]
    assert (answer["nodes_created"], answer["nodes_reused"]) == (1, 1)
    events = [orjson.loads(line) for line in capsys.readouterr().err.splitlines() if line.startswith("{")]
    (event,) = [event for event in events if event["type"] == "entity_resolution"]
    assert (event["created"], event["by_name"], event["by_embedding"]) == (1, 0, 1)
    assert [event for event in events if event["type"] == "entities_missing_summary"] == []
    (near,) = event["near"]
    assert (near["name"], near["entity_uuid"]) == ("The Harbour Office of Port Vell", uuid)
    assert 0.85 <= near["cosine"] <= 1


def test_a_model_that_leaves_summaries_out_is_told_as_telemetry(
    ask: Ask, group: str, scripted: ScriptedExtractor, capsys: pytest.CaptureFixture[str]
) -> None:
    scripted.provider = "openai"
    scripted.answer = Extraction([ExtractedEntity("Mira"), ExtractedEntity("Ada", summary="A pilot.")])
    ingest(ask, group)
    events = [orjson.loads(line) for line in capsys.readouterr().err.splitlines() if line.startswith("{")]
    (event,) = [event for event in events if event["type"] == "entities_missing_summary"]
    assert (event["model"], event["chunk_key"]) == ("scripted", "log.md:c-1")
    assert (event["entities_extracted"], event["missing_summary"]) == (2, 1)


def test_a_newer_single_value_ends_the_older_one_and_a_search_in_time_still_finds_it(tmp_path: Path) -> None:
    write_ontology(tmp_path, "relation_types: [{name: LED_BY, single_valued: true}]")
    with running_service(tmp_path) as service:

        def ask(method: str, **params: Any) -> dict[str, Any]:
            return service.call(f"knowledge_{method}", params, Call(f"knowledge_{method}"))

        ask("find_entities", query="wait until it is ready")
        core = service._situation.core
        assert core is not None
        core.ingestion.extractor = extractor = ScriptedExtractor()
        ended = []
        for leader, day in (("Mira", "2026-01-01"), ("Ada", "2026-03-01")):
            fact = ExtractedEdge("Acme", leader, f"{leader} leads Acme.", "LED_BY")
            extractor.answer = Extraction([ExtractedEntity("Acme"), ExtractedEntity(leader)], [fact])
            ended.append(ingest(ask, "g", text=leader, reference_time=day)["edges_invalidated"])
        assert ended == [0, 1]
        for moment, leader in (("2026-02-01", "Mira"), ("2026-04-01", "Ada")):
            edges = ask("list_relationships", group_ids=["g"], valid_at=moment)["edges"]
            assert [edge["fact"] for edge in edges] == [f"{leader} leads Acme."]


def test_a_failing_extractor_stores_nothing(ask: Ask, group: str, scripted: ScriptedExtractor) -> None:
    scripted.answer = ExtractorError("it timed out")
    with pytest.raises(OperationFailed, match="it timed out") as caught:
        ingest(ask, group)
    assert caught.value.kind is ErrorKind.PROVIDER_FAILED
    assert group not in ask("status")["wal_groups"]


def test_without_an_extractor_the_error_names_every_way_to_have_one(tmp_path: Any) -> None:
    params = {"chunk_text": TEXT, "chunk_id": "c", "source_file": "f"}
    with running_service(tmp_path, extractor=None) as service, pytest.raises(OperationFailed) as caught:
        service.call("knowledge_process_chunk", params, Call("knowledge_process_chunk"))
    message = caught.value.message
    assert caught.value.kind is ErrorKind.UNCONFIGURED
    assert message.startswith("No extraction provider configured")
    ways = ("--extractor builtin", "LCG_EXTRACTOR=builtin", "ANTHROPIC_API_KEY", "LCG_EXTRACTION_URL")
    positions = [message.index(way) for way in ways]
    assert positions == sorted(positions)
