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
    handler do. It is None where this build has no handler (`available` is false).
    """

    name: str
    scope: str | None
    available: bool
    works_degraded: bool
    progress: bool
    run: Callable[[Any, Mapping[str, Any], Call], dict[str, Any]] | None


def find_method(name: str, methods: Mapping[str, Method]) -> Method:
    """Find a method that can be called.

    Raises:
        UnknownMethod: there is no such method, or this build has no handler for it. `data` holds `method`, and
            `suggestion` when some available name is near.
    """
    method = methods.get(name)
    if method is not None and method.available:
        return method
    suggestion = nearest(name, tuple(known for known, entry in methods.items() if entry.available))
    data = {"method": plain(name)} | ({"suggestion": suggestion} if suggestion else {})
    if method is not None:
        raise UnknownMethod(f"{name}: this build lacks the method; a later version has it.", {"method": name})
    hint = f" Did you mean `{suggestion}`?" if suggestion else " The reference lists every method."
    raise UnknownMethod(f"There is no method `{plain(name)}`.{hint}", data)
