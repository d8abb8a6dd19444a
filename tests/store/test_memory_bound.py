"""Queries that would take all memory, each in a process that is ended if it grows, and what goes on beside them."""

import resource
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from lcg.model.plain import plain
from lcg.store.kuzu.memory_bound import MemoryBound, memory_bound
from lcg.store.kuzu.store import KuzuStore
from lcg.store.protocol import GroupLoad, Position
from tests.store.builders import entity, episode, new_episodes
from tests.store.engine_name import ENGINE

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has such a bound")

SPARE = 512 << 20
TOO_MUCH = 2 << 30
CHILD = f"""
import resource, sys, threading
from pathlib import Path
from lcg.errors import OperationFailed
from lcg.store.kuzu import engine, memory_bound
from lcg.store.kuzu.store import KuzuStore

engine.pool_bytes = lambda: 256 << 20
memory_bound.spare_bytes = lambda: {SPARE}
before = resource.getrlimit(resource.RLIMIT_DATA)
store = KuzuStore(Path(sys.argv[1]), {ENGINE!r})
try:
    if sys.argv[3] == "read":
        with store.reader() as reader:
            reader.cypher(sys.argv[2], {{}}, max_rows=1000, timeout_ms=60000)
    else:
        store.mutate(sys.argv[2], {{}}, max_rows=1000, timeout_ms=60000, accept=None)
    print("answered")
except OperationFailed as failure:
    print(failure.kind, failure.message)
assert resource.getrlimit(resource.RLIMIT_DATA) == before
with store.reader() as reader:
    print(reader.cypher("MATCH (n) RETURN count(*)", {{}}, max_rows=1, timeout_ms=60000).rows)
assert store.checkpoint()
store.close()
"""
GREEDY = [
    "WITH 2000000000 + 0 AS n RETURN repeat('x', n)",
    "WITH 100000000 + 0 AS n RETURN range(1, n)",
    "WITH 2000000000 + 0 AS n UNWIND range(1, n) AS x RETURN count(x)",
    "RETURN range(1, CAST('100000000' AS INT64))",
    "UNWIND range(1, 1000000) AS x UNWIND range(1, 100) AS y RETURN collect(x)",
    "UNWIND range(1, 1000) AS x WITH 10000000 + 0 AS n, x RETURN collect(repeat('x', n))",
    "WITH range(1, 1000000) AS l WITH list_concat(l, l) AS l WITH list_concat(l, l) AS l WITH list_concat(l, l) AS l "
    "WITH list_concat(l, l) AS l WITH list_concat(l, l) AS l RETURN l",
    "RETURN list_reduce(list_transform(range(1, 34), x -> 'abcd'), (x, y) -> concat(x, x))",
]


def run_watched(path: Path, query: str, how: str) -> list[str]:
    """Run a query in a child, end the child if it takes too much, and return what it says."""
    command = [sys.executable, "-c", CHILD, str(path), query, how]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as child:
        ended = threading.Event()

        def watch() -> None:
            statm = Path(f"/proc/{child.pid}/statm")
            while not ended.wait(0.02):
                with suppress(OSError, IndexError):  # it is ending
                    if int(statm.read_text().split()[1]) * resource.getpagesize() > TOO_MUCH:
                        child.kill()

        watcher = threading.Thread(target=watch)
        watcher.start()
        output, _ = child.communicate()
        ended.set()
        watcher.join()
    assert child.returncode == 0, (child.returncode, output)
    return output.splitlines()


@pytest.mark.parametrize("query", GREEDY)
def test_a_query_that_would_take_all_memory_is_a_limit_and_the_store_goes_on(tmp_path: Path, query: str) -> None:
    said, after = run_watched(tmp_path / "graph.kuzu", query, "read")
    assert said.startswith("limit knowledge_query_cypher: the query needs more memory than a query may use")
    assert after == "[[0]]"


def test_a_change_that_would_take_all_memory_is_a_limit_and_leaves_nothing(tmp_path: Path) -> None:
    query = "CREATE (:Entity {uuid: 'a'}) WITH 100000000 + 0 AS n RETURN range(1, n)"
    said, after = run_watched(tmp_path / "graph.kuzu", query, "change")
    assert said.startswith("limit ")
    assert after == "[[0]]"


def test_the_bound_holds_while_any_query_runs_and_is_lifted_to_open_a_store() -> None:
    def limit() -> int:
        return resource.getrlimit(resource.RLIMIT_DATA)[0]

    usual, bound = limit(), MemoryBound()
    with bound.bounded():
        first = limit()
        assert first not in (usual, resource.RLIM_INFINITY)
        with bound.bounded():
            assert limit() == first
            with bound.lifted():
                assert limit() == usual
            assert limit() != usual
        assert limit() != usual
    assert limit() == usual


def test_a_narrower_bound_of_the_system_stays() -> None:
    usual = resource.getrlimit(resource.RLIMIT_DATA)
    taken = int(Path("/proc/self/statm").read_text().split()[5]) * resource.getpagesize()
    narrow = (taken + (64 << 20), usual[1])
    try:
        resource.setrlimit(resource.RLIMIT_DATA, narrow)
        with MemoryBound().bounded():
            assert resource.getrlimit(resource.RLIMIT_DATA) == narrow
        assert resource.getrlimit(resource.RLIMIT_DATA) == narrow
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, usual)


def test_loads_long_texts_and_checkpoints_fit_beside_a_query(tmp_path: Path) -> None:
    store = KuzuStore(tmp_path / "graph.kuzu", ENGINE)
    people = [entity(f"n{number}", summary="word " * 100) for number in range(20_000)]
    texts = [episode(f"p{number}", content="x" * 5_000_000) for number in range(8)]
    load = GroupLoad(
        Position("g", 1, "gen"), list(map(plain, people)), [], list(map(plain, texts)), {}, set().__contains__
    )
    with memory_bound.bounded():
        store.load_group(load)
        store.apply(new_episodes(episode("late", content="y" * 5_000_000)))
        assert store.checkpoint()
        with store.reader() as reader:
            assert {len(row.content) for row in reader.scan_episodes()} == {5_000_000}
            answer = reader.cypher("MATCH (p:Episodic) RETURN p", {}, max_rows=10, timeout_ms=60_000)
    assert len(answer.rows) == 9
    store.close()
