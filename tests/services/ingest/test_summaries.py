"""What becomes of the summary of an entity that many texts speak of."""

import pytest
from hypothesis import given as generated
from hypothesis import strategies as st

from lcg.providers.extractor.protocol import ExtractedEntity
from lcg.services.ingest.summary import SUMMARY_LIMIT, with_summary
from tests.graph.harness import entity
from tests.services.ingest.harness import Ingests


def merged(*texts: str) -> str:
    row = entity("n1", summary=texts[0])
    for text in texts[1:]:
        row = with_summary(row, text)
    return row.summary


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["She sails.", "She sails."], "She sails."),
        (["She sails.", "  she  SAILS! "], "She sails."),
        (["She sails.", "She is a pilot. She sails. She rests."], "She sails. She is a pilot. She rests."),
        (["A pilot", "She sails."], "A pilot She sails."),
        (["A pilot who sails.", "A pilot"], "A pilot who sails."),
        (["Heron", "Her"], "Heron Her"),
        (["", "She sails."], "She sails."),
        (["She sails.", "", "  \n "], "She sails."),
        (["彼女は航海する。", "彼女は航海する。彼女は休む。"], "彼女は航海する。 彼女は休む。"),
    ],
)
def test_each_sentence_stands_in_a_summary_once(texts: list[str], expected: str) -> None:
    assert merged(*texts) == expected


def test_a_summary_ends_with_a_whole_sentence_when_it_is_full() -> None:
    full = merged("", *(f"This is the sentence number {number} of many." for number in range(500)))
    assert SUMMARY_LIMIT - 60 < len(full) <= SUMMARY_LIMIT
    assert full.endswith("of many.")


def test_a_summary_that_was_longer_before_stays_as_it_is() -> None:
    longer = "x" * (SUMMARY_LIMIT + 1)
    assert merged(longer, "She sails.") == longer


@generated(st.lists(st.text(max_size=300), max_size=12))
def test_no_summary_grows_for_ever_and_none_is_lost(texts: list[str]) -> None:
    summary = ""
    for text in texts:
        grown = merged(summary, text)
        assert grown.startswith(summary)
        assert len(grown) <= SUMMARY_LIMIT
        assert merged(grown, text) == grown
        summary = grown


def test_the_vector_stays_that_of_the_first_summary_and_no_row_lacks_one(given: Ingests) -> None:
    given.ingest(
        [ExtractedEntity("Mira", summary="She sails.\nShe  rests."), ExtractedEntity("mira", summary="A pilot.")]
    )
    given.ingest([ExtractedEntity("Mira", summary="She retired.")])
    (row,) = given.entities()
    assert row.summary == "She sails.\nShe  rests. A pilot. She retired."
    assert row.summary_embedded == "She sails.\nShe  rests."
    assert given.workspace.vectors.missing() == 0
