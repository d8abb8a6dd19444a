"""Vectors that a log brings along: used when they are of the model that embeds here.

Logs of the reference implementation hold the vector of every text, and do not say of which model. The dimension alone
would let a foreign model pass, so the first texts are embedded here too: if their vectors are alike, so are all.
"""

import logging
from collections.abc import Sequence

import numpy as np

from lcg.providers.embedder.protocol import EmbedderError
from lcg.search.protocol import Vector
from lcg.services.embedding import Embedding
from lcg.wal.reference.work import Embedding as Brought

_log = logging.getLogger(__name__)
_PROBES = 4
_SAME = 0.99
"""Cosine from which two vectors of one text are of one model; runtimes and precisions differ a little."""
_BATCH = 512


class BroughtVectors:
    """Collects what one log brings and puts it into the cache, unless it is of another model."""

    def __init__(self, embedding: Embedding) -> None:
        self.adopted = 0
        self._embedding = embedding
        self._waiting: dict[str, Vector] = {}
        self._fits: bool | None = None

    def take(self, brought: Sequence[Brought]) -> None:
        """Note the vectors of a line."""
        if self._fits is False or not (brought and self._dimension()):
            return
        for text, numbers in brought:
            if len(numbers) == self._embedding.embedder.dim:
                vector = np.asarray(numbers, dtype=np.float32)
                self._waiting[text] = vector / np.linalg.norm(vector)
        if len(self._waiting) >= _BATCH:
            self.flush()

    def flush(self) -> None:
        """Put what was noted into the cache."""
        waiting, self._waiting = self._waiting, {}
        if not waiting:
            return
        if self._fits is None:
            self._fits = self._compare(waiting)
        if self._fits:
            self._embedding.adopt(waiting)
            self.adopted += len(waiting)

    def _dimension(self) -> int:
        """Return the embedder's dimension, asking it who it is if it must; 0 when it does not say."""
        if not self._embedding.embedder.dim:
            try:
                self._embedding.ask()
            except EmbedderError as error:
                _log.warning("the log's vectors are not used, for the embedder does not answer: %s", error)
                self._fits = False
        return self._embedding.embedder.dim

    def _compare(self, vectors: dict[str, Vector]) -> bool:
        texts = list(vectors)[:_PROBES]
        try:
            ours = self._embedding.vectors(texts)
        except EmbedderError as error:
            _log.warning("the log's vectors are not used, for the embedder does not answer: %s", error)
            return False
        alike = [float(mine @ vectors[text]) for text, mine in ours.items()]
        if min(alike, default=0.0) >= _SAME:
            return True
        _log.info("the log's vectors are of another model (cosines %s); its texts are embedded anew", alike)
        return False
