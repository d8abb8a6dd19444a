"""Calls that take no time are made in the event loop, and nobody notices but by the clock."""

from pathlib import Path

from tests.server.fake_service import FakeService
from tests.server.running import running_server


def line(id: int, method: str, params: str = "{}") -> bytes:
    return b'{"jsonrpc":"2.0","id":%d,"method":"%b","params":%b}' % (id, method.encode(), params.encode())


def test_they_keep_their_place_among_the_calls_of_a_connection(tmp_path: Path) -> None:
    with running_server(tmp_path / "s.sock") as server:
        client = server.connect()
        client.send(line(1, "at_once"), line(2, "wait", '{"seconds": 0.1}'), line(3, "at_once"), line(4, "echo"))
        client.send(line(5, "at_once"))
        assert [client.line()["id"] for _ in range(5)] == [1, 2, 3, 4, 5]
        assert server.service.seen == ["at_once", "wait", "at_once", "echo", "at_once"]


def test_very_many_are_answered_each_once(tmp_path: Path) -> None:
    with running_server(tmp_path / "s.sock") as server:
        client = server.connect()
        client.send(*(line(number, "at_once") for number in range(5000)))
        assert [client.line()["id"] for _ in range(5000)] == list(range(5000))


def test_they_wait_in_line_while_the_service_starts(tmp_path: Path) -> None:
    with running_server(tmp_path / "s.sock", FakeService(ready=False)) as server:
        client = server.connect()
        client.send(line(1, "at_once"))
        assert server.connect().call("health_check")["result"] == {"ok": False}
        assert server.service.seen == ["health_check"]
        server.service.ready.set()
        assert client.line()["id"] == 1


def test_a_notification_of_one_is_executed_and_not_answered(tmp_path: Path) -> None:
    with running_server(tmp_path / "s.sock") as server:
        client = server.connect()
        client.send(b'{"jsonrpc":"2.0","method":"at_once"}', line(2, "at_once", '{"_progress_token": 1}'))
        assert client.line() == {"jsonrpc": "2.0", "id": 2, "result": {"method": "at_once", "params": {}}}
        assert server.service.seen == ["at_once", "at_once"]
