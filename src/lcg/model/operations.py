"""The closed set of operations that a log record can hold, and nothing else can change a graph.

Each is idempotent. A put carries the whole row, so the last one wins and folding a log is a dictionary; there are
no patches. Invalidating an edge or binding a pointer is a put of the changed row. Every operation belongs to the
group of its record; a row of another group in it is an error.
"""

from dataclasses import dataclass

from lcg.model.quickly_made import quickly_made
from lcg.model.rows import Edge, Entity, Episode, Mention


@quickly_made
@dataclass(frozen=True, slots=True)
class EntityPut:
    """Create or overwrite an entity."""

    row: Entity


@quickly_made
@dataclass(frozen=True, slots=True)
class EntityDelete:
    """Remove an entity and its links. Edges that end at it stay, without that hop."""

    uuid: str


@quickly_made
@dataclass(frozen=True, slots=True)
class EdgePut:
    """Create or overwrite a relationship; its hops follow from its endpoints."""

    row: Edge


@quickly_made
@dataclass(frozen=True, slots=True)
class EdgeDelete:
    """Remove a relationship."""

    uuid: str


@quickly_made
@dataclass(frozen=True, slots=True)
class EpisodePut:
    """Create or overwrite an episode."""

    row: Episode


@quickly_made
@dataclass(frozen=True, slots=True)
class EpisodeDelete:
    """Remove an episode and its mentions."""

    uuid: str


@quickly_made
@dataclass(frozen=True, slots=True)
class MentionPut:
    """Link an episode to an entity that it mentions."""

    row: Mention


@quickly_made
@dataclass(frozen=True, slots=True)
class MentionDelete:
    """Remove such a link."""

    row: Mention


@quickly_made
@dataclass(frozen=True, slots=True)
class GroupClear:
    """Remove everything that the group owns."""


Operation = (
    EntityPut
    | EntityDelete
    | EdgePut
    | EdgeDelete
    | EpisodePut
    | EpisodeDelete
    | MentionPut
    | MentionDelete
    | GroupClear
)


@quickly_made
@dataclass(frozen=True, slots=True)
class Record:
    """One transaction of one group: one line of its log, one sequence number.

    `written_at` is microseconds UTC; `origin` names what asked for it (for people who read the log).
    """

    group_id: str
    seq: int
    written_at: int
    origin: str
    operations: tuple[Operation, ...]
