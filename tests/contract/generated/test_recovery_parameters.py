# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 85dfc88f0b48004a618280b012d396acf3875ccc796fa46dea80d6cb5471f49e)
# Template: codegen/templates/test_parameters.py.j2
"""What the methods under "Recovery / lifecycle" take and refuse, parameter by parameter."""

from typing import Any

import pytest

from lcg.generated import params
from tests.contract import harness

RECOVER: dict[str, Any] = {"strategy": "rebuild_from_workspace_wal"}


@pytest.mark.parametrize(("name", "meant"), (("strategyx", "strategy"),))
def test_recover_names_the_parameter_that_was_meant(name: str, meant: str) -> None:
    error = harness.refusal(params.decode_recover, RECOVER | {name: "x"})
    assert error.data["suggestion"] == meant


@pytest.mark.parametrize("name", ("strategy",))
def test_recover_requires(name: str) -> None:
    error = harness.refusal(params.decode_recover, harness.without(RECOVER, name))
    assert error.message.startswith(f"knowledge_recover: {name} is required (")
    assert error.data["received"] == "nothing"


@pytest.mark.parametrize(
    ("changes", "attribute", "value"),
    [
        pytest.param({"strategy": "drop_lbug_wal"}, "strategy", "drop_lbug_wal", id="strategy drop_lbug_wal"),
        pytest.param(
            {"strategy": "rebuild_from_workspace_wal"},
            "strategy",
            "rebuild_from_workspace_wal",
            id="strategy rebuild_from_workspace_wal",
        ),
        pytest.param(
            {"strategy": "restore_from_backup"}, "strategy", "restore_from_backup", id="strategy restore_from_backup"
        ),
    ],
)
def test_recover_takes(changes: dict[str, Any], attribute: str, value: Any) -> None:
    decoded = params.decode_recover(RECOVER | changes)
    assert harness.same(getattr(decoded, attribute), value)


@pytest.mark.parametrize(
    ("changes", "parameter", "words"),
    [
        pytest.param({"strategy": None}, "strategy", "is required", id="strategy null"),
        pytest.param({"strategy": " \n"}, "strategy", "is required", id="strategy blank"),
        pytest.param({"strategy": 5}, "strategy", "expected", id="strategy 5"),
        pytest.param({"strategy": True}, "strategy", "expected", id="strategy True"),
        pytest.param({"strategy": ["x"]}, "strategy", "expected", id="strategy ['x']"),
        pytest.param({"strategy": {"a": 1}}, "strategy", "expected", id="strategy {'a': 1}"),
        pytest.param(
            {"strategy": "drop_lbug_walx"},
            "strategy",
            "one of drop_lbug_wal, rebuild_from_workspace_wal, restore_from_backup",
            id="strategy other word",
        ),
    ],
)
def test_recover_refuses(changes: dict[str, Any], parameter: str, words: str) -> None:
    harness.check_refusal(params.decode_recover, RECOVER | changes, parameter, words)
