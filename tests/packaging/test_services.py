"""The examples for service managers are understood by them, and start the program as it wants to be started."""

import os
import plistlib
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from lcg.generated import config
from lcg.server.command_line import parse_command_line
from tests.processes import ROOT

UNIT = ROOT / "packaging/systemd/lcg@.service"
PLIST = ROOT / "packaging/launchd/local.lcg.my-project.plist"


def setting(name: str) -> str:
    """Return the value of a setting of the unit."""
    (line,) = [line for line in UNIT.read_text(encoding="utf-8").splitlines() if line.startswith(f"{name}=")]
    return line.partition("=")[2]


def test_the_unit_serves_the_workspace_that_its_instance_names() -> None:
    program, *arguments = shlex.split(setting("ExecStart"))
    options = parse_command_line(arguments)
    assert (program, options.action, options.workspace) == ("%h/.local/bin/lcg", "service", "%f")
    assert int(setting("TimeoutStopSec")) * 1000 > config.LCG_SHUTDOWN_TIMEOUT_MS.default


def test_systemd_finds_no_fault_in_the_unit(tmp_path: Path) -> None:
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip("systemd-analyze is not here")
    program = Path(sys.executable).with_name("lcg")
    text = UNIT.read_text(encoding="utf-8").replace("%h/.local/bin/lcg", str(program))
    unit = tmp_path / "lcg@home-me-my\\x2dproject.service"
    unit.write_text(text, encoding="utf-8")
    # The whole of the user's units would be checked with it; those of the machine do not matter here.
    command = [analyze, "verify", "--user", "--recursive-errors=no", str(unit)]
    environment = os.environ | {"XDG_RUNTIME_DIR": str(tmp_path)}
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, env=environment)
    if "Failed to initialize manager" in done.stderr:
        pytest.skip(f"systemd-analyze cannot work here: {done.stderr.strip()}")
    assert (done.returncode, done.stderr) == (0, "")


def test_the_agent_for_launchd_serves_a_workspace() -> None:
    agent = plistlib.loads(PLIST.read_bytes())
    assert agent["Label"] == PLIST.stem
    program, *arguments = agent["ProgramArguments"]
    options = parse_command_line(arguments)
    assert (Path(program).name, options.action, options.workspace) == ("lcg", "service", "/Users/me/my-project")
    assert agent["KeepAlive"] == {"SuccessfulExit": False}
    assert agent["ExitTimeOut"] * 1000 > config.LCG_SHUTDOWN_TIMEOUT_MS.default
    assert agent["Umask"] == 0o077
