"""Opens the workspace that this process is started in, for the scenario of sizes, and prints how long it took.

Run as `python -m bench.opening HOW` in a workspace: `ours` opens it as the service does and closes it cleanly, `killed`
kills this process after twenty writes instead, so that the next opening is one after a kill, and `bare` opens the files
with the engines alone. It prints JSON: the milliseconds until something was read, and until something was found by
words and by vectors (not for `bare`). Imports are over before the clock starts.
"""

import json
import os
import signal
import sqlite3
import sys
import time
from collections.abc import Mapping
from typing import Any, Final

import kuzu
import numpy  # noqa: F401 - before the clock starts, as the service needs it

from bench.fixtures import group_names
from lcg.runtime.call import Call
from lcg.server.app import LcgService, open_service
from lcg.settings import Settings, read_settings

_WRITES: Final = 20
_GROUP: Final = group_names(1)[0]


def call(service: LcgService, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
    """Call a method."""
    return service.call(method, {"group_ids": [_GROUP], **params}, Call(method))


def ours(settings: Settings, *, kill: bool) -> dict[str, float]:
    """Open, read, search; then close, or write and be killed."""
    begun = time.perf_counter()
    service = open_service(settings)
    call(service, "knowledge_list_entities", {"num_results": 1})
    read = time.perf_counter()
    call(service, "knowledge_find_entities", {"query": "the harbour authority"})
    found = time.perf_counter()
    taken = {"read": 1e3 * (read - begun), "found": 1e3 * (found - begun)}
    if kill:
        for number in range(_WRITES):
            asked = {"name": f"Written {time.time_ns()} {number}", "group_id": _GROUP}
            service.call("knowledge_assert_entity", asked, Call("knowledge_assert_entity"))
        print(json.dumps(taken), flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
    service.close()
    return taken


def bare(settings: Settings) -> dict[str, float]:
    """Open the engines' files and read a row from each."""
    begun = time.perf_counter()
    database = kuzu.Database(str(settings.db_path))
    connection = kuzu.Connection(database)
    found = connection.execute("MATCH (n:Entity) RETURN n.uuid LIMIT 1")
    assert isinstance(found, kuzu.QueryResult)
    found.get_next()
    for name in ("text.db", "vectors.db"):
        with sqlite3.connect(settings.search_dir / name) as index:
            index.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    taken = 1e3 * (time.perf_counter() - begun)
    connection.close()
    database.close()
    return {"read": taken}


def main() -> None:
    """Do what the argument says."""
    settings = read_settings({"LCG_TELEMETRY": "0"})
    how = sys.argv[1]
    print(json.dumps(bare(settings) if how == "bare" else ours(settings, kill=how == "killed")), flush=True)


if __name__ == "__main__":
    main()
