"""The engines that a store can run on, and what the program has to know of each. Loads none of them."""

from dataclasses import dataclass
from importlib.util import find_spec


@dataclass(frozen=True, slots=True)
class EngineKind:
    """One engine.

    Attributes:
        name: its module, and what `LCG_ENGINE` calls it.
        mark: the bytes that its files begin with.
        install: what installs it.
        keeps_copies: whether rows of a COPY are safe once that is committed. Otherwise a checkpoint has to follow.
    """

    name: str
    mark: bytes
    install: str
    keeps_copies: bool


_KINDS = (
    EngineKind("kuzu", b"KUZU", "lcg", keeps_copies=True),
    EngineKind("ladybug", b"LBUG", "lcg[ladybug]", keeps_copies=False),
)
KINDS = {kind.name: kind for kind in _KINDS}


def kind_of(name: str) -> EngineKind:
    """Return an engine by its name.

    Raises:
        ValueError: there is no such engine.
    """
    if name not in KINDS:
        raise ValueError(f"engine must be one of {', '.join(KINDS)}; got {name!r}")
    return KINDS[name]


def what_is_missing(kind: EngineKind) -> str | None:
    """Say what to do before an engine can be used; None when it is installed."""
    if find_spec(kind.name) is not None:
        return None
    return f"the engine {kind.name} is not installed; install it with: pip install '{kind.install}'"
