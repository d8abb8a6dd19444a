"""Telemetry lines: their form, and that they never get in the way."""

import io
import json
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


@pytest.mark.parametrize("text", ["y" * 100_000, "é" * 100_000, "\n" * 100_000])
def test_a_long_text_makes_nobody_wait(text: str) -> None:
    reading, writing = os.pipe()
    with open(reading, "rb") as reader, open(writing, "w") as stream:
        telemetry = Telemetry(enabled=True, stream=stream)
        telemetry.emit("ipc_call", method="health_check", request_id=text, near=[{"name": text}])
        telemetry.emit("something", near=[{"name": text, "uuid": "u"}] * 1000)
        first, second = reader.readline(), reader.readline()
    event = orjson.loads(first)
    assert (event["method"], event["request_id"], event["near"]) == (
        "health_check",
        f"{text[:200]}…",
        [{"name": f"{text[:200]}…"}],
    )
    assert list(orjson.loads(second)) == ["type", "ts_ms"]


def test_a_number_that_json_has_and_64_bits_have_not_is_told() -> None:
    stream = io.StringIO()
    Telemetry(enabled=True, stream=stream).emit("ipc_call", request_id=2**70, success=True)
    event = json.loads(stream.getvalue())
    assert (event["request_id"], event["success"]) == (2**70, True)


def test_secrets_are_blotted_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LCG_EXTRACTION_API_KEY", "correct-horse-battery")
    stream = io.StringIO()
    said = "correct-horse-battery, Bearer abc.def-ghi_jkl, sk-ant-api03-abcdef, https://me:word@host/v1, local"
    Telemetry(enabled=True, stream=stream).emit("something", error=said)
    assert orjson.loads(stream.getvalue())["error"] == "***, ***, ***, https://***@host/v1, local"


def test_no_secret_is_cut_in_half(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LCG_EXTRACTION_API_KEY", "correct-horse-battery")
    stream = io.StringIO()
    Telemetry(enabled=True, stream=stream).emit("something", error=f"{'x' * 190} correct-horse-battery {'y' * 9_000}")
    assert "correct" not in stream.getvalue()
