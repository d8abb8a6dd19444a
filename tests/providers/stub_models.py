"""Models for the stub provider: a deterministic embedder."""

import hashlib
from collections.abc import Callable
from typing import Any

from tests.providers.stub_server import Answer, Asked, ok

DIM = 8


def numbers(text: str, dim: int = DIM) -> list[float]:
    """Return the vector of a text: of any direction, the same every time, of length 3."""
    raw = hashlib.sha256(text.encode()).digest()[:dim]
    values = [byte - 127.5 for byte in raw]
    length = sum(value * value for value in values) ** 0.5
    return [3 * value / length for value in values]


def embedding_answer(asked: Asked, model: str = "stub-embedder", dim: int = DIM) -> dict[str, Any]:
    """Return what an OpenAI-compatible embedder answers."""
    wanted = asked.body["input"]
    texts = [wanted] if isinstance(wanted, str) else wanted
    data = [{"object": "embedding", "index": at, "embedding": numbers(text, dim)} for at, text in enumerate(texts)]
    return {"object": "list", "data": data, "model": model, "usage": {"prompt_tokens": 1, "total_tokens": 1}}


def embedder(model: str = "stub-embedder", dim: int = DIM) -> Callable[[Asked], Answer]:
    """Return the default behaviour of a stub that embeds."""
    return lambda asked: ok(embedding_answer(asked, model, dim))
