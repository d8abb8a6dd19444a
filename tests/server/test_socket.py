"""The socket server as a client of raw bytes sees it."""

import os
import socket
import stat
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from lcg.server.framing import MAX_LINE_BYTES
from lcg.server.socket import BindError, bind_socket
from tests.server.fake_service import FakeService
from tests.server.running import PATIENCE_S, RunningServer, eventually, running_server


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RunningServer]:
    with running_server(tmp_path / "s.sock") as running:
        yield running


def test_a_request_is_answered_with_its_id(server: RunningServer) -> None:
    answer = server.connect().call("echo", {"text": "Grüße 😀"}, id="a")
    assert answer == {"jsonrpc": "2.0", "id": "a", "result": {"method": "echo", "params": {"text": "Grüße 😀"}}}


def test_crlf_bom_blanks_and_blank_lines_are_tolerated(server: RunningServer) -> None:
    client = server.connect()
    client.send(
        b'\r\n\n\xef\xbb\xbf{"jsonrpc":"2.0","id":1,"method":"a"}\r', b' \t {"jsonrpc":"2.0","id":2,"method":"b"} '
    )
    assert [client.line()["id"], client.line()["id"]] == [1, 2]


@pytest.mark.parametrize(
    ("line", "code"),
    [(b"{", -32700), (b"NaN", -32700), (b'"\\ud800"', -32700), (b'"\xff"', -32700), (b"[]", -32600), (b"7", -32600)],
)
def test_a_bad_line_is_answered_and_the_connection_stays_usable(server: RunningServer, line: bytes, code: int) -> None:
    client = server.connect()
    client.send(line)
    answer = client.line()
    assert (answer["error"]["code"], answer["id"]) == (code, None)
    assert "data" not in answer["error"]
    assert client.call("echo")["id"] == 1


def test_a_line_of_exactly_the_limit_passes_and_a_longer_one_is_refused_once(server: RunningServer) -> None:
    client, other = server.connect(), server.connect()
    head, tail = b'{"jsonrpc":"2.0","id":1,"method":"text","params":{"size":1,"pad":"', b'"}}'
    pad = b"x" * (MAX_LINE_BYTES - len(head) - len(tail))
    client.send(head + pad + tail)
    assert client.line()["result"] == {"text": "x"}
    client.send(head + pad + b"x" + tail, b'{"jsonrpc":"2.0","id":2,"method":"echo"}')
    refusal = client.line()
    assert (refusal["id"], refusal["error"]["code"], refusal["error"]["data"]["kind"]) == (None, -32000, "limit")
    assert client.line()["id"] == 2
    assert other.call("echo")["id"] == 1


def test_an_answer_over_the_limit_is_replaced_and_the_connection_stays_usable(server: RunningServer) -> None:
    client = server.connect()
    answer = client.call("text", {"size": MAX_LINE_BYTES})
    assert (answer["error"]["code"], answer["error"]["data"]["kind"]) == (-32000, "limit")
    assert client.call("echo")["id"] == 1


def test_a_notification_is_executed_and_never_answered(server: RunningServer) -> None:
    client = server.connect()
    client.send(
        b'{"jsonrpc":"2.0","method":"noted","params":{"_progress_token":1}}',
        b'{"jsonrpc":"2.0","method":"boom"}',
        b'{"jsonrpc":"2.0","id":1,"method":"echo"}',
    )
    assert client.line()["id"] == 1
    assert server.service.seen == ["noted", "boom", "echo"]


def test_answers_due_are_written_after_the_client_ended_its_direction(server: RunningServer) -> None:
    client = server.connect()
    for number in range(50):
        client.request(number, "wait", {"seconds": 0.002})
    client.half_close()
    assert [answer["id"] for answer in client.rest()] == list(range(50))


def test_a_last_line_without_line_end_is_served(server: RunningServer) -> None:
    client = server.connect()
    client.socket.sendall(b'{"jsonrpc":"2.0","id":1,"method":"echo"}')
    client.half_close()
    assert [answer["id"] for answer in client.rest()] == [1]


def test_answers_of_one_connection_keep_order_and_connections_run_beside_each_other(server: RunningServer) -> None:
    slow, quick = server.connect(), server.connect()
    slow.request(1, "wait", {"seconds": 30, "cancelled_by": "the end of the test"})
    slow.request(2, "echo")
    eventually(lambda: "wait" in server.service.seen)
    assert quick.call("echo")["id"] == 1
    assert "echo" in server.service.seen
    assert server.service.seen.count("echo") == 1


def test_errors_carry_code_message_and_data(server: RunningServer) -> None:
    client = server.connect()
    assert client.call("refuse", {"name": "Ada"})["error"] == {
        "code": -32000,
        "message": "No such entity.",
        "data": {"kind": "not_found", "name": "Ada"},
    }


