"""Whatever models come and go, a search finds by vectors of the present one alone, and tells what is without."""

import zlib

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from lcg.runtime.groups import ALL_GROUPS
from lcg.search.protocol import Space, Vector
from lcg.search.vectors import SqliteVectorIndex
from tests.search.brute_force import NAME, entry

SPACES = (Space("a", 3), Space("a", 4), Space("b", 4))
TEXTS = ("one", "two", "three", "four")
ROWS = ("u", "v", "w")


def vector(space: Space, text: str) -> Vector:
    """Return the vector of a text, which is another one in every space."""
    raw = np.random.default_rng(zlib.crc32(f"{space} {text}".encode())).normal(size=space.dim).astype(np.float32)
    unit: Vector = raw / np.linalg.norm(raw)
    return unit


class ManyModels(RuleBasedStateMachine):
    """Beside the index, what rows there are, and which texts are known in which space."""

    base: pytest.TempPathFactory

    def __init__(self) -> None:
        super().__init__()
        self.path = self.base.mktemp("spaces") / "vectors.db"
        self.space = SPACES[0]
        self.index = SqliteVectorIndex(self.path, *self.space)
        self.texts: dict[str, str] = {}
        self.known: dict[Space, set[str]] = {space: set() for space in SPACES}
        self.placed: set[str] = set()
        """Rows that had their vector when they were put or loaded last."""

    @rule(texts=st.sets(st.sampled_from(TEXTS), min_size=1))
    def learn(self, texts: set[str]) -> None:
        self.index.learn({text: vector(self.space, text) for text in texts})
        self.known[self.space] |= texts

    @rule(row=st.sampled_from(ROWS), text=st.sampled_from(TEXTS))
    def put(self, row: str, text: str) -> None:
        lacking = self.index.update([entry(row, text)], [], {"g": 1})
        self.texts[row] = text
        self.placed.discard(row)
        if text in self.known[self.space]:
            self.placed.add(row)
        assert bool(lacking) == (row not in self.placed)

    @rule(row=st.sampled_from(ROWS))
    def remove(self, row: str) -> None:
        self.index.update([], [(NAME, row)], {})
        self.texts.pop(row, None)
        self.placed.discard(row)

    @rule(space=st.sampled_from(SPACES))
    def enter(self, space: Space) -> None:
        self.index.enter(space)
        self.load(space)

    @rule(space=st.sampled_from((*SPACES, Space("unknown", 0))))
    def reopen(self, space: Space) -> None:
        self.index.close()
        self.index = SqliteVectorIndex(self.path, *space)
        self.load(space if space.dim else self.space, anew=True)

    def load(self, space: Space, *, anew: bool = False) -> None:
        if space != self.space or anew:
            self.placed = {row for row, text in self.texts.items() if text in self.known[space]}
        self.space = space

    @rule()
    def feed(self) -> None:
        """Put all rows again, as their owner does when the positions are gone."""
        for row, text in self.texts.items():
            self.put(row, text)

    @invariant()
    def rows_are_found_by_their_own_vectors_alone(self) -> None:
        assert self.index.space == self.space
        for text in TEXTS:
            query = vector(self.space, text)
            found = {hit.uuid: hit.score for hit in self.index.search(NAME, query, ALL_GROUPS, 10)}
            expected = {row: float(query @ vector(self.space, self.texts[row])) for row in self.placed}
            assert found == pytest.approx(expected, abs=1e-5)
        assert self.index.missing() == len(self.texts) - len(self.placed)
        assert self.index.missing() or self.index.former is None or not self.texts

    @invariant()
    def the_model_of_before_is_never_the_present_one(self) -> None:
        assert self.index.former != self.space

    def teardown(self) -> None:
        self.index.close()


def test_spaces_never_meet(tmp_path_factory: pytest.TempPathFactory) -> None:
    ManyModels.base = tmp_path_factory
    run_state_machine_as_test(ManyModels, settings=settings(max_examples=25, stateful_step_count=15, deadline=None))
