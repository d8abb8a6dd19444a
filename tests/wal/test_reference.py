"""The log of the reference implementation, statement by statement."""

from dataclasses import replace
from typing import Any

import orjson
import pytest

from lcg.model.operations import (
    EdgeDelete,
    EdgePut,
    EntityDelete,
    EntityPut,
    EpisodeDelete,
    EpisodePut,
    MentionPut,
)
from lcg.model.rows import Edge, Entity, Episode, Mention
from tests.wal.reference_corpus import (
    BIND,
    DUMP_ENTITY,
    GROUP,
    NOON_MICROS,
    START,
    STATEMENTS,
    VECTOR,
    Reading,
    direct,
    edge,
    entity,
    episode,
    line,
)

N1 = Entity("n1", GROUP, "Pier n1", ("Entity", "Place"), NOON_MICROS, "Built of oak", '{"berths": 3}')
E1 = Episode("e1", GROUP, "Log e1", NOON_MICROS, "text", "watch book", "The tug left the pier.", NOON_MICROS)
R1 = Edge(
    "r1", GROUP, "Tug → Pier", "n1", "n2", "The tug is moored at the pier", NOON_MICROS, NOON_MICROS,
    relation_type="MOORED_AT",
)  # fmt: skip
N3 = replace(N1, uuid="n3", name="Pier n3")
E2 = replace(E1, uuid="e2", name="Log e2")
R2 = replace(R1, uuid="r2", source_uuid="", target_uuid="")
YEAR_2025 = 1_735_689_600_000_000
EXPIRED = 1_774_457_937_761_788

EXPECTED: dict[str, tuple[Any, ...]] = {
    "W1": (EntityPut(N3),),
    "W2": (EntityPut(replace(N1, summary="Of steel now")),),
    "W3": (
        EntityPut(
            replace(N1, name="North pier", labels=("Entity",), summary="", attributes="{}", name_embedded="Pier n1")
        ),
    ),
    "W4": (EntityPut(replace(N1, labels=("Entity", "Merged"))),),
    "W5": (EntityPut(replace(N1, attributes='{"merged_into":"n2"}')),),
    "W6": (EntityPut(replace(N1, created_at=YEAR_2025)),),
    "W7": (EpisodePut(E2),),
    "W8": (MentionPut(Mention(GROUP, "e1", "n1")),),
    "W9": (EdgePut(R2),),
    "W10": (),
    "W11": (EdgePut(replace(R1, source_uuid="n2", target_uuid="n1")),),
    "W12": (),
    "W13": (EdgePut(replace(R1, source_uuid="n2")),),
    "W14": (EdgePut(replace(R1, target_uuid="n1")),),
    "W15": (EdgePut(replace(R1, source_uuid="")),),
    "W16": (EdgePut(replace(R1, target_uuid="")),),
    "W17": (),
    "W18": (EdgePut(replace(R1, attributes='{"cross_group_pointers":{}}')),),
    "W19": (EdgePut(replace(R1, fact="It sank there", relation_type="SANK_AT", fact_embedded=R1.fact)),),
    "W20": (),
    "W21": (EdgePut(replace(R1, invalid_at=NOON_MICROS)),),
    "W22": (),
    "W23": (EdgePut(replace(R1, relation_type="BERTHED_AT")),),
    "W24": (),
    "W25": (EpisodeDelete("e1"),),
    "W26": (EpisodeDelete("e1"),),
    "W27": (EdgeDelete("r1"),),
    "W28": (EntityDelete("n1"), EntityDelete("n2")),
    "W29": (EpisodeDelete("e1"),),
    "D1": (EntityPut(N3),),
    "D2": (EpisodePut(E2),),
    "D3": (EdgePut(replace(R2, episodes=("e1",))),),
    "D6": (EdgePut(replace(R1, source_uuid="n2", target_uuid="n1")),),
    "D7": (MentionPut(Mention(GROUP, "e1", "n2")),),
    "L1": (EntityPut(replace(N3, attributes='{"berths":3}')),),
    "L2": (EpisodePut(replace(E2, created_at=NOON_MICROS + 1)),),
    "L3": (EdgePut(replace(R2, episodes=("e1",), invalid_at=EXPIRED)),),
    "L4": (EntityPut(replace(N3, attributes='{"berths":3,"harbour_master":"Ada"}')),),
    "L5": (),
    "L6": (EdgeDelete("r1"),),
    "L7": (MentionPut(Mention(GROUP, "e1", "n2")),),
}
LEGACY = ("D4", "D5", "D8", "D9", "D10", "D11")


