"""The vector of a search text, and what a search has to say when there is none."""

from lcg.providers.embedder.protocol import EmbedderError
from lcg.search.protocol import Vector, VectorIndex
from lcg.services import warnings
from lcg.services.embedding import Embedding
from lcg.services.warnings import Warnings


def query_vector(embedding: Embedding, vectors: VectorIndex, query: str, said: Warnings) -> Vector | None:
    """Return the vector of a query, or None when the embedder does not answer; add the warnings that are due."""
    vector, trouble = None, None
    try:
        vector = embedding.query(query)
    except EmbedderError as error:
        trouble = str(error)
    # The first answer of an embedder may show that it is another one than before, so this comes second.
    missing, former = vectors.missing(), vectors.former
    if former is not None:
        said.append(warnings.embedding_model_mismatch(former, vectors.space, missing))
    elif missing:
        said.append(warnings.vectors_missing(missing))
    if trouble is not None:
        said.append(warnings.embedding_unavailable(trouble))
    return vector
