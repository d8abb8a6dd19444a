from typing import Any

import orjson
import pytest
from hypothesis import given
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
    Operation,
    Record,
)
from lcg.model.rows import Edge, Entity, Episode, Mention
from lcg.wal import codec
from lcg.wal.errors import LineError
from lcg.wal.operations import made, plain_operation
from tests.wal.samples import GROUP, MOMENT, YEAR_9999_END, line, records

AT = "2026-03-02T08:00:00.123456Z"
HEAD = f'{{"seq":12,"ts":"{AT}","v":1,"group":"liminis","origin":"test","ops":['
BARE_ENTITY = Entity("u1", GROUP, "Ada", (), MOMENT)
FULL_ENTITY = Entity("u1", GROUP, "Ada 月", ("Entity", "Person"), 0, "First.", '{"born":1815}', "", "Old.")
BARE_EDGE = Edge("u2", GROUP, "KNOWS", "u1", "", "Ada knows.", 0)
FULL_EDGE = Edge("u2", GROUP, "KNOWS", "u1", "u3", "f", 0, 0, 1, '{"a":1}', "KNOWS", ("e1",), "old")
BARE_EPISODE = Episode("e1", GROUP, "n", 0, "text", "", "c")
FULL_EPISODE = Episode("e1", GROUP, "n", 0, "text", "d", "c", 0, "a.md", "1", 0, "h", "k")

GOLDEN: list[tuple[Operation, str]] = [
    (EntityPut(BARE_ENTITY), f'{{"op":"entity.put","uuid":"u1","name":"Ada","labels":[],"created_at":"{AT}"}}'),
    (
        EntityPut(FULL_ENTITY),
        '{"op":"entity.put","uuid":"u1","name":"Ada 月","labels":["Entity","Person"],'
        '"created_at":"1970-01-01T00:00:00Z","summary":"First.","attributes":"{\\"born\\":1815}",'
        '"name_embedded":"","summary_embedded":"Old."}',
    ),
    (EntityDelete("u1"), '{"op":"entity.delete","uuid":"u1"}'),
    (
        EdgePut(BARE_EDGE),
        '{"op":"edge.put","uuid":"u2","name":"KNOWS","source_uuid":"u1","target_uuid":"","fact":"Ada knows.",'
        '"created_at":"1970-01-01T00:00:00Z"}',
    ),
    (
        EdgePut(FULL_EDGE),
        '{"op":"edge.put","uuid":"u2","name":"KNOWS","source_uuid":"u1","target_uuid":"u3","fact":"f",'
        '"created_at":"1970-01-01T00:00:00Z","valid_at":"1970-01-01T00:00:00Z",'
        '"invalid_at":"1970-01-01T00:00:00.000001Z","attributes":"{\\"a\\":1}","relation_type":"KNOWS",'
        '"episodes":["e1"],"fact_embedded":"old"}',
    ),
    (EdgeDelete("u2"), '{"op":"edge.delete","uuid":"u2"}'),
    (
        EpisodePut(BARE_EPISODE),
        '{"op":"episode.put","uuid":"e1","name":"n","created_at":"1970-01-01T00:00:00Z","source":"text",'
        '"source_description":"","content":"c"}',
    ),
    (
        EpisodePut(FULL_EPISODE),
        '{"op":"episode.put","uuid":"e1","name":"n","created_at":"1970-01-01T00:00:00Z","source":"text",'
        '"source_description":"d","content":"c","valid_at":"1970-01-01T00:00:00Z","source_file":"a.md",'
        '"chunk_id":"1","revision":0,"text_hash":"h","extractor_key":"k"}',
    ),
    (EpisodeDelete("e1"), '{"op":"episode.delete","uuid":"e1"}'),
    (MentionPut(Mention(GROUP, "e1", "u1")), '{"op":"mention.put","episode_uuid":"e1","entity_uuid":"u1"}'),
    (MentionDelete(Mention(GROUP, "e1", "u1")), '{"op":"mention.delete","episode_uuid":"e1","entity_uuid":"u1"}'),
    (GroupClear(), '{"op":"group.clear"}'),
]


@pytest.mark.parametrize(("operation", "text"), GOLDEN, ids=lambda value: value if isinstance(value, str) else None)
def test_each_operation_has_exactly_one_form_on_disk(operation: Operation, text: str) -> None:
    record = Record(GROUP, 12, MOMENT, "test", (operation,))
    expected = (HEAD + text + "]}").encode()
    assert codec.encode(record) == expected
    assert codec.decode(expected, GROUP) == record


@given(records)
def test_what_is_written_reads_back_equal(record: Record) -> None:
    encoded = codec.encode(record)
    assert b"\n" not in encoded
    assert codec.decode(encoded, record.group_id) == record
    assert codec.decode(encoded + b"\n", record.group_id) == record
    assert codec.seq_of(encoded) == record.seq