@pytest.mark.parametrize("name", STATEMENTS)
def test_every_known_statement_becomes_operations_on_whole_rows(name: str) -> None:
    reading = Reading(*START)
    found = reading.say(*STATEMENTS[name])
    assert found.problem is None
    assert found.record is not None
    assert found.record.origin == f"reference:{name}"
    assert found.legacy == (name in LEGACY)
    assert found.record.operations == EXPECTED.get(name, ())
    assert found.prefixed_match == (STATEMENTS[name][0].startswith("MATCH") and name not in LEGACY)


def test_the_catalogue_is_complete() -> None:
    families = [f"W{n}" for n in range(1, 30)], [f"D{n}" for n in range(1, 12)], [f"L{n}" for n in range(1, 8)]
    assert sorted(STATEMENTS) == sorted(name for family in families for name in family)
    assert sorted([*EXPECTED, *LEGACY]) == sorted(STATEMENTS)


def test_a_line_keeps_its_number_and_its_time() -> None:
    found = Reading().read(orjson.dumps(line(0, *entity("n1"))))
    assert found.record is not None
    assert (found.record.seq, found.record.group_id) == (0, GROUP)
    assert found.record.written_at == NOON_MICROS + 1_250_000


# Rows


def test_a_row_that_is_created_twice_is_overwritten() -> None:
    reading = Reading(entity("n1"), entity("n1", name="Jetty", summary=None))
    assert reading.fold.entities["n1"] == replace(N1, name="Jetty", summary="")


def test_creating_an_edge_again_leaves_its_ends() -> None:
    reading = Reading(*START, edge("r1", fact="It is gone"))
    assert reading.fold.edges["r1"] == replace(R1, fact="It is gone")


def test_a_merge_that_sets_on_create_leaves_a_row_that_is_there() -> None:
    reading = Reading(*START)
    cypher, params = STATEMENTS["L1"]
    assert reading.operations(cypher, {**params, "uuid": "n1", "name": "Other"}) == ()


def test_a_merge_that_sets_on_match_changes_only_a_row_that_is_there() -> None:
    merge = "MERGE (n:Entity {uuid: $uuid}) ON CREATE SET n.name = $name ON MATCH SET n.summary = $name"
    reading = Reading(entity("n1"))
    assert reading.operations(merge, {"uuid": "n1", "name": "x"}) == (EntityPut(replace(N1, summary="x")),)
    reading.say(merge, {"uuid": "n2", "name": "y"})
    assert (reading.fold.entities["n2"].name, reading.fold.entities["n2"].summary) == ("y", "")


def test_a_row_without_columns_gets_sensible_ones() -> None:
    reading = Reading(("MERGE (n:Entity {uuid: $uuid})", {"uuid": "n1"}))
    assert reading.fold.entities["n1"] == Entity("n1", GROUP, "", ("Entity",), NOON_MICROS + 1_250_000)


def test_values_that_are_written_out_are_read() -> None:
    reading = Reading(
        (
            "CREATE (:RelatesToNode_ {uuid: 'r\\u0031', name: \"knows\", group_id: 'harbour', "
            "created_at: timestamp('2026-03-02 12:00:00'), fact: 'Bob\\'s \\\\ boat', fact_embedding: [0.5, -1e-1, 0], "
            "valid_at: null, invalid_at: NULL, attributes: '{}', relation_type: ''})",
            {},
        )
    )
    assert reading.fold.edges["r1"] == Edge("r1", GROUP, "knows", "", "", "Bob's \\ boat", NOON_MICROS)


def test_text_that_looks_like_a_statement_is_only_text() -> None:
    text = "') DETACH DELETE (n) // $uuid"
    reading = Reading((f"CREATE (:Entity {{uuid: 'n1', name: \"{text}\"}})", {}))
    assert reading.fold.entities["n1"].name == text


@pytest.mark.parametrize(
    ("attributes", "kept"),
    [
        (None, "{}"),
        ("", "{}"),
        ('{"a": 1}', '{"a": 1}'),
        ({"a": {"b": [1]}}, '{"a":{"b":[1]}}'),
        ("not JSON", '{"text":"not JSON"}'),
        ("[1]", '{"text":"[1]"}'),
    ],
)
def test_attributes_are_always_a_json_object(attributes: object, kept: str) -> None:
    assert Reading(entity("n1", attributes=attributes)).fold.entities["n1"].attributes == kept


