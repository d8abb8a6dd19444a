"""Putting batches together that wait for the store, so that they share statements and one commit.

Only batches that add and change rows are put together: then it makes no difference whether they come one after the
other or as one. A batch that takes something away, or moves an edge, stays by itself in its place.
"""

from collections.abc import Iterable, Iterator, Sequence

from lcg.model.rows import Edge, Entity, Episode, Mention
from lcg.store.protocol import Batch, Change, Position, RowT

_Row = Entity | Edge | Episode

_ROWS_OF_AN_EDGE = 3
"""It and its two hops."""


def size(batch: Batch) -> int:
    """Return about how many rows and links a batch touches."""
    rows = len(batch.entities) + _ROWS_OF_AN_EDGE * len(batch.edges) + len(batch.episodes)
    return rows + len(batch.mentions_added) + len(batch.mentions_removed) + len(batch.attach)


def gathered(batches: Iterable[Batch]) -> Iterator[Batch]:
    """Yield batches that do, one after the other, what these do.

    Where several are put together, each uuid, mention and group's position occurs once, as it is at last.
    """
    sum_of: _Sum | None = None
    for batch in batches:
        if sum_of is not None and sum_of.takes(batch):
            continue
        if sum_of is not None:
            yield sum_of.batch()
        sum_of = _Sum()
        if not sum_of.takes(batch):
            sum_of = None
            yield batch
    if sum_of is not None:
        yield sum_of.batch()


class _Sum:
    """Batches put together, by what tells their parts apart."""

    def __init__(self) -> None:
        self._batches: list[Batch] = []
        self._last: dict[str, _Row] = {}

    def takes(self, batch: Batch) -> bool:
        """Take a batch in that follows the others, or return False and take nothing of it."""
        if batch.cleared or batch.mentions_removed or any(map(_moves, batch.edges)):
            return False
        last: dict[str, _Row] = {}
        for old, new in _ways(batch):
            # What contradicts the row before it is left as it is: the store refuses it, or knows how to take it.
            if new is None or new.uuid in last or self._last.get(new.uuid, old) != old:
                return False
            last[new.uuid] = new
        self._last |= last
        self._batches.append(batch)
        return True

    def batch(self) -> Batch:
        """Return them as one."""
        if len(self._batches) == 1 and not _repeats(self._batches[0].mentions_added):
            return self._batches[0]
        edges = _changes(batch.edges for batch in self._batches)
        new = {change.new.uuid for change in edges if change.new and not change.old}
        mentions: dict[Mention, None] = {}
        attach: dict[tuple[str, str], None] = {}
        ends: dict[str, tuple[str, ...]] = {}
        positions: dict[str, Position] = {}
        for batch in self._batches:
            mentions |= dict.fromkeys(batch.mentions_added)
            # A new edge is made after all entities, so it gets its hops with them.
            attach |= dict.fromkeys(pair for pair in batch.attach if pair[1] not in new)
            ends |= batch.episode_entities
            positions |= {position.group_id: position for position in batch.positions}
        return Batch(
            entities=_changes(batch.entities for batch in self._batches),
            edges=edges,
            episodes=_changes(batch.episodes for batch in self._batches),
            mentions_added=list(mentions),
            attach=list(attach),
            episode_entities=ends,
            positions=list(positions.values()),
        )


def _ways(batch: Batch) -> Iterator[tuple[_Row | None, _Row | None]]:
    yield from ((change.old, change.new) for change in batch.entities)
    yield from ((change.old, change.new) for change in batch.edges)
    yield from ((change.old, change.new) for change in batch.episodes)


def _moves(change: Change[Edge]) -> bool:
    old, new = change.old, change.new
    return bool(old and new and (old.source_uuid, old.target_uuid) != (new.source_uuid, new.target_uuid))


def _changes(parts: Iterable[Sequence[Change[RowT]]]) -> list[Change[RowT]]:
    """Return the way of each row from what it was before all parts to what it is after them."""
    ways: dict[str, Change[RowT]] = {}
    for part in parts:
        for change in part:
            if change.new is not None:
                uuid = change.new.uuid
                ways[uuid] = Change(ways[uuid].old, change.new) if uuid in ways else change
    return list(ways.values())


def _repeats(mentions: Sequence[Mention]) -> bool:
    return len(set(mentions)) < len(mentions)
