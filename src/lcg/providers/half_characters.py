"""Reading JSON in which a model left half of a character: one such escape is no reason to lose a whole answer."""

import re
from typing import Any

import orjson

_ESCAPE = re.compile(
    rb"""\\\\                                               # a backslash that is text, not the start of an escape
       | \\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}  # both halves
       | (\\u[dD][89a-fA-F][0-9a-fA-F]{2})                  # one half alone
    """,
    re.VERBOSE,
)


def loads(content: bytes | str) -> Any:
    r"""Return the value of a JSON text, with U+FFFD for every `\ud83d` that lacks its other half.

    Raises:
        orjson.JSONDecodeError: it is no JSON for another reason.
    """
    try:
        return orjson.loads(content)
    except orjson.JSONDecodeError:
        raw = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
        mended = _ESCAPE.sub(lambda match: rb"\ufffd" if match[1] else match[0], raw)
        if mended == raw:
            raise
        return orjson.loads(mended)
