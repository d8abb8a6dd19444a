"""What only the store on an engine does: files, threads, checkpoints."""

import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from random import Random
from unittest.mock import Mock

import pytest

from lcg.errors import OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.model.plain import plain
from lcg.model.rows import Entity
from lcg.store.kuzu.pool import ReaderPool
from lcg.store.kuzu.rows import EDGE, ENTITY, EPISODE
from lcg.store.kuzu.store import KuzuStore
from lcg.store.protocol import Batch, Change, GroupLoad, Position, StoreError
from tests.store.builders import at, batch, edge, entity, episode, mention, new_entities, new_episodes
from tests.store.engine_name import ENGINE

ROOT = Path(__file__).parents[2]


def open_store(path: Path) -> KuzuStore:
    return KuzuStore(path, ENGINE)


def full_batch() -> Batch:
    return batch(
        [Change(None, entity("a")), Change(None, entity("b"))],
        [Change(None, edge("e1", "a", "b"))],
        [Change(None, episode("p1"))],
        mentions_added=[mention("p1", "a")],
        positions=[Position("g", 3, "gen", 1 << 100)],
    )


# --- files ---


def test_everything_is_there_after_reopening(tmp_path: Path) -> None:
    store = open_store(tmp_path / "graph")
    store.apply(full_batch())
    store.set_meta("key", "value")
    store.close()
    assert [found.name for found in tmp_path.iterdir()] == ["graph"]
    again = open_store(tmp_path / "graph")
    with again.reader() as reader:
        assert reader.neighbour_edges("b", "in") == [edge("e1", "a", "b")]
        assert list(reader.scan_mentions()) == [mention("p1", "a")]
        assert reader.episodes(["p1"]) == {"p1": episode("p1")}
    assert again.positions() == {"g": Position("g", 3, "gen", 1 << 100)}
    assert again.meta("key") == "value"
    again.close()


def test_more_text_than_the_engine_s_memory_holds_twice_can_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lcg.store.kuzu.engine.pool_bytes", lambda: 128 << 20)
    monkeypatch.setattr("lcg.store.kuzu.store.CHECKPOINT_BYTES", 1 << 30)
    store = open_store(tmp_path / "graph")
    uuids = [f"p{i:02}" for i in range(60)]
    for uuid in uuids:
        store.apply(new_episodes(episode(uuid, content=uuid + "x" * 1_000_000)))
    reader = store.writer_reader()
    with pytest.raises(StoreError, match="buffer pool is full"):
        reader.session.rows("MATCH (n:Episodic), (m:Episodic) WHERE m.uuid IN ['p01', 'p02'] RETURN n.content")
    assert sorted(row.content[:3] for row in reader.scan_episodes()) == uuids
    assert list(reader.episodes(uuids)) == uuids
    store.close()


def test_small_changes_do_not_fill_the_engine_s_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lcg.store.kuzu.store.growth_bytes", lambda: 2 << 20)
    store = open_store(tmp_path / "graph")
    hubs = [entity(f"h{number}") for number in range(20)]
    store.apply(new_entities(*hubs))
    reopened = Mock(side_effect=store._engine.reopen)
    monkeypatch.setattr(store._engine, "reopen", reopened)
    for number in range(200):
        place = number % len(hubs)
        changed = replace(hubs[place], summary=f"Change {number}. " * 100)
        store.apply(
            batch(
                [Change(hubs[place], changed), Change(None, entity(f"a{number}"))],
                [Change(None, edge(f"e{number}", changed.uuid, f"a{number}"))],
                [Change(None, episode(f"p{number}"))],
                mentions_added=[mention(f"p{number}", changed.uuid), mention(f"p{number}", f"a{number}")],
                episode_entities={f"p{number}": (changed.uuid, f"a{number}")},
            )
        )
        hubs[place] = changed
    assert reopened.call_count >= 2 or ENGINE != "kuzu", "there was no checkpoint, and only Kuzu's memory fills"
    assert list(store.writer_reader().entities([row.uuid for row in hubs]).values()) == hubs
    store.close()


def test_a_checkpoint_without_enough_memory_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, applied = tmp_path / "graph", 0
    with monkeypatch.context() as small:
        small.setattr("lcg.store.kuzu.engine.pool_bytes", lambda: 64 << 20)
        small.setattr("lcg.store.kuzu.store.CHECKPOINT_BYTES", 4 << 20)
        store = open_store(path)
        with pytest.raises(StoreError, match="buffer pool is full"):
            for seq in range(1, 100):
                rows = (episode(f"p{seq}-{i}", content=os.urandom(2500).hex()) for i in range(200))
                store.apply(new_episodes(*rows, positions=at(seq)))
                applied = seq
        with pytest.raises(StoreError, match="open the store again"):
            store.apply(new_entities(entity("a")))
        store.close()
    again = open_store(path)
    assert again.positions()["g"].applied_seq == applied
    assert sum(1 for _ in again.writer_reader().scan_episodes()) == 200 * applied
    assert again.checkpoint() is True
    again.close()


