"""What a scenario is: it measures something of ours beside the bare engine and a rival, in the same run.

A scenario is a module of `bench/scenarios/` with a `SCENARIO`. `bench/README.md` says how one is added.
"""

import operator
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, TypeVar

Scale = Literal["full", "quick", "tiny"]
"""How large a run is. `tiny` is for the tests of the program itself; its figures mean nothing."""

Share = Literal["ours", "ours/bare", "bare/ours", "ours/rival", "rival/ours"]
"""What a target is about: our figure itself, or how many times one figure is the other."""

SizeT = TypeVar("SizeT")

_ROUNDS: Final[Mapping[Scale, int]] = {"full": 5, "quick": 3, "tiny": 1}
_COMPARED: Final = {"<=": operator.le, ">=": operator.ge}


class Skipped(Exception):
    """A scenario cannot be measured here; the message says why, as a sentence."""


@dataclass(frozen=True, slots=True)
class Target:
    """What a figure is to reach: a share that is at most or at least some value. `Target("ours/bare", "<=", 2)`."""

    share: Share
    sense: Literal["<=", ">="]
    value: float


@dataclass(frozen=True, slots=True)
class Figure:
    """One thing that was measured, once in each round, for ours and for what it is compared with.

    Attributes:
        what: what was measured, with its size: "narrow entity search, 10000 entities".
        unit: "ms", "a second", "MB", ... of every value.
        ours: our value in each round.
        bare: the bare engine's, in the same rounds; empty where there is nothing bare.
        rival: the rival's; empty where there is none, or where it could not be had.
        targets: what it is to reach.
        rival_name: whose figure `rival` is.
    """

    what: str
    unit: str
    ours: Sequence[float]
    bare: Sequence[float] = ()
    rival: Sequence[float] = ()
    targets: Sequence[Target] = ()
    rival_name: str = ""

    def values(self, whose: str) -> Sequence[float]:
        """Return the values of `ours`, `bare` or `rival`."""
        return {"ours": self.ours, "bare": self.bare, "rival": self.rival}[whose]

    def share(self, share: Share) -> float | None:
        """Return our median, or the median of the rounds' quotients; None when a part of it was not measured.

        Quotients are taken within a round, so that what slows a machine down for a while slows both down.
        """
        one, _, other = share.partition("/")
        above = self.values(one)
        below = self.values(other) if other else [1.0] * len(above)
        if not above or not below or not all(below):
            return None
        if len(above) != len(below):
            return statistics.median(above) / statistics.median(below)
        return statistics.median(a / b for a, b in zip(above, below, strict=True))

    def met(self, target: Target) -> bool | None:
        """Tell whether a target is met; None when that was not measured."""
        share = self.share(target.share)
        return None if share is None else bool(_COMPARED[target.sense](share, target.value))


@dataclass(frozen=True, slots=True)
class Memory:
    """What a process had in megabytes (1e6 bytes): pages of its own, and all that were resident, files' pages too."""

    process: str
    anonymous_mb: float
    resident_mb: float


@dataclass(slots=True)
class Result:
    """What a scenario measured. `notes` are sentences for whoever reads the figures."""

    figures: list[Figure] = field(default_factory=list)
    memory: list[Memory] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Run:
    """How a scenario is to measure.

    Attributes:
        scale: how large.
        kept: a folder that stays from run to run: made-up workspaces, environments of rivals.
        churn_minutes: how long the scenario that watches a service works; None: as `scale` says.
    """

    scale: Scale
    kept: Path
    churn_minutes: float | None = None

    @property
    def rounds(self) -> int:
        """How often everything is measured."""
        return _ROUNDS[self.scale]

    def pick(self, full: SizeT, quick: SizeT, tiny: SizeT) -> SizeT:
        """Return the one of three that this run's scale asks for."""
        return {"full": full, "quick": quick, "tiny": tiny}[self.scale]

    @contextmanager
    def scratch(self) -> Iterator[Path]:
        """Give an empty folder that is removed at the end. Its path is short: a socket's path may have 107 bytes."""
        with tempfile.TemporaryDirectory(prefix="lcg-bench-") as folder:
            yield Path(folder)


@dataclass(frozen=True, slots=True)
class Scenario:
    """A thing to measure.

    Attributes:
        name: a short word; the module is called so.
        title: its heading on the page.
        about: what is measured and against what, for the page; sentences.
        measure: measures it. May raise Skipped.
    """

    name: str
    title: str
    about: str
    measure: Callable[[Run], Result]


def interleaved(rounds: int, measured: Mapping[str, Callable[[], float]]) -> dict[str, list[float]]:
    """Measure everything in every round, and return the values of the rounds by name.

    The order is turned round after each round, so that nobody always comes first.
    """
    values: dict[str, list[float]] = {name: [] for name in measured}
    order = list(measured)
    for _ in range(rounds):
        for name in order:
            values[name].append(measured[name]())
        order.reverse()
    return values


def median_ms(call: Callable[[], object], times: int) -> float:
    """Call that many times and return the median of the milliseconds that a call took."""
    taken = []
    for _ in range(times):
        begun = time.perf_counter()
        call()
        taken.append(1e3 * (time.perf_counter() - begun))
    return statistics.median(taken)