@given(records)
def test_plain_operations_are_the_operations_without_their_rows(record: Record) -> None:
    found = codec.plain_record_of(orjson.loads(codec.encode(record)), record.group_id)
    assert (found.seq, found.written_at, found.origin) == (record.seq, record.written_at, record.origin)
    assert found.operations == [plain_operation(operation) for operation in record.operations]
    assert tuple(made(operation) for operation in found.operations) == record.operations


any_text = st.text(max_size=3)
any_number = st.integers(-(2**80), 2**80)


@given(
    st.builds(
        Record,
        st.just(GROUP),
        any_number | st.integers(0, 3),
        any_number | st.just(MOMENT),
        any_text,
        st.lists(
            st.builds(
                EntityPut,
                st.builds(
                    Entity,
                    any_text,
                    st.just(GROUP) | any_text,
                    any_text,
                    st.lists(any_text, max_size=2).map(tuple),
                    any_number | st.just(MOMENT),
                    any_text,
                    any_text | st.just("{}"),
                ),
            )
            | st.builds(MentionPut, st.builds(Mention, st.just(GROUP), any_text, any_text))
            | st.builds(EdgeDelete, any_text)
            | st.builds(
                EpisodePut,
                st.builds(
                    Episode, any_text, st.just(GROUP), any_text, st.just(0), any_text, any_text, any_text,
                    revision=any_number,
                ),
            ),
            max_size=2,
        ).map(tuple),
    )
)  # fmt: skip
def test_what_could_not_be_read_back_is_not_written(record: Record) -> None:
    try:
        encoded = codec.encode(record)
    except LineError:
        return
    assert codec.decode(encoded, GROUP) == record


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (Entity("u", "other", "n", (), 0), "a row of group 'other' in a record of group 'liminis'"),
        (Entity("", GROUP, "n", (), 0), "uuid must not be empty"),
        (Entity("u", GROUP, "n", (), 0, attributes="[]"), "attributes must be a JSON object"),
        (Entity("u", GROUP, "n", (), 0, attributes='{"a":NaN}'), "attributes must be a JSON object"),
        (Entity("u", GROUP, "n\ud800", (), 0), "no JSON form"),
        (Entity("u", GROUP, "n", (), YEAR_9999_END + 1), "no JSON form"),
    ],
)
def test_encode_says_why_it_refuses_a_row(row: Entity, reason: str) -> None:
    with pytest.raises(LineError, match=reason):
        codec.encode(Record(GROUP, 1, MOMENT, "test", (EntityPut(row),)))


def change(**changes: Any) -> bytes:
    fields = orjson.loads(line(12))
    for key, value in changes.items():
        if value is ...:
            del fields[key]
        else:
            fields[key] = value
    return orjson.dumps(fields)


def change_op(**changes: Any) -> bytes:
    op = orjson.loads(line(12))["ops"][0]
    for key, value in changes.items():
        if value is ...:
            del op[key]
        else:
            op[key] = value
    return change(ops=[{"op": "group.clear"}, op])


