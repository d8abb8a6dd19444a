"""The scripts that measure retrieval and ingestion run, on articles that are made up here."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from bench import ingest, quality
from bench.articles import ARTICLES, CHUNK_CHARS, DATA_VARIABLE, read_chunks
from bench.canned import CannedExtractor, write_canned
from bench.quality import FUSED, Question, Tally, misses, read_questions

PROSE = {
    "Almaz": "Almaz was a Soviet space station. Almaz was built by Vladimir Chelomey in Moscow.",
    "GLONASS": "GLONASS is a system of satellites of Russia. GLONASS tells ships and cars where they are.",
    "Mars Orbiter Mission 2": "Mars Orbiter Mission 2 is a probe that ISRO of India wants to send to Mars.\n" * 30,
}


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = tmp_path / ARTICLES
    file.parent.mkdir(parents=True)
    lines = [json.dumps({"title": title, "revision_id": 1, "prose": prose}) for title, prose in PROSE.items()]
    file.write_text("\n".join(lines), encoding="utf-8")
    monkeypatch.setenv(DATA_VARIABLE, str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("main", [quality.main, ingest.main])
def test_without_data_a_script_says_what_it_needs(
    main: Callable[[list[str]], int],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    monkeypatch.delenv(DATA_VARIABLE, raising=False)
    assert main([]) == 2
    assert DATA_VARIABLE in capsys.readouterr().err
    monkeypatch.setenv(DATA_VARIABLE, str(tmp_path))
    assert main([]) == 2
    assert str(tmp_path / ARTICLES) in capsys.readouterr().err


def test_chunks_keep_paragraphs_whole_and_lose_none(data: Path) -> None:
    chunks = read_chunks(str(data))
    assert [(chunk.title, chunk.place) for chunk in chunks[:2]] == [("Almaz", 1), ("GLONASS", 1)]
    last = [chunk for chunk in chunks if chunk.title == "Mars Orbiter Mission 2"]
    assert len(last) > 1
    assert "\n".join(chunk.text for chunk in last).splitlines() == PROSE["Mars Orbiter Mission 2"].splitlines()
    assert all(len(chunk.text) <= CHUNK_CHARS + 30 for chunk in chunks)
    assert len(read_chunks(str(data), 2)) == 2


def test_questions_are_many_of_each_style_and_never_twice() -> None:
    questions = read_questions()
    styles = {question.style for question in questions}
    assert styles == {"lexical", "paraphrased", "mixed"}
    assert all(sum(question.style == style for question in questions) >= 20 for style in styles)
    assert len({question.query for question in questions}) == len(questions) >= 60
    assert all(question.articles for question in questions)


def test_retrieval_is_measured(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert quality.main(["--articles", "3"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("3 articles, ")
    for line in ("facts     lexical", "nodes     mixed", "passages  lexical"):
        assert line in printed


def test_a_hit_is_the_first_answer_and_a_missed_floor_is_named() -> None:
    tally = Tally([1, 4, None, 8])
    assert (tally.hit(1), tally.hit(5), tally.mrr) == (0.25, 0.5, (1 + 1 / 4 + 1 / 8) / 4)
    good, poor = Tally([*[1] * 9, 2]), Tally([*[None] * 5, *[2] * 5])
    assert misses({("nodes", "lexical", "words"): good, ("nodes", "lexical", FUSED): good}) == []
    missed = misses({("nodes", "lexical", "words"): good, ("nodes", "lexical", FUSED): poor})
    assert [miss.partition(":")[0] for miss in missed] == ["nodes, lexical", "nodes, lexical"]
    assert "hit@5 0.50 < 0.9" in missed[0]
    assert Question("mixed", "q", frozenset("a")).articles == {"a"}


def test_ingestion_is_measured_alone(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ingest.main(["--chunks", "4", "--rounds", "1", "--rival-chunks", "0"]) in (0, 1)
    printed = capsys.readouterr().out
    assert "\nlcg                   3 " in printed
    assert "last quarter / first quarter" in printed


def test_a_rival_that_cannot_be_installed_is_left_out_with_the_reason(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(command: list[str], **_: object) -> None:
        raise subprocess.CalledProcessError(1, command, stderr="looking\nERROR: No matching distribution found")

    monkeypatch.setattr(subprocess, "run", fail)
    place = str(tmp_path / "environment")
    ingest.main(["--chunks", "3", "--rounds", "1", "--rival-chunks", "2", "--environment", place])
    assert "No matching distribution found" in capsys.readouterr().out


def test_canned_extraction_is_what_the_rules_found(tmp_path: Path) -> None:
    text = PROSE["Almaz"]
    write_canned(tmp_path / "canned.jsonl", [text])
    found = CannedExtractor(tmp_path / "canned.jsonl").extract(text, "text", 0)
    assert "Almaz" in [entity.name for entity in found.entities]
    assert all(edge.fact in text for edge in found.edges)
    assert found.edges