def test_a_new_column_list_is_the_row_s_fields() -> None:
    assert [column.name for column in ENTITY.columns][-2:] == ["_name_embedded", "_summary_embedded"]
    assert {column.name for column in EDGE.columns} == EDGE.visible | {"_source_uuid", "_target_uuid", "_fact_embedded"}
    hidden = {"_source_file", "_chunk_id", "_revision", "_text_hash", "_extractor_key"}
    assert {column.name for column in EPISODE.columns} == EPISODE.visible | hidden


@pytest.mark.parametrize("content", [b"", b"not a database at all", b"\0" * 8192])
def test_a_file_that_is_no_database_is_an_error(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "graph").write_bytes(content)
    with pytest.raises(StoreError):
        open_store(tmp_path / "graph")
    assert (tmp_path / "graph").read_bytes() == content


def test_a_truncated_file_is_an_error(tmp_path: Path) -> None:
    store = open_store(tmp_path / "graph")
    store.apply(new_entities(*(entity(f"n{i}", summary="x" * 100) for i in range(2000))))
    store.close()
    with (tmp_path / "graph").open("r+b") as file:
        file.truncate((tmp_path / "graph").stat().st_size // 2)
    with pytest.raises(StoreError):
        open_store(tmp_path / "graph")


def test_a_directory_and_a_missing_directory_are_errors(tmp_path: Path) -> None:
    (tmp_path / "graph").mkdir()
    for path in (tmp_path / "graph", tmp_path / "no" / "such"):
        with pytest.raises(StoreError):
            open_store(path)


def test_another_schema_version_is_an_error_and_does_not_hold_the_file(tmp_path: Path) -> None:
    store = open_store(tmp_path / "graph")
    store.set_meta("schema_version", "99")
    store.close()
    for _ in range(2):
        with pytest.raises(StoreError, match="schema version 99"):
            open_store(tmp_path / "graph")


def test_an_unknown_engine_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="kuzu, ladybug; got 'sqlite'"):
        KuzuStore(tmp_path / "graph", "sqlite")


# --- threads ---


