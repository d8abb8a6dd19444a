"""Requests and results for the reference, from a real service that is told the story of the tests.

Times and identifiers are the same at every run, see steady_server.py. What depends on the machine is replaced.
"""

import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from lcg.client import Client
from tests.e2e import story
from tests.processes import environment
from tests.workspaces import write_ontology

PATH = "docs/generated/calls.json"
HEADER = (
    "DO NOT EDIT. Renew with `make record`.",
    "Source: a real service, told the story of tests/e2e/story.py by tools/docs/recording.py",
)
WORKSPACE = "/home/you/my-project"
STORY = (*story.BEGINNING, story.Step("health_check"), story.Step("knowledge_status"), *story.END)
_PATIENCE_S = 60.0
_DIGITS = 3
_SECONDS = 0.02
_CLOCK = re.compile(r"(?<=\.corrupt-)\d{8}-\d{6}")


def record() -> str:
    """Return the text of the file: for each method, in the order of the story, its last request and result."""
    calls: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(prefix="lcg-") as folder, _service(Path(folder)) as client:
        told: dict[str, Any] = {}
        for step in STORY:
            params = dict(step.params(told) if callable(step.params) else step.params)
            told[step.method] = client.call(step.method, params)
            calls[step.method] = {"params": params, "result": _anywhere(told[step.method], folder)}
    return json.dumps({"x-generated": HEADER, "calls": calls}, ensure_ascii=False, indent=1) + "\n"


def _anywhere(value: Any, folder: str, key: str = "") -> Any:
    """Return a result as it would be on any machine: durations, the workspace's path and last digits are made equal."""
    if isinstance(value, dict):
        return {name: _anywhere(inner, folder, name) for name, inner in value.items()}
    if isinstance(value, list):
        return [_anywhere(inner, folder) for inner in value]
    if isinstance(value, str):
        return _CLOCK.sub("20260601-120000", value.replace(folder, WORKSPACE))
    if isinstance(value, float):
        return _SECONDS if key.endswith("_seconds") else round(value, _DIGITS)
    return value


@contextmanager
def _service(workspace: Path) -> Iterator[Client]:
    write_ontology(workspace)
    command = [sys.executable, "-m", "tools.docs.steady_server", "--extractor", "builtin"]
    with (workspace / "stderr").open("w") as errors:
        server = subprocess.Popen(
            command, cwd=workspace, env=environment(), stdin=subprocess.DEVNULL, stdout=errors, stderr=errors
        )
        try:
            deadline = time.monotonic() + _PATIENCE_S
            while not (workspace / ".lcg/service.sock").exists():
                if server.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError((workspace / "stderr").read_text(encoding="utf-8"))
                time.sleep(0.01)
            with Client(workspace / ".lcg/service.sock") as client:
                yield client
            server.wait(_PATIENCE_S)
        finally:
            server.kill()
            server.wait()
