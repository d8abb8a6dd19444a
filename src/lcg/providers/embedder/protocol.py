"""What turns texts into vectors."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class EmbedderError(Exception):
    """The embedder did not answer, or not with usable vectors. The message is safe to show."""


class Embedder(Protocol):
    """An embedding model. `provider`, `model` and `dim` name the vector space; two spaces are never mixed.

    A model that is far away may be unknown before its first answer: `dim` is 0 then.
    """

    provider: str
    model: str
    dim: int

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one L2-normalised row per text, shape (len(texts), dim), in as few calls to the model as it takes.

        Of each text at most the first `texts.MOST_CHARS` characters count.

        Raises:
            EmbedderError: no usable answer.
        """
        ...

    def calibrate(self, cosine: float) -> float:
        """Put a plain cosine on the model's calibrated scale, kept in 0..1."""
        ...
