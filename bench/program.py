"""The bench program: measures every scenario, shows and keeps the figures, and renders the page of them.

Run `make bench`, `make bench-quick`, or `python -m bench [SCENARIO ...] [--quick] [--list] [--page]`. A full run keeps
its report in `bench/results/latest.json` and renders docs/generated/benchmarks.md from it; when scenarios are named,
only these are measured again and replaced there. A quick run keeps its report in `build/bench/quick.json`. The exit
status is 1 when a scenario failed, which says nothing of targets.
"""

import argparse
import sys
import traceback
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from bench import registry, report
from bench.page import renew
from bench.scenario import Result, Run, Scenario, Skipped

PROJECT: Final = Path(__file__).parents[1]
LATEST: Final = PROJECT / "bench" / "results" / "latest.json"
KEPT: Final = PROJECT / "build" / "bench"


def measure(name: str, run: Run) -> report.Entry:
    """Measure a scenario and return what the report keeps of it; a failure is kept too."""
    scenario = Scenario(name, name, "It could not be loaded.", lambda run: Result())
    try:
        scenario = registry.find(name)
        return report.measured_entry(scenario, scenario.measure(run))
    except Skipped as reason:
        return report.unmeasured_entry(scenario, "skipped", str(reason))
    except Exception as failure:
        traceback.print_exc()
        return report.unmeasured_entry(scenario, "failed", _words_of(failure))


def measure_apart(name: str, run: Run) -> report.Entry:
    """Measure a scenario in a fresh process, so that neither memory nor a crash reaches the others."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        try:
            return pool.submit(measure, name, run).result()
        except Exception as crash:
            ended = Scenario(name, name, "Its process ended.", lambda run: Result())
            return report.unmeasured_entry(ended, "failed", _words_of(crash))


def _words_of(failure: Exception) -> str:
    """Return the first line of a failure, without the folders that only this machine has."""
    first = (str(failure).splitlines() or [""])[0].replace(f"{PROJECT}/", "")
    return f"{type(failure).__name__}: {first}"[:300]


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line asks for, and return the exit status."""
    options = _parser().parse_args(arguments)
    if options.list:
        print("\n".join(f"{name:20}{registry.find(name).title}" for name in registry.names()))
        return 0
    if options.page:
        renew(LATEST)
        return 0
    if unknown := sorted(set(options.scenarios) - set(registry.names())):
        print(f"no scenario {', '.join(unknown)}; there are {', '.join(registry.names())}", file=sys.stderr)
        return 2
    run = Run("quick" if options.quick else "full", options.kept, options.churn_minutes)
    path = options.out or (LATEST if run.scale == "full" else options.kept / "quick.json")
    done = report.new_report(run)
    if options.scenarios and path.is_file() and (before := report.load(path))["scale"] == run.scale:
        done["scenarios"] = before["scenarios"]
    failed = False
    for name in options.scenarios or registry.names():
        entry = measure_apart(name, run)
        print(report.shown(entry), flush=True)
        failed |= entry["state"] == "failed"
        done["scenarios"][name] = entry
        # After each one: a run takes long, and what is measured is measured.
        report.save(done, path)
    met, missed, open_ = report.totals(done)
    print(f"{met} targets met, {missed} missed, {open_} not measured")
    if path == LATEST:
        renew(LATEST)
    return int(failed)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="bench", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("scenarios", nargs="*", metavar="SCENARIO", help="what to measure (default: everything)")
    parser.add_argument("--quick", action="store_true", help="small sizes and few rounds: minutes")
    parser.add_argument("--list", action="store_true", help="list the scenarios")
    parser.add_argument("--page", action="store_true", help="only render the page from the kept report")
    parser.add_argument("--out", type=Path, help="where the report is kept instead; no page is rendered then")
    parser.add_argument("--kept", type=Path, default=KEPT, help="folder for made-up workspaces and rivals")
    parser.add_argument("--churn-minutes", type=float, help="how long `churn` works")
    return parser