@pytest.mark.parametrize(
    ("written", "micros"),
    [
        ("2026-03-02T12:00:00Z", NOON_MICROS),
        ("2026-03-02T14:00:00+02:00", NOON_MICROS),
        ("2026-03-02 12:00:00", NOON_MICROS),
        ("2026-03-02 12:00:00.000007", NOON_MICROS + 7),
        ("2026-03-02 12:00:00.000007+00", NOON_MICROS + 7),
        ("2026-03-02T12:00:00.000007999Z", NOON_MICROS + 7),
        ("2026-03-02", NOON_MICROS - 12 * 3_600_000_000),
        (None, NOON_MICROS + 1_250_000),
    ],
)
def test_times_of_every_age_are_read_and_a_missing_one_is_that_of_the_line(written: object, micros: int) -> None:
    assert Reading(entity("n1", created_at=written)).fold.entities["n1"].created_at == micros


@pytest.mark.parametrize("written", ["yesterday", "2026-13-01", 1_772_452_800, "0001-01-01T00:00:00+14:00"])
def test_what_is_no_time_fails_the_line(written: object) -> None:
    problem = Reading().say(*entity("n1", created_at=written)).problem
    assert problem is not None
    assert problem.kind == "failed"
    assert "created_at" in problem.reason


# Edges


def test_an_edge_is_whole_once_its_ends_are_known() -> None:
    reading = Reading(entity("n1"), entity("n2"), edge("r1"))
    assert reading.fold.edges["r1"] == replace(R1, source_uuid="", target_uuid="")
    assert reading.operations(*direct("CREATE", "r1", "n1", "n2")) == (EdgePut(R1),)
    assert reading.operations(BIND, {"src": "n1", "rn": "r1", "dst": "n2"}) == ()


def test_a_direct_link_never_moves_an_end_that_is_known() -> None:
    assert Reading(*START).operations(*direct("MERGE", "r1", "n2", "n1")) == ()


def test_an_edge_may_name_entities_that_no_line_has_made_yet() -> None:
    reading = Reading(entity("n1"), edge("r1"))
    found = reading.say(BIND, {"src": "n1", "rn": "r1", "dst": "n2"})
    assert found.waiting == ("n2",)
    assert reading.fold.edges["r1"] == R1


def test_a_type_is_set_where_there_is_none_and_left_where_there_is_one() -> None:
    reading = Reading(*START, edge("r2", relation_type=""))
    cypher, params = STATEMENTS["W24"]
    reading.say(cypher, {**params, "uuid": "r2"})
    reading.say(cypher, params)
    assert [reading.fold.edges[uuid].relation_type for uuid in ("r1", "r2")] == ["MOORED_AT", "THE_TUG_IS"]


def test_a_time_of_expiry_ends_only_a_fact_that_has_no_end() -> None:
    cypher, params = STATEMENTS["L3"]
    reading = Reading((cypher, params), (cypher, {**params, "uuid": "r3", "invalid_at": "2025-01-01"}))
    assert [reading.fold.edges[uuid].invalid_at for uuid in ("r2", "r3")] == [EXPIRED, YEAR_2025]


# Vectors


def test_vectors_come_with_the_text_that_they_belong_to() -> None:
    reading = Reading()
    told = [reading.say(*row).embeddings for row in (entity("n1"), episode("e1"), edge("r1"))]
    assert told == [((text, VECTOR),) for text in ("Pier n1", "The tug left the pier.", R1.fact)]
    assert reading.say(*STATEMENTS["L5"]).embeddings == ((R1.fact, VECTOR),)


@pytest.mark.parametrize(
    "vector", [[0.0, 0.0], [], None, ["1"], [1, None], [True], "[1]", [1e300], [float("nan")], [float("inf")]]
)
def test_what_is_no_vector_is_left_out(vector: object) -> None:
    found = Reading().say(*entity("n1", name_embedding=vector))
    assert (found.embeddings, found.problem) == ((), None)


def test_a_text_that_changes_alone_keeps_the_vector_of_the_first_one() -> None:
    reading = Reading(*START)
    rename = "MATCH (e:Entity {uuid: $uuid}) SET e.name = $name"
    embedded = []
    for name in ("Quay", "Mole", "Pier n1", "Quay"):
        reading.say(rename, {"uuid": "n1", "name": name})
        embedded.append(reading.fold.entities["n1"].name_embedded)
    assert embedded == ["Pier n1", "Pier n1", None, "Pier n1"]
    reading.say("MATCH (e:Entity {uuid: $uuid}) SET e.name_embedding = $v", {"uuid": "n1", "v": VECTOR})
    assert reading.fold.entities["n1"].name_embedded is None


def test_a_dump_brings_name_and_vector_together() -> None:
    reading = Reading(*START)
    found = reading.say(DUMP_ENTITY, {**entity("n1")[1], "name": "Quay"})
    assert reading.fold.entities["n1"].name_embedded is None
    assert found.embeddings == (("Quay", VECTOR),)
