"""One tool call over MCP, from its arguments to what the client reads; who holds the wire does not matter."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import orjson

from lcg.errors import LcgError
from lcg.generated.errors import ErrorCode
from lcg.runtime.call import Call
from lcg.runtime.tool_spec import ToolSpec
from lcg.server.calls import CallRunner, unexpected
from lcg.server.envelope import ask_for_less, oversized_answer, to_json
from lcg.server.framing import MAX_LINE_BYTES
from lcg.server.lifecycle import Stop
from lcg.server.mcp_tools import Toolbox, failure_content, failure_text, refuse_token
from lcg.server.progress import ProgressRelay, Send

_LARGE_RESULT_CHARACTERS: Final = 100_000
_ENVELOPE_BYTES: Final = 4096
"""Room for what stands around a result on its line."""


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """What a call came to.

    Attributes:
        text: for agents; of a success the compact JSON of its result.
        structured: for programs; JSON.
        is_error: whether the call failed.
    """

    text: str
    structured: bytes
    is_error: bool


class CannotCall(Exception):
    """There is no such tool here; an error of the protocol, not of the call.

    Attributes:
        code: of JSON-RPC.
        message: what to do instead.
        data: the same for programs.
    """

    def __init__(self, message: str, data: Mapping[str, Any]) -> None:
        super().__init__(message)
        self.code = int(ErrorCode.INVALID_PARAMS)
        self.message = message
        self.data = data


class ToolCalls:
    """Calls the tools of one process.

    Args:
        toolbox: the tools that can be called.
        runner: runs the calls.
        stop: asked to end the process after a call that is to end it.
        note_write: called after every call of a tool that writes.
    """

    def __init__(self, toolbox: Toolbox, runner: CallRunner, stop: Stop, note_write: Callable[[], None]) -> None:
        self._toolbox = toolbox
        self._runner = runner
        self._stop = stop
        self._note_write = note_write

    async def call(
        self, name: str, arguments: dict[str, Any], request_id: str | int | None, send_progress: Send | None
    ) -> ToolAnswer:
        """Call a tool. Its progress goes to `send_progress`, the last of it before this returns.

        Raises:
            CannotCall: the tool is unknown or hidden.
        """
        spec = self._toolbox.find(name)
        if spec is None:
            refusal = self._toolbox.refusal(name)
            raise CannotCall(refusal.message, refusal.data)
        try:
            answer = await self._run(spec, arguments, Call(name, request_id=request_id), send_progress)
        except LcgError as error:
            return _failure(error)
        except Exception as error:  # its text is not for clients
            return _failure(unexpected(name, error))
        if not spec.annotations["readOnlyHint"]:
            self._note_write()
        if name in self._runner.traits.ends_process:
            self._stop.request(name)
        return answer

    async def _run(
        self, spec: ToolSpec, arguments: dict[str, Any], call: Call, send_progress: Send | None
    ) -> ToolAnswer:
        refuse_token(spec.name, arguments)
        if not spec.progress or send_progress is None:
            return _success(spec, await self._runner.run(arguments, call))
        relay = ProgressRelay(send_progress)
        call.report = relay.report
        try:
            result = await self._runner.run(arguments, call)
        except asyncio.CancelledError:
            relay.abandon()
            raise
        except LcgError:
            await relay.finish()
            raise
        await relay.finish()
        return _success(spec, result)


def _success(spec: ToolSpec, result: dict[str, Any]) -> ToolAnswer:
    structured = to_json(result)
    text = structured.decode()
    if len(text) > _LARGE_RESULT_CHARACTERS and _takes_warnings(spec):
        from lcg.services.warnings import large_result  # imported here: seldom needed, and a start is to be quick

        warning = large_result(len(text), ask_for_less(spec.name))
        structured = to_json({**result, "warnings": [*result.get("warnings", ()), warning]})
        text = structured.decode()
    # The result stands on the line twice, once as a value and once as text, where quotes are escaped.
    if 3 * len(structured) + _ENVELOPE_BYTES > MAX_LINE_BYTES:
        size = len(structured) + len(orjson.dumps(text)) + _ENVELOPE_BYTES
        if size > MAX_LINE_BYTES:
            return _failure(oversized_answer(spec.name, size))
    return ToolAnswer(text, structured, is_error=False)


def _takes_warnings(spec: ToolSpec) -> bool:
    """Whether records may stand among the warnings: one method has texts there."""
    declared = spec.output_schema["properties"].get("warnings", {})
    return bool(declared.get("items", {}).get("type") != "string")


def _failure(error: LcgError) -> ToolAnswer:
    return ToolAnswer(failure_text(error), to_json(failure_content(error)), is_error=True)
