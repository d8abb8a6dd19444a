"""The quality floors of the rule extractor, on the reference log and in other registers."""

from pathlib import Path

import pytest

from bench import quality_extraction as quality
from lcg.providers.extractor.protocol import ExtractedEdge, ExtractedEntity, Extraction
from lcg.providers.extractor.rules import RuleExtractor


def test_the_floors_hold_on_the_reference_log() -> None:
    files = quality.reference_log()
    if not files:
        pytest.skip(f"{quality.DATA_VARIABLE} is unset or holds no reference log")
    scores = quality.score(quality.read_episodes(files))
    assert scores.episodes > 0
    assert scores.misses() == []


def test_there_are_texts_in_five_registers() -> None:
    assert len(quality.register_files()) == 5


@pytest.mark.parametrize("file", quality.register_files(), ids=lambda file: file.stem)
def test_names_and_facts_are_clean_in_other_registers(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    extraction = RuleExtractor().extract(text, quality.source_type_of(file), 0)
    assert quality.faults(text, extraction) == []
    assert len(extraction.entities) >= 10
    assert len(extraction.edges) >= 5


@pytest.mark.parametrize(
    ("register", "expected"),
    [
        (
            "notes",
            {"Harbour Trust", "Port Vell", "Nordkai GmbH", "Amara Osei", "tide_tables.csv"},
        ),
        ("chat", {"Priya", "Tom", "marisol", "kestrel-02", "Grafana", "Helsinki", "OPS-418", "Meridian Bank"}),
        (
            "data",
            {"orchard-api", "Greenfield Orchards", "PostgreSQL", "Ines Duarte", "config/orchard.toml"},
        ),
        ("code_review", {"RetryPolicy", "HttpClient", "MAX_ATTEMPTS", "parse_headers", "Hannah Weiss", "CHANGELOG.md"}),
        ("german", {"Anna Brandt", "Seewerk GmbH", "Bremen", "Jens Petersen", "Technische Universität Braunschweig"}),
    ],
)
def test_what_a_reader_would_name_is_found(register: str, expected: set[str]) -> None:
    (file,) = (file for file in quality.register_files() if file.stem == register)
    extraction = RuleExtractor().extract(file.read_text(encoding="utf-8"), quality.source_type_of(file), 0)
    assert expected <= {entity.name for entity in extraction.entities}


def test_the_gate_itself_sees_faults() -> None:
    bad = Extraction(
        [ExtractedEntity("the pier"), ExtractedEntity("a b c d e f g"), ExtractedEntity("x\ny")],
        [ExtractedEdge("the pier", "nobody", "not there")],
    )
    assert len(quality.faults("text", bad)) == 6
    assert len(quality.Scores(1, 100, 1000, 10, 1000, 1000, 1.0).misses()) == 4
