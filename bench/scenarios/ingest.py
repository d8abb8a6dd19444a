"""Ingesting texts whose extraction costs nothing; `bench/ingest.py` does the work."""

import random

from bench.articles import NoArticles, read_chunks
from bench.canned import write_canned
from bench.ingest import TARGET_QUARTERS, TARGET_RATIO, drift, per_chunk, run_all
from bench.rival_environment import RIVAL, RIVAL_VERSION, NoEnvironment, rival_python
from bench.scenario import Figure, Result, Run, Scenario, Skipped, Target


def measure(run: Run) -> Result:
    """Ingest the same chunks by both."""
    try:
        chunks = read_chunks()
    except NoArticles as reason:
        raise Skipped(str(reason)) from reason
    # Mixed, so that early and late chunks are alike; always in the same way.
    random.Random(1).shuffle(chunks)
    chunks = chunks[: run.pick(None, 60, 4)]
    beside = min(run.pick(60, 15, 0), len(chunks))
    result, python = Result(), None
    if beside:
        try:
            python = rival_python(run.kept.parent / f"{RIVAL}-{RIVAL_VERSION}")
        except NoEnvironment as reason:
            result.notes.append(f"There is no rival: {reason}.")
    with run.scratch() as folder:
        canned = folder / "canned.jsonl"
        write_canned(canned, [chunk.text for chunk in chunks])
        runs = run_all(canned, chunks, run.rounds, python, beside)
    ours, rivals = runs[: run.rounds], runs[run.rounds :]
    result.figures += [
        Figure(f"ingesting {len(chunks)} chunks", "chunks a second", [1 / per_chunk(one.seconds) for one in ours]),
        Figure(
            "last quarter by first quarter",
            "times",
            [drift(one.cpu) for one in ours],
            targets=[Target("ours", "<=", TARGET_QUARTERS)],
        ),
    ]
    for rival in rivals:
        count, name = len(rival.seconds), f"{RIVAL} {RIVAL_VERSION}"
        faster = [Target("rival/ours", ">=", TARGET_RATIO)]
        for unit, mine, theirs, targets in (
            ("ms", ours[0].seconds, rival.seconds, faster),
            ("ms of processor time", ours[0].cpu, rival.cpu, []),
        ):
            values = [1e3 * per_chunk(mine[:count])], [1e3 * per_chunk(theirs)]
            result.figures.append(
                Figure(f"one chunk, of the first {count}", unit, values[0], (), values[1], targets, name)
            )
    return result


SCENARIO = Scenario(
    "ingest",
    "Ingesting texts",
    f"Chunks of articles are ingested into an empty workspace; {RIVAL} takes the first of them in turns with ours. "
    "What each chunk holds was extracted beforehand and is the same for both, so that no model's time counts. Whether "
    "later chunks take longer is told by processor time.",
    measure,
)
