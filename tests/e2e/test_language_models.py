"""The real program with a language model: over TCP and a Unix socket, over MCP, replayed, killed and stopped."""

import json
import signal
import subprocess
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.processes import PATIENCE_S, REAL, Client, Refused, Server, serving
from tests.providers.llm_stub import KEY, TEXT, Model, Provider, call_of
from tests.providers.stub_server import Answer, Asked, StubServer, error, serving_stub, slow

pytestmark = pytest.mark.e2e

CHUNK = {"chunk_text": TEXT, "chunk_id": "c1", "source_file": "notes.md", "reference_time": "2026-05-20"}
MCP = ("--mcp-stdio", "--scope", "read,write,cypher")
ROWS = (
    "MATCH (e:Entity) RETURN e.name, e.labels, e.summary, e.created_at",
    "MATCH (a:Entity)-[:RELATES_TO]->(n:RelatesToNode_)-[:RELATES_TO]->(b:Entity) "
    "RETURN a.name, b.name, n.name, n.fact, n.relation_type, n.valid_at, n.invalid_at",
    "MATCH (p:Episodic)-[:MENTIONS]->(e:Entity) RETURN p.name, p.content, p.source_description, e.name",
)


class McpTalker:
    """Calls tools over raw lines of MCP."""

    def __init__(self, server: Server) -> None:
        self._server = server
        server.initialize()

    def result(self, method: str, **params: Any) -> Any:
        self._server.tool(1, method, params)
        answer = self._server.line()["result"]
        if answer["isError"]:
            raise Refused(method, answer["structuredContent"])
        return answer["structuredContent"]


@contextmanager
def program(
    workspace: Path, *arguments: str, env: Mapping[str, str], mcp: bool = False
) -> Iterator[tuple[Server, Client | McpTalker]]:
    """Run the program in a workspace, and talk to it over its socket or over MCP."""
    workspace.mkdir(exist_ok=True)
    stdin = subprocess.PIPE if mcp else subprocess.DEVNULL
    with serving(workspace, *(MCP if mcp else ()), *arguments, command=REAL, stdin=stdin, env=env) as server:
        if mcp:
            yield server, McpTalker(server)
        else:
            with Client(server, workspace) as client:
                yield server, client


