"""Extraction and classification by language models, against a stub in both dialects."""

import io
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from lcg.errors import OperationFailed
from lcg.model.times import parse_time
from lcg.provider_settings import LlmSettings
from lcg.providers.classifier.llm import LlmClassifier
from lcg.providers.classifier.protocol import ClassifierError, EntityText, TypeChoice
from lcg.providers.extractor.llm import MOST_TEXT_BYTES, LlmExtractor
from lcg.providers.extractor.protocol import Extraction, ExtractorError, Surroundings, TextTooLong
from lcg.providers.llm.client import LlmClient
from lcg.runtime.call import Call, serving
from lcg.server.language_model import open_llm
from lcg.settings import Settings
from lcg.telemetry import Telemetry
from tests.providers.llm_stub import (
    EDGES,
    ENTITIES,
    KEY,
    PROVIDERS,
    TEXT,
    Model,
    Provider,
    answer,
    call_of,
    chat,
    llm_settings,
    message,
    truncated,
    user_of,
    words,
)
from tests.providers.stub_server import (
    Answer,
    StubServer,
    closing_at_once,
    closing_mid_body,
    error,
    no_json,
    ok,
    serving_stub,
    slow,
)

NOON = parse_time("2026-05-20T12:00:00Z")
both = pytest.mark.parametrize("provider", PROVIDERS)


class World:
    """A client, the stub that it asks, and what it told telemetry."""

    def __init__(self, stub: StubServer, client: LlmClient, told: io.StringIO) -> None:
        self.stub = stub
        self.client = client
        self._told = told

    def extract(self, text: str = TEXT) -> Extraction:
        return LlmExtractor(self.client).extract(text, "text", NOON, Surroundings(about="notes.md:c1"))

    def events(self, kind: str) -> list[dict[str, Any]]:
        lines = map(json.loads, self._told.getvalue().splitlines())
        return [line for line in lines if line["type"] == kind]

    def budgets(self) -> list[int]:
        return [asked.body["max_tokens"] for asked in self.stub.asked]


@contextmanager
def opened(stub: StubServer, wanted: LlmSettings, **changes: Any) -> Iterator[World]:
    told = io.StringIO()
    client = open_llm(Settings(extractor=wanted, **changes), Telemetry(enabled=True, stream=told))
    assert client is not None
    try:
        yield World(stub, client, told)
    finally:
        client.close()


@contextmanager
def world(provider: Provider, model: Model | None = None, **changes: Any) -> Iterator[World]:
    with (
        serving_stub(model or Model(provider)) as stub,
        opened(stub, llm_settings(provider, stub.url, **changes)) as found,
    ):
        yield found


@both
def test_a_text_becomes_entities_and_facts(provider: Provider) -> None:
    with world(provider) as it:
        found = it.extract()
    assert [entity.name for entity in found.entities] == [item["name"] for item in ENTITIES]
    assert [(edge.relation, edge.valid_at) for edge in found.edges] == [
        ("MOVED", parse_time("2024-05-01")),
        (None, None),
    ]
    assert (found.entities_malformed, found.edges_malformed) == (0, 0)


def test_anthropic_is_asked_as_its_api_wants() -> None:
    with world("anthropic") as it:
        it.extract()
        first, second = it.stub.asked
    assert first.path == "/v1/messages"
    assert first.headers["x-api-key"] == KEY
    assert first.headers["anthropic-version"] == "2023-06-01"
    assert "authorization" not in first.headers
    assert set(first.body) == {"model", "max_tokens", "system", "tools", "tool_choice", "messages"}
    assert first.body["tool_choice"] == {"type": "tool", "name": "extract_entities"}
    item = second.body["tools"][0]["input_schema"]["properties"]["edges"]["items"]
    names = [entity["name"] for entity in ENTITIES]
    assert item["properties"]["source_name"]["enum"] == item["properties"]["target_name"]["enum"] == names


