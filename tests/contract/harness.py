"""What the generated contract tests share."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from lcg.errors import InvalidParams, Unavailable
from lcg.generated.dispatch import METHODS
from lcg.generated.tool_specs import TOOL_SPECS
from lcg.runtime.call import Call, ProgressFrame, Service
from tests.contract.results import problems, warning_problems

FRAME_KEYS = {"phase": str, "processed": int, "total": int, "message": str}


def refusal(decode: Callable[[Mapping[str, Any]], Any], raw: Mapping[str, Any]) -> InvalidParams:
    """Decode what has to be refused, and return the refusal."""
    with pytest.raises(InvalidParams) as caught:
        decode(raw)
    return caught.value


def check_refusal(
    decode: Callable[[Mapping[str, Any]], Any], raw: Mapping[str, Any], parameter: str, words: str
) -> None:
    """A refusal names the parameter, in words and for programs, and says what was expected."""
    error = refusal(decode, raw)
    assert error.code == -32602
    assert error.data["parameter"].split(".")[0] == parameter
    assert parameter in error.message
    assert words in error.message
    assert {"tool", "parameter", "expected", "received"} <= error.data.keys()


def without(raw: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return a call without one of its parameters."""
    assert name in raw
    return {key: value for key, value in raw.items() if key != name}


def same(left: Any, right: Any) -> bool:
    """Whether two values are equal and of one type, so that 1 is neither true nor 1.0."""
    return type(left) is type(right) and left == right


def check_facts(name: str, facts: Mapping[str, Any]) -> None:
    """The dispatch table and the list of tools say of a method what the registry says."""
    method = METHODS[name]
    assert {key: getattr(method, key) for key in facts} == dict(facts)
    tools = [tool for tool in TOOL_SPECS if tool.name == name]
    assert len(tools) == (0 if facts["scope"] is None else 1)
    for tool in tools:
        assert {key: getattr(tool, key) for key in facts} == dict(facts)


def check_unknown_name(name: str, sound: Mapping[str, Any]) -> None:
    """A parameter that the method does not have is refused on the way to its handler, of which none exists here."""
    run = METHODS[name].run
    with pytest.raises(InvalidParams) as caught:
        run(None, {**sound, "no_such_name": 1}, Call(name))
    assert caught.value.data["parameter"] == "no_such_name"
    assert caught.value.data["tool"] == name


def check_example(service: Service, name: str, params: Mapping[str, Any]) -> None:
    """An example works; its result has the declared keys and no others, and progress is reported as declared."""
    frames: list[ProgressFrame] = []
    result = service.call(name, params, Call(name, report=frames.append))
    assert problems(name, result) == []
    assert warning_problems(result) == []
    assert METHODS[name].progress or not frames
    check_frames(frames)


def check_frames(frames: list[ProgressFrame]) -> None:
    """Frames carry the common keys, and `processed` never falls within a phase nor passes `total`."""
    before: ProgressFrame = {"phase": None, "processed": 0}
    for frame in frames:
        assert {key: type(frame.get(key)) for key in FRAME_KEYS} == FRAME_KEYS
        assert frame["processed"] <= frame["total"]
        assert frame["phase"] != before["phase"] or frame["processed"] >= before["processed"]
        before = frame


def check_degraded(degraded: Service, name: str, params: Mapping[str, Any]) -> None:
    """While the store is not open, an exempt method answers as declared and every other one is refused."""
    if METHODS[name].works_degraded:
        assert problems(name, degraded.call(name, params, Call(name))) == []
        return
    with pytest.raises(Unavailable) as caught:
        degraded.call(name, params, Call(name))
    assert caught.value.code == -32001
    assert caught.value.message == "DB unavailable, recovery required"
    assert {"kind", "reason", "recovery_available"} <= caught.value.data.keys()
    assert caught.value.data["kind"] == "unavailable"
