"""Files that nobody meant to be imported: each line is told of with its reason, and nothing else happens."""

import random
from io import BytesIO
from pathlib import Path

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lcg.exchange.imports import Form
from lcg.exchange.reading import KEPT, NotThisFormat, Refusals, read_objects
from tests.exchange.imported import exported, imported, staged_in
from tests.exchange.test_round_trip import SLOW, workspaces

HEADER = b'{"format":"lcg-graph","version":1}\n'
ADA = (
    b'{"type":"entity","group":"g","uuid":"u1","name":"Ada","labels":["Entity"],"created_at":"2026-01-01T00:00:00Z"}\n'
)
BOB = ADA.replace(b"u1", b"u2").replace(b"Ada", b"Bob")
EDGE = (
    b'{"type":"edge","group":"g","uuid":"e1","name":"KNOWS","source_uuid":"u1","target_uuid":"u2","fact":"f",'
    b'"created_at":"2026-01-01T00:00:00Z"}\n'
)
EPISODE = (
    b'{"type":"episode","group":"g","uuid":"p1","name":"n","created_at":"2026-01-01T00:00:00Z","source":"text",'
    b'"source_description":"s","content":"c"}\n'
)
MENTION = b'{"type":"mention","group":"g","episode_uuid":"p1","entity_uuid":"u1"}\n'
MEMORY = (
    b'{"type":"entity","name":"Ada","entityType":"person","observations":["likes tea"]}\n'
    b'{"type":"entity","name":"Bob","entityType":"person","observations":[]}\n'
    b'{"type":"relation","from":"Ada","to":"Bob","relationType":"knows"}\n'
)


def reasons(folder: Path, content: bytes, form: Form | None = None) -> list[tuple[int, str]]:
    return staged_in(folder, content, form=form).refusals.lines


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"not json\n", "not JSON"),
        (b'{"type":"entity"\n', "not JSON"),
        (b"[1,2]\n", "a line must be an object, got a list"),
        (b"[" * 100_000 + b"\n", "not JSON"),
        (b'{"a":' * 5_000 + b"1" + b"}" * 5_000 + b"\n", "not JSON"),
        (ADA.replace(b"Ada", b"\xff\xfe"), "not JSON"),
        (ADA.replace(b"Ada", b"\\ud800"), "not JSON"),
        (ADA.replace(b'"Ada"', b"NaN"), "not JSON"),
        (ADA.replace(b'"Ada"', b"7"), "name must be text, got 7"),
        (ADA.replace(b"Ada", b""), "name must be text that is not blank, got empty text"),
        (ADA.replace(b"Ada", b" \\t \\u00a0"), "name must be text that is not blank, got white space only"),
        (
            ADA.replace(b"Ada", b"A\\tda"),
            "name must not hold control characters such as tabs and line breaks, got 'A\\tda'",
        ),
        (ADA.replace(b"Ada", b"Ada\\u0000"), "name must not hold control characters"),
        (ADA.replace(b'"2026-01-01T00:00:00Z"', b"true"), "created_at must be a time as text, got true"),
        (ADA.replace(b'["Entity"]', b'"Entity"'), "labels must be a list of text"),
        (ADA.replace(b'"u1"', b'""'), "uuid must be text that is not empty"),
        (ADA.replace(b'"u1"', b'"a b"'), "a uuid has at most"),
        (ADA.replace(b'"u1"', b'"' + b"u" * 300 + b'"'), "a uuid has at most"),
        (ADA.replace(b'"g"', b'"../g\\u0000"'), "group"),
        (ADA.replace(b'"g"', b'" g"'), "group must not begin"),
        (ADA.replace(b'"g"', b'"' + b"g" * 300 + b'"'), "group"),
        (ADA.replace(b'"g"', b"null"), "group must be text"),
        (ADA.replace(b"2026-01-01T00:00:00Z", b"yesterday"), "created_at"),
        (ADA.replace(b'"entity"', b'"animal"'), "type must be one of"),
        (ADA.replace(b'"entity"', b"3"), "type must be one of"),
        (ADA.replace(b'"name":', b'"attributes":[],"name":'), "attributes"),
        (EDGE.replace(b'"fact"', b'"ends_elsewhere":1,"fact"'), "ends_elsewhere must be true or false, got 1"),
        (EDGE.replace(b'"fact":"f"', b'"fact":null'), "fact must be text"),
        (MENTION.replace(b'"p1"', b'""'), "episode_uuid"),
    ],
)
def test_a_line_of_our_own_format_that_is_no_row_is_told_of(tmp_path: Path, line: bytes, reason: str) -> None:
    (found,) = reasons(tmp_path, HEADER + BOB + line)
    assert found[0] == 3 and reason in found[1]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'{"type":"entity","name":7}\n', "name must be text"),
        (b'{"type":"entity","name":" "}\n', "name must be text that is not blank"),
        (b'{"type":"entity","name":"a\\nb"}\n', "control characters"),
        (b'{"type":"entity","name":"a","observations":"x"}\n', "observations must be a list"),
        (b'{"type":"entity","name":"a","observations":[3]}\n', "observations must hold text"),
        (b'{"type":"entity","name":"a","observations":[{"text":"x","added_at":"soon"}]}\n', "added_at"),
        (b'{"type":"entity","name":"a","entityType":["x"]}\n', "entityType"),
        (b'{"type":"relation","from":"Ada","to":"Nobody","relationType":"knows"}\n', "to names 'Nobody'"),
        (b'{"type":"relation","from":"Ada","relationType":"knows"}\n', "to must be text"),
        (b'{"type":"animal"}\n', "type must be entity or relation"),
        (b'{"name":"a"}\n', "type must be entity or relation"),
    ],
)
def test_a_line_of_a_memory_file_that_is_no_memory_is_told_of(tmp_path: Path, line: bytes, reason: str) -> None:
    (found,) = reasons(tmp_path, MEMORY + line)
    assert found[0] == 4 and reason in found[1]


