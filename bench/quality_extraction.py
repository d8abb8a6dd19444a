"""Measures the rule extractor: names against a reference log, density, and hygiene in five registers.

Run `python -m bench.quality_extraction` with LCG_TEST_DATA set to the folder of reference data; without it only the
registers are checked. Prints a table; exits 1 when a floor is missed.
"""

import json
import os
import re
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from lcg.model.names import has_control, is_blank, normalise
from lcg.providers.extractor.protocol import Extraction, SourceType
from lcg.providers.extractor.rules import RuleExtractor
from lcg.providers.extractor.rules.vocabulary import words_of

REGISTERS = Path(__file__).parent / "registers"
DATA_VARIABLE = "LCG_TEST_DATA"

MIN_PRECISION, MIN_RECALL = 0.40, 0.72
MAX_ENTITIES_PER_1000, MAX_EDGES_PER_1000 = 17.0, 6.0
MAX_WORDS = 6

_ARROW = re.compile(r"\s*(?:→|->)\s*")

# Written for this check alone, so that the extractor is not measured against its own list.
_STOP_WORDS = words_of(
    """
    a about after all also an and any are as at be because been before being both but by can could did do does
    during each either every few for from had has have he her here his how however i if in into is it its just many
    may might more most must my no nor not now of on once only or other our out over own she should since so some
    such than that the their them then there these they this those through to too under until up us very was we were
    what when where which while who why will with without would yes yet you your als am an auf aus bei das dem den
    der des die dieser ein eine einen er es für hat ich ihr im in ist kein mit nach nicht oder seit sie sind über um
    und unter vom von vor war was wenn wer wie wir wird zu zum zur
    """
)


@dataclass(frozen=True, slots=True)
class Episode:
    """A text of the reference log, with the names (lower case) that its own extractor found there."""

    text: str
    gold: frozenset[str]


@dataclass(frozen=True, slots=True)
class Scores:
    """What came out over all episodes. Densities are per 1,000 characters, `speed` in characters per second."""

    episodes: int
    gold: int
    found: int
    right: int
    edges: int
    characters: int
    speed: float

    @property
    def precision(self) -> float:
        return self.right / max(1, self.found)

    @property
    def recall(self) -> float:
        return self.right / max(1, self.gold)

    @property
    def entity_density(self) -> float:
        return 1000 * self.found / max(1, self.characters)

    @property
    def edge_density(self) -> float:
        return 1000 * self.edges / max(1, self.characters)

    def misses(self) -> list[str]:
        """Name every floor that is missed."""
        floors = [
            (self.precision >= MIN_PRECISION, f"precision {self.precision:.3f} < {MIN_PRECISION}"),
            (self.recall >= MIN_RECALL, f"recall {self.recall:.3f} < {MIN_RECALL}"),
            (
                self.entity_density <= MAX_ENTITIES_PER_1000,
                f"entities per 1,000 characters {self.entity_density:.1f} > {MAX_ENTITIES_PER_1000}",
            ),
            (
                self.edge_density <= MAX_EDGES_PER_1000,
                f"edges per 1,000 characters {self.edge_density:.1f} > {MAX_EDGES_PER_1000}",
            ),
        ]
        return [text for reached, text in floors if not reached]


def reference_log() -> list[Path]:
    """Return the files of the reference log, none when the variable is unset."""
    folder = os.environ.get(DATA_VARIABLE, "")
    return sorted(Path(folder).glob("reference-wal/liminis/*.jsonl")) if folder else []


def read_episodes(files: Iterable[Path]) -> Iterator[Episode]:
    """Read the episodes: what was written since the one before is its gold, new entities and both ends of each edge."""
    names: set[str] = set()
    for file in files:
        with file.open(encoding="utf-8") as lines:
            for line in lines:
                record = json.loads(line)
                statement, params = record["cypher"], record["params"]
                if statement.startswith("CREATE (:Entity "):
                    names.add(params["name"].lower())
                elif statement.startswith("CREATE (:RelatesToNode_ "):
                    names.update(half.lower() for half in _ARROW.split(params["name"]))
                elif statement.startswith("CREATE (:Episodic "):
                    yield Episode(params["content"], frozenset(names))
                    names = set()


