"""What the rule extractor finds: names, types, facts, relations, times."""

from datetime import UTC, datetime

import pytest

from lcg.model.times import Micros, from_datetime
from lcg.providers.extractor.protocol import ExtractedEdge, Extraction, Extractor, SourceType
from lcg.providers.extractor.rules import RuleExtractor

NOW = from_datetime(datetime(2026, 7, 1, tzinfo=UTC))


def extract(text: str, source_type: SourceType = "text") -> Extraction:
    return RuleExtractor().extract(text, source_type, NOW)


def names(text: str, source_type: SourceType = "text") -> list[str]:
    return [entity.name for entity in extract(text, source_type).entities]


def types(text: str, source_type: SourceType = "text") -> dict[str, str]:
    return {entity.name: entity.entity_type for entity in extract(text, source_type).entities}


def triples(text: str, source_type: SourceType = "text") -> list[tuple[str, str | None, str]]:
    return [(edge.source_name, edge.relation, edge.target_name) for edge in extract(text, source_type).edges]


def only_edge(text: str) -> ExtractedEdge:
    (edge,) = extract(text).edges
    return edge


def day(year: int, month: int, of_month: int) -> Micros:
    return from_datetime(datetime(year, month, of_month, tzinfo=UTC))


def test_it_is_an_extractor_named_builtin_without_a_model() -> None:
    extractor: Extractor = RuleExtractor()
    assert (extractor.provider, extractor.model) == ("builtin", None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We met the crew of Nordkai at Port Vell.", ["Nordkai", "Port Vell"]),
        ("She studied at the University of Halden.", ["University of Halden"]),
        ("He quoted Wernher von Braun twice.", ["Wernher von Braun"]),
        ("They flew Apollo 11 and Falcon 9.", ["Apollo 11", "Falcon 9"]),
        (
            "It is run by the National Aeronautics and Space Administration.",
            ["National Aeronautics and Space Administration"],
        ),
        ("It passed the Kuiper belt.", ["Kuiper belt"]),
        ("We use snake_case_name, camelCase and gpt-4 with v1.2.", ["snake_case_name", "camelCase", "gpt-4", "v1.2"]),
        ('The so-called "sea otter" sank.', ["sea otter"]),
        ("Run `make demo` first.", ["make demo"]),
        ("See [the survey](https://x.example/s) and [[Kite|kites]].", ["survey", "kites"]),
        ("The **Harbour Trust** pays.", ["Harbour Trust"]),
        ("Edit src/net/client.py, then README.md.", ["src/net/client.py", "README.md"]),
        (
            "Write to ida@port.example or see https://port.example/a?b=1.",
            ["ida@port.example", "https://port.example/a?b=1"],
        ),
        ("Please ask @marisol about it.", ["marisol"]),
        ("Then NASA's Space Launch System came.", ["NASA", "Space Launch System"]),
    ],
)
def test_names_are_found(text: str, expected: list[str]) -> None:
    assert names(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "It happened in May, on a Monday.",
        "Shortly after, nothing was left. During the night it rained.",
        "Dust settled on the floor. The dust was red.",
        "Some American and Russian people came.",
        "The ratio is 12/24 and/or 5 km/h.",
        'He said "this should never happen, I think." and left.',
        "one two three four five six seven",
        "Set `true` or `null`; `x` is its index.",
        "It is made of block E. If it fails, nothing comes after plan C. The end is near.",
        'He quoted "code] data loss" and left.',
        "",
        "   \n\n  ",
    ],
)
def test_ordinary_words_and_dates_are_no_names(text: str) -> None:
    assert names(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('Read "Harbour Rules (old)" first.', ["Harbour Rules"]),
        ('Read "[Harbour] Rules" first.', ["Harbour", "Rules"]),
        ("The **Tidal Gauge (v2) Log** is here.", ["Tidal Gauge (v2) Log"]),
        ("Call `tide(port)` now.", ["tide(port)"]),
    ],
)
def test_names_have_whole_brackets(text: str, expected: list[str]) -> None:
    assert names(text) == expected


def test_an_ordinary_word_at_the_start_of_a_sentence_is_a_name_when_it_is_met_as_one_elsewhere() -> None:
    assert "Dust" not in names("Dust settled here. More dust came.")
    assert "Kholod" in names("Kholod failed. Later the engine of Kholod worked.")


def test_the_same_name_in_other_letters_is_one_entity() -> None:
    assert names("The firm Nordkai pays. NORDKAI pays, and Nordkai sells.") == ["Nordkai"]


def test_short_forms_are_the_entity_they_stand_for() -> None:
    found = names("Laser Sea Antenna (LSA) flies. Anna Brandt built LSA. Brandt left Seewerk GmbH; Seewerk pays.")
    assert found == ["Laser Sea Antenna", "Anna Brandt", "Seewerk GmbH"]


def test_entities_stand_in_the_order_of_their_first_mention() -> None:
    assert names("We saw Zeta Point, then Alpha Point, then Zeta Point.") == ["Zeta Point", "Alpha Point"]


