"""Recording a model's answers and giving them again: found by content, complete, and without any secret."""

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from lcg.model.times import parse_time
from lcg.provider_settings import LlmSettings
from lcg.providers.classifier.llm import LlmClassifier
from lcg.providers.classifier.protocol import TypeChoice
from lcg.providers.extractor.llm import LlmExtractor
from lcg.providers.extractor.protocol import Extraction, ExtractorError
from lcg.providers.llm.answers import BadAnswer, Usage
from lcg.providers.llm.cassette import CassetteError
from lcg.providers.llm.client import LlmClient
from lcg.providers.llm.exchange import Request
from lcg.providers.llm.taping import Failures
from lcg.server.language_model import open_llm
from lcg.settings import Settings
from lcg.telemetry import Telemetry
from tests.providers.llm_stub import (
    ENTITIES,
    KEY,
    PROVIDERS,
    TEXT,
    Model,
    Provider,
    answer,
    call_of,
    llm_settings,
    truncated,
)
from tests.providers.stub_server import Answer, Asked, error, ok, serving_stub

NOON = parse_time("2026-05-20T12:00:00Z")
SILENT = Telemetry(enabled=False)
both = pytest.mark.parametrize("provider", PROVIDERS)


def client(**changes: Any) -> LlmClient:
    found = open_llm(Settings(**changes), SILENT)
    assert found is not None
    return found


def extract(asked: LlmClient, text: str = TEXT, at: int = NOON) -> Extraction:
    return LlmExtractor(asked).extract(text, "text", at)


def replay(path: Path) -> LlmClient:
    return client(replay_llm=path)


