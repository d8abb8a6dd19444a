"""Measures how well the three searches find what questions ask for.

Run `python -m bench.quality` with LCG_TEST_DATA set to the folder of reference data. The articles there are ingested as
chunks by the built-in extractor into a workspace of its own; then each frozen question of `quality_questions.yaml` is
asked of nodes, facts and passages, and of the lists that each of these fuses. `fused` is what a caller gets: nodes and
facts also follow the best passages. Prints a table for the built-in embedder, and one for the embedder that the
service's own variables choose (LCG_EMBEDDING_URL), if they do. Exits 1 when the built-in one misses a floor, 2 when
there is no data.

What counts as an answer: a passage that is part of an expected article; a fact that an expected article states; a node
that an expected article mentions and whose name holds the words of its title. A question that has no such node (or
fact) in the graph is left out of that search: it would measure the extractor. `n` is the number that are left.
"""

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from bench.articles import Chunk, NoArticles, read_chunks
from bench.workspace import Workspace
from lcg.generated.params import decode_search_passages
from lcg.graph.entries import Kind
from lcg.providers.embedder.remote import RemoteEmbedder
from lcg.providers.extractor.rules.extractor import RuleExtractor
from lcg.runtime.groups import ALL_GROUPS
from lcg.search.protocol import TextKind, VectorKind
from lcg.search.text import prepare
from lcg.server.models import open_models
from lcg.settings import read_settings
from lcg.telemetry import Telemetry

QUESTIONS = Path(__file__).with_name("quality_questions.yaml")
DEPTH = 10
"""How many results of a search are looked at."""

LEXICAL_FLOOR, PARAPHRASE_FLOOR, MAX_LOSS = 0.9, 0.6, 0.03
FUSED = "fused"


@dataclass(frozen=True, slots=True)
class Question:
    """A question, how it is put, and the articles that answer it."""

    style: str
    query: str
    articles: frozenset[str]


@dataclass(slots=True)
class Tally:
    """What one list gave for the questions of one style: for each, the rank of its first answer from 1, or None."""

    ranks: list[int | None] = field(default_factory=list)

    def hit(self, depth: int) -> float:
        """Return the share of questions with an answer among the first `depth` results."""
        return sum(rank is not None and rank <= depth for rank in self.ranks) / max(len(self.ranks), 1)

    @property
    def mrr(self) -> float:
        """Return the mean reciprocal rank of the first answer, 0 for none."""
        return sum(1 / rank for rank in self.ranks if rank is not None) / max(len(self.ranks), 1)


Tallies = dict[tuple[str, str, str], Tally]
"""By (search, style, list)."""

Lists = Mapping[str, Callable[[str], Sequence[str]]]
"""The lists of one search by name, as uuids for a query, best first."""


def read_questions() -> list[Question]:
    """Return the frozen questions."""
    styles = yaml.safe_load(QUESTIONS.read_text(encoding="utf-8"))
    return [
        Question(style, entry["query"], frozenset(entry["articles"])) for style, of in styles.items() for entry in of
    ]


class Library:
    """The articles in a workspace, and what is asked of it."""

    def __init__(self, workspace: Workspace, chunks: Iterable[Chunk]) -> None:
        """Ingest the chunks."""
        self._core, self._derived = workspace.core, workspace.derived
        self._article_of = {workspace.ingest(chunk): chunk.title for chunk in chunks}

    @property
    def model(self) -> str:
        """Name the embedding model."""
        embedder = self._core.embedding.embedder
        return f"{embedder.provider} {embedder.model}"

    def searches(self) -> dict[str, tuple[Lists, Callable[[frozenset[str]], set[str]]]]:
        """Return, for each search by name, its lists and what tells the uuids that answer for given articles."""
        return {
            "nodes": (self._node_lists(), self._nodes_of),
            "facts": (self._fact_lists(), self._facts_of),
            "passages": (self._passage_lists(), self._passages_of),
        }

    def _node_lists(self) -> Lists:
        search = self._core.search
        return {
            "words": self._words(TextKind.ENTITY),
            "vectors of names": self._vectors(VectorKind.ENTITY_NAME),
            "vectors of summaries": self._vectors(VectorKind.ENTITY_SUMMARY),
            FUSED: lambda query: [row.uuid for row, _ in search.entities(query, ALL_GROUPS, DEPTH).rows],
        }

    def _fact_lists(self) -> Lists:
        search = self._core.search
        return {
            "words": self._words(TextKind.EDGE),
            "vectors": self._vectors(VectorKind.EDGE_FACT),
            FUSED: lambda query: [row.uuid for row, _ in search.edges(query, ALL_GROUPS, DEPTH).rows],
        }

    def _passage_lists(self) -> Lists:
        def fused(query: str) -> list[str]:
            asked = decode_search_passages({"query": query, "num_results": DEPTH})
            rows = self._core.passages.passages(query, ALL_GROUPS, asked.num_results, asked.min_score).rows
            return [row.uuid for row, _ in rows]

        return {
            "words": self._words(TextKind.EPISODE),
            "vectors": self._vectors(VectorKind.EPISODE_CONTENT),
            FUSED: fused,
        }

    def _words(self, kind: TextKind) -> Callable[[str], list[str]]:
        text = self._derived.text
        return lambda query: [hit.uuid for hit in text.search(kind, query, ALL_GROUPS, DEPTH)]

    def _vectors(self, kind: VectorKind) -> Callable[[str], list[str]]:
        vectors, embedding = self._derived.vectors, self._core.embedding
        return lambda query: [hit.uuid for hit in vectors.search(kind, embedding.query(query), ALL_GROUPS, DEPTH)]

    def _passages_of(self, articles: frozenset[str]) -> set[str]:
        return {uuid for uuid, title in self._article_of.items() if title in articles}

    def _facts_of(self, articles: frozenset[str]) -> set[str]:
        graph = self._core.graph
        uuids = [uuid for uuid, (kind, _) in graph.index.places.items() if kind is Kind.EDGE]
        rows = graph.edges(uuids).values()
        return {row.uuid for row in rows if articles & {self._article_of[uuid] for uuid in row.episodes}}

    def _nodes_of(self, articles: frozenset[str]) -> set[str]:
        graph = self._core.graph
        found: set[str] = set()
        for episode in self._passages_of(articles):
            words = _name_words(self._article_of[episode])
            rows = graph.entities(graph.index.entities_of(episode)).values()
            found |= {row.uuid for row in rows if words <= _name_words(row.name)}
        return found


