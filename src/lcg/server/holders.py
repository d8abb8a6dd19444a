"""Who is at the other end of a socket, and who holds the lock of a file, for messages that name a process."""

import contextlib
import os
import socket
import struct
import sys
from pathlib import Path
from typing import Final

_CREDENTIALS: Final = struct.Struct("3i")
_LOCKS: Final = Path("/proc/locks")


def peer_pid(connected: socket.socket) -> int | None:
    """Return the process that listens at the other end of a Unix socket, where the system tells."""
    if sys.platform != "linux":
        return None
    with contextlib.suppress(OSError):
        raw = connected.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
        pid: int = _CREDENTIALS.unpack(raw)[0]
        return pid or None  # 0: it lives in a namespace that cannot be seen from here
    return None


def lock_holder(descriptor: int) -> int | None:
    """Return the process that holds the advisory lock (flock) of an open file, where the system tells."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        found = os.fstat(descriptor)
        file = f"{os.major(found.st_dev):02x}:{os.minor(found.st_dev):02x}:{found.st_ino}"
        for line in _LOCKS.read_text().splitlines():
            # 1: FLOCK  ADVISORY  WRITE 4711 fd:01:1234567 0 EOF
            words = line.split()
            if words[1] == "FLOCK" and words[5] == file and int(words[4]) > 0:
                return int(words[4])
    return None
