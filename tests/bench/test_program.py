"""The bench program finds its scenarios, keeps what it measured, and renders the page from that."""

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench import page, program, registry, report
from bench.scenario import Figure, Memory, Result, Run, Scenario, Skipped, Target, interleaved
from tests.processes import ROOT

SCENARIOS = ROOT / "bench" / "scenarios"
SCHEMA = json.loads((ROOT / "bench" / "report.schema.json").read_text(encoding="utf-8"))

values = st.lists(st.floats(0, 1e9), max_size=3)
targets = st.builds(
    Target,
    st.sampled_from(["ours", "ours/bare", "bare/ours", "ours/rival", "rival/ours"]),
    st.sampled_from(["<=", ">="]),
    st.floats(0, 1e6),
)
words = st.text(min_size=1, max_size=20)
figures = st.builds(Figure, words, words, values, values, values, st.lists(targets, max_size=2), st.just("rival"))
memories = st.builds(Memory, words, st.floats(0, 1e6), st.floats(0, 1e6))


def scenario(measure: Callable[[Run], Result]) -> Scenario:
    return Scenario("made_up", "Made up", "Nothing is measured.", measure)


def run(tmp_path: Path) -> Run:
    return Run("tiny", tmp_path)


def kept(*entries: tuple[str, dict[str, Any]]) -> dict[str, Any]:
    return report.new_report(Run("tiny", Path())) | {"scenarios": dict(entries)}


def test_every_module_of_the_folder_is_a_scenario_of_its_own_name() -> None:
    modules = sorted(path.stem for path in SCENARIOS.glob("*.py") if path.stem != "__init__")
    assert registry.names() == modules
    for name in modules:
        found = registry.find(name)
        assert found.title and found.about.endswith(".")


@settings(deadline=None)
@given(st.lists(figures, max_size=3), st.lists(memories, max_size=2))
def test_a_report_keeps_to_its_schema_and_comes_back_as_it_was(measured: list[Figure], memory: list[Memory]) -> None:
    entry = report.measured_entry(scenario(lambda _: Result()), Result(measured, memory, ["a note"]))
    whole = json.loads(json.dumps(kept(("made_up", entry))))
    jsonschema.validate(whole, SCHEMA)
    back = whole["scenarios"]["made_up"]
    for figure, again in zip(measured, report.figures_of(back), strict=True):
        assert (again.what, again.unit, again.targets) == (figure.what, figure.unit, figure.targets)
        for whose in ("ours", "bare", "rival"):
            assert again.values(whose) == pytest.approx(figure.values(whose), rel=1e-4)
    assert [part.process for part in report.memory_of(back)] == [part.process for part in memory]


@pytest.mark.parametrize("state", ["skipped", "failed"])
def test_what_was_not_measured_says_why(state: str) -> None:
    entry = report.unmeasured_entry(scenario(lambda _: Result()), state, "npm is not here")
    jsonschema.validate(kept(("made_up", entry)), SCHEMA)
    assert "npm is not here" in report.shown(entry)
    del entry["reason"]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(kept(("made_up", entry)), SCHEMA)


def test_a_report_names_neither_machine_nor_paths(tmp_path: Path) -> None:
    import platform

    text = json.dumps(report.new_report(run(tmp_path)))
    assert platform.node() not in text
    assert str(tmp_path) not in text and "/" not in text


def test_a_quotient_is_the_median_of_the_rounds_quotients() -> None:
    figure = Figure("a call", "ms", [1, 20, 3], [10, 20, 10])
    assert figure.share("ours/bare") == 0.3
    assert figure.share("bare/ours") == pytest.approx(10 / 3)
    assert figure.share("ours") == 3
    assert figure.share("ours/rival") is None


def test_rounds_that_differ_in_number_are_compared_by_their_medians() -> None:
    assert Figure("a call", "ms", [1, 2, 3], [4]).share("ours/bare") == 0.5


@pytest.mark.parametrize(
    ("target", "met"),
    [
        (Target("ours/bare", "<=", 0.5), True),
        (Target("ours/bare", "<=", 0.49), False),
        (Target("bare/ours", ">=", 2), True),
        (Target("bare/ours", ">=", 2.01), False),
        (Target("ours", "<=", 1), True),
        (Target("rival/ours", ">=", 2), None),
    ],
)
def test_a_target_is_met_missed_or_not_measured(target: Target, met: bool | None) -> None:
    figure = Figure("a call", "ms", [1, 1, 1], [2, 2, 2], targets=[target])
    assert figure.met(target) is met
    entry = report.measured_entry(scenario(lambda _: Result()), Result([figure]))
    assert report.totals(kept(("made_up", entry))) == (int(met is True), int(met is False), int(met is None))
    assert {True: ", met", False: ", MISSED", None: ": not measured"}[met] in report.shown(entry)


def test_rounds_are_taken_in_turns_and_turned_round() -> None:
    order: list[str] = []

    def measured(name: str) -> Callable[[], float]:
        def once() -> float:
            order.append(name)
            return len(order)

        return once

    taken = interleaved(2, {"ours": measured("ours"), "bare": measured("bare")})
    assert order == ["ours", "bare", "bare", "ours"]
    assert taken == {"ours": [1, 4], "bare": [2, 3]}


