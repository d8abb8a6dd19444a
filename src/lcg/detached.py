"""The program as `--connect auto` starts it: the service of the workspace, which nobody watches.

`python -m lcg.detached [flags of a service]`. What it says goes to the service's log, which it keeps small. It waits a
while for an owner that is about to end, and it ends by itself when there have been no clients for long.
"""

import sys

from lcg.__main__ import run
from lcg.server.stdio import open_missing_streams

if __name__ == "__main__":
    open_missing_streams()
    sys.exit(run(sys.argv[1:], detached=True))
