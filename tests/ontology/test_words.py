"""Normalising the names of types."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lcg.ontology.words import entity_type_name, keyword_text, relation_name, words


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("HTTPServer", ["HTTP", "Server"]),
        ("sailed to-port", ["sailed", "to", "port"]),
        ("launchVehicle_type", ["launch", "Vehicle", "type"]),
        ("ISO9001", ["ISO9001"]),
        (" _-", []),
        ("ÜberBau", ["Über", "Bau"]),
    ],
)
def test_texts_are_split_at_separators_and_changes_of_case(text: str, parts: list[str]) -> None:
    assert words(text) == parts


def test_entity_types_are_capitalised_words_joined() -> None:
    assert [entity_type_name(text) for text in ("launch vehicle", "RFC", "HTTPServer")] == [
        "LaunchVehicle",
        "Rfc",
        "HttpServer",
    ]


def test_relations_are_words_in_capitals() -> None:
    assert [relation_name(text) for text in ("sailed to", "worksFor", "PART-OF")] == [
        "SAILED_TO",
        "WORKS_FOR",
        "PART_OF",
    ]


def test_blanks_in_keywords_count_as_underscores() -> None:
    assert keyword_text("  Took Part ") == "took_part"


@given(st.text(alphabet="abzABZ _-09ÄßéΣ", max_size=20))
def test_a_normalised_relation_stays_as_it_is(text: str) -> None:
    assert relation_name(relation_name(text)) == relation_name(text)
