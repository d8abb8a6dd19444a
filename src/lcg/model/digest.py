"""A group's digest: the sum of its rows' 128-bit hashes, modulo 2**128.

A sum moves with the rows (add the new hash, take away the old one), so it is kept, never computed, and two ways to
the same rows end in the same number, whatever their order.
"""

import hashlib
from collections.abc import Iterable

import orjson

from lcg.model.plain import Plain, place, plain
from lcg.model.pointers import holds_pointers, without_positions
from lcg.model.rows import Edge, Entity, Episode, Mention, Row

MODULUS = 1 << 128
_TAGS: dict[type[Row], str] = {Entity: "entity", Edge: "edge", Episode: "episode", Mention: "mention"}
_ATTRIBUTES = place(Edge, "attributes")


def row_hash(row: Row) -> int:
    """Return the 128-bit hash of everything that the log can restore of a row, but for the positions of pointers."""
    return digest_of_plain(type(row), (plain(row),))


def moved(digest: int, old: Row | None, new: Row | None) -> int:
    """Return a digest after one row went from `old` to `new` (None: there is none)."""
    if old is not None:
        digest -= row_hash(old)
    if new is not None:
        digest += row_hash(new)
    return digest % MODULUS


def digest_of_plain(kind: type[Row], rows: Iterable[Plain]) -> int:
    """Return what rows of one kind, given as their values, add to the digest of their group."""
    tag, dumps, blake2b, number = _TAGS[kind], orjson.dumps, hashlib.blake2b, int.from_bytes
    if kind is Edge:
        rows = map(_hashed_edge, rows)
    return sum([number(blake2b(dumps((tag, row)), digest_size=16).digest(), "big") for row in rows]) % MODULUS


def _hashed_edge(row: Plain) -> Plain:
    if holds_pointers(row[_ATTRIBUTES]):
        return (*row[:_ATTRIBUTES], without_positions(row[_ATTRIBUTES]), *row[_ATTRIBUTES + 1 :])
    return row


def as_hex(digest: int) -> str:
    """Write a digest as 32 hex digits."""
    return f"{digest:032x}"