def test_the_summary_is_the_first_sentence_that_mentions_the_entity() -> None:
    text = "# Harbour Notes\n\nNothing yet. The Harbour Trust owns\nthe pier. The Harbour Trust pays."
    summaries = {entity.name: entity.summary for entity in extract(text).entities}
    assert summaries["Harbour Trust"] == "The Harbour Trust owns the pier."


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("They asked Dr. Amara Osei.", "Amara Osei", "Person"),
        ("The astronaut Kesh Varga flew.", "Kesh Varga", "Person"),
        ("Kesh Varga (born May 3, 1950) was a pilot.", "Kesh Varga", "Person"),
        ("They pay Nordkai GmbH.", "Nordkai GmbH", "Organization"),
        ("They left the University of Halden.", "University of Halden", "Organization"),
        ("Lumo is a Danish company from Aarhus.", "Lumo", "Organization"),
        ("He was born in Winona.", "Winona", "Location"),
        ("They went to Norway.", "Norway", "Location"),
        ("See docs/plan.md for more.", "docs/plan.md", "Document"),
        ("See src/plan.py for more.", "src/plan.py", "Software"),
        ("Then parse_headers failed.", "parse_headers", "Software"),
        ("They won the Nordic Music Festival.", "Nordic Music Festival", "Event"),
        ("We heard of Zorblax there.", "Zorblax", ""),
    ],
)
def test_cue_words_give_the_type(text: str, name: str, expected: str) -> None:
    assert types(text)[name] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mira sailed to Port Vell.", ("Mira", "SAIL_TO", "Port Vell")),
        ("Anna Brandt works for Nordkai.", ("Anna Brandt", "WORK_FOR", "Nordkai")),
        ("Nordkai was founded by Anna Brandt.", ("Nordkai", "FOUNDED_BY", "Anna Brandt")),
        ("The pier in Halden was built by Nordkai.", ("Halden", "BUILT_BY", "Nordkai")),
        ("Anna Brandt is the director of Nordkai.", ("Anna Brandt", "DIRECTOR_OF", "Nordkai")),
        ("Anna Brandt died on May 27, 2018 at Halden.", ("Anna Brandt", "DIE_AT", "Halden")),
        ("Anna Brandt does not work for Nordkai.", ("Anna Brandt", None, "Nordkai")),
        ("Anna Brandt arbeitet heute bei Nordkai.", ("Anna Brandt", "ARBEITEN_BEI", "Nordkai")),
        ("Anna Brandt hat die Nordkai GmbH gegründet.", ("Anna Brandt", "GRÜNDEN", "Nordkai GmbH")),
    ],
)
def test_the_verb_between_two_names_is_the_relation(text: str, expected: tuple[str, str | None, str]) -> None:
    assert triples(text) == [expected]


def test_a_pronoun_stands_for_what_the_text_is_about() -> None:
    text = "Anna Brandt is an engineer. She works for Nordkai."
    assert triples(text) == [("Anna Brandt", "WORK_FOR", "Nordkai")]


def test_every_name_of_a_list_hangs_on_the_subject() -> None:
    assert triples("Nordkai supplies Port Vell, Halden and Brackwater.") == [
        ("Nordkai", "SUPPLY", "Port Vell"),
        ("Nordkai", "SUPPLY", "Halden"),
        ("Nordkai", "SUPPLY", "Brackwater"),
    ]


def test_a_second_clause_has_its_own_subject() -> None:
    text = "Nordkai bought Ostwerk, because Halden sold Brackwater."
    assert triples(text) == [("Nordkai", "BUY", "Ostwerk"), ("Halden", "SELL", "Brackwater")]


def test_a_sentence_gives_at_most_three_edges() -> None:
    many = ", ".join(f"Port {letter}ana" for letter in "BCDFGHKLMN")
    assert len(extract(f"Nordkai supplies {many}.").edges) == 3


def test_the_fact_is_the_sentence_verbatim_even_over_two_lines() -> None:
    text = "Before.  Anna Brandt works\nfor  Nordkai!  After."
    assert only_edge(text).fact == "Anna Brandt works\nfor  Nordkai!"


@pytest.mark.parametrize(
    ("stated", "valid_at", "invalid_at"),
    [
        ("on 2026-05-28", day(2026, 5, 28), None),
        ("on May 28, 2026", day(2026, 5, 28), None),
        ("on 28 May 2026", day(2026, 5, 28), None),
        ("on the 28th of May 2026", day(2026, 5, 28), None),
        ("am 28. Mai 2026", day(2026, 5, 28), None),
        ("am 28.05.2026", day(2026, 5, 28), None),
        ("in May 2026", day(2026, 5, 1), None),
        ("in 1998", day(1998, 1, 1), None),
        ("from 2007 to 2020", day(2007, 1, 1), day(2020, 1, 1)),
        ("on February 30, 2026", None, None),
        ("at 1998 m", None, None),
        ("last week", None, None),
    ],
)
def test_an_explicit_time_in_the_sentence_is_the_time_of_the_fact(
    stated: str, valid_at: Micros | None, invalid_at: Micros | None
) -> None:
    edge = only_edge(f"Anna Brandt worked for Nordkai {stated}.")
    assert (edge.valid_at, edge.invalid_at) == (valid_at, invalid_at)


