"""Takes stdin and stdout away from everything but the protocol."""

import os


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