def _name_words(name: str) -> frozenset[str]:
    """Return the words of a name or title, singular; what a title has in parentheses tells it from others only."""
    return frozenset(word.rstrip("s") for word in prepare(name.split(" (")[0]).split())


def ask(library: Library, questions: Iterable[Question]) -> Tallies:
    """Ask every question of every list."""
    tallies: Tallies = {}
    searches = library.searches()
    for question in questions:
        for search, (lists, answers_of) in searches.items():
            answers = answers_of(question.articles)
            if not answers:
                continue
            for name, find in lists.items():
                ranks = (rank for rank, uuid in enumerate(find(question.query), 1) if uuid in answers)
                tallies.setdefault((search, question.style, name), Tally()).ranks.append(next(ranks, None))
    return tallies


def misses(tallies: Tallies) -> list[str]:
    """Name every floor that is missed."""
    missed: list[str] = []
    for (search, style, name), tally in tallies.items():
        if name != FUSED:
            continue
        floor = {"lexical": LEXICAL_FLOOR, "paraphrased": PARAPHRASE_FLOOR}.get(style, 0.0)
        if tally.hit(5) < floor:
            missed.append(f"{search}, {style}: hit@5 {tally.hit(5):.2f} < {floor}")
        single = max(of.mrr for (s, t, n), of in tallies.items() if (s, t) == (search, style) and n != FUSED)
        if tally.mrr < single - MAX_LOSS:
            missed.append(f"{search}, {style}: MRR {tally.mrr:.3f} < {single:.3f} of the best list - {MAX_LOSS}")
    return missed


def print_table(model: str, tallies: Tallies) -> None:
    """Print one line for each list."""
    print(f"embedder: {model}")
    print(f"{'search':10}{'questions':13}{'n':>4}  {'list':22}{'hit@1':>7}{'hit@5':>7}{'MRR':>7}")
    for (search, style, name), tally in sorted(tallies.items(), key=lambda item: item[0][:2]):
        counts = f"{tally.hit(1):7.2f}{tally.hit(5):7.2f}{tally.mrr:7.3f}"
        print(f"{search:10}{style:13}{len(tally.ranks):4}  {name:22}{counts}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables and return the exit code."""
    parser = argparse.ArgumentParser(prog="bench.quality", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--articles", type=int, help="ingest only so many articles; floors do not apply then")
    options = parser.parse_args(arguments)
    try:
        chunks = read_chunks(most_articles=options.articles)
    except NoArticles as reason:
        print(reason, file=sys.stderr)
        return 2
    questions = read_questions()
    print(f"{len({chunk.title for chunk in chunks})} articles, {len(chunks)} chunks, {len(questions)} questions")
    tallies = measure(chunks, questions)
    missed = misses(tallies) if options.articles is None else []
    for miss in missed:
        print(f"MISSED {miss}")
    models = open_models(read_settings(), Telemetry(enabled=False))
    if models.embedder is not None:
        measure(chunks, questions, models.embedder)
    models.close()
    return 1 if missed else 0


def measure(chunks: list[Chunk], questions: list[Question], embedder: RemoteEmbedder | None = None) -> Tallies:
    """Ingest the chunks, ask the questions, print the table, and return what it shows."""
    with tempfile.TemporaryDirectory(prefix="lcg-quality-") as folder:
        workspace = Workspace(Path(folder), RuleExtractor(), embedder)
        library = Library(workspace, chunks)
        tallies = ask(library, questions)
        print_table(library.model, tallies)
        workspace.close()
    return tallies


if __name__ == "__main__":
    sys.exit(main())