def test_dates_of_life_are_not_the_time_of_a_fact() -> None:
    assert only_edge("Anna Brandt (March 15, 1932 – May 26, 2018) worked for Nordkai.").valid_at is None


def test_a_heading_is_what_its_section_is_about() -> None:
    text = "# Harbour Rebuild\n\nIt is paid by Nordkai.\n\n## References\n\nnone"
    assert names(text) == ["Harbour Rebuild", "Nordkai"]
    assert triples(text) == [("Harbour Rebuild", "PAID_BY", "Nordkai")]


def test_code_blocks_are_not_read() -> None:
    assert names("The Harbour Trust pays.\n\n```python\nclass FooBar: Secret_Name = 1\n```\n") == ["Harbour Trust"]


def test_table_rows_join_their_first_name_to_the_others() -> None:
    text = "| Crane | Maker |\n|---|---|\n| Crane A | Halden Marine |\n"
    assert triples(text) == [("Crane A", None, "Halden Marine")]
    assert names(text) == ["Crane A", "Halden Marine"]


def test_a_message_has_speakers_who_speak_of_things() -> None:
    text = "Ida: I moved to Bremen.\nbo: We use Grafana.\n"
    assert types(text, "message")["bo"] == "Person"
    assert triples(text, "message") == [("Ida", "MOVE_TO", "Bremen"), ("bo", "USE", "Grafana")]
    assert extract(text, "message").edges[0].fact == "Ida: I moved to Bremen."


def test_a_chat_is_known_as_one_without_being_declared() -> None:
    text = "[09:12] Ida: Morning!\n[09:13] Bo: Hello.\n[09:14] Ida: I moved to Bremen.\n"
    assert triples(text) == [("Ida", "MOVE_TO", "Bremen")]


def test_an_object_of_json_is_a_subject_and_its_keys_are_relations() -> None:
    text = (
        '{"name": "orchard-api", "license": "Apache-2.0", "owner": {"name": "Ida Lund", "city": "Bremen"}, "port": 80}'
    )
    assert triples(text, "json") == [
        ("orchard-api", "LICENSE", "Apache-2.0"),
        ("orchard-api", "OWNER", "Ida Lund"),
        ("Ida Lund", "CITY", "Bremen"),
    ]
    assert extract(text, "json").edges[0].fact == '"license": "Apache-2.0"'


def test_prose_inside_json_is_read_as_prose_and_quoted_as_it_stands() -> None:
    text = '{"name": "Kite", "about": "Uses \\"wind\\".\\nIt was built by Anna Brandt."}'
    assert ("Kite", "BUILT_BY", "Anna Brandt") in triples(text, "json")
    assert all(edge.fact in text for edge in extract(text, "json").edges)


def test_hashes_times_and_numbers_in_json_are_no_names() -> None:
    text = '{"a": "9f86d081884c7d659a2feaa0c55ad015", "b": "2025-02-11T08:30:00Z", "c": "12", "d": true, "e": "strict"}'
    assert names(text, "json") == []


@pytest.mark.parametrize("text", ['{"a": ', "[" * 5000, '{"name": Anna Brandt works for Nordkai.', '["' + '\\"' * 5000])
def test_broken_json_is_read_as_text(text: str) -> None:
    assert names(text, "json") == names(text, "text")


def test_german_nouns_are_not_taken_for_names() -> None:
    text = (
        "Der Server steht in Bremen, die Datenbank läuft noch in Leipzig. Fehler wurden nicht gefunden. "
        "Das Lager und die Leitung arbeiten mit Daten. Volkswagen kaufte eine Anlage und ein Haus."
    )
    assert names(text) == ["Bremen", "Leipzig", "Volkswagen"]


def test_the_same_text_gives_the_same_result() -> None:
    text = "Anna Brandt works for Nordkai. Bo Lund left Halden Marine in 1999. Brandt knows Lund."
    assert extract(text) == extract(text)


@pytest.mark.parametrize(
    "text",
    [
        "Mira met Tomas in Port Vell and " * 3000,
        "[" * 100_000,
        "A" * 1_000_000,
        "." * 200_000 + "x",
        '"' * 50_000 + "`" * 50_000,
        "a-" * 100_000,
        "|a" * 50_000,
        "@a." * 30_000,
    ],
    ids=["no end", "brackets", "one word", "dots", "quotes", "hyphens", "pipes", "addresses"],
)
def test_a_degenerate_text_does_not_blow_up(text: str) -> None:
    extraction = extract(text)
    assert all(len(edge.fact) <= 700 and edge.fact in text for edge in extraction.edges)
    assert len(extraction.entities) < 10


def test_a_title_in_small_letters_is_a_name_and_a_lone_label_is_none() -> None:
    text = "# kite\n\nHere kite is a small server by Anna Brandt.\n\nPhases.\nThere are two."
    assert names(text) == ["kite", "Anna Brandt"]
    assert extract(text).entities[0].summary == "Here kite is a small server by Anna Brandt."
