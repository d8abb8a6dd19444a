"""The dialect of OpenAI-compatible chat completions: JSON mode, no tools."""

from collections.abc import Mapping
from typing import Any, Literal

from lcg.providers.llm.answers import Answer, BadAnswer, Usage, first_object, whole_number
from lcg.providers.llm.question import Question
from lcg.providers.llm.unwrap import unwrap


class OpenAiDialect:
    """See `Dialect`."""

    provider: Literal["openai"] = "openai"

    def request(self, question: Question, model: str, max_tokens: int) -> dict[str, Any]:
        """Return the body of the request."""
        return {
            "model": model,
            "max_tokens": max_tokens,
            "response_format": {"type": "json_object"},
            "messages": [
                {"role": "system", "content": f"{question.system}\n\n{question.shape}"},
                {"role": "user", "content": question.user},
            ],
        }

    def read(self, question: Question, response: Mapping[str, Any]) -> Answer:
        """Read the body of the answer. Raises BadAnswer."""
        usage = _usage(response.get("usage"))
        choice = first_object(response, "choices")
        reason = choice.get("finish_reason")
        reason = reason if isinstance(reason, str) else None
        if reason == "length":
            return Answer(None, False, reason, True, usage)
        message = choice.get("message")
        content = message.get("content") if isinstance(message, Mapping) else None
        if not isinstance(content, str):
            raise BadAnswer("malformed", "gave an answer without content", reason, usage)
        try:
            value, recovered = unwrap(content)
        except ValueError:
            raise BadAnswer("malformed", "gave an answer that is no JSON", reason, usage) from None
        items = value.get(question.key) if isinstance(value, dict) else None
        if not isinstance(items, list):
            raise BadAnswer("schema_invalid", f"gave JSON without the array `{question.key}`", reason, usage)
        return Answer(items, recovered, reason, False, usage)


def _usage(record: Any) -> Usage:
    details = record.get("prompt_tokens_details") if isinstance(record, Mapping) else None
    prompt, cached = whole_number(record, "prompt_tokens"), whole_number(details, "cached_tokens")
    return Usage(
        # Here the tokens of the prompt include the cached ones, which have a price of their own.
        input_tokens=None if prompt is None else max(prompt - (cached or 0), 0),
        output_tokens=whole_number(record, "completion_tokens"),
        cache_read_tokens=cached,
    )
