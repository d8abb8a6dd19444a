"""What became of trying a client."""

from dataclasses import dataclass
from typing import Literal

from tests.clients.catalogue import Client


@dataclass(frozen=True, slots=True)
class Outcome:
    """A client, whether it passed, and what was seen, missing or wrong."""

    client: Client
    state: Literal["passed", "skipped", "failed"]
    said: str
