"""Vectors that a log brings: used when they are of the embedder's model, and only then."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from lcg.providers.embedder.protocol import EmbedderError
from lcg.search.vectors import SqliteVectorIndex
from lcg.services.brought_vectors import BroughtVectors
from lcg.services.embedding import Embedding
from lcg.wal.reference.work import Embedding as Brought
from tests.graph.harness import LetterEmbedder

TEXTS = ["pier", "tug", "quay", "mole", "oak", "steel"]


class Counting(LetterEmbedder):
    """Remembers what it was asked; may be out of reach."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.reachable = True

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.asked += texts
        if not self.reachable:
            raise EmbedderError("nobody answers")
        return super().embed(texts)


@pytest.fixture
def embedder() -> Counting:
    return Counting()


@pytest.fixture
def embedding(tmp_path: Path, embedder: Counting) -> Iterator[Embedding]:
    index = SqliteVectorIndex(tmp_path / "vectors.db", embedder.model, embedder.dim)
    yield Embedding(embedder, index)
    index.close()


def brought(factor: float = 3.0, shift: int = 0) -> list[Brought]:
    """The letters' vectors of every text, of another length; shifted they are of another model."""
    rows = np.roll(LetterEmbedder().embed(TEXTS), shift, axis=1) * factor
    return [Brought(text, row.tolist()) for text, row in zip(TEXTS, rows, strict=True)]


def take(embedding: Embedding, found: list[Brought]) -> BroughtVectors:
    vectors = BroughtVectors(embedding)
    for one in found:
        vectors.take([one])
    vectors.flush()
    return vectors


def test_vectors_of_the_same_model_spare_the_embedder(embedding: Embedding, embedder: Counting) -> None:
    assert take(embedding, brought()).adopted == len(TEXTS)
    assert embedder.asked == TEXTS[:4]
    assert np.allclose(embedding.query("oak"), LetterEmbedder().embed(["oak"])[0])
    assert embedder.asked == TEXTS[:4]


def test_vectors_of_another_model_of_the_same_length_are_left(embedding: Embedding, embedder: Counting) -> None:
    assert take(embedding, brought(shift=1)).adopted == 0
    embedding.query("oak")
    assert embedder.asked[-1] == "oak"


def test_vectors_of_another_length_are_left_without_asking(embedding: Embedding, embedder: Counting) -> None:
    assert take(embedding, [Brought(text, [0.6, 0.8]) for text in TEXTS]).adopted == 0
    assert embedder.asked == []


def test_without_an_answer_of_the_embedder_nothing_is_taken_on_trust(embedding: Embedding, embedder: Counting) -> None:
    embedder.reachable = False
    assert take(embedding, brought()).adopted == 0
