"""Getting texts their vectors, in one call to the model, and what happens when the model does not answer."""

import logging
from collections.abc import Iterable, Mapping

import numpy as np

from lcg.model.names import is_blank
from lcg.providers.embedder.protocol import Embedder, EmbedderError
from lcg.search.protocol import Vector, VectorIndex

_log = logging.getLogger(__name__)
_BATCH = 512


class Embedding:
    """The embedder and the index that keeps its vectors. Safe from any thread."""

    def __init__(self, embedder: Embedder, vectors: VectorIndex) -> None:
        self.embedder = embedder
        self.index = vectors
        self._reachable = True

    @property
    def state(self) -> str:
        """`ready` or `unreachable`, by the last answer."""
        return "ready" if self._reachable else "unreachable"

    def prepare(self, texts: Iterable[str]) -> str | None:
        """Make sure that texts have vectors before rows that need them are written.

        Returns:
            None, or why there are no vectors; the rows are then stored without.
        """
        try:
            self.learn(texts)
        except EmbedderError as error:
            return f"Stored without vectors, so found by words only: {error}"
        return None

    def learn(self, texts: Iterable[str]) -> None:
        """As `prepare`, for those who cannot go on without.

        Raises:
            EmbedderError: no usable answer. What was embedded before it is kept.
        """
        wanted = list(dict.fromkeys(text for text in texts if not is_blank(text)))
        known = self.index.known(wanted)
        missing = [text for text in wanted if text not in known]
        for start in range(0, len(missing), _BATCH):
            part = missing[start : start + _BATCH]
            self.index.learn(dict(zip(part, self._embed(part), strict=True)))

    def adopt(self, vectors: Mapping[str, Vector]) -> None:
        """Put vectors that somebody else made with the same model into the cache; texts that have one keep theirs."""
        known = self.index.known(vectors)
        self.index.learn({text: vector for text, vector in vectors.items() if text not in known})

    def query(self, text: str) -> Vector:
        """Return the vector of a search text.

        Raises:
            EmbedderError: no usable answer.
        """
        known = self.index.known([text])
        return known[text] if text in known else self._embed([text])[0]

    def vectors(self, texts: Iterable[str]) -> dict[str, Vector]:
        """Return the vectors of texts, from the cache or from the model; nothing is kept.

        Raises:
            EmbedderError: no usable answer.
        """
        wanted = list(dict.fromkeys(text for text in texts if not is_blank(text)))
        found = dict(self.index.known(wanted))
        missing = [text for text in wanted if text not in found]
        for start in range(0, len(missing), _BATCH):
            part = missing[start : start + _BATCH]
            found.update(zip(part, self._embed(part), strict=True))
        return found

    def heal(self) -> int:
        """Embed what rows lack; called on the writer's thread. Returns how many rows got a vector."""
        entries = self.index.missing_entries()
        if not entries or self.prepare(entry.text for entry in entries) is not None:
            return 0
        left = self.index.update(entries, (), {})
        _log.info("embedded %d rows that had no vector", len(entries) - len(left))
        return len(entries) - len(left)

    def _embed(self, texts: list[str]) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
        try:
            vectors = self.embedder.embed(texts)
        except EmbedderError:
            self._reachable = False
            raise
        self._reachable = True
        return vectors
