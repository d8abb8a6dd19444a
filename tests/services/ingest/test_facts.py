"""What becomes of extracted facts: ends that are found, equal facts, and types of which one holds at a time."""

import itertools
from typing import Any

import pytest
from hypothesis import given as generated
from hypothesis import settings
from hypothesis import strategies as st

from lcg.model.operations import EdgePut, EntityPut
from lcg.providers.extractor.protocol import ExtractedEdge, ExtractedEntity
from tests.graph.harness import NOON, edge, entity
from tests.services.ingest.harness import DAY, Ingests, ingests

SINGLE = """\
entity_types: [{name: Person}]
relation_types: [{name: LED_BY, aliases: [headed by], single_valued: true}, {name: KNOWS}]
"""


def fact(text: str = "Mira leads Acme.", source: str = "Acme", target: str = "Mira", **fields: Any) -> ExtractedEdge:
    """Return a fact, of type LED_BY unless told otherwise."""
    return ExtractedEdge(source, target, text, **{"relation": "LED_BY", **fields})


# Ends


@pytest.mark.parametrize("end", ["the Analytical Engine", "Analytical  Engine", "Analytical Engine's", "Engine"])
def test_an_end_that_is_nobodys_name_is_rescued_by_an_entity_of_the_same_text(given: Ingests, end: str) -> None:
    given.all_means_the_same()
    done = given.ingest(["Ada", "Analytical Engine"], [ExtractedEdge("Ada", end, "Ada wrote for it.")])
    assert (done.edges_written, done.dropped_edges) == (1, [])
    assert given.names() == ["Ada", "Analytical Engine"]
    (row,) = given.edges()
    assert {row.uuid: row.name for row in given.entities()}[row.target_uuid] == "Analytical Engine"


def test_an_end_is_rescued_by_an_entity_of_the_group(given: Ingests) -> None:
    given.ingest(["Analytical Engine"])
    done = given.ingest(["Ada"], [ExtractedEdge("Ada", "The Analytical Engine", "Ada wrote for it.")])
    assert done.dropped_edges == []


@pytest.mark.parametrize(
    ("names", "end"),
    [
        (["Apollo 11"], "Apollo"),
        (["Apollo 11"], "Apollo 12"),
        (["Neil Armstrong", "Eric Armstrong"], "Armstrong"),
        (["Port Vell"], "Mira"),
    ],
)
def test_an_end_that_may_be_another_is_dropped_and_reported(given: Ingests, names: list[str], end: str) -> None:
    given.all_means_the_same()
    done = given.ingest([*names, "Ada"], [ExtractedEdge("Ada", end, "Ada met it.", "MET")])
    (dropped,) = done.dropped_edges
    assert (dropped.source_name, dropped.target_name, dropped.relation_type) == ("Ada", end, "MET")
    assert (dropped.fact, dropped.unresolved_endpoint) == ("Ada met it.", "target")
    assert given.edges() == []


def test_without_vectors_an_end_is_rescued_by_spelling_within_the_text_only(given: Ingests) -> None:
    embedder = given.all_means_the_same()
    given.ingest(["Difference Engine"])
    embedder.broken = True
    ends = ["the Analytical Engine", "Engine", "the Difference Engine"]
    done = given.ingest(["Ada", "Analytical Engine"], [ExtractedEdge("Ada", end, f"Ada: {end}") for end in ends])
    assert [edge.target_name for edge in done.dropped_edges] == ["Engine", "the Difference Engine"]


def test_a_fact_whose_ends_become_one_entity_is_no_fact(given: Ingests) -> None:
    done = given.ingest(["US Navy"], [ExtractedEdge("US Navy", "U.S. Navy", "The navy is the navy.")])
    assert (done.edges_written, done.dropped_edges) == (0, [])


# Equal facts


