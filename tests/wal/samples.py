"""Records, strategies for them, and file operations that fail on demand."""

import errno
import json
import os
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from lcg.model.operations import (
    EdgeDelete,
    EdgePut,
    EntityDelete,
    EntityPut,
    EpisodeDelete,
    EpisodePut,
    GroupClear,
    MentionDelete,
    MentionPut,
    Record,
)
from lcg.model.rows import Edge, Entity, Episode, Mention
from lcg.wal import codec
from lcg.wal.fileops import SystemFileOps
from lcg.wal.log import Payload

GROUP = "liminis"
MOMENT = 1_772_438_400_123_456  # 2026-03-02T08:00:00.123456Z
YEAR_1 = -62_135_596_800_000_000
YEAR_9999_END = 253_402_300_799_999_999


def entity(number: int = 1, group_id: str = GROUP, **changes: Any) -> Entity:
    fields: dict[str, Any] = {"name": f"Apollo {number}", "labels": ("Entity",), "created_at": MOMENT, **changes}
    return Entity(f"entity-{number}", group_id, **fields)


def payload(number: int = 1, group_id: str = GROUP, **changes: Any) -> Payload:
    return Payload("knowledge_assert_entity", (EntityPut(entity(number, group_id, **changes)),))


def record(seq: int, group_id: str = GROUP) -> Record:
    return Record(group_id, seq, MOMENT, "knowledge_assert_entity", (EntityPut(entity(seq, group_id)),))


def line(seq: int, group_id: str = GROUP) -> bytes:
    return codec.encode(record(seq, group_id))


def write_file(directory: Path, name: str, seqs: list[int]) -> Path:
    """Write a log file as another program would."""
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / name
    path.write_bytes(b"".join(line(seq) + b"\n" for seq in seqs))
    return path


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
keys = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
moments = st.integers(YEAR_1, YEAR_9999_END)
_json = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | texts, lambda c: st.lists(c, max_size=3)
)
attributes = st.dictionaries(texts, _json, max_size=3).map(json.dumps)
maybe_text = st.none() | texts
maybe_moment = st.none() | moments


def operations(group_id: str) -> st.SearchStrategy[Any]:
    group = st.just(group_id)
    labels = st.lists(texts, max_size=3).map(tuple)
    entities = st.builds(Entity, keys, group, texts, labels, moments, texts, attributes, maybe_text, maybe_text)
    edges = st.builds(
        Edge, keys, group, texts, texts, texts, texts, moments, maybe_moment, maybe_moment, attributes, maybe_text,
        labels, maybe_text,
    )  # fmt: skip
    revisions = st.none() | st.integers(0, codec.MAX_SEQ)
    episodes = st.builds(
        Episode, keys, group, texts, moments, texts, texts, texts, maybe_moment, maybe_text, maybe_text, revisions,
        maybe_text, maybe_text,
    )  # fmt: skip
    mentions = st.builds(Mention, group, keys, keys)
    return st.one_of(
        st.builds(EntityPut, entities),
        st.builds(EntityDelete, keys),
        st.builds(EdgePut, edges),
        st.builds(EdgeDelete, keys),
        st.builds(EpisodePut, episodes),
        st.builds(EpisodeDelete, keys),
        st.builds(MentionPut, mentions),
        st.builds(MentionDelete, mentions),
        st.builds(GroupClear),
    )


records = keys.flatmap(
    lambda group_id: st.builds(
        Record,
        st.just(group_id),
        st.integers(1, codec.MAX_SEQ),
        moments,
        texts,
        st.lists(operations(group_id), max_size=5).map(tuple),
    )
)


class FaultyOps(SystemFileOps):
    """Real file operations; each kind fails with a given errno for as many calls as its counter says."""

    def __init__(self) -> None:
        self.code = errno.ENOSPC
        self.fail_writes = self.fail_fsyncs = self.fail_truncates = 0
        self.skip_fsyncs = 0
        self.torn_after: int | None = None
        self.calls: list[str] = []

    def write(self, fd: int, data: bytes | memoryview) -> int:
        self.calls.append("write")
        if self.torn_after is not None:
            if self.torn_after > 0:
                taken = os.write(fd, data[: self.torn_after])
                self.torn_after -= taken
                return taken
            self.torn_after = None
            raise OSError(self.code, os.strerror(self.code))
        if self.fail_writes > 0:
            self.fail_writes -= 1
            raise OSError(self.code, os.strerror(self.code))
        return super().write(fd, data)

    def fsync(self, fd: int) -> None:
        self.calls.append("fsync")
        if self.skip_fsyncs > 0:
            self.skip_fsyncs -= 1
        elif self.fail_fsyncs > 0:
            self.fail_fsyncs -= 1
            raise OSError(self.code, os.strerror(self.code))
        super().fsync(fd)

    def truncate(self, fd: int, length: int) -> None:
        self.calls.append("truncate")
        if self.fail_truncates > 0:
            self.fail_truncates -= 1
            raise OSError(self.code, os.strerror(self.code))
        super().truncate(fd, length)