@pytest.mark.parametrize("over_socket", [False, True])
def test_an_openai_compatible_server_is_asked_in_json_mode_with_a_bearer_token(
    over_socket: bool, tmp_path: Path
) -> None:
    uds = tmp_path / "s" if over_socket else None
    with serving_stub(Model("openai"), uds) as stub:
        url = "http://localhost" if over_socket else stub.url
        with opened(stub, llm_settings("openai", url, uds=uds)) as it:
            assert len(it.extract().edges) == 2
        first = stub.asked[0]
    assert first.path == "/v1/chat/completions"
    assert first.headers["authorization"] == f"Bearer {KEY}"
    assert set(first.body) == {"model", "max_tokens", "response_format", "messages"}
    assert first.body["response_format"] == {"type": "json_object"}
    assert [part["role"] for part in first.body["messages"]] == ["system", "user"]
    assert '{"entities": [{"name"' in first.body["messages"][0]["content"]
    if over_socket:
        assert first.headers["host"] == "localhost"


def test_a_server_without_a_key_is_asked_without_one() -> None:
    with world("openai", api_key=None) as it:
        it.extract()
        assert "authorization" not in it.stub.asked[0].headers


@both
def test_without_entities_nothing_is_asked_about_facts(provider: Provider) -> None:
    with world(provider, Model(provider, entities=[{"name": " ", "entity_type": "Person"}])) as it:
        found = it.extract()
        assert len(it.stub.asked) == 1
    assert (found.entities, found.edges, found.entities_malformed) == ([], [], 1)


@both
def test_broken_items_are_dropped_counted_and_reported(provider: Provider) -> None:
    model = Model(provider, entities=[*ENTITIES, {"name": "x"}, 7], edges=[*EDGES, {"fact": "only"}])
    with world(provider, model) as it:
        found = it.extract()
        outcomes = [event["outcome"] for event in it.events("structured_output_parse")]
    assert (len(found.entities), len(found.edges)) == (3, 2)
    assert (found.entities_malformed, found.edges_malformed) == (2, 1)
    assert outcomes == ["salvaged", "salvaged"]


@both
def test_the_budget_follows_the_text_between_floor_and_ceiling(provider: Provider) -> None:
    with world(provider, max_tokens_ceiling=9000) as it:
        it.extract("short")
        it.extract("ä" * 2500)
        it.extract("x" * 8000)
        assert it.budgets() == [4096, 4096, 5000, 7500, 8000, 9000]


@both
def test_a_truncated_answer_is_asked_for_once_more_with_twice_the_budget(provider: Provider) -> None:
    with world(provider) as it:
        it.stub.then(ok(truncated(provider, "entities")))
        assert len(it.extract().entities) == 3
        assert it.budgets() == [4096, 8192, 4096]
        (told,) = it.events("extraction_truncated")
    assert (told["retry_succeeded"], told["initial_max_tokens"], told["chunk_key"]) == (True, 4096, "notes.md:c1")


@both
def test_an_answer_that_is_truncated_twice_fails_and_says_what_to_do(provider: Provider) -> None:
    with world(provider) as it:
        it.stub.then(ok(truncated(provider, "entities")), ok(truncated(provider, "entities")))
        with pytest.raises(ExtractorError, match="smaller chunks"):
            it.extract()
        assert it.budgets() == [4096, 8192]
        assert not it.events("extraction_truncated")[0]["retry_succeeded"]


@both
def test_at_the_ceiling_there_is_no_second_try(provider: Provider) -> None:
    with world(provider, max_tokens_ceiling=4096) as it:
        it.stub.then(ok(truncated(provider, "entities")))
        with pytest.raises(ExtractorError, match="LCG_EXTRACTION_MAX_TOKENS_CEILING"):
            it.extract()
        assert it.budgets() == [4096]


def test_an_array_that_a_tool_gets_as_a_text_of_json_is_read() -> None:
    with world("anthropic") as it:
        it.stub.then(ok(message("extract_entities", {"entities": json.dumps(ENTITIES)})))
        assert len(it.extract().entities) == 3
        assert it.events("structured_output_parse")[0]["outcome"] == "recovered"


