"""Telemetry lines: their form, and that they never get in the way."""

import io
import os

import orjson
import pytest

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


def test_a_full_pipe_that_nobody_reads_makes_nobody_wait() -> None:
    reading, writing = os.pipe()
    with open(reading, "rb") as reader, open(writing, "w") as stream:
        telemetry = Telemetry(enabled=True, stream=stream)
        for number in range(10_000):
            telemetry.emit("something", number=number, filler="x" * 200)
        os.set_blocking(reading, False)
        lines = reader.read(1 << 16).splitlines()
        events = [orjson.loads(line) for line in lines[:-1]]
        assert [event["number"] for event in events] == list(range(len(events)))
        telemetry.emit("afterwards")
        assert b"afterwards" in reader.read(1 << 20)


def test_secrets_are_blotted_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LCG_EXTRACTION_API_KEY", "correct-horse-battery")
    stream = io.StringIO()
    said = "correct-horse-battery, Bearer abc.def-ghi_jkl, sk-ant-api03-abcdef, https://me:word@host/v1, local"
    Telemetry(enabled=True, stream=stream).emit("something", error=said)
    assert orjson.loads(stream.getvalue())["error"] == "***, ***, ***, https://***@host/v1, local"