def score(episodes: Iterable[Episode]) -> Scores:
    """Extract every episode and compare the names exactly, in lower case."""
    extractor = RuleExtractor()
    count = gold = found = right = edges = characters = 0
    began = time.perf_counter()
    for episode in episodes:
        extraction = extractor.extract(episode.text, "text", 0)
        names = {entity.name.lower() for entity in extraction.entities}
        count += 1
        gold += len(episode.gold)
        found += len(names)
        right += len(names & episode.gold)
        edges += len(extraction.edges)
        characters += len(episode.text)
    seconds = time.perf_counter() - began
    return Scores(count, gold, found, right, edges, characters, characters / max(seconds, 1e-9))


def register_files() -> list[Path]:
    """Return the texts in other registers."""
    return sorted(REGISTERS.iterdir())


def source_type_of(file: Path) -> SourceType:
    """Return how a register text is to be read."""
    return "json" if file.suffix == ".json" else "message" if file.stem == "chat" else "text"


def faults(text: str, extraction: Extraction) -> list[str]:
    """Return what is wrong with an extraction, whatever the text: spans, names, ends and facts."""
    wrong: list[str] = []
    names = [entity.name for entity in extraction.entities]
    for name in names:
        words = name.split()
        if len(words) > MAX_WORDS:
            wrong.append(f"more than {MAX_WORDS} words: {name!r}")
        if words and words[0].strip("\"'“”„.,;:!?()").lower() in _STOP_WORDS:
            wrong.append(f"begins with a stop word: {name!r}")
        if is_blank(name) or has_control(name) or normalise(name) != name:
            wrong.append(f"no legal name: {name!r}")
    for edge in extraction.edges:
        if edge.fact not in text:
            wrong.append(f"fact is no quotation: {edge.fact!r}")
        if edge.source_name not in names or edge.target_name not in names:
            wrong.append(f"an end is no entity: {edge.source_name!r}, {edge.target_name!r}")
    return wrong


def main() -> int:
    """Print the table and return the exit code."""
    missed: list[str] = []
    files = reference_log()
    if files:
        scores = score(read_episodes(files))
        missed.extend(scores.misses())
        print(f"episodes {scores.episodes}, characters {scores.characters}, gold names {scores.gold}")
        print(f"{'measure':34}{'value':>10}{'floor':>10}")
        print(f"{'exact precision':34}{scores.precision:10.3f}{f'>= {MIN_PRECISION}':>10}")
        print(f"{'exact recall':34}{scores.recall:10.3f}{f'>= {MIN_RECALL}':>10}")
        print(f"{'entities per 1,000 characters':34}{scores.entity_density:10.2f}{f'<= {MAX_ENTITIES_PER_1000:g}':>10}")
        print(f"{'edges per 1,000 characters':34}{scores.edge_density:10.2f}{f'<= {MAX_EDGES_PER_1000:g}':>10}")
        print(f"{'characters per second':34}{scores.speed:10,.0f}")
    else:
        print(f"{DATA_VARIABLE} is unset or holds no reference log: precision, recall and density are not measured.")
    print()
    print(f"{'register':20}{'entities':>10}{'edges':>8}{'faults':>8}")
    for file in register_files():
        text = file.read_text(encoding="utf-8")
        extraction = RuleExtractor().extract(text, source_type_of(file), 0)
        wrong = faults(text, extraction)
        missed.extend(f"{file.name}: {fault}" for fault in wrong)
        print(f"{file.name:20}{len(extraction.entities):10}{len(extraction.edges):8}{len(wrong):8}")
    for miss in missed:
        print(f"MISSED {miss}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
