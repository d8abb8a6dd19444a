"""Which engine the tests of the store run on."""

import os

ENGINE = os.environ.get("LCG_ENGINE", "kuzu")
