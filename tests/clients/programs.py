"""The clients that are programs: each is run, and what it prints is read."""

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from tests.clients import environments
from tests.clients.conversation import SCOPES, Call, Conversation, Wrong, listed, tools
from tests.clients.workspace import PATIENCE, Workspace, plain_environment
from tests.finished import finished
from tests.processes import ROOT

Report = dict[str, Any]
DRIVERS: Final = Path(__file__).parent / "drivers"
EXPECTED_FAILURES: Final = {
    revision: Path(__file__).parent / f"conformance-{revision}.yaml" for revision in ("2025-11-25", "2026-07-28")
}
"""By revision of the protocol: the scenarios of the conformance suite that may fail."""


def run(words: Sequence[str | Path], *, status: int | None = 0, path: Path | None = None, cwd: Path = ROOT) -> str:
    """Run a program and return what it printed; it is ended with all that it started when it takes too long.

    `path` is a folder for the front of PATH, `status` the exit status that is right, None for any. Raises Wrong.
    """
    environment = plain_environment()
    if path is not None:
        environment["PATH"] = f"{path}{os.pathsep}{environment['PATH']}"
    try:
        done = finished(words, PATIENCE, cwd=cwd, env=environment)
    except subprocess.TimeoutExpired:
        raise Wrong(f"{Path(words[0]).name} did not end within {PATIENCE:.0f} s") from None
    if status is not None and done.returncode != status:
        said = (done.stderr or done.stdout).strip()[-400:]
        raise Wrong(f"{Path(words[0]).name} ended with {done.returncode}: {said}")
    return done.stdout


def driver(name: str, environment: str, workspace: Workspace, talk: Conversation) -> Report:
    """Run a driver in its environment, and return what it tells. Raises Missing, Wrong."""
    python = environments.python(environment)
    command, *words = workspace.command
    calls = {"write": talk.write, "read": talk.read, "refused": talk.refused}
    given = {"command": command, "args": words, "url": workspace.url, "tools": listed()} | calls
    lines = run([python, DRIVERS / f"{name}.py", json.dumps(given)], cwd=workspace.root).strip().splitlines()
    if not lines:
        raise Wrong("it told nothing")
    report: Report = json.loads(lines[-1])
    return report


def inspector(package: str, server: Sequence[str], workspace: Workspace, talk: Conversation) -> Report:
    """Let the command line of the MCP inspector talk to a server; `server` are its words. Raises Missing, Wrong."""
    program = environments.node_programs(package) / "mcp-inspector"
    node = environments.newer_node()

    def ask(*options: str) -> Report:
        words: list[str | Path] = [program, "--cli", *server, *options]
        # An answer that is a failure is a failure of the newer ones, too.
        answer: Report = json.loads(run(words, path=node, cwd=workspace.root, status=None))
        return answer

    def call(name: str, arguments: Mapping[str, Any]) -> Report:
        pairs = [word for key, value in arguments.items() for word in ("--tool-arg", f"{key}={_word(value)}")]
        return ask("--method", "tools/call", "--tool-name", name, *pairs)

    refused = call(*talk.refused)
    return {
        "tools": [tool["name"] for tool in ask("--method", "tools/list")["tools"]],
        "write": call(*talk.write)["structuredContent"],
        "read": call(*talk.read)["structuredContent"],
        "refused": refused["content"][0]["text"] if refused.get("isError") else None,
    }


def mcporter(package: str, workspace: Workspace, talk: Conversation) -> Report:
    """Let mcporter talk. Raises Missing, Wrong."""
    program = environments.node_programs(package) / "mcporter"
    command, *words = workspace.command
    server = ["--stdio", command, *(part for word in words for part in ("--stdio-arg", word)), "--name", "lcg"]
    node = environments.newer_node()

    def call(asked: Call, *, status: int | None = 0) -> str:
        name, arguments = asked
        options = ["--tool", name, "--args", json.dumps(arguments), "--output", "json", "--no-oauth"]
        return run([program, "call", *server, *options], path=node, cwd=workspace.root, status=status)

    found = json.loads(run([program, "list", *server, "--json", "--schema"], path=node, cwd=workspace.root))
    return {
        "tools": [tool["name"] for tool in found["tools"]],
        "write": json.loads(call(talk.write)),
        "read": json.loads(call(talk.read)),
        "refused": call(talk.refused, status=None),
    }


def server_doctor(environment: str, workspace: Workspace) -> str:
    """Let mcp-server-doctor look at the configuration and start the server. Raises Missing, Wrong."""
    program = environments.python(environment).with_name("mcp-server-doctor")
    file = workspace.root / "clients.json"
    file.write_text(workspace.configuration(), encoding="utf-8")
    report = json.loads(run([program, "doctor", file, "--format", "json", "--timeout", "60"], cwd=workspace.root))
    (probe,) = report["probes"]
    if not probe["ok"] or sorted(probe["tools"]) != sorted(tool.name for tool in tools(SCOPES)):
        raise Wrong(f"{probe['message']}; it saw {probe['tools']}")
    return f"start, framing and handshake; {len(probe['tools'])} tools"


def conformance(package: str, revision: str, options: Sequence[str], workspace: Workspace) -> str:
    """Run the conformance suite over HTTP. It fails when an expected failure passes, too. Raises Missing, Wrong."""
    programs = environments.node_programs(package)
    if workspace.url is None:
        raise environments.Missing("the service has no HTTP")
    given = ["--url", workspace.url, "--expected-failures", str(EXPECTED_FAILURES[revision]), *options]
    words: list[str | Path] = [
        programs / "conformance",
        "server",
        *given,
        "-o",
        str(workspace.root / f"suite-{revision}"),
    ]
    output = run(words, path=environments.newer_node(), cwd=workspace.root)
    summary = output.rpartition("=== SUMMARY ===")[2].partition("Total:")[0]
    passed, failed = summary.count("✓ "), summary.count("✗ ")
    if not passed:
        raise Wrong(f"no scenario passed: {output[-400:]}")
    return f"{passed} scenarios pass, {failed} fail as expected"


def bundle(package: str) -> str:
    """Let the packer of .mcpb bundles check the manifest. Raises Missing, Wrong."""
    program = environments.node_programs(package) / "mcpb"
    run([program, "validate", ROOT / "packaging/generated/manifest.json"])
    return "the manifest is valid"


def _word(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