@pytest.mark.parametrize(
    "content", [b"", b"\n\n", b"\xef\xbb\xbf", b"binary\x00\x01", b'{"hello":"world"}\n', b"[]\n", ADA]
)
def test_a_file_of_no_known_format_is_refused_as_a_whole(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(NotThisFormat):
        staged_in(tmp_path, content)


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (b'"version":2', "`version` of its header has to be 1, .* got 2$"),
        (b'"version":true', "`version` .* got true$"),
        (b'"version":1.0', "`version` .* got 1.0$"),
        (b'"version":"1"', "`version` .* got '1'$"),
        (b'"v":1', "`version` .* got null$"),
        (b'"version":1,"rows":3', "`rows` of its header has to count lines by type .*'rows': 3$"),
        (b'"version":1,"rows":{"entity":true}', "`rows` .*'entity': true$"),
        (b'"version":1,"rows":{"entity":-1}', "`rows` .*'entity': -1$"),
        (b'"version":1,"rows":{"animal":1}', "`rows` .*'animal': 1$"),
    ],
)
def test_a_header_that_is_not_known_is_refused_with_its_field(tmp_path: Path, more: bytes, says: str) -> None:
    with pytest.raises(NotThisFormat, match=says):
        staged_in(tmp_path, b'{"format":"lcg-graph",' + more + b"}\n" + ADA)


def test_a_bom_crlf_blank_lines_and_a_missing_last_line_feed_do_not_matter(tmp_path: Path) -> None:
    content = b"\xef\xbb\xbf" + (HEADER + ADA + b"\n" + BOB).replace(b"\n", b"\r\n").rstrip()
    staging = staged_in(tmp_path, content)
    assert (staging.refusals.count, staging.counts["entity"]) == (0, 2)