def recorded(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@both
def test_what_was_recorded_is_given_again_without_network_and_key(provider: Provider, tmp_path: Path) -> None:
    path = tmp_path / "cassettes" / "c.jsonl"
    with serving_stub(Model(provider, types=lambda _: ["KNOWS"])) as stub:
        live = client(extractor=llm_settings(provider, stub.url), record_llm=path)
        found = extract(live)
        verdicts = LlmClassifier(live).classify_facts(["Ada knows Bo."], [TypeChoice("KNOWS")])
        live.close()
    again = replay(path)
    assert extract(again) == found
    assert LlmClassifier(again).classify_facts(["Ada knows Bo."], [TypeChoice("KNOWS")]) == verdicts == ["KNOWS"]
    assert (again.provider, again.model) == (provider, "small")
    lines = recorded(path)
    assert [line["call_type"] for line in lines] == ["entities", "edges", "classify_facts"]
    assert all(
        set(line) == {"key", "call_type", "provider", "model", "timestamp", "request", "response"} for line in lines
    )


@both
def test_no_key_and_no_header_gets_into_any_file(provider: Provider, tmp_path: Path) -> None:
    """Not even when the text and the provider repeat the key."""
    path = tmp_path / "c.jsonl"
    leaky = [{"name": "Ada", "entity_type": KEY, "summary": f"Her key is {KEY}.", KEY: 1}]
    with serving_stub(Model(provider, entities=leaky)) as stub:
        stub.then(error(401, f"the key {KEY} is unknown"))
        live = client(extractor=llm_settings(provider, stub.url), record_llm=path)
        with pytest.raises(ExtractorError):
            extract(live, f"The key is {KEY}.")
        extract(live, f"The key is {KEY}.")
        sent = [value for asked in stub.asked for value in asked.headers.values()]
        live.close()
    assert any(KEY in value for value in sent), "the key was sent, so there was something to leak"
    files = list(tmp_path.iterdir())
    assert sorted(file.name for file in files) == ["c.jsonl", "c.jsonl.failures.jsonl"]
    for file in files:
        text = file.read_text()
        assert text
        assert KEY not in text
        assert "***" in text
        assert not any(header in text for header in ("authorization", "x-api-key", "Bearer", "user-agent"))


def test_a_short_token_takes_no_words_out_of_a_recording(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    with serving_stub(Model("openai")) as stub:
        live = client(extractor=llm_settings("openai", stub.url, api_key="e"), record_llm=path)
        found = extract(live)
        live.close()
    assert extract(replay(path)) == found


def test_files_of_recordings_are_for_the_user_alone(tmp_path: Path) -> None:
    with serving_stub() as stub:
        client(extractor=llm_settings("openai", stub.url), record_llm=tmp_path / "c.jsonl").close()
    assert {file.stat().st_mode & 0o077 for file in tmp_path.iterdir()} == {0}


@both
def test_another_text_time_or_kind_is_a_miss_that_says_what_to_do(provider: Provider, tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    with serving_stub(Model(provider)) as stub:
        live = client(extractor=llm_settings(provider, stub.url), record_llm=path)
        extract(live)
        live.close()
    again = replay(path)
    with pytest.raises(ExtractorError, match=r"has no answer to this request \(entities\)"):
        extract(again, "Another text.")
    with pytest.raises(ExtractorError, match=r"\(edges\).*reference_time"):
        extract(again, at=NOON + 1)
    with pytest.raises(ExtractorError, match="no answer"):
        LlmExtractor(again).extract(TEXT, "json", NOON)
    assert extract(again)


@both
def test_a_second_try_and_a_second_model_are_found_by_the_first_question(provider: Provider, tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    with serving_stub(Model(provider)) as stub:
        stub.then(error(500), ok(truncated(provider, "entities")))
        live = client(extractor=llm_settings(provider, stub.url, models=("big", "small")), record_llm=path)
        found = extract(live)
        assert [asked.body["model"] for asked in stub.asked] == ["big", "small", "small", "small"]
        live.close()
    assert len(recorded(path)) == 2
    again = replay(path)
    assert extract(again) == found
    assert again.model == "small"


@both
def test_one_question_is_asked_once_while_it_is_recorded(provider: Provider, tmp_path: Path) -> None:
    """A model may answer differently each time, and a cassette has room for one answer: all get the same."""
    path, summaries = tmp_path / "c.jsonl", iter("abcdefghij")
    lock = threading.Lock()

    def differing(asked: Asked) -> Answer:
        with lock:
            items = [ENTITIES[0] | {"summary": next(summaries)}] if call_of(asked) == "entities" else []
        return ok(answer(provider, call_of(asked), items))

    with serving_stub(differing) as stub:
        live = client(extractor=llm_settings(provider, stub.url), record_llm=path)
        with ThreadPoolExecutor(4) as pool:
            found = list(pool.map(lambda _: extract(live), range(4)))
        extract(live)
        live.close()
    assert {result.entities[0].summary for result in found} == {extract(replay(path)).entities[0].summary}
    assert len(recorded(path)) == 2


@both
def test_a_recording_goes_on_where_it_ended(provider: Provider, tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    with serving_stub(Model(provider)) as stub:
        for text in ("One Text.", "Two Texts.", "One Text."):
            live = client(extractor=llm_settings(provider, stub.url), record_llm=path)
            extract(live, text)
            live.close()
            # As after an editor that leaves the last line open.
            path.write_bytes(path.read_bytes().rstrip(b"\n"))
        assert len(stub.asked) == 4
    assert len(recorded(path)) == 4
    assert extract(replay(path), "Two Texts.")


@both
def test_what_could_not_be_used_is_kept_apart(provider: Provider, tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    with serving_stub(Model(provider)) as stub:
        stub.then(ok(truncated(provider, "entities")), ok({"strange": 1}), error(503, "down"))
        live = client(extractor=llm_settings(provider, stub.url), record_llm=path)
        for _ in range(2):
            with pytest.raises(ExtractorError):
                extract(live)
        live.close()
    assert path.read_text() == ""
    failures = recorded(tmp_path / "c.jsonl.failures.jsonl")
    assert [line["classification"] for line in failures] == ["truncation", "malformed", "http_error"]
    assert failures[0]["max_tokens"] == 4096
    assert failures[0]["completion_tokens"] == 20
    assert failures[1]["raw_body"] == {"strange": 1}
    assert failures[2]["raw_body"] == "down"


def test_a_full_file_of_failures_is_set_aside(tmp_path: Path) -> None:
    failures = Failures(tmp_path / "c.jsonl", (), most_bytes=200)
    for number in range(4):
        request = Request({}, "entities", "openai", "small", 4096, f"chunk {number}")
        failures.note(request, BadAnswer("malformed", "bad", usage=Usage()), "x" * 200)
    names = sorted(file.name for file in tmp_path.iterdir())
    assert names == [f"c.jsonl.failures{part}.jsonl" for part in (".1", ".2", ".3", "")]
    kept = [json.loads(file.read_text())["chunk_key"] for file in sorted(tmp_path.iterdir())]
    assert kept == ["chunk 0", "chunk 1", "chunk 2", "chunk 3"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is empty"),
        ("{", "Line 1 of the cassette"),
        ('\n{"provider":"openai","response":{}}', "Line 2 of the cassette"),
        ('{"key":"k","provider":"else","response":{}}', "Line 1 of the cassette"),
        ('{"key":"k","provider":"openai","response":[]}', "Line 1 of the cassette"),
        (
            '{"key":"k","provider":"openai","response":{}}\n{"key":"k","provider":"openai","response":{}}\n',
            "twice, in lines 1 and 2",
        ),
        (
            '{"key":"k","provider":"openai","response":{}}\n{"key":"l","provider":"anthropic","response":{}}\n',
            "both providers",
        ),
    ],
)
def test_a_cassette_that_cannot_be_right_is_refused_at_the_start(text: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    path.write_text(text)
    with pytest.raises(CassetteError, match=says):
        replay(path)


def test_a_cassette_that_is_not_there_or_cannot_be_made_is_refused_at_the_start(tmp_path: Path) -> None:
    with pytest.raises(CassetteError, match="cannot be read"):
        replay(tmp_path / "none.jsonl")
    (tmp_path / "file").touch()
    wanted = LlmSettings("openai", "http://127.0.0.1:9/", ("m",))
    with pytest.raises(CassetteError, match="cannot be made"):
        client(extractor=wanted, record_llm=tmp_path / "file" / "c.jsonl")


def test_an_answer_that_cannot_be_recorded_fails_the_call(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    with serving_stub(Model("openai")) as stub:
        live = client(extractor=llm_settings("openai", stub.url, models=("big", "small")), record_llm=path)
        path.unlink()
        path.mkdir()
        with pytest.raises(ExtractorError, match="unset LCG_RECORD_LLM"):
            extract(live)
        assert live.model == "big"
        live.close()


def test_recording_without_a_model_records_nothing(tmp_path: Path) -> None:
    assert open_llm(Settings(extractor="builtin", record_llm=tmp_path / "c.jsonl"), SILENT) is None
    assert open_llm(Settings(record_llm=tmp_path / "c.jsonl"), SILENT) is None
    assert not list(tmp_path.iterdir())


def test_a_replay_takes_the_place_of_every_extractor(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    with serving_stub(Model("openai")) as stub:
        live = client(extractor=llm_settings("openai", stub.url), record_llm=path)
        extract(live)
        live.close()
    for chosen in ("builtin", LlmSettings("anthropic", "http://127.0.0.1:9/", ("m",))):
        again = client(extractor=chosen, replay_llm=path)
        assert (again.provider, again.model) == ("openai", "small")
        assert extract(again)