HOSTILE: list[tuple[bytes, str]] = [
    (b"", "not JSON"),
    (b"null", "a line must be an object, got null"),
    (b"[1]", "a line must be an object, got a list"),
    (b'"x"', "a line must be an object, got text"),
    (b'{"seq":12,"ts', "not JSON"),
    (b'{"seq":12,"v":NaN}', "not JSON"),
    (line(12)[:-1] + b',"x":"\xff"}', "not JSON"),
    (line(12)[:-1] + b',"x":"\\ud800"}', "not JSON"),
    (line(12) + line(13), "not JSON"),
    (line(12)[:-1] + b',"x":' + b"[" * 100_000 + b"]" * 100_000 + b"}", "not JSON"),
    (b'{"a":' * 100_000, "not JSON"),
    (b'{"seq":0,"ts":"x","db":"","cypher":"CREATE (n)","params":{}}', "v is missing"),
    (change(v=...), "v is missing"),
    (change(v=2), "version 2 is not known here"),
    (change(v=True), "v must be a whole number from 1, got true"),
    (change(v="1"), "v must be a whole number from 1, got text"),
    (change(seq=...), "seq is missing"),
    (change(seq=0), "seq must be a whole number from 1, got 0"),
    (change(seq=-1), "got -1"),
    (change(seq=1.0), "got 1.0"),
    (change(seq=True), "got true"),
    (change(seq=2**62 + 1), "seq must be a whole number"),
    (change(group=...), "group is missing"),
    (change(group="Liminis"), "the line belongs to group 'Liminis'"),
    (change(group=7), "group must be text, got 7"),
    (change(origin=...), "origin is missing"),
    (change(origin=None), "origin must be text, got null"),
    (change(ts=...), "ts is missing"),
    (change(ts=5), "ts must be a time as text, got 5"),
    (change(ts="2026-03-02T08:00:00"), "ts is no UTC time"),
    (change(ts="2026-03-02T08:00:00+01:00"), "ts is no UTC time"),
    (change(ts="2026-03-02 08:00:00Z"), "ts is no UTC time"),
    (change(ts="2026-02-30T08:00:00Z"), "ts is no UTC time"),
    (change(ts="2026-03-02T25:00:00Z"), "ts is no UTC time"),
    (change(ts="2026-03-02T08:00:00.123Z"), "ts is no UTC time"),
    (change(ts="2026-W10-1T08:00:00Z"), "ts is no UTC time"),
    (change(ts="２０２６-03-02T08:00:00Z"), "ts is no UTC time"),
    (change(ts="2026-03-02T08:00:00Z\n"), "ts is no UTC time"),
    (change(ops=...), "ops is missing"),
    (change(ops={}), "ops must be a list, got an object"),
    (change(ops=[7]), "ops[0] must be an object, got 7"),
    (change(ops=[{}]), "ops[0]: unknown operation null"),
    (change(ops=[{"op": ["entity.put"]}]), "ops[0]: unknown operation a list"),
    (change(ops=[{"op": "entity.merge" + "x" * 99}]), "ops[0]: unknown operation 'entity.merge"),
    (change_op(uuid=...), "ops[1] entity.put: uuid is missing"),
    (change_op(uuid=""), "ops[1] entity.put: uuid must be text that is not empty, got empty text"),
    (change_op(uuid=5), "uuid must be text that is not empty, got 5"),
    (change_op(name=...), "name is missing"),
    (change_op(name=["x"]), "name must be text, got a list"),
    (change_op(labels=...), "labels is missing"),
    (change_op(labels="Entity"), "labels must be a list of text, got text"),
    (change_op(labels=["a", 1]), "labels must hold text only, got 1"),
    (change_op(created_at=...), "created_at is missing"),
    (change_op(created_at=None), "created_at must be a time as text, got null"),
    (change_op(summary=None), "summary must be text, got null"),
    (change_op(attributes={}), "attributes must be text, got an object"),
    (change_op(attributes="[1]"), "attributes must be a JSON object as text"),
    (change_op(attributes="{"), "attributes must be a JSON object as text"),
    (change_op(attributes='{"a":' + "[" * 5000 + "]" * 5000 + "}"), "attributes must be a JSON object as text"),
    (change_op(name_embedded=1), "name_embedded must be text or null, got 1"),
    (change(ops=[{"op": "mention.put", "episode_uuid": "e"}]), "ops[0] mention.put: entity_uuid is missing"),
    (change(ops=[{"op": "edge.delete"}]), "ops[0] edge.delete: uuid is missing"),
]


@pytest.mark.parametrize(("hostile", "reason"), HOSTILE, ids=[f"{i}-{r}" for i, (_, r) in enumerate(HOSTILE)])
def test_a_line_that_is_no_record_is_refused_with_its_reason(hostile: bytes, reason: str) -> None:
    with pytest.raises(LineError) as caught:
        codec.decode(hostile, GROUP)
    assert reason in caught.value.reason
    assert len(caught.value.reason) < 300


def test_unknown_keys_of_later_versions_are_passed_over() -> None:
    expected = codec.decode(line(12), GROUP)
    assert codec.decode(change(checksum="abc", nested={"a": [1]}), GROUP) == expected
    assert codec.decode(change(ops=[{**orjson.loads(line(12))["ops"][0], "colour": "red"}]), GROUP) == expected


def test_a_default_that_is_written_out_means_the_same() -> None:
    put = {"summary": "", "attributes": "{}", "name_embedded": None, "summary_embedded": None}
    fields = orjson.loads(line(12))
    fields["ops"][0].update(put)
    assert codec.decode(orjson.dumps(fields), GROUP) == codec.decode(line(12), GROUP)


@given(st.binary(max_size=60) | st.binary(max_size=30).map(lambda tail: b'{"seq":5,' + tail))
def test_no_bytes_make_the_reader_fall_over(content: bytes) -> None:
    codec.seq_of(content)
    codec.is_whole(content)
    with pytest.raises(LineError):
        codec.decode(content, GROUP)


@pytest.mark.parametrize(
    ("content", "seq"),
    [
        (b'{"seq":7,broken', 7),
        (b'{"seq":7}', 7),
        (b'{"seq":77}', 77),
        (b'{"seq": 8 , "db": ""}', 8),
        (b'{"db":"","seq":0}', 0),
        (b'{"db":"","seq":-1}', None),
        (b'{"db":"","seq":1.5}', None),
        (b'{"seq":"9","ts":""}', None),
        (b'{"seq":99999999999999999999,"v":1}', None),
        (b'{"seq":9999999999999999999999999999,"v":1}', None),
        (b"garbage", None),
    ],
)
def test_a_number_is_found_in_damaged_and_foreign_lines_too(content: bytes, seq: int | None) -> None:
    assert codec.seq_of(content) == seq
