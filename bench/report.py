"""The report of a run: what is kept as JSON, shown on the terminal, and turned into a page.

Its shape is in `report.schema.json`. It tells versions and what kind of machine it was, never its name or any path.
"""

import datetime
import json
import os
import platform
import sqlite3
import statistics
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

from bench.scenario import Figure, Memory, Result, Run, Scenario, Target

FORMAT: Final = 1
PACKAGES: Final = ("lcg", "kuzu", "hnswlib", "mcp", "numpy", "orjson", "pyarrow", "simsimd", "wordllama")

Report = dict[str, Any]
Entry = dict[str, Any]


def new_report(run: Run) -> Report:
    """Return a report without scenarios."""
    return {
        "format": FORMAT,
        "scale": run.scale,
        "versions": {"python": platform.python_version(), "sqlite": sqlite3.sqlite_version}
        | {package: _version(package) for package in PACKAGES},
        "machine": {
            "system": platform.system(),
            "processor": platform.machine(),
            "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 0,
            "memory_gb": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9),
        },
        "scenarios": {},
    }


def measured_entry(scenario: Scenario, result: Result) -> Entry:
    """Return what a report keeps of a scenario that was measured. `rounds` is how many its longest figure has."""
    return _entry(scenario, "measured") | {
        "rounds": max((len(figure.ours) for figure in result.figures), default=0),
        "figures": [_figure(figure) for figure in result.figures],
        "memory": [
            {
                "process": memory.process,
                "anonymous_mb": _short(memory.anonymous_mb),
                "resident_mb": _short(memory.resident_mb),
            }
            for memory in result.memory
        ],
        "notes": result.notes,
    }


def unmeasured_entry(scenario: Scenario, state: str, reason: str) -> Entry:
    """Return what a report keeps of a scenario that was `skipped` or has `failed`."""
    return _entry(scenario, state) | {"reason": reason}


def figures_of(entry: Entry) -> list[Figure]:
    """Return the figures of an entry as they were measured, but for digits that do not matter."""
    return [
        Figure(
            kept["what"],
            kept["unit"],
            kept.get("ours", []),
            kept.get("bare", []),
            kept.get("rival", []),
            [Target(target["share"], target["sense"], target["value"]) for target in kept["targets"]],
            kept.get("rival_name", ""),
        )
        for kept in entry.get("figures", ())
    ]


def memory_of(entry: Entry) -> list[Memory]:
    """Return what an entry has of memory."""
    return [Memory(**kept) for kept in entry.get("memory", ())]


def load(path: Path) -> Report:
    """Read a report.

    Raises:
        ValueError: it is of another format.
    """
    report: Report = json.loads(path.read_text(encoding="utf-8"))
    if report.get("format") != FORMAT:
        raise ValueError(f"{path.name} has format {report.get('format')}; this program reads {FORMAT}")
    return report


def save(report: Report, path: Path) -> None:
    """Write a report, its scenarios in the order of their names."""
    ordered = report | {"scenarios": dict(sorted(report["scenarios"].items()))}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(ordered, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def shown(entry: Entry) -> str:
    """Return an entry as a table for the terminal."""
    lines = [entry["title"]]
    if entry["state"] != "measured":
        return f"{lines[0]}\n  {entry['state']}: {entry['reason']}\n"
    rows = [row_of(figure) for figure in figures_of(entry)]
    head = ("", "ours", "bare", "rival", "target")
    widths = [max(len(row[place]) for row in (head, *rows)) for place in range(len(head))]
    for row in (head, *rows):
        first, *others = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        lines.append(f"  {'  '.join((first, *others))}".rstrip())
    lines += [
        f"  {memory.process}: {memory.anonymous_mb:.0f} MB of its own, {memory.resident_mb:.0f} MB resident"
        for memory in memory_of(entry)
    ]
    return "\n".join((*lines, *(f"  {note}" for note in entry["notes"]), ""))


def row_of(figure: Figure) -> tuple[str, str, str, str, str]:
    """Return the cells of a figure: what it is, ours, bare, rival, and how its targets stand."""
    rival = _median(figure.rival)
    return (
        f"{figure.what}, {figure.unit}",
        _median(figure.ours),
        _median(figure.bare),
        f"{rival} ({figure.rival_name})" if figure.rival and figure.rival_name else rival,
        "; ".join(_standing(figure, target) for target in figure.targets),
    )


def number(value: float) -> str:
    """Write a value with three digits that count."""
    if value == 0 or abs(value) >= 100:
        return f"{value:.0f}"
    return f"{value:.3g}"


def _standing(figure: Figure, target: Target) -> str:
    share, met = figure.share(target.share), figure.met(target)
    wanted = f"{target.share} {target.sense} {target.value:g}"
    if share is None:
        return f"{wanted}: not measured"
    return f"{wanted}: {number(share)}, {'met' if met else 'MISSED'}"


def _median(values: Sequence[float]) -> str:
    return number(statistics.median(values)) if values else ""


def _entry(scenario: Scenario, state: str) -> Entry:
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    return {"title": scenario.title, "about": scenario.about, "state": state, "date": today}


def _figure(figure: Figure) -> dict[str, Any]:
    kept: dict[str, Any] = {"what": figure.what, "unit": figure.unit}
    for whose in ("ours", "bare", "rival"):
        if values := figure.values(whose):
            kept[whose] = [_short(value) for value in values]
    if figure.rival_name:
        kept["rival_name"] = figure.rival_name
    kept["targets"] = [
        {"share": target.share, "sense": target.sense, "value": target.value} for target in figure.targets
    ]
    return kept


def _short(value: float) -> float:
    return float(f"{value:.5g}")


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def totals(report: Mapping[str, Any]) -> tuple[int, int, int]:
    """Return how many targets are met, missed, and not measured."""
    standing = [
        figure.met(target)
        for entry in report["scenarios"].values()
        for figure in figures_of(entry)
        for target in figure.targets
    ]
    return standing.count(True), standing.count(False), standing.count(None)
