"""The workspace that all clients share: one service over HTTP and its socket, to which stdio clients attach."""

import json
import re
import signal
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from lcg.client_files.clients import arguments, program_words
from tests.processes import PATIENCE_S, REAL, environment

PATIENCE: float = 4 * PATIENCE_S
_ADDRESS = re.compile(r"listening on (http://\S+/mcp)")


@dataclass(frozen=True, slots=True)
class Workspace:
    """Where the clients meet. `url` is the service over HTTP, None when it is not there."""

    root: Path
    url: str | None

    @property
    def command(self) -> list[str]:
        """The words that a client is told to start, those that `lcg mcp-config` prints."""
        return [*program_words(), *arguments(str(self.root))]

    def configuration(self) -> str:
        """Return the configuration of a client that reads the usual JSON."""
        command, *words = self.command
        return json.dumps({"mcpServers": {"lcg": {"command": command, "args": words}}})


@contextmanager
def serving() -> Iterator[Workspace]:
    """Serve a workspace in a temporary directory until the block ends."""
    with tempfile.TemporaryDirectory(prefix="lcg-clients-") as folder:
        root = Path(folder)
        words = [*REAL, "--http", "127.0.0.1:0", "--scope=read,write", "--extractor", "builtin", "--workspace", folder]
        with subprocess.Popen(
            words, env=environment(), stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd="/"
        ) as service:
            try:
                yield Workspace(root, _address(service))
            finally:
                service.send_signal(signal.SIGTERM)
                service.wait(PATIENCE)


def _address(service: "subprocess.Popen[str]") -> str:
    assert service.stderr is not None
    said = []
    for line in service.stderr:
        said.append(line)
        found = _ADDRESS.search(line)
        if found:
            # Its further lines have to go somewhere.
            threading.Thread(target=service.stderr.read, daemon=True).start()
            return found[1]
    raise RuntimeError(f"the service ended: {''.join(said)}")


def plain_environment() -> dict[str, str]:
    """Return this process's environment without what would configure Python or the server."""
    return {name: value for name, value in environment().items() if name != "PYTHONPATH"}