def test_a_refusal_of_the_model_is_told() -> None:
    with world("anthropic") as it:
        it.stub.then(ok({"content": [], "stop_reason": "refusal"}))
        with pytest.raises(ExtractorError, match=r"did not call the tool `extract_entities`\. It says .*'refusal'"):
            it.extract()


BAD_ANSWERS: list[tuple[str, Callable[[Provider], Answer], str]] = [
    ("no json", lambda _: no_json(), "no JSON"),
    ("an empty object", lambda _: ok({}), "answer without|did not call|no JSON"),
    ("closing mid-body", lambda _: closing_mid_body(chat({"entities": []})), "broke its answer off"),
    ("closing at once", lambda _: closing_at_once(), "broke its answer off"),
    ("500", lambda _: error(500, "on fire"), 'answered 500: "on fire"'),
    ("401", lambda _: error(401, f"bad key {KEY}"), r"answered 401: \"bad key \*\*\*\""),
    ("too slow", lambda _: slow({}, 30.0), "did not answer within"),
    (
        "without the array",
        lambda provider: ok(chat({"x": []}) if provider == "openai" else message("extract_entities", {"x": []})),
        "without the array `entities`",
    ),
    (
        "an array that is none",
        lambda provider: ok(answer(provider, "entities", {"name": "Ada"})),
        "without the array `entities`",
    ),
    (
        "prose",
        lambda provider: ok(chat("I cannot do that.") if provider == "openai" else words("I cannot do that.")),
        "no JSON|did not call the tool",
    ),
]


@both
@pytest.mark.parametrize(("name", "bad", "says"), BAD_ANSWERS, ids=[row[0] for row in BAD_ANSWERS])
def test_a_bad_answer_fails_with_its_reason_and_without_the_key(
    provider: Provider, name: str, bad: Callable[[Provider], Answer], says: str
) -> None:
    with world(provider, timeout_s=0.3 if name == "too slow" else 60.0) as it:
        it.stub.then(*[bad(provider)] * 4)
        with pytest.raises(ExtractorError, match=says) as caught:
            it.extract()
    assert KEY not in str(caught.value)


@both
@pytest.mark.parametrize("status", [429, 529])
def test_a_busy_provider_is_asked_up_to_three_times_more(provider: Provider, status: int) -> None:
    with world(provider) as it:
        it.stub.then(*[error(status, "busy", retry_after="0")] * 3)
        assert len(it.extract().entities) == 3
        assert len(it.stub.asked) == 5
        it.stub.then(*[error(status, "busy")] * 4)
        with pytest.raises(ExtractorError, match=f"answered {status}"):
            it.extract()


@both
def test_nobody_listening_names_provider_and_remedy(provider: Provider) -> None:
    with serving_stub() as stub:
        pass
    with opened(stub, llm_settings(provider, stub.url)) as it, pytest.raises(ExtractorError) as caught:
        it.extract()
    assert f"The {provider} extractor at {stub.url}" in str(caught.value)
    assert "cannot be reached" in str(caught.value)
    assert "--extractor builtin" in str(caught.value)


@both
def test_the_second_model_takes_over_for_good(provider: Provider) -> None:
    with world(provider, models=("big", "small")) as it:
        assert LlmExtractor(it.client).model == "big"
        it.stub.then(error(500, "gone"))
        assert len(it.extract().entities) == 3
        it.extract()
        assert [asked.body["model"] for asked in it.stub.asked] == ["big", *["small"] * 4]
        assert LlmExtractor(it.client).model == "small"
        (told,) = it.events("llm_fallback")
    assert (told["primary_model"], told["fallback_model"], told["role"]) == ("big", "small", "extraction")
    assert "answered 500" in told["error_reason"]


@both
def test_the_only_model_stays_in_use_after_a_failure(provider: Provider) -> None:
    with world(provider) as it:
        it.stub.then(error(500))
        with pytest.raises(ExtractorError):
            it.extract()
        assert len(it.extract().entities) == 3
        assert it.events("extraction_failure")[0]["classification"] == "http_error"


