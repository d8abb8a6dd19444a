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


@dataclass(frozen=True, slots=True)
class Begun:
    """A call that is under way: the tool, and what will have its result or raise `LcgError`."""

    spec: ToolSpec
    result: "asyncio.Future[dict[str, Any]]"


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

    def begin(self, name: str, arguments: dict[str, Any], request_id: str | int) -> "ToolAnswer | Begun | None":
        """Call a tool as far as that needs neither a task nor a thread.

        Returns:
            Its answer; or what `end` makes it of, once that is done; or None when only `call` does, which also knows
            what is wrong with a name.
        """
        spec = self._toolbox.find(name)
        if spec is None:
            return None
        try:
            refuse_token(name, arguments)
            call = Call(name, request_id=request_id)
            if self._runner.takes_no_time(name):
                return self._ended(spec, self._runner.run_at_once(arguments, call))
            result = self._runner.begin(arguments, call)
        except LcgError as error:
            return _failure(error)
        except Exception as error:  # its text is not for clients
            return _failure(unexpected(name, error))
        return None if result is None else Begun(spec, result)

    def end(self, begun: "Begun") -> ToolAnswer:
        """Return the answer of a call that `begin` began and that is done, and was not cancelled."""
        try:
            return self._ended(begun.spec, begun.result.result())
        except LcgError as error:
            return _failure(error)
        except Exception as error:
            return _failure(unexpected(begun.spec.name, error))

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
            return self._ended(spec, await self._run(spec, arguments, Call(name, request_id=request_id), send_progress))
        except LcgError as error:
            return _failure(error)
        except Exception as error:
            return _failure(unexpected(name, error))

    def _ended(self, spec: ToolSpec, result: dict[str, Any]) -> ToolAnswer:
        answer = _success(spec, result)
        if not spec.annotations["readOnlyHint"]:
            self._note_write()
        if spec.name in self._runner.traits.ends_process:
            self._stop.request(spec.name)
        return answer

    async def _run(
        self, spec: ToolSpec, arguments: dict[str, Any], call: Call, send_progress: Send | None
    ) -> dict[str, Any]:
        refuse_token(spec.name, arguments)
        if not spec.progress or send_progress is None:
            return await self._runner.run(arguments, call)
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
        return result


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
