"""The real program with a remote embedder: over TCP and a Unix socket, missing, hanging, killed and stopped."""

import signal
import subprocess
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.processes import PATIENCE_S, REAL, Client, Server, serving
from tests.providers.stub_models import embedder
from tests.providers.stub_server import Answer, Asked, error, serving_stub, slow

pytestmark = pytest.mark.e2e

KEY = "sk-of-nobody"
CHUNK = {"chunk_text": "Mira Solberg pilots the ferry Tern.", "chunk_id": "1", "source_file": "log.md"}
EXTRACTOR = ("--extractor", "builtin")


@contextmanager
def program(workspace: Path, *arguments: str, env: Mapping[str, str] | None = None) -> Iterator[tuple[Server, Client]]:
    """Run the service in a workspace, and talk to it over its socket."""
    workspace.mkdir(exist_ok=True)
    options = (*EXTRACTOR, *arguments)
    with (
        serving(workspace, *options, command=REAL, stdin=subprocess.DEVNULL, env=dict(env or {})) as server,
        Client(server, workspace) as client,
    ):
        yield server, client


def embedding(client: Client) -> dict[str, Any]:
    client.result("knowledge_get_episodes")  # status does not wait for the start to end
    found: dict[str, Any] = client.result("knowledge_status")["embedding"]
    return found


def logs(workspace: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted((workspace / ".lcg" / "wal").glob("*/*.jsonl")))


class Hanging:
    """An embedder that keeps silent once it is told to."""

    def __init__(self) -> None:
        self.silent = False
        self.asked = threading.Event()
        self._answer = embedder()

    def __call__(self, asked: Asked) -> Answer:
        if not self.silent:
            return self._answer(asked)
        self.asked.set()
        return slow({}, PATIENCE_S)


def test_an_embedder_is_asked_by_variable_flag_and_socket_and_its_key_stays_secret(tmp_path: Path) -> None:
    with serving_stub(embedder()) as stub, serving_stub(embedder("by-socket", 4), uds=tmp_path / "s") as local:
        url = f"{stub.url}/v1/embeddings"
        ways: list[tuple[tuple[str, ...], dict[str, str], tuple[str, str]]] = [
            ((), {"LCG_EMBEDDING_URL": url, "LCG_EMBEDDING_API_KEY": KEY}, ("http", "stub-embedder")),
            (("--embedder-http", url), {"LCG_EMBEDDING_URL": "http://127.0.0.1:9/"}, ("http", "stub-embedder")),
            (("--embedder-uds", str(tmp_path / "s")), {"LCG_EMBEDDING_URL": url}, ("uds", "by-socket")),
        ]
        for number, (arguments, env, expected) in enumerate(ways):
            with program(tmp_path / f"w{number}", *arguments, env=env) as (server, client):
                done = client.result("knowledge_process_chunk", **CHUNK)
                assert done["embedding_warning"] is None
                state = embedding(client)
                assert (state["provider"], state["model"]) == expected
                assert (state["state"], state["rows_without_vector"]) == ("ready", 0)
                server.signal(signal.SIGTERM)
                assert server.status() == 0
                assert KEY not in server.errors
        assert [asked.headers.get("authorization") for asked in stub.asked] == [f"Bearer {KEY}"] * 2 + [None] * 2
        assert {asked.path for asked in local.asked} == {"/v1/embeddings"}


def test_a_service_starts_beside_an_embedder_that_refuses_and_takes_it_up_later(tmp_path: Path) -> None:
    with serving_stub(lambda _: error(401, f"who is {KEY}?")) as stub:
        env = {"LCG_EMBEDDING_API_KEY": KEY}
        with program(tmp_path / "w", f"--embedder-http={stub.url}/v1/embeddings", env=env) as (server, client):
            warning = client.result("knowledge_process_chunk", **CHUNK)["embedding_warning"]
            assert f'The embedder at {stub.url}/v1/embeddings answered 401: "who is ***?"' in warning
            assert embedding(client)["state"] == "unreachable"
            stub.default = embedder()
            client.result("knowledge_find_entities", query="ferry")
            assert client.result("knowledge_build_indices")["embedding_warning"] is None
            assert embedding(client)["rows_without_vector"] == 0
            assert KEY not in server.errors


def test_a_kill_while_a_text_is_embedded_leaves_graph_and_log_as_before(tmp_path: Path) -> None:
    model, workspace = Hanging(), tmp_path / "w"
    with serving_stub(model) as stub:
        env = {"LCG_EMBEDDING_URL": f"{stub.url}/v1/embeddings"}
        with program(workspace, env=env) as (server, client):
            client.result("knowledge_process_chunk", **CHUNK)
            before, groups = logs(workspace), client.result("knowledge_status")["wal_groups"]
            model.silent = True
            client.send("knowledge_process_chunk", CHUNK | {"chunk_text": "Asta Berg buys the ferry Tern."})
            assert model.asked.wait(PATIENCE_S)
            server.signal(signal.SIGKILL)
            server.status()
        model.silent = False
        with program(workspace, env=env) as (_, client):
            assert embedding(client)["rows_without_vector"] == 0
            assert client.result("knowledge_status")["wal_groups"] == groups
            assert logs(workspace) == before


def test_a_service_ends_in_time_while_an_embedder_hangs(tmp_path: Path) -> None:
    model = Hanging()
    with (
        serving_stub(model) as stub,
        program(tmp_path / "w", env={"LCG_EMBEDDING_URL": f"{stub.url}/v1/embeddings"}) as (server, client),
    ):
        embedding(client)
        model.silent = True
        client.send("knowledge_find_entities", {"query": "ferry"})
        assert model.asked.wait(PATIENCE_S)
        server.signal(signal.SIGTERM)
        assert server.status() == 0
