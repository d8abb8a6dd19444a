"""Who decides whether an entity of a text is one that is stored, where their names alone do not tell."""

from dataclasses import dataclass
from typing import Protocol


class JudgeError(Exception):
    """The judge did not answer, or not usably. The message is safe to show; the two count as different then."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entity that is stored and whose name is near in meaning."""

    uuid: str
    name: str
    summary: str


@dataclass(frozen=True, slots=True)
class Incoming:
    """An entity that an extractor found. `entity_type` is `""` when untyped."""

    name: str
    entity_type: str
    summary: str


class Judge(Protocol):
    """Decides about pairs. Blocks; safe from any thread."""

    def is_same(self, candidate: Candidate, incoming: Incoming) -> bool:
        """Say whether both are one entity.

        Raises:
            JudgeError: no usable answer.
            OperationFailed: `cancelled`, the call that this thread serves was given up.
        """
        ...