@pytest.mark.parametrize("method", ["boom", "no_json"])
def test_a_fault_of_ours_says_nothing_secret_and_its_trace_is_in_the_log(
    server: RunningServer, method: str, caplog: pytest.LogCaptureFixture
) -> None:
    error = server.connect().call(method)["error"]
    assert error["code"] == -32603
    assert "secret" not in error["message"]
    assert error["data"]["ref"] in error["message"]
    assert error["data"]["ref"] in caplog.text
    assert "Traceback" in caplog.text


def test_nan_becomes_null(server: RunningServer) -> None:
    assert server.connect().call("nan")["result"] == {"value": None}


@pytest.mark.parametrize("token", [0, "", 7, "t", False])
def test_any_token_but_null_asks_for_frames_and_is_not_a_parameter(server: RunningServer, token: object) -> None:
    client = server.connect()
    client.request(1, "knowledge_rebuild_from_wal", {"total": 2, "_progress_token": token})
    frames = [client.line() for _ in range(6)]
    assert [(frame["type"], frame["phase"], frame["processed"], frame["total"]) for frame in frames] == [
        ("progress", phase, done, 2) for phase in ("reading", "applying") for done in range(3)
    ]
    assert not any(key in frame for frame in frames for key in ("jsonrpc", "id"))
    assert client.line()["result"] == {"done": 4, "asked": True}
    client.request(2, "echo", {"a": 1, "_progress_token": token})
    assert client.line()["result"]["params"] == {"a": 1}


def test_without_a_token_no_frame_is_sent(server: RunningServer) -> None:
    client = server.connect()
    for params in ({}, {"_progress_token": None}):
        assert client.call("knowledge_rebuild_from_wal", params)["result"] == {"done": 6, "asked": False}


def test_keep_alive_frames_are_sent_for_any_method_that_waits_with_a_token(tmp_path: Path) -> None:
    with running_server(tmp_path / "s.sock", FakeService(ready=False), keep_alive_s=0.04) as server:
        client, silent = server.connect(), server.connect()
        silent.request(1, "echo")
        client.request(1, "echo", {"_progress_token": 0})
        for _ in range(3):
            frame = client.line()
            assert {key: frame[key] for key in ("type", "phase", "processed", "total")} == {
                "type": "progress",
                "phase": "working",
                "processed": 0,
                "total": 0,
            }
            assert "echo" in frame["message"]
        server.service.ready.set()
        while "type" in (answer := client.line()):
            pass
        assert answer["id"] == 1
        assert silent.line()["id"] == 1


def test_probes_answer_while_every_thread_waits_for_the_start(tmp_path: Path) -> None:
    with running_server(tmp_path / "s.sock", FakeService(ready=False)) as server:
        waiting = [server.connect() for _ in range(100)]
        for client in waiting:
            client.request(1, "echo")
        assert server.connect().call("health_check")["result"] == {"ok": False}
        server.service.ready.set()
        assert [client.line()["id"] for client in waiting] == [1] * 100


def test_a_client_that_is_gone_has_its_call_cancelled_and_its_queue_dropped(server: RunningServer) -> None:
    client = server.connect()
    client.request(1, "wait")
    client.request(2, "never")
    eventually(lambda: "wait" in server.service.seen)
    client.close()
    eventually(lambda: server.service.cancelled == ["wait"])
    assert server.connect().call("echo")["id"] == 1
    assert "never" not in server.service.seen


def test_a_client_that_goes_away_after_a_half_close_is_noticed(server: RunningServer) -> None:
    client = server.connect()
    client.request(1, "wait")
    client.half_close()
    eventually(lambda: "wait" in server.service.seen)
    client.close()
    eventually(lambda: server.service.cancelled == ["wait"])


def test_a_client_that_goes_away_while_its_socket_is_not_read_is_noticed(server: RunningServer) -> None:
    client = server.connect()
    client.request(1, "wait")
    eventually(lambda: "wait" in server.service.seen)
    client.socket.settimeout(0.3)
    with pytest.raises(TimeoutError):
        while True:
            client.send(b'{"jsonrpc":"2.0","id":2,"method":"never"}' * 100)
    client.close()
    eventually(lambda: server.service.cancelled == ["wait"])


def test_a_client_that_never_reads_is_not_served_beyond_one_answer(server: RunningServer) -> None:
    client = server.connect()
    for number in range(40):
        client.request(number, "text", {"size": 1_000_000})
    eventually(lambda: "text" in server.service.seen)
    assert server.connect().call("echo")["id"] == 1
    assert server.service.seen.count("text") <= 2
    assert [client.line()["id"] for _ in range(40)] == list(range(40))


