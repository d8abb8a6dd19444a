"""The page of figures, rendered from the kept report; nobody writes into it."""

import hashlib
from pathlib import Path
from typing import Any, Final

import jinja2

from bench import report

PROJECT: Final = Path(__file__).parents[1]
PAGE: Final = PROJECT / "docs" / "generated" / "benchmarks.md"
TEMPLATE: Final = PROJECT / "bench" / "benchmarks.md.j2"


def renew(source: Path, page: Path = PAGE) -> None:
    """Render the page from a report and write it."""
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(render(source), encoding="utf-8")


def render(source: Path) -> str:
    """Return the page that a report makes."""
    kept = report.load(source)
    scenarios = [_scenario(name, entry) for name, entry in sorted(kept["scenarios"].items())]
    environment = jinja2.Environment(
        undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    )
    template = environment.from_string(TEMPLATE.read_text(encoding="utf-8"))
    missing = [row for scenario in scenarios for row in scenario["rows"] if "MISSED" in row[-1]]
    met, missed, unmeasured = report.totals(kept)
    return template.render(
        source=source.name,
        digest=hashlib.sha256(source.read_bytes()).hexdigest(),
        kept=kept,
        scenarios=scenarios,
        missing=missing,
        met=met,
        missed=missed,
        unmeasured=unmeasured,
    )


def _scenario(name: str, entry: report.Entry) -> dict[str, Any]:
    rows = [[_cell(cell) for cell in report.row_of(figure)] for figure in report.figures_of(entry)]
    return {"name": name, "entry": entry, "rows": rows, "memory": report.memory_of(entry)}


def _cell(text: str) -> str:
    """Write a text so that it can stand in a cell of a table."""
    return text.replace("|", "\\|").replace("<=", "≤").replace(">=", "≥").replace("<", "&lt;")
