"""Keeping secrets out of status and telemetry: a second line behind those who must not say them at all."""

import os
import re
from typing import Final

from lcg.generated.config import VARIABLES

_HIDDEN: Final = "***"
_FEWEST_CHARS: Final = 8
"""A shorter value ("none", "local") is no secret, and would take words of every text with it."""

_NAMES: Final = tuple(variable.name for variable in VARIABLES if variable.name.endswith(("_API_KEY", "_TOKEN")))
_LOOKS_SECRET: Final = re.compile(
    r"""(?i:\bbearer\s+)[\w.~+/=-]{8,}  # an authorization header
      | \bsk-[\w-]{8,}                  # keys as model providers make them
      | (?<=://)[^/\s@"]+(?=@)          # user and password in an address
    """,
    re.VERBOSE,
)
_HINTS: Final = ("bearer", "sk-", "://")
"""One of these is in whatever the pattern finds, in small letters. Most texts have none, and are looked at often."""


def without_secrets(text: str) -> str:
    """Return a text in which neither a configured key nor anything that looks like one can be read."""
    for value in map(os.environ.get, _NAMES):
        if value and len(value) >= _FEWEST_CHARS:
            text = text.replace(value, _HIDDEN)
    small = text.lower()
    return _LOOKS_SECRET.sub(_HIDDEN, text) if any(hint in small for hint in _HINTS) else text
