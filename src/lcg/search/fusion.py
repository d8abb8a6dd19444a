"""One ranking out of several: reciprocal rank fusion."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lcg.search.protocol import Hit

RANK_CONSTANT = 60
"""How slowly the worth of a rank falls. Ranks count from 0, so the first row of a list is worth 1/60."""


@dataclass(frozen=True, slots=True)
class RankedList:
    """Rows by uuid, best first, each once; `weight` multiplies what the list gives to the fused score."""

    uuids: Sequence[str]
    weight: float = 1.0


def fuse(lists: Iterable[RankedList], limit: int) -> list[Hit]:
    """Return the best rows over all lists: each list gives a row weight / (60 + rank). Ties by uuid.

    The scores compare rows of this answer only. What a list scored its rows with plays no part.
    """
    scores: dict[str, float] = {}
    for ranked in lists:
        for rank, uuid in enumerate(ranked.uuids, RANK_CONSTANT):
            scores[uuid] = scores.get(uuid, 0.0) + ranked.weight / rank
    return _best(scores, limit)


def interleave(lists: Iterable[RankedList], limit: int) -> list[Hit]:
    """As `fuse`, but a row is worth the most that any one list gives it: the lists' first rows come first, in turn.

    For lists that do not judge alike: what stands in both is not pushed before the best of either.
    """
    scores: dict[str, float] = {}
    for ranked in lists:
        for rank, uuid in enumerate(ranked.uuids, RANK_CONSTANT):
            scores[uuid] = max(scores.get(uuid, 0.0), ranked.weight / rank)
    return _best(scores, limit)


def _best(scores: dict[str, float], limit: int) -> list[Hit]:
    # Sums of the same worths in another order may differ in their last bits: rows that tie must tie exactly.
    best = sorted([(-round(score, 12), uuid) for uuid, score in scores.items()])
    return [Hit(uuid, -score) for score, uuid in best[: max(limit, 0)]]
