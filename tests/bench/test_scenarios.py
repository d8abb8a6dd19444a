"""A scenario measures something at its tiny size, and what it gives keeps to the shape of reports.

Two are run always, one of them with a service; LCG_ALL_SCENARIOS=1 runs all of them, which takes minutes.
"""

import json
import os
from pathlib import Path

import jsonschema
import pytest

from bench import program, registry, report
from bench.scenario import Run
from tests.processes import ROOT

SCHEMA = json.loads((ROOT / "bench" / "report.schema.json").read_text(encoding="utf-8"))
NAMES = registry.names() if os.environ.get("LCG_ALL_SCENARIOS") == "1" else ["reads", "vectors"]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("kept")


@pytest.mark.e2e
@pytest.mark.parametrize("name", NAMES)
def test_a_scenario_measures_what_it_says(name: str, kept: Path) -> None:
    run = Run("tiny", kept)
    entry = program.measure(name, run)
    jsonschema.validate(report.new_report(run) | {"scenarios": {name: entry}}, SCHEMA)
    if entry["state"] == "skipped":
        pytest.skip(entry["reason"])
    assert entry["state"] == "measured", entry.get("reason")
    figures = report.figures_of(entry)
    assert figures and all(figure.ours for figure in figures)
    assert len({(figure.what, figure.unit) for figure in figures}) == len(figures)
    assert report.shown(entry)
