"""Ranking the texts that went in, by meaning and by words."""

from lcg.runtime.groups import GroupFilter
from lcg.search.fusion import RankedList, fuse
from lcg.search.protocol import TextIndex, TextKind, Vector, VectorIndex, VectorKind


class PassageRanking:
    """Ranks episodes. Superseded revisions of a chunk are not in the indexes, so they are never ranked."""

    def __init__(self, text: TextIndex, vectors: VectorIndex) -> None:
        self._text = text
        self._vectors = vectors

    def ranked(self, query: str, vector: Vector | None, groups: GroupFilter, depth: int) -> list[str]:
        """Return the best episodes of both lists, each looked into to a depth; without a vector, those by words."""
        by_words = [hit.uuid for hit in self._text.search(TextKind.EPISODE, query, groups, depth)]
        if vector is None:
            return by_words
        nearest = self._vectors.search(VectorKind.EPISODE_CONTENT, vector, groups, depth)
        lists = [RankedList([hit.uuid for hit in nearest]), RankedList(by_words)]
        return [hit.uuid for hit in fuse(lists, 2 * depth)]
