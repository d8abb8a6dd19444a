"""An embedder behind an OpenAI-compatible HTTP endpoint, over TCP or a Unix socket.

Its model and dimension are what the first answer says, and hold for the life of the process: vectors of two models are
never mixed. Vectors are normalised here, whatever the endpoint does, so that every embedder's cosines are dot products.
"""

import logging
import threading
import time
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from lcg.providers.embedder.answers import Unusable, read_vectors
from lcg.providers.embedder.protocol import EmbedderError
from lcg.providers.embedder.texts import embeddable
from lcg.providers.endpoint import ProviderError
from lcg.providers.http import JsonClient

_log = logging.getLogger(__name__)

PROBE: Final = "probe"
_MOST_TEXTS = 256
_MOST_BATCH_CHARS = 200_000
_TOO_MUCH: Final = frozenset({400, 413, 422})
"""How endpoints say that a batch has too many texts for them, or a text too many tokens."""
_REST = 1 / 3
"""After a timeout the endpoint is left alone for this share of the time that was waited."""
_LEAST_CHARS = 500
"""A text is not cut further than this; whoever refuses so little refuses it for another reason."""


class RemoteEmbedder:
    """See `Embedder`. Cheap to make; nothing is sent before the first text. Safe from any thread.

    Until the endpoint has answered once, `model` is the name that was configured and `dim` is 0.
    """

    def __init__(self, client: JsonClient, model: str, dim: int | None = None) -> None:
        """Take the client, the model to ask for, and a dimension for when the first answer is unusable."""
        self.provider = "uds" if client.endpoint.uds else "http"
        self.model = model
        self.dim = 0
        self._client = client
        self._spare_dim = dim
        self._most_texts = _MOST_TEXTS
        self._probing = threading.Lock()
        self._failed: EmbedderError | None = None
        self._named: str | None = None
        self._is_patient = False
        self._resting: tuple[float, str] = (0.0, "")

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one L2-normalised row per text, shape (len(texts), dim); long texts by their beginning.

        Takes as few requests as the endpoint's bounds allow. A request that fails for a passing reason is sent again,
        but not while the endpoint has not answered since it failed last. After one that took all its time the endpoint
        is left alone for a while, so that not everybody waits for nothing.

        Raises:
            EmbedderError: no usable answer.
            OperationFailed: `cancelled`.
        """
        self._refuse_while_resting()
        self.probe()
        if not texts:
            return np.empty((0, self.dim), dtype=np.float32)
        try:
            rows = [self._ask(batch)[0] for batch in self._batches([embeddable(text) for text in texts])]
        except ProviderError as error:
            self._is_patient = False
            raise self._noted(error) from error
        self._is_patient = True
        return np.concatenate(rows)

    def calibrate(self, cosine: float) -> float:
        """Return the cosine itself, kept in 0..1."""
        return min(1.0, max(0.0, cosine))

    def probe(self) -> None:
        """Find out model and dimension, unless they are known. Callers that come meanwhile share the outcome.

        Raises:
            EmbedderError: no usable answer.
            OperationFailed: `cancelled`.
        """
        if self._is_known():
            return
        before = self._failed
        with self._probing:
            if self._failed is not before and self._failed is not None:
                raise self._failed
            if self._is_known():
                return
            try:
                self._probe()
            except ProviderError as error:
                self._failed = self._noted(error)
                raise self._failed from error

    def close(self) -> None:
        """Give up what is on its way. Safe to call twice."""
        self._client.close()

    def _noted(self, error: ProviderError) -> EmbedderError:
        """Return an error as callers know it, after noting when the endpoint is to be asked again."""
        if error.timed_out:
            rest_s = self._client.endpoint.timeout_s * _REST
            self._resting = (time.monotonic() + rest_s, f"It is asked again {rest_s:g} s after that. {error}")
        return EmbedderError(str(error))

    def _refuse_while_resting(self) -> None:
        until, why = self._resting
        if time.monotonic() < until:
            raise EmbedderError(why)

    def _is_known(self) -> bool:
        return self.dim > 0

    def _probe(self) -> None:
        endpoint = self._client.endpoint
        try:
            answer = self._client.post({"input": PROBE, "model": self.model}, patient=False)
            try:
                dim = read_vectors(answer, 1, None).shape[1]
            except Unusable as error:
                raise endpoint.failure(f"answered with {error}", status=200) from error
        except ProviderError as error:
            if error.status is None or self._spare_dim is None:
                raise
            _log.warning("%s Its vectors are taken to have %d numbers (LCG_EMBEDDING_DIM).", error, self._spare_dim)
            self.dim = self._spare_dim
            return
        named = answer.get("model")
        if isinstance(named, str) and named.strip():
            self.model = self._named = named
        if self._spare_dim not in (None, dim):
            _log.warning(
                "the embedder's vectors have %d numbers, not the %s of LCG_EMBEDDING_DIM", dim, self._spare_dim
            )
        _log.info("embedder: %s at %s, model %s, dimension %d", self.provider, endpoint.shown, self.model, dim)
        self._is_patient = True
        # Last: it tells others that the model is known, too.
        self.dim = dim

    def _batches(self, texts: Sequence[str]) -> Iterator[list[str]]:
        batch: list[str] = []
        chars = 0
        for text in texts:
            if batch and (len(batch) >= self._most_texts or chars + len(text) > _MOST_BATCH_CHARS):
                yield batch
                batch, chars = [], 0
            batch.append(text)
            chars += len(text)
        yield batch

    def _ask(self, texts: list[str]) -> tuple[NDArray[np.float32], bool]:
        """Embed a batch, in parts when it is too much at once; say whether it was taken as it is."""
        try:
            return self._request(texts), True
        except ProviderError as error:
            if error.status not in _TOO_MUCH or (len(texts) == 1 and len(texts[0]) <= _LEAST_CHARS):
                raise
        if len(texts) == 1:
            return self._ask([texts[0][: len(texts[0]) // 2]])[0], False
        half = (len(texts) + 1) // 2
        (first, first_taken), (second, second_taken) = self._ask(texts[:half]), self._ask(texts[half:])
        if first_taken and second_taken:
            # No text of them was the trouble, so it is their number.
            self._most_texts = min(self._most_texts, half)
        return np.concatenate((first, second)), False

    def _request(self, texts: list[str]) -> NDArray[np.float32]:
        endpoint = self._client.endpoint
        wanted = texts[0] if len(texts) == 1 else texts
        answer = self._client.post({"input": wanted, "model": self.model}, patient=self._is_patient)
        named = answer.get("model")
        if self._named is not None and isinstance(named, str) and named.strip() and named != self._named:
            raise endpoint.failure(
                f"answered as model {endpoint.tidy(named)!r} and was {self._named!r} before. Vectors of two models are "
                "not mixed; restart this service to change to the new one"
            )
        try:
            return read_vectors(answer, len(texts), self.dim)
        except Unusable as error:
            raise endpoint.failure(f"answered with {error}") from error