def test_a_uuid_that_comes_again_is_told_of_with_the_line_of_the_first(tmp_path: Path) -> None:
    content = HEADER + ADA + BOB + ADA + EDGE.replace(b"e1", b"u2") + EPISODE + MENTION + MENTION
    assert [(line, reason.split(":")[0]) for line, reason in reasons(tmp_path, content)] == [
        (4, "line 2 has the same uuid"),
        (5, "line 3 has the same uuid"),
        (8, "line 7 has the same uuid"),
    ]


def test_groups_of_which_only_letter_case_differs_are_told_of(tmp_path: Path) -> None:
    ((number, reason),) = reasons(tmp_path, HEADER + ADA + BOB.replace(b'"g"', b'"G"'))
    assert number == 3 and "letter case only" in reason


def test_a_file_that_was_cut_short_is_not_taken_for_whole(tmp_path: Path) -> None:
    header = b'{"format":"lcg-graph","version":1,"rows":{"entity":2}}\n'
    assert reasons(tmp_path, header + ADA) == [(2, "the header promises 2 lines of type entity, and 1 came")]


def test_a_line_that_was_cut_short_is_told_as_such(tmp_path: Path) -> None:
    ((number, reason),) = reasons(tmp_path, HEADER + ADA + BOB[:40])
    assert number == 3 and reason.endswith("the file ends in the middle of it")


def test_a_line_that_is_too_long_is_passed_over_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lcg.exchange.reading.MAX_LINE_BYTES", 200)
    refusals = Refusals()
    source = BytesIO(HEADER + b'{"a":"' + b"x" * 5_000 + b'"}\n' + ADA)
    assert [number for number, _ in read_objects(source, refusals)] == [1, 3]
    assert refusals.lines == [(2, "the line is longer than 200 bytes")]


def test_of_many_refused_lines_all_are_counted_and_some_are_kept(tmp_path: Path) -> None:
    refusals = staged_in(tmp_path, HEADER + b"x\n" * (KEPT + 5)).refusals
    assert (refusals.count, len(refusals.lines)) == (KEPT + 5, KEPT)


def test_cycles_and_self_edges_are_edges_like_others() -> None:
    back = EDGE.replace(b'"u1","target_uuid":"u2"', b'"u2","target_uuid":"u1"').replace(b"e1", b"e2")
    self_edge = EDGE.replace(b'"u2"', b'"u1"').replace(b"e1", b"e3")
    with workspaces(1) as (here,):
        imported(here, HEADER + ADA + BOB + EDGE + back + self_edge)
        assert [row.uuid for row in here.rows()[1]] == ["e1", "e2", "e3"]


def test_entities_that_were_merged_in_a_circle_are_taken_as_they_are() -> None:
    def merged(line: bytes, into: bytes) -> bytes:
        return line.replace(b'["Entity"]', b'["Entity","Merged"],"attributes":{"merged_into":"%s"}' % into)

    with workspaces(1) as (here,):
        imported(here, HEADER + merged(ADA, b"u2") + merged(BOB, b"u1"))
        assert [row.is_tombstone for row in here.rows()[0]] == [True, True]


@settings(max_examples=40, **SLOW)  # type: ignore[arg-type]
@given(st.sampled_from([HEADER + ADA + BOB + EDGE + EPISODE + MENTION, MEMORY]), st.randoms(use_true_random=False))
def test_damaged_files_refuse_lines_or_the_whole_and_skipping_leaves_a_graph_that_exports_and_imports(
    content: bytes, chance: random.Random
) -> None:
    damaged = bytearray(content)
    for _ in range(chance.randint(1, 6)):
        at = chance.randrange(len(damaged))
        damaged[at : at + chance.randint(0, 3)] = bytes(
            chance.choice(b'{}[]",:\\\n\x00\xff019aun ') for _ in range(chance.randint(0, 3))
        )
    with workspaces(2) as (here, there):
        try:
            imported(here, bytes(damaged), skips=True)
        except NotThisFormat:
            return
        exports = exported(here)
        assert all(orjson.loads(line) for line in exports.splitlines())
        assert not imported(there, exports)[1].refused and exported(there) == exports
