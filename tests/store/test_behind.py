"""A store that applies behind its caller's back: nobody who asks it for anything can tell."""

import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import pytest

from lcg.store.behind import BehindStore
from lcg.store.memory import MemoryStore
from lcg.store.protocol import Batch, StoreError
from tests.store.builders import at, entity, new_entities


class SlowStore(MemoryStore):
    """Applies only when it is let, and then fails if it is to."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = threading.Event()
        self.begun = threading.Event()
        self.fails = False
        self.applied: list[Batch] = []

    def apply(self, batch: Batch) -> None:
        """Wait, then apply or fail."""
        self.begun.set()
        self.gate.wait()
        if self.fails:
            raise StoreError("no room")
        super().apply(batch)
        self.applied.append(batch)


@pytest.fixture
def slow() -> Iterator[tuple[SlowStore, BehindStore]]:
    inner = SlowStore()
    with closing(BehindStore(inner)) as store:
        yield inner, store
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
        (lambda store: store.apply_later(new_entities(entity("b")), unexpected), None),
    ],
    ids=["writer's reader", "positions", "setting", "set", "checkpoint", "apply", "apply later"],
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
    batch = new_entities(entity("a"))
    store.apply_later(batch, unexpected)
    thread, _ = beside(store.close)
    inner.gate.set()
    thread.join()
    assert inner.applied == [batch]
    store.close()
