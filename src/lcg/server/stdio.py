"""The three standard descriptors: that they exist, and that stdin and stdout belong to the protocol alone."""

import os
import sys


def open_missing_streams() -> None:
    """Put the null device where the process was started without stdin, stdout or stderr.

    Otherwise the next file that is opened, be it the lock, the log or the store, takes that place, and what is meant
    for a client or a terminal is written into it. To be called before anything is opened.
    """
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            # The lowest free number is taken, which is this one.
            os.set_inheritable(os.open(os.devnull, os.O_RDONLY if descriptor == 0 else os.O_WRONLY), True)
    # The interpreter has set to None what it did not find.
    sys.stdin = sys.stdin or os.fdopen(0, "r", closefd=False)
    sys.stdout = sys.stdout or os.fdopen(1, "w", closefd=False)
    sys.stderr = sys.stderr or os.fdopen(2, "w", closefd=False)


def take_stdio() -> tuple[int, int]:
    """Take stdin and stdout for the protocol and return private descriptors of them.

    From then on whatever prints to stdout, child processes and native code included, lands on stderr, and whatever
    reads stdin finds its end.

    Raises:
        OSError: the process was started without them.
    """
    source, sink = os.dup(0), os.dup(1)
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    try:
        os.dup2(2, 1)
    except OSError:  # started without stderr
        with open(os.devnull, "wb") as nowhere:
            os.dup2(nowhere.fileno(), 1)
    return source, sink
