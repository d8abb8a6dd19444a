"""Cutting JSON out of what a model wrote around it."""

import re
from collections.abc import Iterator
from typing import Any

import orjson

from lcg.providers.half_characters import loads

_JSON_FENCE = re.compile(r"```json\s*\n(.*?)```", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"```[^\n`]*\n(.*?)```", re.DOTALL)
_THOUGHT = re.compile(r"\A<think>.*?</think>", re.DOTALL)
"""What models that think aloud write before they answer; it may hold brackets and fences of its own."""


def unwrap(content: str, brackets: str = "{}") -> tuple[Any, bool]:
    """Return the JSON value that a text holds, and whether other text had to be cut off.

    Thoughts before the answer are left out. Tried in this order: the whole text, the first fence marked as json, the
    first fence, from the first opening bracket to the last closing one.

    Raises:
        ValueError: none of them is JSON.
    """
    whole = content.strip()
    for candidate in _candidates(_THOUGHT.sub("", whole).strip(), brackets):
        try:
            return loads(candidate), candidate != whole
        except orjson.JSONDecodeError:
            continue
    raise ValueError("no JSON in it")


def _candidates(content: str, brackets: str) -> Iterator[str]:
    yield content
    for pattern in (_JSON_FENCE, _FENCE):
        match = pattern.search(content)
        if match:
            yield match[1].strip()
    start, end = content.find(brackets[0]), content.rfind(brackets[1])
    if 0 <= start < end:
        yield content[start : end + 1]
