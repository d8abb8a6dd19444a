"""How much of a write fits into one log record, so that a long one is cut before the log would refuse it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from lcg.model.operations import EdgePut, EntityPut, EpisodePut, Operation

OPERATIONS_PER_RECORD = 5_000
CHARACTERS_PER_RECORD = 8_000_000
"""JSON needs at most six bytes for a character, so that this many stay below the bound of a record."""
_FRAME = 400
"""Characters of an operation's keys, uuids and times, and some to spare."""


class Cuttable(Protocol):
    """Operations that must stand in one record together."""

    @property
    def operations(self) -> tuple[Operation, ...]:
        """The operations; none for what needs no change."""
        ...


@dataclass(frozen=True, slots=True)
class Piece:
    """The simplest thing to be cut between."""

    operations: tuple[Operation, ...] = ()


CuttableT = TypeVar("CuttableT", bound=Cuttable)


def characters(operation: Operation) -> int:
    """Return how many characters an operation has in a record, at the most."""
    match operation:
        case EdgePut(row):
            texts = (row.name, row.fact, row.attributes, row.relation_type, row.fact_embedded, *row.episodes)
        case EntityPut(row):
            texts = (row.name, row.summary, row.attributes, row.name_embedded, row.summary_embedded, *row.labels)
        case EpisodePut(row):
            origin = (row.source, row.source_description, row.source_file, row.chunk_id, row.extractor_key)
            texts = (row.name, row.content, *origin)
        case _:
            texts = ()
    return _FRAME + sum(len(text) + 3 for text in texts if text)


def within_a_record(
    parts: Iterable[CuttableT], most: int = OPERATIONS_PER_RECORD
) -> tuple[list[CuttableT], CuttableT | None]:
    """Return the next parts that one record takes, at least one, and the first that it does not (None: no more came).

    A part that is too big by itself comes alone; the log decides about it, and refuses it before anything is changed.
    """
    taken: list[CuttableT] = []
    operations = size = 0
    for part in parts:
        operations += len(part.operations)
        size += sum(map(characters, part.operations))
        if taken and (operations > most or size > CHARACTERS_PER_RECORD):
            return taken, part
        taken.append(part)
    return taken, None


def fits(operations: Iterable[Operation]) -> bool:
    """Say whether operations surely fit into one record. Those that do not may still, one by one."""
    return sum(map(characters, operations)) <= CHARACTERS_PER_RECORD