def test_pipelined_requests_are_read_ahead_in_bounded_number(server: RunningServer) -> None:
    client = server.connect()
    client.request("first", "wait", {"seconds": 0.2})
    count = 5_000
    writer = threading.Thread(target=client.send, args=([b'{"jsonrpc":"2.0","id":1,"method":"m"}'] * count))
    writer.start()
    answers = [client.line()["id"] for _ in range(count + 1)]
    writer.join()
    assert answers == ["first"] + [1] * count


def test_progress_towards_a_client_that_never_reads_keeps_the_newest_frame(server: RunningServer) -> None:
    client = server.connect()
    client.request(1, "knowledge_rebuild_from_wal", {"total": 5_000, "_progress_token": 1})
    eventually(lambda: server.service.rebuilt == 1)
    frames = []
    while "type" in (line := client.line()):
        frames.append(line)
    assert line["result"]["done"] == 10_000
    assert (frames[-1]["phase"], frames[-1]["processed"]) == ("applying", 5_000)
    assert len(frames) < 10_002


def test_close_is_answered_then_the_connections_end_and_the_socket_is_gone(server: RunningServer) -> None:
    waiting, closer = server.connect(), server.connect()
    waiting.request(1, "wait", {"seconds": 0.1})
    eventually(lambda: "wait" in server.service.seen)
    assert closer.call("knowledge_close")["result"] == {"status": "closed"}
    assert closer.rest() == []
    assert [answer["result"] for answer in waiting.rest()] == [{"waited": True}]
    assert server.stopped.wait(10)
    assert not server.path.exists()


def test_a_stop_cancels_what_does_not_end_in_time_and_still_answers_it(tmp_path: Path) -> None:
    with running_server(tmp_path / "s.sock", stop_timeout_s=0.4) as server:
        client = server.connect()
        client.request(1, "wait", {"seconds": 60})
        client.request(2, "echo")
        eventually(lambda: "wait" in server.service.seen)
        server.stop()
        assert [answer["error"]["data"]["kind"] for answer in client.rest()] == ["cancelled", "cancelled"]
        assert server.stopped.wait(10)


# -- binding


def test_the_socket_is_for_its_user_alone_and_its_directory_is_made(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "s.sock"
    before = os.umask(0)
    try:
        with bind_socket(path):
            assert stat.S_IMODE(path.stat().st_mode) == 0o600
    finally:
        assert os.umask(before) == 0


def test_clients_may_come_faster_than_they_are_accepted(server: RunningServer) -> None:
    """A client with a time limit does not wait in `connect`: when the queue is full the system refuses it at once."""
    held, entered = threading.Event(), threading.Event()

    def hold() -> None:
        entered.set()
        held.wait(PATIENCE_S)

    server.in_loop(hold)
    assert entered.wait(PATIENCE_S)
    clients = [socket.socket(socket.AF_UNIX) for _ in range(300)]
    try:
        for client in clients:
            client.setblocking(False)
            client.connect(str(server.path))
    finally:
        held.set()
        for client in clients:
            client.close()
    # They are accepted in order, so by now all of them were.
    assert server.connect().call("echo")["id"] == 1


def test_who_was_accepted_in_the_moment_of_a_stop_does_not_hold_it_up(tmp_path: Path) -> None:
    with running_server(tmp_path / "s.sock", stop_timeout_s=PATIENCE_S) as server:
        held, clients = threading.Event(), []

        def hold() -> None:
            held.wait(PATIENCE_S)

        server.in_loop(hold)
        for _ in range(20):
            client = socket.socket(socket.AF_UNIX)
            client.connect(str(server.path))
            clients.append(client)
        server.stop()
        held.set()
        assert server.stopped.wait(PATIENCE_S / 4)
        for client in clients:
            client.close()


def test_a_stale_socket_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "s.sock"
    bind_socket(path).close()
    assert path.exists()
    bind_socket(path).close()


def test_a_live_socket_is_never_replaced(server: RunningServer) -> None:
    with pytest.raises(BindError, match="running"):
        bind_socket(server.path)
    assert server.connect().call("echo")["id"] == 1


def test_a_file_that_is_no_socket_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "s.sock"
    path.write_text("mine")
    with pytest.raises(BindError, match="no socket"):
        bind_socket(path)
    assert path.read_text() == "mine"


def test_a_path_that_is_too_long_is_explained(tmp_path: Path) -> None:
    with pytest.raises(BindError, match=r"bytes.*LCG_SOCKET_PATH"):
        bind_socket(tmp_path / ("x" * 120))


def test_a_directory_that_cannot_be_made_is_explained(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BindError, match="cannot bind"):
        bind_socket(tmp_path / "file" / "s.sock")


def test_stopping_leaves_a_socket_that_is_no_longer_ours(tmp_path: Path) -> None:
    path = tmp_path / "s.sock"
    with running_server(path) as server:
        path.unlink()
        with socket.socket(socket.AF_UNIX) as other:
            other.bind(str(path))
            server.stop()
            assert server.stopped.wait(10)
            assert path.exists()
