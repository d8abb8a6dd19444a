"""Taking changes back: to any mark, and with memory that grows with what changed, not with how often."""

import tracemalloc
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from lcg.graph.journal import Journal

STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("set"), st.integers(0, 2), st.none() | st.integers(0, 9)),
        st.tuples(st.just("mark"), st.just(0), st.just(0)),
        st.tuples(st.just("undo"), st.integers(0, 9), st.just(0)),
    ),
    max_size=40,
)


@given(STEPS)
def test_undo_brings_back_what_was_there_at_any_mark(steps: list[tuple[str, int, Any]]) -> None:
    journal, table = Journal(), dict[int, int]()
    marks = [(journal.mark(), dict(table))]
    for what, at, value in steps:
        if what == "set":
            journal.set(table, at, value)
        elif what == "mark":
            marks.append((journal.mark(), dict(table)))
        else:
            del marks[max(1, at % len(marks) + 1) :]
            journal.undo(marks[-1][0])
            assert table == marks[-1][1]
    journal.undo(marks[0][0])
    assert table == {}


def test_a_tuple_that_grows_in_one_write_is_kept_at_its_first_length_only() -> None:
    journal, table = Journal(), dict[str, tuple[int, ...]]()
    mark = journal.mark()
    tracemalloc.start()
    for member in range(3_000):
        journal.set(table, "episode", (*table.get("episode", ()), member))
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held < 1_000_000
    journal.undo(mark)
    assert table == {}
