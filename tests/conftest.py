"""What holds for all tests."""

import signal

# Where the tests run in the background of a script, its shell has them ignore SIGINT, and so would every program that
# they start, for good.
signal.signal(signal.SIGINT, signal.default_int_handler)
