"""Reading the answer of an OpenAI-compatible embedder, which is taken whole or not at all."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray


class Unusable(Exception):
    """An answer that cannot be taken. The message goes on from "answered with"."""


def read_vectors(answer: Mapping[str, Any], count: int, dim: int | None) -> NDArray[np.float32]:
    """Return the vectors of an answer, L2-normalised, in the order of the texts: shape (count, dim).

    Without `dim` any length will do.

    Raises:
        Unusable: too few or too many vectors, an order that does not work out, another length than `dim`, a value that
            is no finite number, or a vector without direction.
    """
    rows = _in_order(answer.get("data"), count)
    for row in rows:
        if not isinstance(row, list) or not row:
            raise Unusable("an entry without a list of numbers as `embedding`")
        if len(row) != (dim or len(rows[0])):
            raise Unusable(f"a vector of {len(row)} numbers, expected {dim or len(rows[0])}")
    try:
        numbers = np.array(rows)
    except ValueError as error:
        raise Unusable("a value that is no number") from error
    if numbers.dtype.kind not in "fiu" or numbers.ndim != 2:
        raise Unusable("a value that is no number")
    wide = numbers.astype(np.float64)
    with np.errstate(over="ignore"):
        lengths = np.linalg.norm(wide, axis=1, keepdims=True)
    if not np.isfinite(wide).all() or not np.isfinite(lengths).all():
        raise Unusable("a value that is not finite")
    if not (lengths > 0).all():
        raise Unusable("a vector of zeros, which has no direction")
    unit: NDArray[np.float32] = (wide / lengths).astype(np.float32)
    return unit


def _in_order(data: object, count: int) -> list[Any]:
    """Return the `embedding` of each entry, ordered by `index` where the entries have one."""
    if not isinstance(data, list) or not data:
        raise Unusable("no vectors: `data` is empty or missing")
    if len(data) != count:
        raise Unusable(f"{len(data)} vectors for {count} texts")
    if not all(isinstance(item, dict) for item in data):
        raise Unusable("an entry in `data` that is no object")
    places = [item.get("index") for item in data]
    if all(place is None for place in places):
        return [item.get("embedding") for item in data]
    if not all(type(place) is int for place in places) or sorted(places) != list(range(count)):
        raise Unusable(f"`index` values that do not number {count} texts")
    return [item.get("embedding") for _, item in sorted(zip(places, data, strict=True), key=lambda pair: pair[0])]
