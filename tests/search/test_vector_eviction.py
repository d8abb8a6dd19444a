"""The bound on vectors that no row has."""

from collections.abc import Callable

import numpy as np
import pytest

from lcg.search import vector_file, vectors
from lcg.search.vectors import SqliteVectorIndex
from tests.search.brute_force import DIM, entry, vector

EAST, NORTH, UP = vector(1, 0, 0, 0), vector(0, 1, 0, 0), vector(0, 0, 1, 0)
LEARNED = {"east": EAST, "north": NORTH, "up": UP, "north-east": vector(1, 1, 0, 0)}


def test_vectors_that_no_row_has_go_when_they_are_too_many_those_not_used_longest_first(
    reopen: Callable[..., SqliteVectorIndex], monkeypatch: pytest.MonkeyPatch
) -> None:
    size = DIM * 4
    monkeypatch.setattr(vector_file, "_MOST_LOOSE_BYTES", 10 * size)
    monkeypatch.setattr(vectors, "_LEARNED_BETWEEN_EVICTIONS", 1)
    index = reopen()
    texts = [f"text {at}" for at in range(12)]
    for day, text in enumerate(texts):
        monkeypatch.setattr(vector_file, "today", lambda day=day: day)
        index.learn({text: EAST})
        index.update([entry("owner", "text 0")], [], {})
    index.known(["text 1"])
    for text in ("one more", "and another"):
        index.learn({text: EAST})
        index.update([], [], {})
    assert set(texts) - index.known(texts).keys() == {"text 2", "text 3"}
    assert index.known(["one more", "and another"]).keys() == {"one more", "and another"}


def test_as_many_vectors_are_kept_without_rows_as_rows_had_at_once(
    reopen: Callable[..., SqliteVectorIndex], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vector_file, "_MOST_LOOSE_BYTES", 0)
    monkeypatch.setattr(vectors, "_LEARNED_BETWEEN_EVICTIONS", 1)
    index = reopen()
    index.learn(LEARNED)
    index.update([entry(text, text) for text in LEARNED], [], {})
    index.clear_group("g")
    index.learn({"west": -EAST})
    index.update([], [], {})
    assert index.known(LEARNED).keys() == LEARNED.keys()
    index.learn({"down": -UP})
    index.update([], [], {})
    assert index.known(LEARNED).keys() != LEARNED.keys()


def test_the_bound_is_kept_across_models(
    reopen: Callable[..., SqliteVectorIndex], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vector_file, "_MOST_LOOSE_BYTES", 8)
    monkeypatch.setattr(vectors, "_LEARNED_BETWEEN_EVICTIONS", 1)
    first = reopen()
    first.learn({"east": EAST})
    first.update([entry("e", "east")], [], {})
    other = reopen("another model", 2)
    other.learn({"east": np.array([1, 0], np.float32)})
    other.update([entry("e", "east")], [], {})
    other.learn({"west": np.array([-1, 0], np.float32)})
    other.update([], [], {})
    assert reopen().known(["east"]) == {}
