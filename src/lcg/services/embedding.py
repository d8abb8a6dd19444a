"""Getting texts their vectors, in as few calls to the model as it takes, and what happens when it does not answer."""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from lcg.model.names import is_blank
from lcg.providers.embedder.protocol import Embedder, EmbedderError
from lcg.runtime.parts import parts
from lcg.search.index_file import SearchIndexError
from lcg.search.protocol import Space, Vector, VectorIndex

_log = logging.getLogger(__name__)
_BATCH = 512


class Embedding:
    """The embedder and the index that keeps its vectors. Safe from any thread.

    A model that is far away may be unknown until it answers. The index then keeps the space that it has, and goes over
    to the model's own before the first vector of it is used, so that spaces never meet.

    Attributes:
        embedder: the model.
        index: where its vectors are kept.
        on_return: called when the embedder answers again after it had not, or for the first time.
    """

    def __init__(self, embedder: Embedder, vectors: VectorIndex, *, keeps_queries: bool = False) -> None:
        """Take the model and its index; `keeps_queries` puts vectors of searched texts into the cache, too."""
        self.embedder = embedder
        self.index = vectors
        self.on_return: Callable[[], object] = lambda: None
        self._keeps_queries = keeps_queries
        self._reachable = True

    @property
    def state(self) -> str:
        """`ready` or `unreachable`, by the last answer; an embedder that was never heard of is not ready."""
        return "ready" if self._reachable and self.embedder.dim else "unreachable"

    def prepare(self, texts: Iterable[str]) -> str | None:
        """Make sure that texts have vectors before rows that need them are written.

        Returns:
            None, or why there are no vectors; the rows are then stored without.

        Raises:
            OperationFailed: `cancelled`.
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
            OperationFailed: `cancelled`.
        """
        wanted = _worth_embedding(texts)
        self._meet()
        seen: Space | None = None
        # The first answer of all may lead to another space, where less is known.
        while seen != self.index.space:
            seen = self.index.space
            known = self.index.known(wanted)
            for part in parts([text for text in wanted if text not in known], _BATCH):
                self.index.learn(dict(zip(part, self._embed(part), strict=True)))

    def adopt(self, vectors: Mapping[str, Vector]) -> None:
        """Put vectors that somebody else made with the same model into the cache; texts that have one keep theirs."""
        self._meet()
        known = self.index.known(vectors)
        self.index.learn({text: vector for text, vector in vectors.items() if text not in known})

    def query(self, text: str) -> Vector:
        """Return the vector of a search text.

        Raises:
            EmbedderError: no usable answer.
            OperationFailed: `cancelled`.
        """
        found = self._known([text])
        if text not in found:
            found[text] = self._embed([text])[0]
            if self._keeps_queries and not is_blank(text):
                self.index.learn(found)
        return found[text]

    def vectors(self, texts: Iterable[str]) -> dict[str, Vector]:
        """Return the vectors of texts, from the cache or from the model; nothing is kept.

        Raises:
            EmbedderError: no usable answer.
            OperationFailed: `cancelled`.
        """
        wanted = _worth_embedding(texts)
        found = self._known(wanted)
        for part in parts([text for text in wanted if text not in found], _BATCH):
            found.update(zip(part, self._embed(part), strict=True))
        return found

    def ask(self) -> None:
        """Let the embedder show that it is there, and who.

        Raises:
            EmbedderError: no usable answer.
            OperationFailed: `cancelled`.
        """
        self._embed([])

    def _known(self, texts: Sequence[str]) -> dict[str, Vector]:
        """Return the vectors that the cache has of the embedder's own space, whoever that turns out to be."""
        if texts and not self.embedder.dim:
            self.ask()
        self._meet()
        return dict(self.index.known(texts))

    def _meet(self) -> None:
        """Let the index have the embedder's space as soon as that is known."""
        space = Space(self.embedder.model, self.embedder.dim)
        if space.dim and space != self.index.space:
            try:
                self.index.enter(space)
            except SearchIndexError as error:
                raise EmbedderError(f"The vectors of the model {space.model} cannot be kept: {error}") from error
            _log.info("the vectors are of the model %s with %d numbers from now on", *space)

    def _embed(self, texts: list[str]) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
        was_away = self.state != "ready"
        try:
            vectors = self.embedder.embed(texts)
            self._meet()
        except EmbedderError:
            self._reachable = False
            raise
        self._reachable = True
        if was_away:
            self.on_return()
        return vectors


def _worth_embedding(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(text for text in texts if not is_blank(text)))
