"""What the machine has, and how much of it the engine's buffer pool may take."""

import os

MIN_POOL_BYTES, MAX_POOL_BYTES = 256 << 20, 2 << 30
POOL_SHARE = 4
GROWTH_SHARE, MAX_GROWTH_BYTES = 4, 256 << 20


def memory_bytes() -> int:
    """Return the size of the machine's memory."""
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def pool_bytes() -> int:
    """Return how much memory the engine may use: a quarter of the machine's, within bounds.

    It takes what it needs and no more, but to checkpoint it needs four times the text of a column's 131,072 rows.
    """
    return max(MIN_POOL_BYTES, min(MAX_POOL_BYTES, memory_bytes() // POOL_SHARE))


def growth_bytes() -> int:
    """Return by how much the used part of the engine's pool may grow before there has to be a checkpoint.

    Until then it holds old versions of whole blocks of columns for each transaction, up to half a megabyte however
    little that changed, and when the pool is full every write fails.
    """
    return min(pool_bytes() // GROWTH_SHARE, MAX_GROWTH_BYTES)
