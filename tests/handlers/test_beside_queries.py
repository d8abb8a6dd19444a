"""While long Cypher queries run, nobody else waits for the threads of the engine."""

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

from lcg.errors import OperationFailed
from lcg.runtime.call import Call
from lcg.server.app import LcgService
from tests.workspaces import running_service

LONG_MS = 4000
LONG = "UNWIND range(1, 3000) AS a UNWIND range(1, 3000) AS b UNWIND range(1, 300) AS c RETURN count(a * b * c)"


def call(service: LcgService, method: str, **params: Any) -> dict[str, Any]:
    return service.call(method, params, Call(method))


def test_probes_reads_and_writes_go_on_beside_as_many_long_queries_as_may_run(tmp_path: Path) -> None:
    def run_long() -> None:
        with suppress(OperationFailed):
            call(service, "knowledge_query_cypher", query=LONG, timeout_ms=LONG_MS)

    with running_service(tmp_path) as service, ThreadPoolExecutor() as pool:
        call(service, "knowledge_assert_entity", name="Mira")
        queries = [pool.submit(run_long) for _ in range(2)]
        time.sleep(0.5)
        began = time.monotonic()
        assert call(service, "health_check")["healthy"]
        call(service, "knowledge_assert_entity", name="Tern")
        assert call(service, "knowledge_list_entities")["count"] == 2
        assert time.monotonic() - began < LONG_MS / 2000
        assert not any(query.done() for query in queries)
