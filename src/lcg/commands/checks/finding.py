"""What a look at one thing found."""

from dataclasses import dataclass
from typing import Literal

Area = Literal[
    "environment", "workspace", "lock", "socket", "store", "log", "indexes", "embedder", "extractor", "clients"
]
Level = Literal["ok", "note", "problem"]


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found in an area, and what to do: `remedy` is empty only where all is well.

    A `note` is something to know or to choose; a `problem` keeps something from working.
    """

    area: Area
    level: Level
    what: str
    remedy: str = ""
