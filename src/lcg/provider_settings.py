"""What the settings say of providers that are asked by HTTP. Keys are never part of a representation."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from lcg.generated import config
from lcg.providers.endpoint import Retry

EMBEDDER_RETRY: Final = Retry()
LLM_RETRY: Final = Retry(delays_s=(1.0, 2.0, 4.0), statuses=frozenset({429, 529}))
"""How often a model is asked again that has too much to do."""


class UnusableFile(Exception):
    """A file that the settings name cannot be used. The message names file and remedy."""


@dataclass(frozen=True, slots=True)
class EmbedderSettings:
    """A remote embedder.

    Attributes:
        url: the full URL that is asked.
        uds: the Unix socket that is asked, or None for TCP.
        model: the model to ask for.
        dim: length of its vectors for when its first answer is unusable, or None.
        api_key: the bearer token, or None.
        timeout_s: bound of one request.
        retry: when a request is sent again.
    """

    url: str
    uds: Path | None = None
    model: str = config.LCG_EMBEDDING_MODEL.default
    dim: int | None = None
    api_key: str | None = field(default=None, repr=False)
    timeout_s: float = config.LCG_EMBEDDING_TIMEOUT_MS.default / 1000
    retry: Retry = EMBEDDER_RETRY


@dataclass(frozen=True, slots=True)
class LlmSettings:
    """A language model.

    Attributes:
        provider: the dialect that it speaks.
        url: the full URL that is asked.
        models: the model, and optionally one that takes over when it fails.
        uds: the Unix socket that is asked, or None for TCP.
        api_key: the key or bearer token, or None.
        max_tokens_ceiling: most tokens of one answer.
        timeout_s: bound of one request.
        retry: when a request is sent again.
    """

    provider: Literal["anthropic", "openai"]
    url: str
    models: tuple[str, ...]
    uds: Path | None = None
    api_key: str | None = field(default=None, repr=False)
    max_tokens_ceiling: int = 32_768
    timeout_s: float = 300.0
    retry: Retry = LLM_RETRY
