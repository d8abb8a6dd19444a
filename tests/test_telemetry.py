"""Telemetry lines: their form, and that they never get in the way."""

import io

import orjson

from lcg.telemetry import Telemetry


def test_an_event_is_one_json_line_with_its_type_first() -> None:
    stream = io.StringIO()
    Telemetry(enabled=True, stream=stream).emit("something", name="Zürich\n東京", count=2)
    (line,) = stream.getvalue().splitlines()
    event = orjson.loads(line)
    assert list(event) == ["type", "ts_ms", "name", "count"]
    assert event["name"] == "Zürich\n東京"


def test_nothing_is_written_when_it_is_off() -> None:
    stream = io.StringIO()
    Telemetry(enabled=False, stream=stream).emit("something")
    assert stream.getvalue() == ""


def test_a_closed_stderr_is_nobodys_failure() -> None:
    stream = io.StringIO()
    stream.close()
    telemetry = Telemetry(enabled=True, stream=stream)
    telemetry.emit("something")
    telemetry.emit("something")
