"""A group's digest: the sum of its rows' 128-bit hashes, modulo 2**128.

A sum moves with the rows (add the new hash, take away the old one), so it is kept, never computed, and two ways to
the same rows end in the same number, whatever their order.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import fields, replace
from operator import attrgetter

import orjson

from lcg.model.pointers import holds_pointers, without_positions
from lcg.model.rows import Edge, Entity, Episode, Mention, Row

_MODULUS = 1 << 128
_TAGS: dict[type, str] = {Entity: "entity", Edge: "edge", Episode: "episode", Mention: "mention"}
_COLUMNS = {kind: attrgetter(*(field.name for field in fields(kind))) for kind in _TAGS}


def row_hash(row: Row) -> int:
    """Return the 128-bit hash of everything that the log can restore of a row, but for the positions of pointers."""
    kind = type(row)
    if isinstance(row, Edge) and holds_pointers(row.attributes):
        row = replace(row, attributes=without_positions(row.attributes))
    payload = orjson.dumps((_TAGS[kind], _COLUMNS[kind](row)))
    return int.from_bytes(hashlib.blake2b(payload, digest_size=16).digest(), "big")


def moved(digest: int, old: Row | None, new: Row | None) -> int:
    """Return a digest after one row went from `old` to `new` (None: there is none)."""
    if old is not None:
        digest -= row_hash(old)
    if new is not None:
        digest += row_hash(new)
    return digest % _MODULUS


def digest_of_rows(rows: Iterable[Row]) -> int:
    """Return the digest of a group that has these rows."""
    return sum(map(row_hash, rows)) % _MODULUS


def as_hex(digest: int) -> str:
    """Write a digest as 32 hex digits."""
    return f"{digest:032x}"
