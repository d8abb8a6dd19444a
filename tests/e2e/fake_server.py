"""The real program over the fake service: `python -m tests.e2e.fake_server [arguments]`.

FAKE_OPEN_S delays the moment at which the service is ready.
"""

import os
import sys
import threading

from lcg.__main__ import run
from lcg.generated.tool_specs import TOOL_SPECS
from lcg.runtime.call import Service
from lcg.server.backend import Backend
from lcg.settings import Settings
from tests.server.fake_service import TRAITS, FakeService


class Told(FakeService):
    """Says on stderr that it was closed, which a test cannot see otherwise."""

    def close(self) -> None:
        super().close()
        sys.stderr.write("service closed\n")


def open_fake(settings: Settings) -> Service:
    os.write(1, b"to stdout: must land on stderr\n")
    service = Told(ready=False)
    timer = threading.Timer(float(os.environ.get("FAKE_OPEN_S", "0")), service.ready.set)
    timer.daemon = True
    timer.start()
    return service


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:], Backend(open_fake, TRAITS, TOOL_SPECS)))
