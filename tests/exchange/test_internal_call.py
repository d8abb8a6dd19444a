"""The call behind `lcg import`: no agent has it, and what is wrong with it is said."""

import json

import pytest

from lcg.generated.dispatch import METHODS
from lcg.generated.tool_specs import TOOL_SPECS
from lcg.runtime.internal import IMPORT_ROWS
from tests.commands.conftest import Workspace, made, workspace  # noqa: F401  fixtures
from tests.commands.program import lcg


def test_it_is_no_method_of_the_registry_and_no_tool() -> None:
    assert IMPORT_ROWS not in METHODS
    assert IMPORT_ROWS not in {spec.name for spec in TOOL_SPECS}


@pytest.mark.parametrize(
    ("params", "code", "said"),
    [
        ({}, -32602, "staged"),
        ({"staged": "a\0b"}, -32602, "staged"),
        ({"staged": "nowhere.db"}, -32000, "nowhere.db"),
        ({"staged": ".lcg/wal"}, -32000, ".lcg/wal"),
    ],
)
def test_wrong_parameters_are_refused(
    workspace: Workspace,  # noqa: F811
    params: dict[str, str],
    code: int,
    said: str,
) -> None:
    done = lcg(workspace.root, "call", IMPORT_ROWS, json.dumps(params))
    error = json.loads(done.stderr.splitlines()[-1])
    assert (done.returncode, error["code"]) == (1, code) and said in error["message"]


def test_a_file_that_holds_no_staged_rows_is_refused_and_changes_nothing(workspace: Workspace) -> None:  # noqa: F811
    before = lcg(workspace.root, "export", "-").stdout
    (workspace.root / "file").write_text("hello")
    params = {"staged": "file", "existing": "refuse", "names": "refuse"}
    done = lcg(workspace.root, "call", IMPORT_ROWS, json.dumps(params))
    error = json.loads(done.stderr.splitlines()[-1])
    assert (error["code"], error["data"]["kind"]) == (-32000, "precondition"), error
    assert lcg(workspace.root, "export", "-").stdout == before
