"""A scan over a dictionary that a vector index has to agree with, whatever happened to both."""

import numpy as np
import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from lcg.runtime.groups import GroupFilter
from lcg.search.hnsw import SWITCH_OVER
from lcg.search.protocol import Vector, VectorEntry, VectorKind
from lcg.search.vectors import SqliteVectorIndex

NAME = VectorKind.ENTITY_NAME
DIM = 4


def vector(*numbers: float) -> Vector:
    raw = np.array(numbers, dtype=np.float32)
    return raw / np.linalg.norm(raw)


def entry(uuid: str, text: str, group: str = "g", kind: VectorKind = NAME) -> VectorEntry:
    return VectorEntry(kind, uuid, group, text)


COORDINATES = st.tuples(*[st.integers(-3, 3)] * DIM).filter(any)


class AgainstBruteForce(RuleBasedStateMachine):
    """Whatever happened, the index answers as a plain scan over a dictionary does."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = self.base.mktemp("vectors")
        self.index = self.opened()
        self.rows: dict[str, tuple[str, Vector]] = {}

    base: pytest.TempPathFactory
    switch_over = SWITCH_OVER

    def opened(self) -> SqliteVectorIndex:
        return SqliteVectorIndex(self.folder / "vectors.sqlite", "model", DIM, switch_over=self.switch_over)

    @rule(rows=st.dictionaries(st.integers(0, 40).map(str), st.tuples(st.sampled_from("gh"), COORDINATES), max_size=40))
    def put(self, rows: dict[str, tuple[str, tuple[int, ...]]]) -> None:
        self.index.learn({str(numbers): vector(*numbers) for _, numbers in rows.values()})
        entries = [entry(uuid, str(numbers), group) for uuid, (group, numbers) in rows.items()]
        assert self.index.update(entries, [], {}) == []
        self.rows |= {uuid: (group, vector(*numbers)) for uuid, (group, numbers) in rows.items()}

    @rule(uuids=st.sets(st.integers(0, 40).map(str)))
    def remove(self, uuids: set[str]) -> None:
        self.index.update([], [(NAME, uuid) for uuid in uuids], {})
        self.rows = {uuid: row for uuid, row in self.rows.items() if uuid not in uuids}

    @rule(group=st.sampled_from("gh"))
    def clear(self, group: str) -> None:
        self.index.clear_group(group)
        self.rows = {uuid: row for uuid, row in self.rows.items() if row[0] != group}

    @rule()
    def reopen(self) -> None:
        self.index.close()
        self.index = self.opened()

    @rule(
        numbers=COORDINATES,
        ids=st.none() | st.lists(st.sampled_from("ghi"), max_size=3).map(tuple),
        limit=st.integers(0, 50),
    )
    def search(self, numbers: tuple[int, ...], ids: tuple[str, ...] | None, limit: int) -> None:
        query = vector(*numbers)
        expected = {uuid: float(row @ query) for uuid, (group, row) in self.rows.items() if ids is None or group in ids}
        hits = self.index.search(NAME, query, GroupFilter(ids), limit)
        assert {hit.uuid: hit.score for hit in hits} == pytest.approx(
            {hit.uuid: expected[hit.uuid] for hit in hits}, abs=1e-5
        )
        assert hits == sorted(hits, key=lambda hit: (-hit.score, hit.uuid))
        assert [hit.score for hit in hits] == pytest.approx(sorted(expected.values(), reverse=True)[:limit], abs=1e-5)
        assert self.index.similarities(NAME, query, self.rows) == pytest.approx(
            {uuid: float(row @ query) for uuid, (_, row) in self.rows.items()}, abs=1e-5
        )

    @invariant()
    def nothing_is_missing(self) -> None:
        assert self.index.missing() == 0

    def teardown(self) -> None:
        self.index.close()
