"""How well searches find what questions ask for; `bench/quality.py` does the work."""

from bench import quality
from bench.articles import NoArticles, read_chunks
from bench.scenario import Figure, Result, Run, Scenario, Skipped, Target

_FLOORS = {"lexical": quality.LEXICAL_FLOOR, "paraphrased": quality.PARAPHRASE_FLOOR}


def measure(run: Run) -> Result:
    """Ask the frozen questions."""
    try:
        chunks = read_chunks(most_articles=run.pick(None, None, 2))
    except NoArticles as reason:
        raise Skipped(str(reason)) from reason
    tallies = quality.measure(chunks, quality.read_questions())
    figures = []
    for (search, style, name), tally in sorted(tallies.items()):
        if name != quality.FUSED:
            continue
        single = max(of.mrr for (s, t, n), of in tallies.items() if (s, t) == (search, style) and n != quality.FUSED)
        floor = [Target("ours", ">=", _FLOORS[style])] if style in _FLOORS else []
        asked = f"{search}, {len(tally.ranks)} {style} questions"
        figures += [
            Figure(f"answered among the first five: {asked}", "of 1", [tally.hit(5)], targets=floor),
            Figure(
                f"mean reciprocal rank less that of the best single list: {asked}",
                "of 1",
                [tally.mrr - single],
                targets=[Target("ours", ">=", -quality.MAX_LOSS)],
            ),
        ]
    return Result(figures, notes=[f"{len(chunks)} chunks. Nothing here depends on the machine."])


SCENARIO = Scenario(
    "quality",
    "Finding what a question asks for",
    "Encyclopedia articles are ingested by the built-in extractor, and frozen questions are asked of the three "
    "searches: in words of the articles, in other words, and mixed.",
    measure,
)
