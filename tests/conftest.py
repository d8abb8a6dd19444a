"""What holds for all tests."""

import signal
from dataclasses import replace

from hypothesis import HealthCheck, settings

from lcg.generated import config
from tests.store.engine_name import ENGINE

# Where the tests run in the background of a script, its shell has them ignore SIGINT, and so would every program that
# they start, for good.
signal.signal(signal.SIGINT, signal.default_int_handler)

# How long examples take says how busy the machine is, and no test asserts that.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")

# `LCG_ENGINE=ladybug pytest` runs all tests on that engine: also those that make settings of their own, whose default
# is read here, before anything that reads it is imported.
config.LCG_ENGINE = replace(config.LCG_ENGINE, default=ENGINE)  # type: ignore[misc]