def test_a_number_has_three_digits_that_count() -> None:
    assert [report.number(value) for value in (0, 0.01234, 1.5, 12.345, 123.4, 43210)] == [
        "0", "0.0123", "1.5", "12.3", "123", "43210",
    ]  # fmt: skip


def test_a_scenario_that_fails_or_cannot_be_measured_stops_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(_: Run) -> Result:
        raise ValueError("broken")

    def skips(_: Run) -> Result:
        raise Skipped("There is no npm here.")

    for measure, state, reason in (
        (fails, "failed", "ValueError: broken"),
        (skips, "skipped", "There is no npm here."),
    ):
        monkeypatch.setattr(registry, "find", lambda name, measure=measure: scenario(measure))
        entry = program.measure("made_up", run(tmp_path))
        assert (entry["state"], entry["reason"]) == (state, reason)
    assert "broken" in capsys.readouterr().err


def test_a_scenario_that_cannot_be_loaded_stops_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def missing(name: str) -> Scenario:
        raise ImportError(f"no {name} in {ROOT}/src/lcg")

    monkeypatch.setattr(registry, "find", missing)
    entry = program.measure("made_up", run(tmp_path))
    jsonschema.validate(kept(("made_up", entry)), SCHEMA)
    assert (entry["state"], entry["reason"]) == ("failed", "ImportError: no made_up in src/lcg")
    assert "ImportError" in capsys.readouterr().err


def test_a_named_scenario_replaces_its_own_figures_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def entry_of(value: float) -> dict[str, Any]:
        return report.measured_entry(scenario(lambda _: Result()), Result([Figure("x", "ms", [value])]))

    out = tmp_path / "report.json"
    monkeypatch.setattr(registry, "names", lambda: ["one", "two"])
    monkeypatch.setattr(program, "measure_apart", lambda name, _: entry_of({"one": 1, "two": 2}[name]))
    assert program.main(["--out", str(out)]) == 0
    monkeypatch.setattr(program, "measure_apart", lambda name, _: entry_of(3))
    assert program.main(["--out", str(out), "two"]) == 0
    scenarios = report.load(out)["scenarios"]
    assert [scenarios[name]["figures"][0]["ours"] for name in ("one", "two")] == [[1], [3]]


def test_figures_of_another_scale_are_not_kept_beside_new_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = report.measured_entry(scenario(lambda _: Result()), Result([Figure("x", "ms", [1])]))
    monkeypatch.setattr(registry, "names", lambda: ["one", "two"])
    monkeypatch.setattr(program, "measure_apart", lambda *_: entry)
    out = tmp_path / "report.json"
    assert program.main(["--quick", "--out", str(out), "one"]) == 0
    assert program.main(["--out", str(out), "two"]) == 0
    assert list(report.load(out)["scenarios"]) == ["two"]


def test_the_exit_status_tells_of_failures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    failed = report.unmeasured_entry(scenario(lambda _: Result()), "failed", "broken")
    monkeypatch.setattr(registry, "names", lambda: ["one"])
    monkeypatch.setattr(program, "measure_apart", lambda *_: failed)
    assert program.main(["--out", str(tmp_path / "report.json")]) == 1


def test_an_unknown_name_is_refused_with_the_known_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert program.main(["no_such"]) == 2
    assert "no scenario no_such" in capsys.readouterr().err


def test_a_report_of_another_format_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_text('{"format": 99}', encoding="utf-8")
    with pytest.raises(ValueError, match="format 99"):
        report.load(path)


def test_the_page_shows_every_figure_target_and_note(tmp_path: Path) -> None:
    figure = Figure("a | call", "ms", [1.0], [4.0], [math.pi], [Target("ours/bare", "<=", 0.5)], "other")
    measured = Result([figure], [Memory("service", 12.0, 34.0)], ["A note."])
    skipped = report.unmeasured_entry(scenario(lambda _: Result()), "skipped", "npm is not here")
    path = tmp_path / "report.json"
    entry = report.measured_entry(scenario(lambda _: Result()), measured)
    report.save(kept(("made_up", entry), ("other", skipped)), path)
    text = page.render(path)
    assert "| a \\| call, ms | 1 | 4 | 3.14 (other) | ours/bare ≤ 0.5: 0.25, met |" in text
    assert "## Targets that are missed" not in text
    assert "| service | 12 | 34 |" in text
    assert "A note." in text and "npm is not here" in text
    assert text == page.render(path)


def test_the_page_names_the_targets_that_are_missed(tmp_path: Path) -> None:
    figure = Figure("a call", "ms", [3.0], [4.0], targets=[Target("ours/bare", "<=", 0.5)])
    path = tmp_path / "report.json"
    report.save(kept(("made_up", report.measured_entry(scenario(lambda _: Result()), Result([figure])))), path)
    missed = page.render(path).partition("## Targets that are missed")[2].partition("## Made up")[0]
    assert "| a call, ms | ours/bare ≤ 0.5: 0.75, MISSED |" in missed


@pytest.mark.skipif(not program.LATEST.is_file(), reason="no full run is kept")
def test_the_page_is_what_the_kept_report_makes() -> None:
    jsonschema.validate(report.load(program.LATEST), SCHEMA)
    assert page.PAGE.read_text(encoding="utf-8") == page.render(program.LATEST), "run `python -m bench --page`"