@both
def test_a_call_that_is_cancelled_ends_at_once_and_does_not_switch_models(provider: Provider) -> None:
    call = Call("knowledge_process_chunk")
    with world(provider, models=("big", "small")) as it, serving(call):
        it.stub.then(slow({}, 30.0))
        threading.Timer(0.2, call.cancelled.set).start()
        with pytest.raises(OperationFailed, match="cancelled"):
            it.extract()
        assert it.client.model == "big"
        assert len(it.stub.asked) == 1


@both
def test_tokens_are_reported_for_every_answer(provider: Provider) -> None:
    with world(provider, models=("claude-haiku-4-5",)) as it:
        it.stub.then(ok(truncated(provider, "entities")))
        it.extract()
        told = it.events("token_usage")
    assert len(told) == 3
    assert {(event["role"], event["model"], event["input_tokens"], event["output_tokens"]) for event in told} == {
        ("extraction", "claude-haiku-4-5", 100, 20)
    }
    assert told[0]["estimated_cost_usd"] == pytest.approx(
        (100 * 1.0 + 20 * 5.0 + (10 * 0.1 if provider == "anthropic" else 0)) / 1e6
    )


@both
def test_a_text_that_no_window_holds_is_not_sent(provider: Provider) -> None:
    with world(provider) as it:
        with pytest.raises(TextTooLong, match="Send it in chunks"):
            it.extract("ä" * (MOST_TEXT_BYTES // 2 + 1))
        assert not it.stub.asked


MENU = [TypeChoice("WORKS_FOR", "Employment.", aliases=("EMPLOYED_BY",)), TypeChoice("KNOWS")]


def classify(provider: Provider, verdicts: list[Any], facts: list[str]) -> list[str]:
    with world(provider, Model(provider, types=lambda _: verdicts)) as it:
        return LlmClassifier(it.client).classify_facts(facts, MENU)


@both
def test_facts_get_types_of_the_menu_an_alias_counts_and_anything_else_is_no_verdict(provider: Provider) -> None:
    verdicts = ["works for", "EMPLOYED_BY", "INVENTED", "", None]
    assert classify(provider, verdicts, list("abcde")) == ["WORKS_FOR", "WORKS_FOR", "", "", ""]


@both
def test_too_few_verdicts_are_filled_up_and_too_many_cut_off(provider: Provider) -> None:
    assert classify(provider, ["KNOWS"], ["a", "b"]) == ["KNOWS", ""]
    assert classify(provider, ["KNOWS", "KNOWS", "KNOWS"], ["a", "b"]) == ["KNOWS", "KNOWS"]


@both
def test_a_batch_is_one_request_that_holds_every_item(provider: Provider) -> None:
    with world(provider, Model(provider, types=lambda _: ["Person", "person", "Thing"])) as it:
        found = LlmClassifier(it.client).classify_entities(
            [EntityText("Ada", "Writes."), EntityText("Bo", ""), EntityText("Cy", "")], [TypeChoice("Person")]
        )
        (asked,) = it.stub.asked
    assert found == ["Person", "Person", ""]
    assert call_of(asked) == "types"
    assert '1. {"name":"Ada","summary":"Writes."}' in user_of(asked)
    assert "tools" not in asked.body


@both
def test_without_a_menu_the_model_names_the_types(provider: Provider) -> None:
    with world(provider, Model(provider, types=lambda _: ["web site", ""])) as it:
        found = LlmClassifier(it.client).classify_entities([EntityText("a", ""), EntityText("b", "")], [])
    assert found == ["WebSite", ""]


@both
def test_nothing_to_classify_asks_nobody(provider: Provider) -> None:
    with world(provider) as it:
        assert LlmClassifier(it.client).classify_facts([], MENU) == []
        assert LlmClassifier(it.client).classify_entities([], []) == []
        assert not it.stub.asked


@both
def test_a_classifier_that_fails_says_who_and_why(provider: Provider) -> None:
    with world(provider) as it:
        it.stub.then(error(400, "no such model"))
        with pytest.raises(ClassifierError, match=f"The {provider} classifier .*no such model"):
            LlmClassifier(it.client).classify_facts(["a"], MENU)
        assert it.events("extraction_failure")[0]["call_type"] == "classify_facts"
