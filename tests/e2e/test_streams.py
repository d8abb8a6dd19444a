"""A process that is started without some of its standard streams, or with streams that take nothing."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.processes import PATIENCE_S, REAL, environment

pytestmark = pytest.mark.e2e

LCG = shlex.join(REAL)
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}


def shell(workspace: Path, script: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", script],
        cwd=workspace,
        env=environment(),
        input=stdin,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&-", "<&- >&- 2>&-"])
def test_no_file_of_the_workspace_takes_the_place_of_a_missing_stream(tmp_path: Path, closed: str) -> None:
    done = shell(tmp_path, f"{LCG} --mcp-stdio {closed}; echo status $?", json.dumps(HELLO) + "\n")
    answers = [line for line in done.stdout.splitlines() if not line.startswith("status ")]
    assert done.stdout.splitlines()[-1] == "status 0"
    assert [json.loads(line)["id"] for line in answers] == ([1] if closed == "2>&-" else [])
    assert set(json.loads((tmp_path / ".lcg" / "lock").read_text())) == {"pid", "mode", "socket"}


def test_the_service_keeps_the_numbers_of_missing_streams_away_from_its_files(tmp_path: Path) -> None:
    watch = (
        "import os, subprocess, sys, time\n"
        "process = subprocess.Popen(sys.argv[1:], preexec_fn=lambda: os.closerange(0, 3))\n"
        "try:\n"
        "    while not os.path.exists('.lcg/db/liminis.db.wal'):\n"
        "        time.sleep(0.02)\n"
        "    print([os.readlink(f'/proc/{process.pid}/fd/{number}') for number in range(3)])\n"
        "finally:\n"
        "    process.terminate()\n"
        "    print(process.wait())\n"
    )
    done = shell(tmp_path, shlex.join([sys.executable, "-c", watch, *REAL]))
    assert done.stdout.splitlines() == [str([os.devnull] * 3), "0"], done.stderr


@pytest.mark.parametrize("option", ["--help", "--version"])
@pytest.mark.parametrize(("where", "status"), [(">&-", 0), (">/dev/full", 1), ("| true", 0)])
def test_texts_that_cannot_be_written_leave_no_trace_of_ours(
    tmp_path: Path, option: str, where: str, status: int
) -> None:
    done = shell(tmp_path, f"set -o pipefail; {LCG} {option} {where}")
    assert done.returncode == status
    assert "Traceback" not in done.stderr
    assert ("No space left" in done.stderr) is bool(status)


def test_a_usage_error_without_stderr_has_its_status(tmp_path: Path) -> None:
    assert shell(tmp_path, f"{LCG} --bogus 2>&-").returncode == 2
