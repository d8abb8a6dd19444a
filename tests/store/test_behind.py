"""A store that applies behind its caller's back: nobody who asks it for anything can tell."""

import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import count
from typing import Any

import pytest

from lcg.store.behind import MOST_WAITING, BehindStore
from lcg.store.memory import MemoryStore
from lcg.store.protocol import Batch, StoreError
from tests.store.builders import at, entity, new_entities


class SlowStore(MemoryStore):
    """Applies only when it is let, and then fails if it is to."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = threading.Event()
        self.begun = threading.Event()
        self.closes_after_one = False
        self.fails = False
        self.applied: list[Batch] = []

    def apply(self, batch: Batch) -> None:
        """Wait, then apply or fail."""
        self.begun.set()
        self.gate.wait()
        if self.closes_after_one:
            self.gate.clear()
        if self.fails:
            raise StoreError("no room")
        super().apply(batch)
        self.applied.append(batch)

    def let_one_through(self) -> None:
        """Let one batch be applied, and keep the next one."""
        self.closes_after_one = True
        self.gate.set()


@pytest.fixture
def slow() -> Iterator[tuple[SlowStore, BehindStore]]:
    inner = SlowStore()
    with closing(BehindStore(inner)) as store:
        yield inner, store
        inner.closes_after_one = False
        inner.gate.set()


def unexpected(error: StoreError) -> None:
    raise AssertionError(f"nothing was to fail, but: {error}")


def beside(ask: Callable[[], Any]) -> tuple[threading.Thread, list[Any]]:
    """Ask on another thread; the answer comes into the list."""
    answers: list[Any] = []
    thread = threading.Thread(target=lambda: answers.append(ask()))
    thread.start()
    return thread, answers


def test_a_batch_is_taken_before_it_is_applied(slow: tuple[SlowStore, BehindStore]) -> None:
    inner, store = slow
    store.apply_later(new_entities(entity("a")), unexpected)
    assert inner.begun.wait(5)
    assert list(inner.writer_reader().scan_entities()) == []


@pytest.mark.parametrize(
    ("ask", "expected"),
    [
        (lambda store: [row.uuid for row in store.writer_reader().scan_entities()], ["a"]),
        (lambda store: store.positions()["g"].applied_seq, 1),
        (lambda store: store.meta("nothing"), None),
        (lambda store: store.set_meta("key", "value"), None),
        (lambda store: store.checkpoint(), True),
        (lambda store: store.apply(new_entities(entity("b"))), None),
    ],
    ids=["writer's reader", "positions", "setting", "set", "checkpoint", "apply"],
)
def test_whoever_asks_waits_for_what_was_taken(
    slow: tuple[SlowStore, BehindStore], ask: Callable[[BehindStore], Any], expected: Any
) -> None:
    inner, store = slow
    store.apply_later(new_entities(entity("a"), positions=at(1)), unexpected)
    thread, answers = beside(lambda: ask(store))
    thread.join(0.05)
    assert answers == []
    inner.gate.set()
    thread.join()
    assert answers == [expected]
    assert next(store.writer_reader().scan_entities()).uuid == "a"


def test_batches_that_come_while_one_is_applied_are_applied_together(slow: tuple[SlowStore, BehindStore]) -> None:
    inner, store = slow
    store.apply_later(new_entities(entity("a"), positions=at(1)), unexpected)
    assert inner.begun.wait(5)
    store.apply_later(new_entities(entity("b"), positions=at(2)), unexpected)
    store.apply_later(new_entities(entity("c"), positions=at(3)), unexpected)
    inner.gate.set()
    store.settle()
    first, second = inner.applied
    assert (first, second) == (
        new_entities(entity("a"), positions=at(1)),
        new_entities(entity("b"), entity("c"), positions=at(3)),
    )


@pytest.mark.parametrize(("waiting", "then_waits"), [([50, MOST_WAITING - 50], True), ([50, MOST_WAITING - 51], False)])
def test_a_batch_that_finds_too_much_waiting_waits_itself(
    slow: tuple[SlowStore, BehindStore], waiting: list[int], then_waits: bool
) -> None:
    inner, store = slow
    names = (f"n{number}" for number in count())
    batches = [new_entities(*(entity(next(names)) for _ in range(rows))) for rows in (1, *waiting, 1)]
    store.apply_later(batches[0], unexpected)
    assert inner.begun.wait(5)
    for batch in batches[1:-1]:
        store.apply_later(batch, unexpected)
    thread, answers = beside(lambda: store.apply_later(batches[-1], unexpected))
    thread.join(0.05)
    assert thread.is_alive() == then_waits
    inner.gate.set()
    thread.join()
    store.settle()
    assert answers == [None]
    assert len(list(inner.scan_entities())) == 2 + sum(waiting)


def test_whoever_asks_does_not_wait_for_what_is_taken_after_that(slow: tuple[SlowStore, BehindStore]) -> None:
    inner, store = slow
    store.apply_later(new_entities(entity("a"), positions=at(1)), unexpected)
    assert inner.begun.wait(5)
    thread, answers = beside(store.positions)
    waiting: Any = store._changed
    while not waiting._waiters:
        thread.join(0.001)
    store.apply_later(new_entities(entity("b"), positions=at(2)), unexpected)
    inner.let_one_through()
    thread.join()
    assert answers[0]["g"].applied_seq == 1


def test_a_batch_of_any_size_is_taken_where_nothing_waits(slow: tuple[SlowStore, BehindStore]) -> None:
    inner, store = slow
    store.apply_later(new_entities(entity("a")), unexpected)
    assert inner.begun.wait(5)
    store.apply_later(new_entities(*(entity(f"n{number}") for number in range(2 * MOST_WAITING))), unexpected)
    inner.gate.set()
    store.settle()
    assert len(list(inner.scan_entities())) == 1 + 2 * MOST_WAITING


def test_what_waits_for_a_batch_that_fails_is_neither_applied_nor_told_of(slow: tuple[SlowStore, BehindStore]) -> None:
    inner, store = slow
    told: list[str] = []
    inner.fails = True
    store.apply_later(new_entities(entity("a")), lambda error: told.append("first"))
    assert inner.begun.wait(5)
    store.apply_later(new_entities(entity("b")), lambda error: told.append("second"))
    big = new_entities(*(entity(f"n{number}") for number in range(MOST_WAITING)))
    refused: list[StoreError] = []

    def take_big() -> None:
        try:
            store.apply_later(big, unexpected)
        except StoreError as error:
            refused.append(error)

    thread, _ = beside(take_big)
    inner.gate.set()
    thread.join()
    with pytest.raises(StoreError, match="no room"):
        store.settle()
    assert (told, len(refused), inner.applied) == (["first"], 1, [])


def test_where_no_thread_can_be_started_nothing_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    inner = SlowStore()
    inner.gate.set()
    with closing(BehindStore(inner)) as store:
        with monkeypatch.context() as patch, pytest.raises(RuntimeError):
            patch.setattr(threading.Thread, "start", refuse)
            store.apply_later(new_entities(entity("a")), unexpected)
        assert store.positions() == {}
        store.apply_later(new_entities(entity("b")), unexpected)
        assert [row.uuid for row in store.writer_reader().scan_entities()] == ["b"]


def test_a_lent_reader_and_a_snapshot_see_what_was_taken_before(slow: tuple[SlowStore, BehindStore]) -> None:
    inner, store = slow
    store.apply_later(new_entities(entity("a"), positions=at(1)), unexpected)
    inner.gate.set()
    with store.reader() as reader:
        assert reader.entities(["a"]) == {"a": entity("a")}
    with store.snapshot() as snapshot:
        assert snapshot.positions["g"].applied_seq == 1


def test_a_batch_that_fails_is_told_and_nothing_is_answered_from_then_on(slow: tuple[SlowStore, BehindStore]) -> None:
    inner, store = slow
    told: list[str] = []
    inner.fails = True
    inner.gate.set()
    store.apply_later(new_entities(entity("a")), lambda error: told.append(str(error)))
    with pytest.raises(StoreError, match="no room"):
        store.positions()
    assert told == ["no room"]
    with pytest.raises(StoreError, match="no room"), store.reader():
        pass
    with pytest.raises(StoreError, match="no room"):
        store.apply_later(new_entities(entity("b")), unexpected)


def test_it_is_told_before_whoever_waits_goes_on(slow: tuple[SlowStore, BehindStore]) -> None:
    inner, store = slow
    order: list[str] = []
    inner.fails = True
    store.apply_later(new_entities(entity("a")), lambda error: order.append("told"))

    def ask() -> None:
        with pytest.raises(StoreError):
            store.positions()
        order.append("went on")

    thread, _ = beside(ask)
    inner.gate.set()
    thread.join()
    assert order == ["told", "went on"]


def test_closing_applies_what_was_taken() -> None:
    inner = SlowStore()
    store = BehindStore(inner)
    batches = [new_entities(entity("a")), new_entities(entity("b"))]
    store.apply_later(batches[0], unexpected)
    assert inner.begun.wait(5)
    store.apply_later(batches[1], unexpected)
    thread, _ = beside(store.close)
    inner.gate.set()
    thread.join()
    assert inner.applied == batches
    store.close()
