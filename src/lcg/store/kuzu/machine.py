"""What the machine has."""

import os


def memory_bytes() -> int:
    """Return the size of the machine's memory."""
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
