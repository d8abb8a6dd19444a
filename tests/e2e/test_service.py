"""The socket service as a process: starting, probing, ending."""

import os
import signal
import sys
from pathlib import Path

import pytest

from tests.processes import REAL, Client, serving

pytestmark = pytest.mark.e2e


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_cleanly_and_its_sender_is_named(tmp_path: Path, number: signal.Signals) -> None:
    with serving(tmp_path) as server:
        with Client(server, tmp_path) as client:
            assert client.call("echo")["id"] == 1
        server.signal(number)
        assert server.status() == 0
        assert f"received {number.name}" in server.errors
        if sys.platform == "linux":
            assert f"sender pid={os.getpid()}\n" in server.errors
        assert "service closed" in server.errors
        assert not (tmp_path / ".lcg" / "service.sock").exists()


def test_a_service_without_terminal_minds_neither_sighup_nor_the_end_of_stdin(tmp_path: Path) -> None:
    with serving(tmp_path) as server, Client(server, tmp_path) as client:
        server.end_input()
        server.signal(signal.SIGHUP)
        assert client.call("echo")["id"] == 1
        server.signal(signal.SIGTERM)
        assert server.status() == 0
        assert "SIGHUP" not in server.errors


def test_close_is_answered_then_the_connection_and_the_process_end(tmp_path: Path) -> None:
    with serving(tmp_path) as server, Client(server, tmp_path) as client:
        assert client.call("knowledge_close")["result"] == {"status": "closed"}
        assert client.at_end()
        assert server.status() == 0
        assert "service closed" in server.errors


def test_probes_answer_during_a_long_start_and_a_signal_ends_it(tmp_path: Path) -> None:
    with serving(tmp_path, env={"FAKE_OPEN_S": "600", "LCG_SHUTDOWN_TIMEOUT_MS": "800"}) as server:
        with Client(server, tmp_path) as waiting, Client(server, tmp_path) as probe:
            waiting.send("echo")
            assert probe.call("health_check")["result"] == {"ok": False}
            server.signal(signal.SIGTERM)
            assert waiting.answer()["error"]["data"]["kind"] == "cancelled"
        assert server.status() == 0


def test_a_second_service_fails_at_once_and_the_first_goes_on(tmp_path: Path) -> None:
    with serving(tmp_path) as owner, Client(owner, tmp_path) as client:
        with serving(tmp_path) as second:
            assert second.status() == 1
            assert f"process {owner.process.pid} " in second.errors
            assert "lcg --mcp-stdio --connect .lcg/service.sock" in second.errors
        assert client.call("echo")["id"] == 1


def test_after_kill_9_the_next_one_takes_over(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        server.says("listening on")
        server.process.kill()
        server.status()
    assert (tmp_path / ".lcg" / "service.sock").exists()
    with serving(tmp_path) as server, Client(server, tmp_path) as client:
        assert client.call("echo")["id"] == 1


def test_a_socket_that_cannot_be_bound_is_a_fatal_start(tmp_path: Path) -> None:
    with serving(tmp_path, env={"LCG_SOCKET_PATH": "x" * 200}) as server:
        assert server.status() == 1
        assert "LCG_SOCKET_PATH" in server.errors


def test_the_real_program_serves_remembers_and_leaves(tmp_path: Path) -> None:
    for created in (True, False):
        with serving(tmp_path, command=REAL) as server, Client(server, tmp_path) as client:
            assert client.call("knowledge_assert_entity", {"name": "Ada"})["result"]["created"] is created
            assert client.call("health_check")["result"]["state"] == "healthy"
            assert client.call("knowledge_close")["result"] == {"status": "closed"}
            assert server.status() == 0