def configured(provider: Provider, stub: StubServer) -> dict[str, str]:
    """Return what makes the program ask a stub on loopback."""
    if provider == "anthropic":
        return {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": stub.url, "LCG_EXTRACTION_LLM": "small"}
    return {"LCG_EXTRACTION_URL": f"{stub.url}/v1/chat/completions", "LCG_EXTRACTION_API_KEY": KEY}


def content(talker: Client | McpTalker) -> list[list[Any]]:
    """Return all that the graph says, without the identifiers that each ingestion makes anew."""
    answers = [talker.result("knowledge_query_cypher", query=query) for query in ROWS]
    return [sorted(json.dumps(row) for row in answer["rows"]) for answer in answers]


def state(talker: Client | McpTalker, workspace: Path) -> tuple[dict[str, Any], bytes]:
    """Return the groups with their digests and positions, and every byte of the logs."""
    talker.result("knowledge_list_entities")  # status does not wait for the start to end
    logs = sorted((workspace / ".lcg" / "wal").glob("*/*.jsonl"))
    return talker.result("knowledge_status")["wal_groups"], b"".join(log.read_bytes() for log in logs)


@pytest.mark.parametrize("provider", ["anthropic", "openai"])
def test_a_text_is_read_over_both_transports_and_replayed_to_the_same_graph_without_the_model(
    provider: Provider, tmp_path: Path
) -> None:
    tape = tmp_path / "tape.jsonl"
    contents = []
    with serving_stub(Model(provider)) as stub:
        env = configured(provider, stub) | {"LCG_RECORD_LLM": str(tape)}
        with program(tmp_path / "live", env=env) as (server, talker):
            done = talker.result("knowledge_process_chunk", **CHUNK)
            assert (done["nodes_created"], done["edges_extracted"]) == (3, 2)
            assert done["extractor"]["provider"] == provider
            contents.append(content(talker))
            digest = talker.result("knowledge_status")["wal_groups"]["liminis"]["digest"]
            server.signal(signal.SIGTERM)
            assert server.status() == 0
            assert KEY not in server.errors
        with program(tmp_path / "mcp", env=configured(provider, stub), mcp=True) as (_, talker):
            assert talker.result("knowledge_process_chunk", **CHUNK)["extractor"]["provider"] == provider
            contents.append(content(talker))
        asked = len(stub.asked)
    assert asked == 4
    assert KEY not in tape.read_text()
    replaying = {"LCG_REPLAY_LLM": str(tape)}
    for number, mcp in enumerate((False, True)):
        with program(tmp_path / f"replay{number}", env=replaying, mcp=mcp) as (_, talker):
            assert talker.result("knowledge_process_chunk", **CHUNK)["extractor"] == done["extractor"]
            contents.append(content(talker))
            with pytest.raises(Refused, match="has no answer to this request") as missed:
                talker.result("knowledge_process_chunk", **CHUNK | {"chunk_text": "Another text."})
            assert missed.value.kind == "provider_failed"
    assert contents[0][0], "there is something to compare"
    assert contents == contents[:1] * 4
    with program(tmp_path / "live", env=replaying) as (_, talker):
        assert talker.result("knowledge_process_chunk", **CHUNK)["outcome"] == "unchanged"
        assert talker.result("knowledge_status")["wal_groups"]["liminis"]["digest"] == digest


@pytest.mark.parametrize("mcp", [False, True], ids=["socket", "mcp"])
def test_a_model_on_a_unix_socket_reads_texts(mcp: bool, tmp_path: Path) -> None:
    with (
        serving_stub(Model("openai"), tmp_path / "s") as stub,
        program(tmp_path / "w", "--extractor-uds", str(tmp_path / "s"), env={}, mcp=mcp) as (_, talker),
    ):
        assert talker.result("knowledge_add_episode", name="n", episode_body=TEXT)["episode_uuid"]
        assert talker.result("knowledge_status")["extractor"] == {"provider": "openai", "model": "local"}
        assert len(content(talker)[0]) == 3
        assert {asked.path for asked in stub.asked} == {"/v1/chat/completions"}


def test_a_flag_asks_another_address_than_the_environment_and_takes_no_key_of_anthropic_there(tmp_path: Path) -> None:
    with serving_stub(Model("openai")) as stub:
        flag = f"--extractor-http={stub.url}/v1/chat/completions"
        with program(tmp_path / "w", flag, env={"ANTHROPIC_API_KEY": KEY, "LCG_EXTRACTOR": "builtin"}) as (_, talker):
            talker.result("knowledge_process_chunk", **CHUNK)
        assert len(stub.asked) == 2
        assert not any(KEY in value for asked in stub.asked for value in asked.headers.values())


class Paused:
    """A model that answers about entities, and at the question about facts tells that it is asked and keeps silent."""

    def __init__(self) -> None:
        self.asked = threading.Event()
        self._model = Model("openai")

    def __call__(self, asked: Asked) -> Answer:
        if call_of(asked) == "entities":
            return self._model(asked)
        self.asked.set()
        return slow({}, 600.0)


def test_a_kill_between_extraction_and_commit_leaves_graph_and_log_as_they_were(tmp_path: Path) -> None:
    workspace, paused = tmp_path / "w", Paused()
    with serving_stub(Model("openai")) as stub:
        env = configured("openai", stub)
        with program(workspace, env=env) as (server, talker):
            talker.result("knowledge_process_chunk", **CHUNK)
            before = state(talker, workspace)
            stub.default = paused
            assert isinstance(talker, Client)
            talker.send("knowledge_process_chunk", CHUNK | {"chunk_id": "c2"})
            assert paused.asked.wait(PATIENCE_S)
            server.process.kill()
            server.status()
        stub.default = Model("openai")
        with program(workspace, env=env) as (_, talker):
            assert state(talker, workspace) == before
            assert talker.result("knowledge_process_chunk", **CHUNK)["outcome"] == "unchanged"
            assert talker.result("knowledge_process_chunk", **CHUNK | {"chunk_id": "c2"})["outcome"] == "created"


def test_a_client_that_cancels_leaves_graph_and_log_as_they_were(tmp_path: Path) -> None:
    workspace, paused = tmp_path / "w", Paused()
    with (
        serving_stub(Model("openai")) as stub,
        program(workspace, env=configured("openai", stub), mcp=True) as (server, talker),
    ):
        talker.result("knowledge_process_chunk", **CHUNK)
        before = state(talker, workspace)
        stub.default = paused
        server.tool(7, "knowledge_process_chunk", CHUNK | {"chunk_id": "c2"})
        assert paused.asked.wait(PATIENCE_S)
        server.send(b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}')
        assert state(talker, workspace) == before
        stub.default = Model("openai")
        assert talker.result("knowledge_process_chunk", **CHUNK | {"chunk_id": "c3"})["outcome"] == "created"
        answer = talker.result("knowledge_query_cypher", query="MATCH (p:Episodic) RETURN p.name ORDER BY p.name")
        assert answer["rows"] == [["c1"], ["c3"]]
        server.end_input()
        assert server.status() == 0


def test_the_end_of_the_service_does_not_wait_for_a_model(tmp_path: Path) -> None:
    paused = Paused()
    with serving_stub(paused) as stub:
        env = configured("openai", stub) | {"LCG_SHUTDOWN_TIMEOUT_MS": "1000"}
        with program(tmp_path / "w", env=env) as (server, talker):
            assert isinstance(talker, Client)
            talker.send("knowledge_process_chunk", CHUNK)
            assert paused.asked.wait(PATIENCE_S)
            server.signal(signal.SIGTERM)
            assert server.status() == 0


def test_a_refusal_of_the_provider_names_it_and_the_remedy_and_never_the_key(tmp_path: Path) -> None:
    with (
        serving_stub(lambda _: error(401, f"unknown key {KEY}")) as stub,
        program(tmp_path / "w", env=configured("anthropic", stub)) as (server, talker),
    ):
        with pytest.raises(Refused) as refused:
            talker.result("knowledge_process_chunk", **CHUNK)
        status = talker.result("knowledge_status")
        server.signal(signal.SIGTERM)
        assert server.status() == 0
    assert refused.value.kind == "provider_failed"
    assert all(part in refused.value.message for part in ("anthropic", "answered 401", "ANTHROPIC_API_KEY"))
    for shown in (refused.value.message, json.dumps(refused.value.data), json.dumps(status), server.errors):
        assert KEY not in shown
    (failure,) = status["recent_failures"]
    assert failure["kind"] == "provider_failed"


@pytest.mark.parametrize(
    ("env", "says"),
    [
        ({"LCG_REPLAY_LLM": "none.jsonl"}, "none.jsonl cannot be read"),
        ({"LIMINIS_LLM_COST_TABLE_PATH": "none.json", "ANTHROPIC_API_KEY": KEY}, "none.json cannot be read"),
        ({"LCG_RECORD_LLM": "/proc/none/c", "ANTHROPIC_API_KEY": KEY}, "cannot be made"),
    ],
)
@pytest.mark.parametrize("mode", [(), MCP], ids=["socket", "mcp"])
def test_a_file_that_cannot_be_used_ends_the_start(
    env: dict[str, str], says: str, mode: tuple[str, ...], tmp_path: Path
) -> None:
    with serving(tmp_path, *mode, command=REAL, env=env) as server:
        assert server.status() == 1
    assert says in server.errors
    assert "Traceback" not in server.errors
    assert KEY not in server.errors
