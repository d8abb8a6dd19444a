"""What cannot be carried out of the log of the reference implementation, and what is said of it."""

from typing import Any

import pytest

from tests.wal.reference_corpus import (
    CREATE_ENTITY,
    GROUP,
    MENTION,
    START,
    STATEMENTS,
    Reading,
    edge,
    entity,
    episode,
)


@pytest.mark.parametrize("name", ["W2", "W3", "W4", "W5", "W6", "W11", "W13", "W14", "W15", "W16", "W18", "W21", "L5"])
def test_a_change_of_a_row_that_no_line_made_fails_and_names_it(name: str) -> None:
    found = Reading().say(*STATEMENTS[name])
    assert found.record is None
    assert found.problem is not None
    assert found.problem.kind == "failed"
    assert "no line made" in found.problem.reason
    assert found.problem.subject in ("entity n1", "relationship r1")
    assert found.problem.sample.startswith("MATCH")


@pytest.mark.parametrize(
    ("made", "missing"), [(entity("n1"), "episode e1"), (episode("e1"), "entity n1")], ids=["episode", "entity"]
)
def test_a_mention_needs_both_its_ends(made: tuple[str, dict[str, Any]], missing: str) -> None:
    problem = Reading(made).say(MENTION, {"ep": "e1", "en": "n1", "group_id": GROUP}).problem
    assert problem is not None
    assert (problem.kind, problem.subject) == ("failed", missing)


@pytest.mark.parametrize("name", ["W25", "W26", "W27", "W28", "W29", "L6", "W17", "W20", "W22"])
def test_deleting_what_is_not_there_is_done_already(name: str) -> None:
    assert Reading().operations(*STATEMENTS[name]) == ()


def test_the_three_statements_of_a_purge_leave_nothing() -> None:
    reading = Reading(*START, (MENTION, {"ep": "e1", "en": "n1", "group_id": GROUP}))
    for name in ("W27", "W28", "W29"):
        reading.say(*STATEMENTS[name])
    assert reading.fold.rows == 0


@pytest.mark.parametrize(
    "statement",
    [
        entity("n1", group_id="else"),
        edge("r1", group_id="else"),
        (MENTION, {"ep": "e1", "en": "n1", "group_id": "else"}),
        (STATEMENTS["W28"][0], {"gids": [GROUP, "else"]}),
        (STATEMENTS["W28"][0], {"gids": "else"}),
        (STATEMENTS["D8"][0], {**STATEMENTS["D8"][1], "group_id": "else"}),
        (STATEMENTS["L4"][0], {"uuid": "n1", "props": {"group_id": "else"}}),
        ("CREATE (:Entity {uuid: 'n1', group_id: 'else'})", {}),
        ("MATCH (n:Entity {uuid: 'n1'}) SET n.group_id = 'else'", {}),
        ("MATCH (n:Entity {uuid: 'n1'}) WHERE n.group_id = 'else' SET n.summary = ''", {}),
    ],
)
def test_a_line_that_names_another_group_changes_nothing(statement: tuple[str, dict[str, Any]]) -> None:
    reading = Reading(*START)
    before = (dict(reading.fold.entities), dict(reading.fold.edges), dict(reading.fold.episodes))
    problem = reading.say(*statement).problem
    assert problem is not None
    assert (problem.kind, "another group" in problem.reason) == ("failed", True)
    after = (dict(reading.fold.entities), dict(reading.fold.edges), dict(reading.fold.episodes))
    assert after == before


@pytest.mark.parametrize(
    ("cypher", "reason"),
    [
        ("MATCH (n:Entity) SET n.summary = ''", "not name by their uuid"),
        ("MATCH (n:Entity {name: 'Pier'}) SET n.summary = ''", "other than their uuid"),
        ("MATCH (n:Entity {uuid: 'n1'}) SET n.summary = n.name", "from a column"),
        ("MATCH (n:Entity {uuid: 'n1'}) SET n.depth = 3", "no column 'depth'"),
        ("MATCH (n:Entity {uuid: 'n1'}) REMOVE n.summary", "'REMOVE'"),
        ("MATCH (n:Entity {uuid: 'n1'})-[:RELATES_TO]->(m:Entity) SET n.summary = ''", "not name by their uuid"),
        ("MATCH (n:Entity) DETACH DELETE n", "neither by uuid nor by group"),
        ("MATCH (n:Entity) WHERE n.name = 'x' OR n.uuid = 'n1' DETACH DELETE n", "other than their uuid"),
        ("MATCH (n) DETACH DELETE n", "without saying of what table"),
        ("MATCH ()-[r:RELATES_TO]->() DELETE r", "joins tables"),
        ("UNWIND $rows AS row CREATE (:Entity {uuid: row.uuid})", "'UNWIND'"),
        ("CREATE (:Boat {uuid: 'b1'})", "table that is not known"),
        ("CREATE (:Entity {name: 'x'})", "without a uuid"),
        ("CREATE (:Entity {uuid: randomUUID()})", "randomuuid()"),
        ("MATCH (n:Entity {uuid: 'n1'}) RETURN n", "changes nothing"),
        ("CREATE NODE TABLE Boat(name STRING, PRIMARY KEY(name))", "goes on with 'NODE'"),
        ("DROP TABLE Entity", "'DROP'"),
        ("CREATE (:Entity {uuid: 'n1'", "ends too early"),
        ("CREATE (:Entity {uuid: 'n1})", "a text that does not end"),
        ("CREATE (:Entity {uuid: '\\uD800'})", "half a character"),
        ("CREATE (:Entity {uuid: " + "[" * 50 + "]" * 50 + "})", "nests deeper"),
        ("", "changes nothing"),
    ],
)
def test_a_statement_of_another_kind_is_left_and_the_reason_says_what_it_is(cypher: str, reason: str) -> None:
    found = Reading(*START).say(cypher)
    assert found.record is None
    assert found.problem is not None
    assert (found.problem.kind, reason in found.problem.reason) == ("unrecognised", True), found.problem.reason
    assert cypher.startswith(found.problem.sample)


def test_a_long_statement_is_sampled_by_its_beginning() -> None:
    problem = Reading().say("FOREACH \n " + "x" * 10_000).problem
    assert problem is not None
    assert problem.sample == "FOREACH " + "x" * 192


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"{", "not JSON"),
        (b"[]", "must be an object"),
        ({}, "seq is missing"),
        ({"seq": -1, "cypher": "x"}, "seq must be"),
        ({"seq": True, "cypher": "x"}, "seq must be"),
        ({"seq": 0}, "cypher is missing"),
        ({"seq": 0, "cypher": 7}, "cypher must be text"),
        ({"seq": 0, "cypher": "x", "params": [1]}, "params must be an object"),
    ],
)
def test_a_line_that_is_none_says_why(content: dict[str, Any] | bytes, reason: str) -> None:
    problem = Reading().read(content).problem
    assert problem is not None
    assert (problem.kind, reason in problem.reason) == ("unparseable", True)


def test_a_missing_parameter_fails_the_line_and_is_named() -> None:
    problem = Reading().say(CREATE_ENTITY, {"uuid": "n1", "group_id": GROUP}).problem
    assert problem is not None
    assert (problem.kind, "'name'" in problem.reason) == ("failed", True)
