"""A writer is killed at an arbitrary moment; whatever it had reported as appended is there."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lcg.wal.log import Log
from tests.wal.samples import GROUP, payload

WRITER = """
import sys
from pathlib import Path
from lcg.wal.log import Log
from tests.wal.samples import GROUP, payload
log = Log(Path(sys.argv[1]), max_events=40)
turn = 0
while True:
    turn += 1
    records = log.append(GROUP, [payload(turn, summary="x" * 500)] * (1 + turn % 4))
    sys.stdout.write(f"{records[-1].seq}\\n")
    sys.stdout.flush()
"""


@pytest.mark.e2e
def test_every_line_that_a_killed_writer_reported_is_there(tmp_path: Path) -> None:
    repository = Path(__file__).parents[2]
    for delay in (0.0, 0.03, 0.11):
        before = Log(tmp_path).stream(GROUP).max_seq or 0
        command = [sys.executable, "-c", WRITER, str(tmp_path)]
        environment = {"PYTHONPATH": f"{repository / 'src'}:{repository}"}
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as writer:
            assert writer.stdout is not None
            reported = [int(writer.stdout.readline())]
            time.sleep(delay)
            writer.send_signal(signal.SIGKILL)
            rest = writer.stdout.read()
        reported += [int(number) for number in rest.splitlines(keepends=True) if number.endswith("\n")]
        assert reported[0] > before
        log = Log(tmp_path)
        found = list(log.read(GROUP))
        seqs = [line.seq for line in found if line.record]
        assert seqs == list(range(1, len(seqs) + 1))
        assert len(seqs) >= reported[-1]
        assert not [line for line in found if line.error]
        log.append(GROUP, [payload()])
        assert not [line for line in log.read(GROUP) if line.torn or line.error]
