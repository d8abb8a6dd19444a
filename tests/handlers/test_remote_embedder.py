"""A service whose embedder is remote: what works without it, what is told, and what is embedded when it is back."""

import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from lcg.errors import OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.provider_settings import EmbedderSettings
from lcg.providers.endpoint import Retry
from lcg.runtime.call import Call
from lcg.server.app import LcgService
from tests.providers.stub_models import DIM, embedder
from tests.providers.stub_server import (
    Answer,
    StubServer,
    closing_mid_body,
    error,
    no_json,
    ok,
    serving_stub,
    slow,
)
from tests.workspaces import running_service

RETRY = Retry(delays_s=(0.01,), longest_wait_s=0.05)
CHUNK = {
    "chunk_text": "Mira Solberg pilots the ferry Tern. The Tern sails to Port Vell.",
    "chunk_id": "1",
    "source_file": "log.md",
}
PATIENCE_S = 20.0


class Client:
    """Calls of one service, by their names without `knowledge_`."""

    def __init__(self, service: LcgService) -> None:
        self.service = service

    def __call__(self, method: str, **params: Any) -> dict[str, Any]:
        name = f"knowledge_{method}"
        return self.service.call(name, params, Call(name))

    def embedding(self) -> dict[str, Any]:
        found: dict[str, Any] = self("status")["embedding"]
        return found

    def ready(self) -> dict[str, Any]:
        """Wait for the end of the start, and return what status says of the embedder."""
        self("get_episodes")
        return self.embedding()

    def meets(self) -> None:
        """Search until the embedder answers: a question that was under way may still fail for all who wait for it."""
        end = time.monotonic() + PATIENCE_S
        while kinds(self("find_entities", query="anything")).count("embedding_unavailable"):
            assert time.monotonic() < end
            time.sleep(0.02)

    def settles(self, holds: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Wait until status says of the embedder what it should."""
        end = time.monotonic() + PATIENCE_S
        while not holds(found := self.embedding()) and time.monotonic() < end:
            time.sleep(0.02)
        assert holds(found), found
        return found


@pytest.fixture
def stub() -> Iterator[StubServer]:
    with serving_stub(embedder()) as server:
        yield server


@contextmanager
def serving(root: Path, url: str, **more: Any) -> Iterator[Client]:
    settings = EmbedderSettings(f"{url}/v1/embeddings", **{"retry": RETRY, "timeout_s": 5.0, **more})
    with running_service(root, embedder=settings, telemetry=False) as service:
        yield Client(service)


def embedded(stub: StubServer) -> list[str]:
    """Return every text that the stub was asked for, probes left out."""
    inputs = [asked.body["input"] for asked in stub.asked]
    texts = [text for each in inputs for text in ([each] if isinstance(each, str) else each)]
    return [text for text in texts if text != "probe"]


def kinds(result: dict[str, Any]) -> list[str]:
    return [warning["type"] for warning in result.get("warnings", [])]


def test_a_chunk_is_one_request_and_its_rows_are_found_by_their_vectors(stub: StubServer, tmp_path: Path) -> None:
    with serving(tmp_path, stub.url, api_key="k3y") as client:
        client.ready()
        stub.asked.clear()
        assert client("process_chunk", **CHUNK)["embedding_warning"] is None
        assert len(stub.asked) == 1
        assert stub.asked[0].headers["authorization"] == "Bearer k3y"
        assert CHUNK["chunk_text"] in embedded(stub)
        found = client("search_passages", query=CHUNK["chunk_text"], min_score=0.99)
        assert [passage["score"] for passage in found["passages"]] == [pytest.approx(1.0, abs=1e-5)]
        assert client.embedding() == {
            "provider": "http",
            "model": "stub-embedder",
            "dim": DIM,
            "state": "ready",
            "store_model": "stub-embedder",
            "store_dim": DIM,
            "matches": True,
            "rows_without_vector": 0,
        }


def test_a_text_is_embedded_once_queries_included(stub: StubServer, tmp_path: Path) -> None:
    with serving(tmp_path, stub.url) as client:
        client("process_chunk", **CHUNK)
        client("find_entities", query="who steers")
        before = len(stub.asked)
        client("find_entities", query="who steers")
        client("process_chunk", **{**CHUNK, "source_file": "copy.md"})
        assert len(stub.asked) == before


def test_without_its_embedder_a_service_starts_writes_and_searches_by_words(tmp_path: Path) -> None:
    with serving_stub() as gone:
        url = gone.url
    with serving(tmp_path, url) as client:
        state = client.ready()
        assert (state["state"], state["model"], state["dim"]) == ("unreachable", "bge-base-en-v1.5", 0)
        assert (state["store_model"], state["matches"]) == (None, True)
        chunk = client("process_chunk", **CHUNK)
        for part in (f"The embedder at {url}/v1/embeddings cannot be reached", "LCG_EMBEDDING_URL", "words only"):
            assert part in chunk["embedding_warning"]
        found = client("find_entities", query="Tern")
        assert "Tern" in [node["name"] for node in found["nodes"]]
        assert kinds(found) == ["vectors_missing", "embedding_unavailable"]
        passages = client("search_passages", query="ferry")
        assert [passage["score"] for passage in passages["passages"]] == [None]
        assert client("assert_entity", name="Kestrel")["embedding_warning"]
        assert client.embedding()["rows_without_vector"] > 3


def test_rows_get_their_vectors_when_the_embedder_is_back(stub: StubServer, tmp_path: Path) -> None:
    stub.default = lambda _: error(503, "loading")
    with serving(tmp_path, stub.url) as client:
        client("process_chunk", **CHUNK)
        assert client.embedding()["rows_without_vector"] > 0
        stub.default = embedder()
        client.meets()
        state = client.settles(lambda found: found["rows_without_vector"] == 0)
        assert (state["state"], state["store_model"], state["matches"]) == ("ready", "stub-embedder", True)
        assert client("search_passages", query=CHUNK["chunk_text"])["passages"][0]["score"] > 0.99


def test_an_embedder_that_comes_up_after_the_start_is_taken_up_without_a_call_that_fails(
    stub: StubServer, tmp_path: Path
) -> None:
    stub.then(error(503, "loading"))
    with serving(tmp_path, stub.url) as client:
        client.ready()
        assert client("process_chunk", **CHUNK)["embedding_warning"] is None


TROUBLES = {
    "500": (error(500, "out of memory"), "answered 500"),
    "429": (error(429, "slow down", retry_after="0"), "answered 429"),
    "wrong JSON": (no_json(), "what is no JSON"),
    "wrong length": (ok({"data": [{"embedding": [1.0] * 3}], "model": "stub-embedder"}), "answered with"),
    "closing mid-body": (closing_mid_body({"long": "x" * 500}), "broke its answer off"),
    "slow": (slow({}, 30), "did not answer within 0.3 s"),
}


@pytest.mark.parametrize(("trouble", "says"), TROUBLES.values(), ids=TROUBLES)
def test_an_embedder_that_fails_costs_the_vectors_alone(
    stub: StubServer, tmp_path: Path, trouble: Answer, says: str
) -> None:
    with serving(tmp_path, stub.url, timeout_s=0.3) as client:
        client.ready()
        stub.default = lambda _: trouble
        chunk = client("process_chunk", **CHUNK)
        assert f"The embedder at {stub.url}/v1/embeddings" in chunk["embedding_warning"]
        assert says in chunk["embedding_warning"]
        assert "--embedder-http" in chunk["embedding_warning"]
        status = client("status")
        assert (status["embedding"]["state"], status["wal_groups"]["liminis"]["max_seq"]) == ("unreachable", 1)
        assert status["wal_groups"]["liminis"]["pending"] == 0
        assert kinds(client("find_entities", query="Tern")) == ["vectors_missing", "embedding_unavailable"]


def test_a_chunk_that_is_cancelled_while_it_is_embedded_leaves_no_trace(stub: StubServer, tmp_path: Path) -> None:
    with serving(tmp_path, stub.url) as client:
        client.ready()
        client("assert_entity", name="Kestrel")
        before = client("status")
        stub.then(slow({}, 30))
        call = Call("knowledge_process_chunk")
        threading.Timer(0.2, call.cancelled.set).start()
        with pytest.raises(OperationFailed) as caught:
            client.service.call("knowledge_process_chunk", CHUNK, call)
        assert caught.value.data["kind"] == ErrorKind.CANCELLED
        after = client("status")
        for key in ("entity_count", "episode_count", "wal_groups", "embedding"):
            assert after[key] == before[key]


def test_an_end_does_not_wait_for_an_embedder_that_hangs(stub: StubServer, tmp_path: Path) -> None:
    stub.default = lambda _: slow({}, 30)
    began = time.monotonic()
    with serving(tmp_path, stub.url, timeout_s=60.0) as client:
        client.ready()
    assert time.monotonic() - began < 25


def test_a_backfill_says_how_far_it_came(stub: StubServer, tmp_path: Path) -> None:
    with serving(tmp_path, stub.url) as client:
        client("assert_entity", name="Tern", summary="a ferry")
        client("assert_entity", name="Tern", summary="an old ferry")
        stub.default = lambda _: error(500, "out of memory")
        with pytest.raises(OperationFailed) as caught:
            client("backfill_summary_embeddings", group_id="liminis")
        assert caught.value.data["kind"] == ErrorKind.PROVIDER_FAILED
        assert caught.value.data["backfilled"] == 0
        assert f"{stub.url}/v1/embeddings answered 500" in caught.value.message
        stub.default = embedder()
        assert client("backfill_summary_embeddings", group_id="liminis")["backfilled"] == 1


def test_another_model_is_told_and_mixed_with_nothing_until_somebody_asks_to_embed_anew(
    stub: StubServer, tmp_path: Path
) -> None:
    with serving(tmp_path, stub.url) as client:
        client("process_chunk", **CHUNK)
    stub.default = embedder("another-model", 4)
    stub.asked.clear()
    with serving(tmp_path, stub.url) as client:
        state = client.ready()
        rows = state["rows_without_vector"]
        assert rows > 3
        assert (state["model"], state["dim"], state["matches"]) == ("another-model", 4, False)
        assert (state["store_model"], state["store_dim"]) == ("stub-embedder", DIM)
        found = client("find_entities", query="Tern")
        assert kinds(found) == ["embedding_model_mismatch"]
        (warning,) = found["warnings"]
        assert (warning["store_model"], warning["model"], warning["rows"]) == ("stub-embedder", "another-model", rows)
        assert "knowledge_build_indices" in warning["message"]
        assert "Tern" in [node["name"] for node in found["nodes"]]
        assert client("search_passages", query="ferry")["passages"][0]["score"] is None
        client("assert_entity", name="Kestrel")
        assert client.embedding()["rows_without_vector"] == rows, "what is new is of the new model"
        assert embedded(stub) == ["Tern", "ferry", "Kestrel"]
        built = client("build_indices")
        assert (built["embedded"], built["embedding_warning"]) == (rows, None)
        state = client.embedding()
        assert (state["matches"], state["store_model"], state["rows_without_vector"]) == (True, "another-model", 0)
        assert kinds(client("find_entities", query="Tern")) == []
        assert client("search_passages", query=CHUNK["chunk_text"])["passages"][0]["score"] > 0.99
    stub.default = embedder()
    stub.asked.clear()
    with serving(tmp_path, stub.url) as client:
        assert client.ready()["rows_without_vector"] == 1, "all but the new row is still in the cache"
        assert embedded(stub) == []


def test_a_model_that_changes_while_a_service_runs_is_refused(stub: StubServer, tmp_path: Path) -> None:
    with serving(tmp_path, stub.url) as client:
        client("process_chunk", **CHUNK)
        stub.default = embedder("another-model")
        warning = client("assert_entity", name="Kestrel")["embedding_warning"]
        assert "'another-model' and was 'stub-embedder' before" in warning
        assert "restart" in warning
        state = client.embedding()
        assert (state["matches"], state["rows_without_vector"]) == (True, 1)


def test_the_built_in_model_in_place_of_a_remote_one_is_a_change_too(stub: StubServer, tmp_path: Path) -> None:
    with serving(tmp_path, stub.url) as client:
        client("process_chunk", **CHUNK)
    with running_service(tmp_path, telemetry=False) as service:
        client = Client(service)
        assert client.ready()["matches"] is False
        assert client("build_indices")["embedded"] > 3
        assert client.embedding()["matches"] is True


def test_vectors_outlive_the_store_and_a_rebuild(stub: StubServer, tmp_path: Path) -> None:
    with serving(tmp_path, stub.url) as client:
        client("process_chunk", **CHUNK)
    shutil.rmtree(tmp_path / "db")
    stub.asked.clear()
    with serving(tmp_path, stub.url) as client:
        assert client.ready()["rows_without_vector"] == 0
        client("rebuild_from_wal", group_id="liminis", force_clear=True)
        assert client.embedding()["rows_without_vector"] == 0
        assert embedded(stub) == []


def test_a_damaged_cache_is_replaced_and_filled_again(stub: StubServer, tmp_path: Path) -> None:
    with serving(tmp_path, stub.url) as client:
        client("process_chunk", **CHUNK)
    path = tmp_path / "search" / "vectors.db"
    content = path.read_bytes()
    path.write_bytes(content[:4096] + b"\xa5" * (len(content) - 4096))
    with serving(tmp_path, stub.url) as client:
        client.ready()
        state = client.settles(lambda found: found["rows_without_vector"] == 0)
        assert (state["store_model"], state["matches"]) == ("stub-embedder", True)
        assert client("search_passages", query=CHUNK["chunk_text"])["passages"][0]["score"] > 0.99


def test_while_a_known_embedder_is_away_the_vectors_of_before_stay(stub: StubServer, tmp_path: Path) -> None:
    with serving(tmp_path, stub.url) as client:
        client("process_chunk", **CHUNK)
    stub.default = lambda _: error(503, "loading")
    with serving(tmp_path, stub.url) as client:
        state = client.ready()
        assert (state["state"], state["store_model"], state["matches"]) == ("unreachable", "stub-embedder", True)
        assert state["rows_without_vector"] == 0
        stub.default = embedder()
        client.meets()
        assert client("search_passages", query=CHUNK["chunk_text"])["passages"][0]["score"] > 0.99
        assert embedded(stub).count(CHUNK["chunk_text"]) == 1, "it is still in the cache"