def test_readers_work_while_batches_are_applied_and_checkpoints_run(tmp_path: Path) -> None:
    store = open_store(tmp_path / "graph")
    store.apply(new_entities(entity("n0"), positions=at(0)))
    stop = threading.Event()
    faults: list[BaseException] = []
    counts = [0] * 6

    def read(number: int) -> None:
        try:
            while not stop.is_set():
                with store.reader() as reader:
                    assert reader.entities(["n0"])
                    found = len(list(reader.scan_entities()))
                    answer = reader.cypher("MATCH (n:Entity) RETURN count(*)", {}, max_rows=1, timeout_ms=20000)
                assert answer.rows[0][0] >= found >= counts[number]
                counts[number] = found
        except BaseException as error:
            faults.append(error)

    threads = [threading.Thread(target=read, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for seq in range(1, 61):
        store.apply(new_entities(entity(f"n{seq}"), positions=at(seq)))
        if seq % 15 == 0:
            assert store.checkpoint() is True
    stop.set()
    for thread in threads:
        thread.join(30)
    assert faults == []
    assert len(list(store.writer_reader().scan_entities())) == 61
    store.close()


def test_a_long_engine_log_is_folded_in_before_the_next_batch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lcg.store.kuzu.store.CHECKPOINT_PATIENCE_SECONDS", 0.01)
    store = open_store(tmp_path / "graph")
    log = tmp_path / "graph.wal"
    store.apply(new_episodes(*(episode(f"p{i}", content="x" * 1_000_000) for i in range(20))))
    with store.reader():
        store.apply(new_entities(entity("a")))
    assert log.stat().st_size > 16 << 20
    store.apply(new_episodes(*(episode(f"q{i}", content="x" * 1_000_000) for i in range(5))))
    store.apply(new_entities(entity("b")))
    assert log.stat().st_size < 1 << 20
    assert len(store.writer_reader().entities(["a", "b"])) == 2
    store.close()


def test_a_checkpoint_gives_up_on_a_reader_that_does_not_come_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lcg.store.kuzu.store.CHECKPOINT_PATIENCE_SECONDS", 0.05)
    store = open_store(tmp_path / "graph")
    with store.reader():
        assert store.checkpoint() is False
        with store.reader() as other:
            assert other.probe()
    assert store.checkpoint() is True
    store.close()


def test_closing_interrupts_a_long_query_and_tells_its_caller(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lcg.store.kuzu.store.CLOSE_PATIENCE_SECONDS", 1.0)
    store = open_store(tmp_path / "graph")
    begun = threading.Event()
    told: list[BaseException] = []

    def ask() -> None:
        slow = (
            "UNWIND range(1, 9000) AS a UNWIND range(1, 9000) AS b UNWIND range(1, 9000) AS c RETURN count(a * b * c)"
        )
        try:
            with store.reader() as reader:
                begun.set()
                reader.cypher(slow, {}, max_rows=1, timeout_ms=600_000)
        except OperationFailed as error:
            told.append(error)

    thread = threading.Thread(target=ask)
    thread.start()
    begun.wait(10)
    time.sleep(0.2)
    store.close()
    thread.join(30)
    assert [error.kind for error in told if isinstance(error, OperationFailed)] == [ErrorKind.CANCELLED]
    open_store(tmp_path / "graph").close()


def test_more_callers_than_readers_take_turns() -> None:
    pool = ReaderPool([1, 2])
    most = 0
    active = 0
    lock = threading.Lock()

    def work() -> None:
        nonlocal most, active
        with pool.lend():
            with lock:
                active += 1
                most = max(most, active)
            time.sleep(0.01)
            with lock:
                active -= 1

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert (most, active) == (2, 0)


def test_the_gate_holds_new_callers_back_until_it_is_up_again() -> None:
    pool = ReaderPool([1])
    got = threading.Event()

    def work() -> None:
        with pool.lend():
            got.set()

    with pool.quiet(5) as is_quiet:
        assert is_quiet
        thread = threading.Thread(target=work)
        thread.start()
        assert not got.wait(0.1)
    assert got.wait(10)
    thread.join(10)


def test_waiting_callers_are_told_when_the_store_closes(tmp_path: Path) -> None:
    store = open_store(tmp_path / "graph")
    told: list[BaseException] = []

    def wait() -> None:
        try:
            with store.reader():
                pass
        except StoreError as error:
            told.append(error)

    with store.reader(), store.reader(), store.reader():
        waiting = threading.Thread(target=wait)
        waiting.start()
        time.sleep(0.05)
        closing = threading.Thread(target=store.close)
        closing.start()
        waiting.join(10)
    closing.join(20)
    assert len(told) == 1


def test_a_load_that_readers_stand_in_the_way_of_leaves_a_store_that_works_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lcg.store.kuzu.store.LOAD_PATIENCE_SECONDS", 0.05)
    monkeypatch.setattr("lcg.store.kuzu.store.RENEW_PATIENCE_SECONDS", 0.05)
    store = open_store(tmp_path / "graph")
    store.apply(full_batch())
    slow = "UNWIND range(1, 3000) AS a UNWIND range(1, 3000) AS b UNWIND range(1, 300) AS c RETURN count(a * b * c)"
    started = threading.Event()

    def query() -> ErrorKind:
        with store.reader() as reader, pytest.raises(OperationFailed) as caught:
            started.set()
            reader.cypher(slow, {}, max_rows=1, timeout_ms=600_000)
        return caught.value.kind

    for seq in range(4, 7):
        started.clear()
        with ThreadPoolExecutor(1) as threads:
            running = threads.submit(query)
            started.wait()
            time.sleep(0.05)
            with pytest.raises(StoreError, match="stand in the way"):
                store.load_group(
                    GroupLoad(Position("g", seq, "gen"), [plain(entity("a"))], [], [], {}, set().__contains__)
                )
            assert running.result() == ErrorKind.CANCELLED
        store.apply(batch(positions=[Position("g", seq, "gen")]))
        assert store.positions() == {"g": Position("g", seq, "gen")}
    with store.reader() as reader:
        assert reader.edges(["e1"]) == {"e1": edge("e1", "a", "b")}
    store.load_group(GroupLoad(Position("g", 7, "gen"), [plain(entity("a"))], [], [], {}, set().__contains__))
    store.close()


def test_memory_is_given_back_by_opening_a_large_file_once_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_store(tmp_path / "graph.db")
    reopened: list[None] = []
    monkeypatch.setattr(store, "_reopen", lambda reopen=store._reopen: reopened.append(reopen()))
    store.set_meta("key", "value")
    store.give_back()
    assert not reopened, "of a small file it is not worth the time"
    monkeypatch.setattr("lcg.store.kuzu.store.WORTH_GIVING_BACK_BYTES", 0)
    with store.snapshot():
        store.give_back()
    assert not reopened, "a snapshot is in use"
    store.give_back()
    assert len(reopened) == 1
    assert store.meta("key") == "value"
    store.close()


@pytest.mark.parametrize("seed", range(6))
def test_lists_that_are_changed_stay_what_they_are_over_checkpoints(tmp_path: Path, seed: int) -> None:
    """The engine, told not to compress columns, gave entities the labels of others when it wrote changed lists."""
    chance = Random(seed)
    words = ["Entity", "Person", "Location", "Organization", "X" * 200]

    def some() -> tuple[str, ...]:
        return tuple(chance.choices(words, k=chance.choice([1, 1, 2, 3])))

    store = KuzuStore(tmp_path / "graph.db", ENGINE)
    held: dict[str, Entity] = {}
    for number in range(20):
        changed = chance.sample(sorted(held), min(len(held), chance.randint(0, 3)))
        made = [f"n{number}-{place}" for place in range(chance.randint(0, 6))]
        rows = {uuid: entity(uuid, labels=some()) for uuid in (*changed, *made)}
        store.apply(batch(entities=[Change(held.get(uuid), row) for uuid, row in rows.items()]))
        held |= rows
        if number % 3 == 2:
            assert store.checkpoint()
        with store.reader() as reader:
            assert reader.entities(held) == held
    store.close()
