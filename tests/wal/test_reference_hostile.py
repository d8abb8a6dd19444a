"""Whatever a line holds, it is translated or refused with a reason, and nothing it does leaves its group."""

from dataclasses import replace
from typing import Any

import orjson
from hypothesis import given
from hypothesis import strategies as st

from lcg.graph.stage import OperationRefused
from lcg.model.operations import EdgePut, EntityPut, EpisodePut, MentionDelete, MentionPut
from lcg.wal import codec
from lcg.wal.reference.translate import Translated, is_reference_line
from tests.wal.reference_corpus import GROUP, START, STATEMENTS, Reading

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
known_values = st.sampled_from(["n1", "n2", "e1", "r1", "else", "", GROUP, [GROUP], ["r1", "n1"]])
statements = st.sampled_from(sorted(STATEMENTS))
_WORDS = """
MATCH CREATE MERGE SET DELETE DETACH WHERE IN AND OR NOT IS NULL CASE WHEN THEN ELSE END ON RETURN (n:Entity {uuid:
'n1'}) (e:Episodic (r:RelatesToNode_ (m) -[h:RELATES_TO]-> <-[ ]- -[:MENTIONS|RELATES_TO]- , ; = <> $uuid $props n
n.name n.group_id 'else' [ ] { } ( ) : . | 1 -2.5 1e400 'x' vecf32( timestamp( `
"""
words = st.sampled_from(_WORDS.split())
statement_texts = st.lists(words, max_size=24).map(" ".join)


def check(reading: Reading, content: dict[str, Any] | bytes) -> None:
    """Read a line and hold it to what every line must keep."""
    try:
        found = reading.read(content)
    except OperationRefused:
        # The line is understood, but it names the uuid of another kind of row: whoever folds it counts it as failed.
        return
    assert (found.record is None) == (found.problem is not None)
    assert found.problem is None or (found.problem.reason and len(found.problem.sample) <= 200)
    check_group(found)


def check_group(found: Translated) -> None:
    if found.record is None:
        return
    assert found.record.group_id == GROUP
    for operation in found.record.operations:
        if isinstance(operation, EntityPut | EdgePut | EpisodePut | MentionPut | MentionDelete):
            assert operation.row.group_id == GROUP
    # What this program could not log itself would be a row that it cannot restore either.
    numbered = replace(found.record, seq=found.record.seq % codec.MAX_SEQ + 1)
    assert codec.decode(codec.encode(numbered), GROUP) == numbered


@given(
    st.dictionaries(st.sampled_from(["seq", "ts", "db", "cypher", "params", "v"]) | st.text(max_size=5), json_values)
)
def test_any_object_is_read_or_refused(content: dict[str, Any]) -> None:
    check(Reading(), content)
    assert is_reference_line(content) == ("cypher" in content and "v" not in content and "ops" not in content)


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(content: bytes) -> None:
    check(Reading(), content)


@given(
    st.text(max_size=80) | statement_texts, st.dictionaries(st.sampled_from(["uuid", "props", "gids"]), known_values)
)
def test_any_statement_is_read_or_refused(cypher: str, params: dict[str, Any]) -> None:
    check(Reading(*START), {"seq": 1, "cypher": cypher, "params": params})


@given(statements, st.data())
def test_any_value_in_a_known_statement_is_read_or_refused(name: str, data: st.DataObject) -> None:
    cypher, params = STATEMENTS[name]
    changed = data.draw(st.dictionaries(st.sampled_from(sorted(params)), json_values | known_values))
    check(Reading(*START), {"seq": 1, "ts": data.draw(json_values), "cypher": cypher, "params": {**params, **changed}})


@given(statements, st.data())
def test_a_statement_that_was_damaged_is_read_or_refused(name: str, data: st.DataObject) -> None:
    cypher, params = STATEMENTS[name]
    cut = data.draw(st.integers(0, len(cypher)))
    gap = data.draw(st.integers(0, 12))
    check(Reading(*START), {"seq": 1, "cypher": cypher[:cut] + cypher[cut + gap :], "params": params})


@given(st.lists(statements, max_size=30))
def test_any_order_of_known_statements_folds_the_same_twice(names: list[str]) -> None:
    lines = [
        {"seq": seq, "cypher": STATEMENTS[name][0], "params": STATEMENTS[name][1]} for seq, name in enumerate(names)
    ]
    folds = []
    for _ in range(2):
        reading = Reading(*START)
        for content in lines:
            check(reading, orjson.dumps(content))
        folds.append((reading.fold.entities, reading.fold.edges, reading.fold.episodes, reading.fold.mentions))
    assert folds[0] == folds[1]


def test_depth_and_length_are_bounded() -> None:
    deep: Any = "x"
    for _ in range(5_000):
        deep = [deep]
    cypher = "MERGE (n:Entity {uuid: $uuid}) SET n = $props"
    for content in (
        {"seq": 1, "cypher": cypher, "params": {"uuid": "n1", "props": {"a": deep}}},
        {"seq": 1, "cypher": "MATCH (n) WHERE n.uuid = " + "(" * 100_000, "params": {}},
        {"seq": 1, "cypher": "MATCH (n) WHERE " + "NOT " * 100_000, "params": {}},
        {"seq": 1, "cypher": "MATCH (n) WHERE " + "n.a = 1 OR " * 30_000 + "n.a = 2 DELETE n", "params": {}},
        {"seq": 1, "cypher": "CREATE (:Entity {uuid: [" + "1," * 200_000 + "1]})", "params": {}},
        {"seq": 1, "cypher": "CREATE (:Entity {uuid: '" + "\\\\" * 1_000_000, "params": {}},
    ):
        check(Reading(), content)
