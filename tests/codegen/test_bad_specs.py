"""Each file in bad_specs changes the sample into a spec with one fault; its name is the rule that finds it."""

from pathlib import Path

import pytest
import yaml
from syrupy.assertion import SnapshotAssertion

from codegen import project
from codegen.findings import SpecError
from codegen.rules import AGENT_RULES, CONFIG_RULES, RULES
from tests.codegen.sample_project import HERE, make_project

BAD_SPECS = sorted((HERE / "bad_specs").glob("*.yaml"))
IDS = {rule.id for rules in (RULES, CONFIG_RULES, AGENT_RULES) for rule in rules}
BY_CONSTRUCTION = {"portable-schema", "budget"}
"""Rules that no small edit of a sound spec can break; they have tests of their own."""


def rule_of(path: Path) -> str:
    return path.stem.split("--")[0]


@pytest.mark.parametrize("path", BAD_SPECS, ids=lambda path: path.stem)
def test_a_fault_is_reported_with_place_rule_and_hint(path: Path, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    edits = [(edit["replace"], edit["by"]) for edit in yaml.safe_load(path.read_text(encoding="utf-8"))]
    make_project(tmp_path, *edits)
    with pytest.raises(SpecError) as caught:
        project.generate(tmp_path)
    assert rule_of(path) in {finding.rule for finding in caught.value.findings}
    assert str(caught.value).replace(str(tmp_path), "<project>") == snapshot


def test_every_rule_has_a_bad_spec() -> None:
    assert IDS - {rule_of(path) for path in BAD_SPECS} == BY_CONSTRUCTION


def test_rules_say_what_and_why() -> None:
    assert len(IDS) == len(RULES) + len(CONFIG_RULES) + len(AGENT_RULES)
    assert all(rule.what and rule.why and rule.check.__doc__ for rule in RULES)
    assert all(rule.what and rule.why and rule.check.__doc__ for rule in CONFIG_RULES)
