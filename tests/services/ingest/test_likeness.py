"""When two names are spelled as one name is, and when they are not."""

import string
import unicodedata
from collections import Counter

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from lcg.services.ingest.likeness import Likeness, alike, holds, same_numbers

NONE = ("Entity",)
PERSON = ("Entity", "Person")
COMPANY = ("Entity", "Organization")
PLACE = ("Entity", "Location")
THING = ("Entity", "Product")


@pytest.mark.parametrize(
    ("one", "two", "labels"),
    [
        ("John F. Kennedy", "John F Kennedy", NONE),
        ("U.S. Navy", "US Navy", NONE),
        ("U.S. Navy", "United States Navy", COMPANY),
        ("Washington, D.C.", "Washington DC", PLACE),
        ("I. M. Pei", "I.M. Pei", PERSON),
        ("St. Louis", "Saint Louis", PLACE),
        ("Henry VIII.", "Henry VIII", PERSON),
        ("J.R.R. Tolkien", "J. R. R. Tolkien", PERSON),
        ("Low Earth orbit", "Low-Earth orbit", PLACE),
        ("RFC 3339", "RFC3339", NONE),
        ("The Analytical Engine", "Analytical Engine", NONE),
        ("Dr. Marie Curie", "Marie Curie", NONE),
        ("Colonel Ilan Ramon", "Ilan Ramon", PERSON),
        ("Curie, Marie", "Marie Curie", PERSON),
        ("Roger B. Chaffee", "Roger Bruce Chaffee", PERSON),
        ("José García", "Jose Garcia", PERSON),
        ("Acme Inc.", "Acme", COMPANY),
        ("Acme Corp.", "Acme Corporation", COMPANY),
        ("Harbour Works", "Harbor Works", NONE),
        ("Indian Space Research Organisation", "Indian Space Research Organization", COMPANY),
        ("Apollo programme", "Apollo program", NONE),
        ("Project Gemini", "Gemini project", NONE),
        ("Johnson & Johnson", "Johnson and Johnson", COMPANY),
        ("Lagrange point", "Lagrange points", NONE),
        ("Shuttle", "Shuttles", THING),
        ("GPS", "GPSs", NONE),
        ("docs/adr", "docs/adr/", NONE),
        ("Apollo Ⅺ", "Apollo XI", NONE),
        ("Apollo ١١", "Apollo 11", NONE),
    ],
)
def test_differences_that_tell_nothing_apart_are_no_differences(one: str, two: str, labels: tuple[str, ...]) -> None:
    assert alike(one, labels, two, labels) is Likeness.SAME
    assert alike(two, labels, one, NONE) is Likeness.SAME


@pytest.mark.parametrize(
    ("one", "two", "labels"),
    [
        ("Apollo 11", "Apollo 12", NONE),
        ("Apollo", "Apollo 11", NONE),
        ("Apollo", "Apollo program", NONE),
        ("AS-201", "AS-102", NONE),
        ("Version 1.2", "Version 1.3", NONE),
        ("Version 12", "Version 1 2", NONE),
        ("Saturn V", "Saturn I", NONE),
        ("Saturn V", "Saturn", NONE),
        ("Henry VII", "Henry VIII", PERSON),
        ("Henry V", "Henry I", NONE),
        ("Henry V.", "Henry", NONE),
        ("Saturn-V", "Saturn", NONE),
        ("Miami University", "University of Miami", COMPANY),
        ("Type C", "Type D", NONE),
        ("January 2021", "January 2022", NONE),
        ("Launch Complex 39A", "Launch Complex 39B", NONE),
        ("STS-51-C", "STS-51-A", NONE),
        ("Plan A", "Plan B", NONE),
        ("John F. Kennedy", "Robert F. Kennedy", PERSON),
        ("John F. Kennedy", "John F. Kennedy Space Center", NONE),
        ("George W. Bush", "George H. W. Bush", PERSON),
        ("John Adams", "John Quincy Adams", PERSON),
        ("John Adam", "John Adams", PERSON),
        ("James Henry", "Henry James", PERSON),
        ("John Glenn", "John Glenn, Sr", PERSON),
        ("North Korea", "South Korea", PLACE),
        ("Soviet Order of Friendship", "Russian Order of Friendship", NONE),
        ("Delta IV Heavy", "Delta IV Medium", NONE),
        ("Acme Ltd", "Acme GmbH", COMPANY),
        ("C", "C++", NONE),
        ("C++", "C#", NONE),
        ("to_seq", "from_seq", NONE),
        ("entity_type", "entity_types", NONE),
        ("wal.max_seq", "wal_max_seq", NONE),
        ("API", "api/", NONE),
        ("e-1", "E1", NONE),
        ("isError", "is_error", NONE),
        ("北京", "北海", NONE),
        ("Йод", "Иод", NONE),
        ("Mars", "Marsh", NONE),
        ("Boston", "University of Boston", NONE),
        ("Space Shuttle", "Space Shuttle Columbia", THING),
    ],
)
def test_names_of_two_things_stay_two(one: str, two: str, labels: tuple[str, ...]) -> None:
    assert alike(one, labels, two, labels) is None
    assert alike(two, labels, one, NONE) is None


