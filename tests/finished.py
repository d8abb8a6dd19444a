"""Programs that are run to their end."""

import os
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any


def finished(words: Sequence[str | Path], timeout_s: float, **more: Any) -> subprocess.CompletedProcess[str]:
    """Run a program with no input and return how it ended; `more` is for Popen.

    Past its time it is ended with all that it started, which would hold its pipes open, and TimeoutExpired is raised.
    """
    with subprocess.Popen(
        words,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        **more,
    ) as process:
        try:
            output, errors = process.communicate(timeout=timeout_s)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise
    return subprocess.CompletedProcess(words, process.returncode, output, errors)
