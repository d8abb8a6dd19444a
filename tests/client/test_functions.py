"""The rendered functions: typed, complete, and no more than a call with what was given."""

import inspect
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from lcg.client import AsyncClient, Client, OnProgress
from lcg.generated.client import Methods
from lcg.generated.dispatch import METHODS
from lcg.generated.tool_specs import TOOL_SPECS
from tests.processes import ROOT, environment


class Recorder(Methods):
    """Keeps what would be sent."""

    def __init__(self) -> None:
        self.sent: tuple[str, dict[str, Any], OnProgress | None] | None = None

    def call(self, method: str, params: Any = None, on_progress: OnProgress | None = None) -> dict[str, Any]:
        self.sent = (method, params, on_progress)
        return {}


def sent(method: str, *given: Any, **more: Any) -> Any:
    recorder = Recorder()
    getattr(recorder, method)(*given, **more)
    return recorder.sent


@pytest.mark.parametrize("kind", [Client, AsyncClient])
@pytest.mark.parametrize("method", METHODS)
def test_every_method_is_there_and_takes_what_the_method_takes(kind: Any, method: str) -> None:
    function = getattr(kind, method)
    assert inspect.iscoroutinefunction(function) == (kind is AsyncClient)
    taken = set(inspect.signature(function).parameters) - {"self"}
    assert ("on_progress" in taken) == METHODS[method].progress
    spec = next((spec for spec in TOOL_SPECS if spec.name == method), None)
    declared = set(spec.input_schema["properties"]) if spec else set()
    assert taken - {"on_progress"} == declared
    needed = [name for name, found in inspect.signature(function).parameters.items() if found.default is found.empty]
    assert set(needed) - {"self"} == set(spec.input_schema.get("required", ())) if spec else needed == ["self"]


def test_only_what_was_given_is_sent() -> None:
    assert sent("knowledge_find_entities", "Ada") == ("knowledge_find_entities", {"query": "Ada"}, None)
    assert sent("knowledge_assert_entity", "Ada", labels=("Person",), attributes={"born": 1815}, summary="") == (
        "knowledge_assert_entity",
        {"name": "Ada", "labels": ["Person"], "attributes": {"born": 1815}, "summary": ""},
        None,
    )
    assert sent("knowledge_find_entities", "Ada", group_ids=[])[1] == {"query": "Ada", "group_ids": []}


def test_a_callback_is_handed_on_and_is_no_parameter() -> None:
    seen: list[Any] = []
    method, params, on_progress = sent("knowledge_rebuild_from_wal", group_id="a", on_progress=seen.append)
    assert (method, params) == ("knowledge_rebuild_from_wal", {"group_id": "a"})
    on_progress({"phase": "x"})
    assert seen == [{"phase": "x"}]


PROGRAM = """
from lcg.client import AsyncClient, Client, OperationFailed

with Client() as graph:
    uuid: str = graph.knowledge_find_entities("Ada", num_results=1)["nodes"][0]["uuid"]
    reveal_type(graph.knowledge_find_entities("Ada")["count"])
    try:
        graph.knowledge_get_entity_neighbors(entity_uuid=uuid)
    except OperationFailed as error:
        reveal_type(error.kind)


async def main() -> None:
    async with AsyncClient() as graph:
        reveal_type((await graph.knowledge_status())["pid"])
"""
WRONG = """
from lcg.client import Client

graph = Client()
graph.knowledge_find_entities(query=5)
graph.knowledge_find_entities("x", groupid="ops")
graph.knowledge_find_entities("x")["knots"]
graph.knowledge_reprocess_entity_types(scope="some")
"""


def mypy(folder: Path, program: str) -> list[str]:
    (folder / "program.py").write_text(program, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--hide-error-context"]
    done = subprocess.run(
        [*command, "--config-file", "", "--follow-imports", "silent", "program.py"],
        cwd=folder, capture_output=True, text=True, check=False,
        env=environment({"MYPYPATH": str(ROOT / "src"), "MYPY_CACHE_DIR": str(folder / "cache")}),
    )  # fmt: skip
    return [line.removeprefix("program.py:") for line in done.stdout.splitlines()]


def test_a_program_that_uses_the_client_is_sound_in_the_strictest_mode_of_mypy(tmp_path: Path) -> None:
    assert mypy(tmp_path, PROGRAM) == [
        '6: note: Revealed type is "int"',
        '10: note: Revealed type is "str | None"',
        '15: note: Revealed type is "int"',
    ]


def test_what_no_method_takes_or_returns_is_found_before_the_program_runs(tmp_path: Path) -> None:
    assert [line.partition(":")[0] for line in mypy(tmp_path, WRONG) if "error:" in line] == ["5", "6", "7", "8"]


def test_the_client_loads_neither_the_engine_nor_the_sdk() -> None:
    code = "import sys, lcg.client; print(*sorted(sys.modules), sep='\\n')"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment(), cwd=ROOT
    )
    loaded = {name.partition(".")[0] for name in done.stdout.split()}
    assert "lcg" in loaded
    assert loaded & {"kuzu", "mcp", "mcp_types", "pydantic", "numpy", "pyarrow", "hnswlib", "wordllama"} == set()
