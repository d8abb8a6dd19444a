"""What the dispatch table holds, and how a method is found in it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from lcg.errors import UnknownMethod
from lcg.runtime.call import Call
from lcg.runtime.decode import nearest
from lcg.runtime.show import plain


@dataclass(frozen=True, slots=True)
class Method:
    """One method of the service.

    `run(handlers, raw, call)` decodes the raw parameters and calls the handler; it raises `LcgError` as decoder and
    handler do.
    """

    name: str
    scope: str | None
    works_degraded: bool
    progress: bool
    run: Callable[[Any, Mapping[str, Any], Call], dict[str, Any]]


def find_method(name: str, methods: Mapping[str, Method]) -> Method:
    """Find a method.

    Raises:
        UnknownMethod: there is no such method. `data` holds `method`, and `suggestion` when some name is near.
    """
    method = methods.get(name)
    if method is not None:
        return method
    suggestion = nearest(name, tuple(methods))
    data = {"method": plain(name)} | ({"suggestion": suggestion} if suggestion else {})
    hint = f" Did you mean `{suggestion}`?" if suggestion else " The reference lists every method."
    raise UnknownMethod(f"There is no method `{plain(name)}`.{hint}", data)
