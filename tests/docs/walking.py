"""Following a page: its shell and Python samples are run in order, in one workspace, as a reader would."""

import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.docs.pages import ROOT, Sample, samples
from tests.processes import PATIENCE_S, environment

BIN = Path(sys.executable).parent
SERVES = re.compile(r"^(?:lcg(?: --(?!mcp-stdio|help|version).*)?|lcg view.*)$")
"""A line that a reader leaves running, in a second terminal."""
MEMORY = """\
{"type": "entity", "name": "Ada", "entityType": "person", "observations": ["Works on engines."]}
{"type": "entity", "name": "Acme", "entityType": "company", "observations": []}
{"type": "relation", "from": "Ada", "to": "Acme", "relationType": "works at"}
"""
READY = re.compile(r"listening on|http://127\.0\.0\.1")


GIT_NAMES = ("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL")


class Reader:
    """Somebody who follows a page in a shell, with `lcg` on the path and a home of one's own."""

    def __init__(self, folder: Path, **variables: str) -> None:
        self.folder = folder / "project"
        home = folder / "home"
        for path in (self.folder, home / "my-project"):
            path.mkdir(parents=True)
        self._env = environment(
            {
                "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}",
                "HOME": str(home),
                "LCG_IDLE_EXIT_SECS": "1",
                **dict.fromkeys(GIT_NAMES, "reader@example.org"),
                **variables,
            }
        )
        self._served: subprocess.Popen[str] | None = None

    def follow(self, sample: Sample) -> str:
        """Run a sample and return what it prints. What serves runs until the next of its kind, or the end."""
        if sample.language == "python":
            return self._run([sys.executable, "-c", sample.text])
        setting_up: list[str] = []
        serving: list[str] = []
        for line in sample.text.splitlines():
            (serving if SERVES.match(line) else setting_up).append(line)
        script = "set -euo pipefail\n" + "\n".join(setting_up) + "\n"
        said = self._run(["bash", "-c", script]) if any(setting_up) else ""
        for line in serving:
            exports = "\n".join(kept for kept in setting_up if kept.startswith("export "))
            self._serve(f"{exports}\nexec {line}")
        return said

    def _run(self, command: list[str]) -> str:
        done = subprocess.run(
            command,
            cwd=self.folder,
            env=self._env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=2 * PATIENCE_S,
            check=False,
        )
        assert done.returncode == 0, f"{command[-1]}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def _serve(self, script: str) -> None:
        self.end()
        self._served = subprocess.Popen(
            ["bash", "-c", script],
            cwd=self.folder,
            env=self._env | {"BROWSER": "true"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        said, ready = [], threading.Event()
        output = self._served.stdout
        assert output is not None

        def listen() -> None:
            for line in output:
                said.append(line)
                if READY.search(line):
                    ready.set()
            ready.set()

        self._listener = threading.Thread(target=listen, daemon=True)
        self._listener.start()
        assert ready.wait(PATIENCE_S), said
        assert self._served.poll() is None, f"{script}\n{''.join(said)}"

    def end(self) -> None:
        """End what serves."""
        if self._served is None:
            return
        self._served.send_signal(signal.SIGTERM)
        with self._served:
            self._served.wait(PATIENCE_S)
            self._listener.join(PATIENCE_S)
        self._served = None


@contextmanager
def reader(folder: Path, **variables: str) -> Iterator[Reader]:
    """Give a reader for the length of a `with` block."""
    who = Reader(folder, **variables)
    try:
        yield who
    finally:
        who.end()


def to_follow(page: str) -> list[Sample]:
    """Return what a reader of the page runs."""
    return [sample for sample in samples(page, "sh", "python") if sample.not_run is None]


def furnish(project: Path) -> None:
    """Put there what the pages take for granted: notes, documents, and what another server has left."""
    shutil.copytree(ROOT / "demo/notes", project / "notes")
    shutil.copytree(ROOT / "docs/guides", project / "docs")
    shutil.copy(ROOT / "README.md", project)
    (project / "memory.jsonl").write_text(MEMORY, encoding="utf-8")
    for folder, name in (("private", "glossary.md"), ("work", "2026-06-01-handover.md")):
        (project / "notes" / folder).mkdir()
        shutil.copy(project / "notes" / name, project / "notes" / folder)
