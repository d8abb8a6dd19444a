"""Whatever a provider answers, it is read or refused; and a replay says what the live model said."""

import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lcg.model.times import parse_time
from lcg.providers.classifier.protocol import TypeChoice
from lcg.providers.extractor.llm import LlmExtractor
from lcg.providers.extractor.protocol import Extraction, ExtractorError
from lcg.providers.llm.answers import Answer, BadAnswer
from lcg.providers.llm.anthropic import AnthropicDialect
from lcg.providers.llm.cassette import CassetteFile, read_cassette
from lcg.providers.llm.client import Dialect, LlmClient
from lcg.providers.llm.exchange import Exchange, ReadT, Reply, Request
from lcg.providers.llm.openai import OpenAiDialect
from lcg.providers.llm.prices import Prices
from lcg.providers.llm.question import edges_question, entities_question, relation_types_question
from lcg.providers.llm.taping import Failures, RecordingExchange, ReplayExchange
from lcg.telemetry import Telemetry
from tests.providers.llm_stub import Provider, answer

DIALECTS: dict[Provider, Dialect] = {"anthropic": AnthropicDialect(), "openai": OpenAiDialect()}
NOON = parse_time("2026-05-20T12:00:00Z")
QUESTIONS = (
    entities_question("Ada met Bo.", "text", None, ""),
    edges_question("Ada met Bo.", "text", None, ["Ada", "Bo"], NOON, ""),
    relation_types_question(["Ada met Bo."], [TypeChoice("MET")]),
)
KEYS = [
    "content",
    "choices",
    "message",
    "finish_reason",
    "stop_reason",
    "usage",
    "type",
    "text",
    "tool_use",
    "input",
    "name",
    "extract_entities",
    "entities",
    "edges",
    "types",
    "prompt_tokens",
    "completion_tokens",
    "input_tokens",
    "output_tokens",
    "prompt_tokens_details",
    "length",
    "max_tokens",
    "summary",
    "entity_type",
    "source_name",
    "target_name",
    "fact",
    "relation_type",
    "valid_at",
]
LEAF = (
    st.none()
    | st.booleans()
    | st.integers(-5, 2**60)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(KEYS)
    | st.text()
)
ANY = st.recursive(
    LEAF,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=12,
)
OBJECTS = st.dictionaries(st.sampled_from(KEYS), ANY, max_size=5)
ENTITY = st.fixed_dictionaries({"name": st.text(min_size=1), "entity_type": st.text()}, optional={"summary": ANY})
EDGE = st.fixed_dictionaries({"source_name": ANY, "target_name": ANY, "fact": st.text()}, optional={"valid_at": ANY})


@pytest.mark.parametrize("dialect", DIALECTS.values(), ids=DIALECTS)
@given(response=OBJECTS, number=st.integers(0, 2))
def test_any_json_is_an_answer_or_is_refused(dialect: Dialect, response: dict[str, Any], number: int) -> None:
    question = QUESTIONS[number]
    try:
        found = dialect.read(question, response)
    except BadAnswer as bad:
        assert str(bad)
    else:
        assert isinstance(found, Answer)
        assert found.truncated == (found.items is None)


class Scripted:
    """Answers about entities and edges with items that are scripted."""

    def __init__(self, provider: Provider, items: Mapping[str, list[Any]]) -> None:
        self._provider = provider
        self._items = items

    def ask(self, request: Request, read: Callable[[Reply], ReadT]) -> ReadT:
        return read(Reply(answer(self._provider, request.call, self._items[request.call]), paid=True))

    def close(self) -> None:
        """Nothing to close."""


def extract(provider: Provider, exchange: Exchange) -> Extraction | str:
    client = LlmClient(
        DIALECTS[provider],
        exchange,
        ("small",),
        ceiling=8192,
        telemetry=Telemetry(enabled=False),
        prices=Prices(),
    )
    try:
        return LlmExtractor(client).extract("Ada met Bo.", "text", NOON)
    except ExtractorError as error:
        return str(error)


@pytest.mark.parametrize("provider", DIALECTS)
@settings(deadline=None, max_examples=50)
@given(entities=st.lists(ENTITY | ANY, max_size=4), edges=st.lists(EDGE | ANY, max_size=4))
def test_a_replay_says_what_the_model_said(provider: Provider, entities: list[Any], edges: list[Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "c.jsonl"
        model = Scripted(provider, {"entities": entities, "edges": edges})
        live = extract(provider, RecordingExchange(model, CassetteFile(path, ()), Failures(path, ())))
        assert isinstance(live, Extraction)
        assert len(live.entities) + live.entities_malformed == len(entities)
        assert extract(provider, ReplayExchange(path, read_cassette(path))) == live
