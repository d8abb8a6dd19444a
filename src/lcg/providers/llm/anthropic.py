"""The dialect of Anthropic's Messages API: one tool that has to be called, or plain text for classification."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal

from lcg.providers.llm.answers import Answer, BadAnswer, Usage, whole_number
from lcg.providers.llm.question import Question
from lcg.providers.llm.schemas import TYPES_ARRAY_SHAPE
from lcg.providers.llm.unwrap import unwrap

API_VERSION: Final = "2023-06-01"


class AnthropicDialect:
    """See `Dialect`."""

    provider: Literal["anthropic"] = "anthropic"

    def request(self, question: Question, model: str, max_tokens: int) -> dict[str, Any]:
        """Return the body of the request."""
        system = question.system if question.tool else f"{question.system}\n\n{TYPES_ARRAY_SHAPE}"
        body: dict[str, Any] = {
            "model": model,
            "max_tokens": max_tokens,
            "system": system,
            "messages": [{"role": "user", "content": question.user}],
        }
        if question.tool:
            tool = question.tool
            body["tools"] = [
                {"name": tool.name, "description": tool.description, "input_schema": dict(tool.schema)},
            ]
            body["tool_choice"] = {"type": "tool", "name": tool.name}
        return body

    def read(self, question: Question, response: Mapping[str, Any]) -> Answer:
        """Read the body of the answer. Raises BadAnswer."""
        usage = _usage(response.get("usage"))
        reason = response.get("stop_reason")
        reason = reason if isinstance(reason, str) else None
        if reason == "max_tokens":
            return Answer(None, False, reason, True, usage)
        items, recovered = _items(question, response, reason, usage)
        if not isinstance(items, list):
            raise BadAnswer("schema_invalid", f"gave an answer without the array `{question.key}`", reason, usage)
        return Answer(items, recovered, reason, False, usage)


def _items(question: Question, response: Mapping[str, Any], reason: str | None, usage: Usage) -> tuple[Any, bool]:
    if question.tool is not None:
        for block in _blocks(response, "tool_use"):
            given = block.get("input")
            if block.get("name") == question.tool.name:
                return _array(given.get(question.key) if isinstance(given, Mapping) else None)
        raise BadAnswer("malformed", f"did not call the tool `{question.tool.name}`", reason, usage)
    for block in _blocks(response, "text"):
        try:
            return unwrap(str(block.get("text")), "[]")
        except ValueError:
            raise BadAnswer("malformed", "gave an answer that is no JSON", reason, usage) from None
    raise BadAnswer("malformed", "gave an answer without text", reason, usage)


def _array(value: Any) -> tuple[Any, bool]:
    """Return the array that a tool was given. Now and then a model writes it as a text of JSON."""
    if not isinstance(value, str):
        return value, False
    try:
        return unwrap(value, "[]")[0], True
    except ValueError:
        return value, False


def _blocks(response: Mapping[str, Any], kind: str) -> Iterator[Mapping[str, Any]]:
    content = response.get("content")
    for block in content if isinstance(content, list) else ():
        if isinstance(block, Mapping) and block.get("type") == kind:
            yield block


def _usage(record: Any) -> Usage:
    return Usage(
        input_tokens=whole_number(record, "input_tokens"),
        output_tokens=whole_number(record, "output_tokens"),
        cache_read_tokens=whole_number(record, "cache_read_input_tokens"),
        cache_creation_tokens=whole_number(record, "cache_creation_input_tokens"),
    )
