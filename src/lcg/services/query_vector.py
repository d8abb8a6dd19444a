"""The vector of a search text, and what a search has to say when there is none."""

from lcg.providers.embedder.protocol import EmbedderError
from lcg.search.protocol import Vector, VectorIndex
from lcg.services import warnings
from lcg.services.embedding import Embedding
from lcg.services.warnings import Warnings


def query_vector(embedding: Embedding, vectors: VectorIndex, query: str, said: Warnings) -> Vector | None:
    """Return the vector of a query, or None when the embedder does not answer; add the warnings that are due."""
    missing = vectors.missing()
    if missing:
        said.append(warnings.vectors_missing(missing))
    try:
        return embedding.query(query)
    except EmbedderError as error:
        said.append(warnings.embedding_unavailable(str(error)))
        return None