def test_an_equal_fact_gains_the_episode_whatever_its_case_blanks_and_full_stop(given: Ingests) -> None:
    first = given.ingest(["Acme", "Mira"], [fact(), fact("mira  leads acme")])
    second = given.ingest(["Acme", "Mira"], [fact("“MIRA leads Acme”.")])
    (row,) = given.edges()
    assert row.episodes == (first.episode_uuid, second.episode_uuid)
    assert (first.edges_written, second.edges_written) == (1, 1)


def test_facts_of_other_words_or_relations_are_other_facts(given: Ingests) -> None:
    given.ingest(["Acme", "Mira"], [fact(), fact("Mira founded Acme."), fact(relation="FOUNDED_BY")])
    assert len(given.edges()) == 3


def test_a_fact_that_ended_is_known_again_when_another_text_says_the_same(given: Ingests) -> None:
    ended = fact(valid_at=NOON - DAY, invalid_at=NOON)
    first = given.ingest(["Acme", "Mira"], [ended])
    second = given.ingest(["Acme", "Mira"], [ended])
    (row,) = given.edges()
    assert row.episodes == (first.episode_uuid, second.episode_uuid)
    assert (row.valid_at, row.invalid_at) == (NOON - DAY, NOON)


def test_an_end_that_a_later_text_adds_to_an_equal_fact_is_taken(given: Ingests) -> None:
    given.ingest(["Acme", "Mira"], [fact()])
    given.ingest(["Acme", "Mira"], [fact(invalid_at=NOON + DAY)])
    (row,) = given.edges()
    assert row.invalid_at == NOON + DAY


def test_times_come_from_the_text_else_from_the_reference_time(given: Ingests) -> None:
    given.ingest(["Acme", "Mira"], [fact("one"), fact("two", valid_at=NOON - DAY, invalid_at=NOON + DAY)], at=NOON + 1)
    one, two = given.edges()
    assert (one.created_at, one.valid_at, one.invalid_at) == (NOON + 1, NOON + 1, None)
    assert (two.created_at, two.valid_at, two.invalid_at) == (NOON + 1, NOON - DAY, NOON + DAY)


# Single values


def test_a_newer_single_value_ends_the_older_one() -> None:
    with ingests(SINGLE) as given:
        given.ingest(["Acme", "Mira"], [fact("one")])
        done = given.ingest(["Acme", "Ada"], [fact("two", target="Ada", relation="HEADED_BY")], at=NOON + DAY)
        one, two = given.edges()
        assert (one.valid_at, one.invalid_at) == (NOON, NOON + DAY)
        assert (two.relation_type, two.valid_at, two.invalid_at) == ("LED_BY", NOON + DAY, None)
        assert done.edges_invalidated == 1


@pytest.mark.parametrize(
    "newer",
    [
        fact("two", target="Ada", relation="KNOWS"),
        fact("two", source="Ada"),
        fact("two", target="Ada", valid_at=NOON),
    ],
)
def test_nothing_else_ends_on_its_own(newer: ExtractedEdge) -> None:
    with ingests(SINGLE) as given:
        given.ingest(["Acme", "Mira", "Ada"], [fact("one")])
        done = given.ingest(["Acme", "Mira", "Ada"], [newer], at=NOON + DAY)
        assert [row.invalid_at for row in given.edges()] == [None, None]
        assert done.edges_invalidated == 0


def test_without_a_declaration_nothing_is_single_valued(given: Ingests) -> None:
    given.ingest(["Acme", "Mira", "Ada"], [fact("one")])
    given.ingest(["Acme", "Mira", "Ada"], [fact("two", target="Ada")], at=NOON + DAY)
    assert [row.invalid_at for row in given.edges()] == [None, None]


def test_facts_of_another_group_never_end() -> None:
    with ingests(SINGLE) as given:
        given.ingest(["Acme", "Mira"], [fact("one")], group="a")
        given.ingest(["Acme", "Ada"], [fact("two", target="Ada")], group="b", at=NOON + DAY)
        assert [row.invalid_at for row in given.edges()] == [None, None]


