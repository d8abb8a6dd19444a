"""The whole mutation run: `python -m tests.codegen.mutation`. Prints who noticed what, and the survivors."""

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

from tests.codegen.mutation.judge import Judge, Verdict

_judges: list[Judge] = []


def main() -> int:
    """Judge every mutant. Returns the exit code: 0 when none survives."""
    parser = argparse.ArgumentParser(description="Change the registry in every small way and see who notices.")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    started = time.monotonic()
    judge = Judge()
    number = len(judge.mutants())
    batches = [range(start, number, options.processes * 8) for start in range(options.processes * 8)]
    verdicts: list[Verdict] = []
    with ProcessPoolExecutor(options.processes) as pool:
        for found in pool.map(_judge, batches):
            verdicts += found
            sys.stderr.write(f"\r{len(verdicts)} of {number} mutants")
    lines = [*report(judge, verdicts), f"{number} mutants in {time.monotonic() - started:.0f} s"]
    sys.stderr.write("\n")
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    return 1 if any(verdict.survives for verdict in verdicts) else 0


def report(judge: Judge, verdicts: list[Verdict]) -> Iterator[str]:
    """Say how many were noticed by whom, and name the survivors."""
    counts = Counter((verdict.mutant.operation, verdict.notice) for verdict in verdicts)
    for (operation, notice), count in sorted(counts.items()):
        yield f"{operation:7} {notice:9} {count:6}"
    for notice, count in sorted(Counter(verdict.notice for verdict in verdicts).items()):
        yield f"{'all':7} {notice:9} {count:6}"
    survivors = [verdict for verdict in verdicts if verdict.survives]
    for verdict in sorted(survivors, key=lambda verdict: (verdict.mutant.place, verdict.mutant.operation)):
        yield f"SURVIVOR ({verdict.notice}) {verdict.mutant.describe(judge.document.value)}"
    yield f"{len(survivors)} survivors"


def _judge(batch: range) -> list[Verdict]:
    if not _judges:
        _judges.append(Judge())
    judge = _judges[0]
    found = judge.mutants()
    return [judge.judge(found[index]) for index in batch]


if __name__ == "__main__":
    sys.exit(main())
