"""Ingestion and typing with a language model: what it says is stored, and its faults change nothing."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from lcg.errors import OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.providers.extractor.llm import MOST_TEXT_BYTES
from lcg.runtime.call import Call
from lcg.server.app import LcgService
from tests.providers.llm_stub import KEY, PROVIDERS, TEXT, Model, Provider, call_of, chat, llm_settings, user_of
from tests.providers.stub_server import (
    Answer,
    Asked,
    StubServer,
    closing_at_once,
    closing_mid_body,
    error,
    no_json,
    ok,
    serving_stub,
    slow,
)
from tests.workspaces import running_service, write_ontology

both = pytest.mark.parametrize("provider", PROVIDERS)
CHUNK: dict[str, Any] = {
    "chunk_text": TEXT,
    "chunk_id": "c1",
    "source_file": "notes.md",
    "reference_time": "2026-05-20",
}
STRICT = """\
mode: strict
entity_types: [{name: Person, description: A human being.}, {name: Team}]
relation_types: [{name: REVIEWS, aliases: [CHECKS]}, {name: MOVED, description: Changed the place of something.}]
"""


class World:
    """A service, its workspace, and the stub that it asks."""

    def __init__(self, service: LcgService, root: Path, stub: StubServer) -> None:
        self.service = service
        self.root = root
        self.stub = stub

    def ask(self, method: str, call: Call | None = None, **params: Any) -> dict[str, Any]:
        name = f"knowledge_{method}"
        return self.service.call(name, params, call or Call(name))

    def chunk(self, **changes: Any) -> dict[str, Any]:
        return self.ask("process_chunk", **{**CHUNK, **changes})

    def state(self) -> tuple[Any, bytes]:
        """Return what must not change: digests and positions of the groups, and every byte of the logs."""
        groups = self.ask("status")["wal_groups"]
        logs = sorted(self.root.glob("wal/**/*.jsonl"))
        return groups, b"".join(log.read_bytes() for log in logs)


@contextmanager
def world(root: Path, provider: Provider, model: Model | None = None, **changes: Any) -> Iterator[World]:
    with (
        serving_stub(model or Model(provider)) as stub,
        running_service(root, extractor=llm_settings(provider, stub.url, **changes)) as service,
    ):
        yield World(service, root, stub)


@both
def test_what_the_model_says_is_stored_and_named_after_it(provider: Provider, tmp_path: Path) -> None:
    with world(tmp_path, provider) as it:
        done = it.chunk()
        assert (done["nodes_created"], done["edges_extracted"]) == (3, 2)
        assert done["extractor"] == {"provider": provider, "model": "small"}
        assert it.ask("status")["extractor"] == done["extractor"]
        edges = it.ask("list_relationships")["edges"]
        assert {(edge["relation_type"], edge["valid_at"]) for edge in edges} == {
            ("MOVED", "2024-05-01 00:00:00"),
            (None, "2026-05-20 00:00:00"),
        }
        assert it.chunk()["outcome"] == "unchanged"
        assert len(it.stub.asked) == 2


@both
def test_the_prompt_goes_by_the_ontology_and_strict_mode_keeps_what_it_does_not_know(
    provider: Provider, tmp_path: Path
) -> None:
    write_ontology(tmp_path, STRICT)
    with world(tmp_path, provider) as it:
        done = it.chunk()
        assert done["entities_reclassified_unclassified"] == 1
        systems = [
            asked.body["system"] if provider == "anthropic" else asked.body["messages"][0]["content"]
            for asked in it.stub.asked
        ]
    assert "- Person: A human being." in systems[0]
    assert "- REVIEWS (also said as: CHECKS)" in systems[1]
    assert all("and nothing else" in system for system in systems)


@both
def test_malformed_items_are_counted_in_the_result(provider: Provider, tmp_path: Path) -> None:
    model = Model(provider)
    model.entities.append({"name": "no type"})
    model.edges.append({"source_name": "Ada Vance", "target_name": "", "fact": "?"})
    with world(tmp_path, provider, model) as it:
        done = it.chunk()
    assert (done["entities_dropped_malformed"], done["edges_dropped_malformed"]) == (1, 1)
    assert (done["nodes_created"], done["edges_extracted"]) == (3, 2)


FAULTS: list[tuple[str, Callable[[], Answer]]] = [
    ("slow", lambda: slow({}, 60.0)),
    ("down", closing_at_once),
    ("no JSON", no_json),
    ("wrong JSON", lambda: ok({"choices": 3, "content": "x"})),
    ("wrong content", lambda: ok(chat({"nodes": []}))),
    ("429", lambda: error(429, "busy")),
    ("500", lambda: error(500, "on fire")),
    ("closing mid-body", lambda: closing_mid_body(chat({"entities": []}))),
]


@both
@pytest.mark.parametrize(("name", "fault"), FAULTS, ids=[row[0] for row in FAULTS])
def test_a_fault_at_either_request_leaves_graph_and_log_as_they_were(
    provider: Provider, name: str, fault: Callable[[], Answer], tmp_path: Path
) -> None:
    # Good answers have to come within the time, too, on a machine that is busy.
    with world(tmp_path, provider, timeout_s=2.0 if name == "slow" else 60.0) as it:
        it.chunk(chunk_id="before")
        before, at = it.state(), len(it.stub.asked)
        model = it.stub.default
        for spoiled in ("entities", "edges"):

            def spoil(asked: Asked, spoiled: str = spoiled) -> Answer:
                assert model is not None
                return fault() if call_of(asked) == spoiled else model(asked)

            it.stub.default = spoil
            with pytest.raises(OperationFailed) as caught:
                it.chunk()
            assert caught.value.kind is ErrorKind.PROVIDER_FAILED
            assert caught.value.data["provider"] == provider
            assert "nothing was stored" in caught.value.message
            assert KEY not in caught.value.message
        assert it.state() == before
        assert len(it.stub.asked) > at
        failures = it.ask("status")["recent_failures"]
        assert [failure["kind"] for failure in failures] == ["provider_failed"] * 2
        it.stub.default = model
        assert it.chunk()["outcome"] == "created"


@both
def test_a_call_that_is_given_up_while_the_model_thinks_leaves_nothing(provider: Provider, tmp_path: Path) -> None:
    with world(tmp_path, provider) as it:
        it.chunk(chunk_id="before")
        before = it.state()
        it.stub.then(slow({}, 60.0))
        call = Call("knowledge_process_chunk")
        threading.Timer(0.3, call.cancelled.set).start()
        with pytest.raises(OperationFailed, match="cancelled"):
            it.ask("process_chunk", call, **CHUNK)
        assert it.state() == before


@both
def test_a_call_that_is_given_up_after_the_last_answer_leaves_nothing(provider: Provider, tmp_path: Path) -> None:
    call = Call("knowledge_process_chunk")
    with world(tmp_path, provider) as it:
        it.chunk(chunk_id="before")
        before, model = it.state(), it.stub.default
        judged = threading.Event()

        def last(asked: Asked) -> Answer:
            assert model is not None
            if call_of(asked) == "edges":
                judged.set()
                call.cancelled.set()
            return model(asked)

        it.stub.default = last
        with pytest.raises(OperationFailed, match="cancelled"):
            it.ask("process_chunk", call, **CHUNK)
        assert judged.is_set()
        assert it.state() == before


@both
def test_a_second_model_that_took_over_is_the_one_that_the_chunk_was_read_by(
    provider: Provider, tmp_path: Path
) -> None:
    with world(tmp_path, provider, models=("big", "small")) as it:
        it.stub.then(error(500))
        assert it.chunk()["extractor"]["model"] == "small"
        assert it.ask("status")["extractor"]["model"] == "small"
        assert it.chunk()["outcome"] == "unchanged"


def test_a_text_that_is_too_long_is_refused_with_what_to_do(tmp_path: Path) -> None:
    with world(tmp_path, "openai") as it:
        with pytest.raises(OperationFailed, match="in chunks") as caught:
            it.chunk(chunk_text="word " * (MOST_TEXT_BYTES // 4))
        assert caught.value.kind is ErrorKind.LIMIT
        assert not it.stub.asked


def verdicts(*by_word: tuple[str, str]) -> Callable[[Asked], list[Any]]:
    """Give each listed item the verdict of the first word that it holds."""

    def choose(asked: Asked) -> list[Any]:
        lines = [line for line in user_of(asked).splitlines() if line[:1].isdigit()]
        return [next((verdict for word, verdict in by_word if word in line), "") for line in lines]

    return choose


@both
def test_relations_are_typed_from_their_facts_and_an_unknown_type_is_unclassified(
    provider: Provider, tmp_path: Path
) -> None:
    write_ontology(tmp_path, STRICT.replace("strict", "open"))
    model = Model(provider, types=verdicts(("reviews", "checks"), ("moved", "INVENTED_BY_THE_MODEL")))
    with world(tmp_path, provider, model) as it:
        it.chunk()
        done = it.ask("reprocess_relation_types", scope="all")
        assert done["classifier"] == {"provider": provider, "model": "small"}
        assert done["breakdown"] == {"REVIEWS": 1, "UNCLASSIFIED": 1}
        types = {edge["fact"]: edge["relation_type"] for edge in it.ask("list_relationships")["edges"]}
    assert sorted(map(str, types.values())) == ["REVIEWS", "UNCLASSIFIED"]


@both
def test_entities_are_typed_and_those_without_a_verdict_stay(provider: Provider, tmp_path: Path) -> None:
    write_ontology(tmp_path, STRICT.replace("strict", "open"))
    model = Model(provider, types=verdicts(('"name":"billing', "Team")))
    with world(tmp_path, provider, model) as it:
        it.chunk()
        done = it.ask("reprocess_entity_types", scope="all")
        assert (done["reclassified_count"], done["unchanged_count"]) == (1, 2)
        labels = {node["name"]: node["labels"] for node in it.ask("list_entities")["nodes"]}
    assert labels["billing service"] == ["Entity", "Team"]
    assert labels["Ada Vance"] == ["Entity", "Person"]


@both
def test_a_batch_that_fails_writes_nothing_and_says_who_failed(provider: Provider, tmp_path: Path) -> None:
    write_ontology(tmp_path, STRICT.replace("strict", "open"))
    with world(tmp_path, provider) as it:
        it.chunk()
        before = it.state()
        it.stub.default = lambda _: error(500, "on fire")
        for method in ("reprocess_relation_types", "reprocess_entity_types"):
            done = it.ask(method, scope="all")
            assert (done["success"], done["kind"]) == (False, "provider_failed")
            assert f"The {provider} classifier" in done["error"]
        assert it.state() == before


def test_facts_go_to_the_model_in_batches_of_fifty(tmp_path: Path) -> None:
    write_ontology(tmp_path)
    facts = [
        {"source_name": "Ada Vance", "target_name": "Tom Weber", "fact": f"Ada Vance gave hint {number}."}
        for number in range(60)
    ]
    model = Model("openai", edges=facts, types=verdicts(("hint", "ADVISES")))
    with world(tmp_path, "openai", model) as it:
        it.chunk()
        assert it.ask("reprocess_relation_types")["breakdown"] == {"ADVISES": 60}
        sizes = [user_of(asked).count('{"fact"') for asked in it.stub.asked if call_of(asked) == "types"]
    assert sizes == [50, 10]


@pytest.mark.parametrize(
    ("verdict", "by"),
    [
        (ok({"is_duplicate": True}), "adapter"),
        (ok({"is_duplicate": False}), None),
        (error(400, "no verdict"), "failed"),
    ],
    ids=["yes", "no", "failure"],
)
def test_the_adapter_decides_about_near_names_and_its_failure_fails_the_text(
    verdict: Answer, by: str | None, tmp_path: Path
) -> None:
    def named(name: str) -> Model:
        return Model("openai", entities=[{"name": name, "entity_type": "Product", "summary": ""}], edges=[])

    with (
        serving_stub(lambda _: verdict) as adapter,
        serving_stub(named("Analytical Engine")) as stub,
        running_service(tmp_path, extractor=llm_settings("openai", stub.url), dedup_adapter_url=adapter.url) as service,
    ):
        it = World(service, tmp_path, stub)
        it.chunk()
        assert not adapter.asked
        stub.default = named("The Analytical Engine")
        if by == "failed":
            before = it.state()
            with pytest.raises(OperationFailed, match=r"dedup adapter .*nothing was stored.*no verdict"):
                it.chunk(chunk_id="c2")
            assert it.state() == before
        else:
            done = it.chunk(chunk_id="c2")
            assert [found["by"] for found in done["resolutions"]] == [by]
        assert [asked.body["candidate"]["name"] for asked in adapter.asked] == ["Analytical Engine"]
