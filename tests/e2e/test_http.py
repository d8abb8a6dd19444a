"""The real program over HTTP: its start, its end, and what is left after a kill."""

import os
import signal
import socket
import threading
from pathlib import Path

import httpx2
import pytest

from lcg.server.http_tokens import add_token
from tests.e2e.clients import ERAS, over_http
from tests.processes import PATIENCE_S, REAL, Client, Server, serving
from tests.server.running_http import ACCEPTED, Session, in_background

pytestmark = pytest.mark.e2e

ANY_PORT = ("--http", "127.0.0.1:0")


def client(server: Server, **headers: str) -> httpx2.Client:
    return httpx2.Client(base_url=server.http_url(), headers=ACCEPTED | headers, timeout=PATIENCE_S, trust_env=False)


def test_the_socket_is_served_beside_it(tmp_path: Path) -> None:
    with serving(tmp_path, *ANY_PORT) as server:
        with client(server) as http, Client(server, tmp_path) as beside:
            assert "result" in Session(http).call("knowledge_find_entities")
            assert "result" in beside.call("knowledge_find_entities")
        server.signal(signal.SIGTERM)
        assert server.status() == 0
        assert "service closed" in server.errors
        assert "POST" not in server.errors


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_open_streams_do_not_hold_up_the_end(tmp_path: Path, number: signal.Signals) -> None:
    with serving(tmp_path, *ANY_PORT) as server, client(server) as http, Session(http).stream() as stream:
        server.signal(number)
        assert server.status() == 0
        stream.read()


def test_a_running_call_is_answered_before_the_end(tmp_path: Path) -> None:
    with serving(tmp_path, *ANY_PORT, env={"LCG_SHUTDOWN_TIMEOUT_MS": "20000"}) as server, client(server) as http:
        session = Session(http)
        arguments = {"pause": 0.2}
        with in_background(lambda: session.call("knowledge_rebuild_from_wal", arguments)) as waiting:
            with client(server) as other:
                assert "result" in Session(other).call("knowledge_find_entities")
            server.signal(signal.SIGTERM)
            assert waiting()["result"]["structuredContent"]["done"] == 6
        assert server.status() == 0


def test_closing_is_answered_and_ends_the_process(tmp_path: Path) -> None:
    with serving(tmp_path, *ANY_PORT) as server, client(server) as http:
        assert Session(http).call("knowledge_close")["result"]["structuredContent"] == {"status": "closed"}
        assert server.status() == 0


def test_health_tells_of_a_start_that_lasts(tmp_path: Path) -> None:
    with serving(tmp_path, *ANY_PORT, env={"FAKE_OPEN_S": "3600"}) as server, client(server) as http:
        answer = http.get("/health")
        assert (answer.status_code, answer.json()["healthy"]) == (503, False)


def test_an_end_that_is_asked_for_at_once_comes_before_http_is_ready(tmp_path: Path) -> None:
    with serving(tmp_path, *ANY_PORT) as server:
        server.says("listening on .lcg/service.sock")
        server.signal(signal.SIGTERM)
        assert server.status() == 0
        assert "Traceback" not in server.errors


def test_an_address_that_is_taken_is_named_and_the_workspace_left_free(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        place = f"127.0.0.1:{taken.getsockname()[1]}"
        with serving(tmp_path, "--http", place) as server:
            assert server.status() == 1
            assert f"cannot listen on {place}" in server.errors
    assert not (tmp_path / ".lcg" / "service.sock").exists()


def test_other_machines_need_tokens(tmp_path: Path) -> None:
    with serving(tmp_path, "--http", "0.0.0.0:0") as server:
        assert server.status() == 2
        assert "LCG_HTTP_TOKENS" in server.errors
    secret = add_token(tmp_path / "tokens", "laptop", "read")
    with serving(tmp_path, "--http", "0.0.0.0:0", env={"LCG_HTTP_TOKENS": "tokens"}) as server:
        url = server.http_url().replace("0.0.0.0", "127.0.0.1")
        with httpx2.Client(base_url=url, headers=ACCEPTED, timeout=PATIENCE_S, trust_env=False) as http:
            assert http.post("/mcp", json={}).status_code == 401
            http.headers["authorization"] = f"Bearer {secret}"
            assert "result" in Session(http).call("knowledge_find_entities")


def test_tokens_that_others_can_read_stop_the_start(tmp_path: Path) -> None:
    add_token(tmp_path / "tokens", "laptop", "read")
    os.chmod(tmp_path / "tokens", 0o644)
    with serving(tmp_path, *ANY_PORT, env={"LCG_HTTP_TOKENS": "tokens"}) as server:
        assert server.status() == 1
        assert "chmod 600" in server.errors


def test_several_clients_of_both_eras_write_at_once_and_a_kill_loses_nothing(tmp_path: Path) -> None:
    acknowledged: list[str] = []
    with serving(tmp_path, *ANY_PORT, command=REAL) as server:
        server.http_url()

        def write(era: str, client: int) -> None:
            with over_http(server, era=era) as talker:
                for number in range(10):
                    name = f"{era} {client} {'abcdefghij'[number] * 3}"
                    if talker.result("knowledge_assert_entity", name=name)["created"]:
                        acknowledged.append(name)

        threads = [threading.Thread(target=write, args=(era, client)) for era in ERAS for client in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(2 * PATIENCE_S)
        server.process.kill()
        server.status()
        assert server.rest() == [], "stdout is for protocols only"
    assert len(acknowledged) == 40
    with serving(tmp_path, *ANY_PORT, command=REAL) as server, over_http(server, era=ERAS[1]) as talker:
        found = talker.result("knowledge_list_entities", num_results=100)["nodes"]
        assert {node["name"] for node in found} == set(acknowledged)
        assert talker.result("knowledge_status")["pid"] == server.process.pid
