"""What holds for all tests."""

import signal

from hypothesis import HealthCheck, settings

# Where the tests run in the background of a script, its shell has them ignore SIGINT, and so would every program that
# they start, for good.
signal.signal(signal.SIGINT, signal.default_int_handler)

# How long examples take says how busy the machine is, and no test asserts that.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")
