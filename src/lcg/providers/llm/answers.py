"""What comes back from a model, read out of its dialect but not yet of its items."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

FailureClass = Literal["http_error", "malformed", "schema_invalid", "truncation"]


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one request. None where the provider does not tell."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_tokens: int | None = None
    cache_creation_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer whose outer form was right.

    Attributes:
        items: the array that was asked for, unread; None when the answer is cut off.
        recovered: whether the array had to be cut out of other text.
        finish_reason: why the model stopped, in the provider's words.
        truncated: whether it stopped because its budget was used up.
        usage: the tokens.
    """

    items: list[Any] | None
    recovered: bool
    finish_reason: str | None
    truncated: bool
    usage: Usage


class BadAnswer(Exception):
    """A provider answered, but not usably. The message completes "the model ..." and is safe to show.

    `failure` is the class of the failure, `finish_reason` and `usage` what is known of the answer.
    """

    def __init__(
        self, failure: FailureClass, message: str, finish_reason: str | None = None, usage: Usage | None = None
    ) -> None:
        super().__init__(message)
        self.failure = failure
        self.finish_reason = finish_reason
        self.usage = usage or Usage()


def whole_number(record: Any, key: str) -> int | None:
    """Return a count of tokens out of a record, or None when it is missing or no count."""
    value = record.get(key) if isinstance(record, Mapping) else None
    return value if type(value) is int and value >= 0 else None


def first_object(response: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """Return the first element of an array of objects, or an empty object."""
    found = response.get(key)
    first = found[0] if isinstance(found, list) and found else None
    return first if isinstance(first, Mapping) else {}
