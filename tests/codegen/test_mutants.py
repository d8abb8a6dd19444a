"""A sample of the mutation run (`make mutants` is all of it): what is changed in the registry is noticed."""

import random
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice

import pytest

from tests.codegen.mutation.judge import ROOT, Judge
from tests.codegen.mutation.mutants import Mutant, by_place

SEED = 20260302
SAMPLE = 200


@pytest.fixture(scope="module")
def judge() -> Judge:
    return Judge()


def sample(found: list[Mutant]) -> list[Mutant]:
    """Choose one mutant of each kind of place, then a second of each, until there are enough."""
    chance = random.Random(SEED)
    kinds = [chance.sample(mutants, len(mutants)) for _, mutants in sorted(by_place(found).items())]
    chance.shuffle(kinds)

    def in_turn() -> Iterator[Mutant]:
        for turn in range(max(map(len, kinds))):
            yield from (mutants[turn] for mutants in kinds if turn < len(mutants))

    return list(islice(in_turn(), SAMPLE))


def test_somebody_notices_each_mutant_of_a_sample(judge: Judge) -> None:
    verdicts = [judge.judge(mutant) for mutant in sample(judge.mutants())]
    survivors = [verdict.mutant.describe(judge.document.value) for verdict in verdicts if verdict.survives]
    assert survivors == [], f"seed {SEED}"
    assert {verdict.notice for verdict in verdicts} == {"refused", "page", "snapshot"}


def test_the_registry_itself_passes_every_page_test(judge: Judge) -> None:
    judge.check_baseline()
    assert judge.judge(Mutant("change", ("version",), 1)).notice == "nobody"


def test_the_mutation_run_runs_every_page_test(judge: Judge) -> None:
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", "tests/page"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert f"{judge.suite.number(judge.document.value)} tests collected" in listed


def test_a_mutant_leaves_the_registry_alone(judge: Judge) -> None:
    before = repr(judge.document.value)
    for mutant in sample(judge.mutants())[:50]:
        mutant.apply(judge.document.value)
    assert repr(judge.document.value) == before
