"""`lcg view` as a process, and requests to it as a program other than a browser can make them."""

import http.client
import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any

from tests.processes import PATIENCE_S, environment

NOTHING: Mapping[str, str] = MappingProxyType({})


class View:
    """A running `lcg view`.

    Attributes:
        address: what it printed.
        port: where it listens.
        token: the key in the address.
    """

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process
        assert process.stdout is not None
        self.address = process.stdout.readline().strip()
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/#([\w-]{40,})", self.address)
        assert found, self.address or process.communicate(timeout=PATIENCE_S)
        self.port, self.token = int(found[1]), found[2]

    def request(
        self, path: str, headers: Mapping[str, str | None] = NOTHING, method: str = "GET"
    ) -> tuple[int, dict[str, str], bytes]:
        """Return status, headers and body. What a page would send is sent; headers replace it, None leaves one out."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        sent: dict[str, str | None] = {"Host": f"127.0.0.1:{self.port}", "Authorization": f"Bearer {self.token}"}
        try:
            connection.putrequest(method, path, skip_host=True)
            for name, value in (sent | dict(headers)).items():
                if value is not None:
                    connection.putheader(name, value)
            connection.endheaders()
            answer = connection.getresponse()
            return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
        finally:
            connection.close()

    def ask(self, path: str) -> Any:
        """Return the JSON of an answer that succeeds."""
        status, _, body = self.request(path)
        assert status == 200, body
        return json.loads(body)

    def end(self, number: signal.Signals = signal.SIGINT) -> tuple[int, str]:
        """End it and return its exit status and what it wrote to stderr."""
        self.process.send_signal(number)
        _, errors = self.process.communicate(timeout=PATIENCE_S)
        return self.process.returncode, errors


@contextmanager
def viewing(
    workspace: Path, *arguments: str, program: str = "lcg", opens: bool = False, env: Mapping[str, str] = NOTHING
) -> Iterator[View]:
    """Run `lcg view` in a workspace; whatever is left of it is killed at the end. `opens`: let it open a browser."""
    process = subprocess.Popen(
        [sys.executable, "-m", program, "view", *([] if opens else ["--no-open"]), *arguments],
        cwd=workspace,
        env=environment(env),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            yield View(process)
        finally:
            process.kill()
