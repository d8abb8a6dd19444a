"""From the arguments of a function to the parameters of a call, as they are on the wire."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lcg.runtime.call import ProgressFrame

OnProgress = Callable[[ProgressFrame], None]
"""Is given each frame of progress: counts of work units, and a sentence for people."""


def given(**arguments: Any) -> dict[str, Any]:
    """Return the arguments that are not None, as JSON has them: objects as dicts, arrays as lists."""
    return {name: _plain(value) for name, value in arguments.items() if value is not None}


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return [_plain(item) for item in value]
    return value