def test_an_asserted_fact_is_ended_by_a_newer_one_and_ends_none_itself() -> None:
    with ingests(SINGLE) as given:
        given.workspace.apply(
            "a",
            *map(EntityPut, [entity("acme", name="Acme"), entity("mira", name="Mira")]),
            EdgePut(edge("r1", "acme", "mira", fact="one", relation_type="LED_BY", valid_at=None)),
            EdgePut(edge("r2", "acme", "mira", fact="three", relation_type="LED_BY", valid_at=NOON + 2 * DAY)),
        )
        given.ingest(["Acme", "Ada"], [fact("two", target="Ada")], at=NOON + DAY)
        assert [(row.fact, row.invalid_at) for row in given.edges()] == [
            ("one", NOON + DAY),
            ("three", None),
            ("two", None),
        ]


def test_a_value_that_another_replaced_is_not_stated_anew_by_the_same_text_again() -> None:
    with ingests(SINGLE) as given:
        old = fact("one", valid_at=NOON - 2 * DAY)
        first = given.ingest(["Acme", "Mira"], [old])
        given.ingest(["Acme", "Ada"], [fact("two", target="Ada", valid_at=NOON - DAY)])
        again = given.ingest(["Acme", "Mira"], [old], at=NOON + DAY)
        one, two = given.edges()
        assert one.episodes == (first.episode_uuid, again.episode_uuid)
        assert (one.invalid_at, two.invalid_at) == (NOON - DAY, None)


@settings(max_examples=20, deadline=None)
@generated(
    st.lists(
        st.tuples(st.integers(0, 6), st.one_of(st.none(), st.integers(1, 8)), st.sampled_from(["Mira", "Ada", "Bo"])),
        min_size=1,
        max_size=5,
    ),
    st.integers(0, 119),
)
def test_single_values_form_one_row_of_times_in_whatever_order_texts_come(
    stated: list[tuple[int, int | None, str]], number: int
) -> None:
    facts = [
        fact(f"fact {at}", target=target, valid_at=NOON + begin * DAY, invalid_at=NOON + end * DAY if end else None)
        for at, (begin, end, target) in enumerate(stated)
    ]
    orders = list(itertools.permutations(facts))
    outcomes = []
    for order in (facts, orders[number % len(orders)]):
        with ingests(SINGLE) as given:
            for one in order:
                given.ingest(["Acme", "Mira", "Ada", "Bo"], [one])
            outcomes.append([(row.fact, row.valid_at, row.invalid_at) for row in given.edges()])
    assert outcomes[0] == outcomes[1]
    begins = sorted({begin for begin, _, _ in stated})
    for (begin, end, _), (_, valid_at, invalid_at) in zip(stated, outcomes[0], strict=True):
        next_begin = next((later for later in begins if later > begin), None)
        bounds = [bound for bound in (end, next_begin) if bound]
        assert valid_at == NOON + begin * DAY
        assert invalid_at == (NOON + min(bounds) * DAY if bounds else None)


# Strict ontologies


def test_types_that_a_strict_ontology_lacks_are_kept_beside_the_mark_of_the_unclassified() -> None:
    with ingests(f"mode: strict\n{SINGLE}") as given:
        done = given.ingest(
            [ExtractedEntity("Acme", "Starship"), ExtractedEntity("Mira", "person")],
            [fact(relation="headed by"), fact("other", relation="ORBITS")],
        )
        assert (done.entities_unclassified, done.edges_unclassified) == (1, 1)
        acme, mira = sorted(given.entities(), key=lambda row: row.name)
        assert (acme.labels, acme.attributes) == (("Entity", "Unclassified"), '{"original_entity_type":"Starship"}')
        assert (mira.labels, mira.attributes) == (("Entity", "Person"), "{}")
        known, other = given.edges()
        assert (known.relation_type, known.attributes) == ("LED_BY", "{}")
        assert (other.name, other.relation_type) == ("ORBITS", "UNCLASSIFIED")
        assert other.attributes == '{"original_relation_type":"ORBITS"}'
