"""Memory that is free, but that the C library keeps for what is asked of it next."""

import ctypes
import sys


def give_back_memory() -> None:
    """Give free memory back to the system, where the C library can: after work that took much and is over."""
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)