def test_a_short_form_is_told_from_another_way_of_writing() -> None:
    assert alike("Roger Chaffee", PERSON, "Roger B. Chaffee", PERSON) is Likeness.SHORT
    assert alike("NASA", NONE, "National Aeronautics and Space Administration", NONE) is Likeness.SHORT


def test_types_that_differ_keep_equal_names_apart_unless_one_is_above_the_other() -> None:
    assert alike("The Mercury", ("Entity", "Planet"), "Mercury", ("Entity", "Metal")) is None
    assert alike("The Mercury", ("Entity", "Body", "Planet"), "Mercury", ("Entity", "Body")) is Likeness.SAME
    assert alike("The Mercury", ("Entity", "Unclassified"), "Mercury", ("Entity", "Metal")) is Likeness.SAME
    assert alike("Mars Incorporated", NONE, "Mars", PLACE) is None


def test_a_name_within_another_holds_no_other_number() -> None:
    assert holds("Armstrong", "Neil Armstrong")
    assert holds("Neil Armstrong", "Armstrong")
    assert not holds("Apollo", "Apollo 11")
    assert not holds("arm", "Armstrong")
    assert not holds("Neil Aldrin", "Neil Armstrong Aldrin")


NAMES = st.lists(
    st.one_of(
        st.sampled_from(["Apollo", "The", "Inc", "Dr", "V", "IX", "Project", "of", "Ada", "B.", "C++", "wal_dir", "№"]),
        st.text(st.sampled_from("aBé1٣Ⅷ²-'’./&ﬁßİ"), min_size=1, max_size=4),
    ),
    min_size=1,
    max_size=4,
).map(" ".join)
LABELS = st.sampled_from([NONE, PERSON, COMPANY, THING, PLACE])


def digits(name: str) -> Counter[str]:
    """Count a name's digits, each as its value, whatever the script."""
    return Counter(str(unicodedata.decimal(c)) for c in unicodedata.normalize("NFKC", name) if c.isdecimal())


@given(NAMES, LABELS, NAMES, LABELS)
def test_no_spelling_brings_names_with_other_digits_together(
    one: str, labels: tuple[str, ...], two: str, other_labels: tuple[str, ...]
) -> None:
    found = alike(one, labels, two, other_labels)
    assert found == alike(two, other_labels, one, labels)
    if found is not None:
        assert digits(one) == digits(two)
        assert same_numbers(one, two)


@given(st.text(string.ascii_letters + " ", min_size=2, max_size=20), st.integers(0, 99), st.integers(0, 99))
def test_a_number_at_the_end_always_tells_apart(name: str, one: int, two: int) -> None:
    assume(one != two)
    assert alike(f"{name} {one}", NONE, f"{name} {two}", NONE) is None
