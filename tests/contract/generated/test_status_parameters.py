# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 83b0c3d380a99e9aba2cc0d46a0b7cd7915759af7e3ada614de1d71f903183ea)
# Template: codegen/templates/test_parameters.py.j2
"""What the methods under "Status" take and refuse, parameter by parameter."""

from typing import Any

import pytest

from lcg.generated import params
from tests.contract import harness

REBUILD_STATUS: dict[str, Any] = {"job_id": "no-such-job"}


@pytest.mark.parametrize(("name", "meant"), (("job_idx", "job_id"),))
def test_rebuild_status_names_the_parameter_that_was_meant(name: str, meant: str) -> None:
    error = harness.refusal(params.decode_rebuild_status, REBUILD_STATUS | {name: "x"})
    assert error.data["suggestion"] == meant


@pytest.mark.parametrize("name", ("job_id",))
def test_rebuild_status_requires(name: str) -> None:
    error = harness.refusal(params.decode_rebuild_status, harness.without(REBUILD_STATUS, name))
    assert error.message.startswith(f"knowledge_rebuild_status: {name} is required (")
    assert error.data["received"] == "nothing"


@pytest.mark.parametrize(
    ("changes", "attribute", "value"),
    [
        pytest.param({"job_id": " cafe\u0301 "}, "job_id", "cafe\u0301", id="job_id padded"),
    ],
)
def test_rebuild_status_takes(changes: dict[str, Any], attribute: str, value: Any) -> None:
    decoded = params.decode_rebuild_status(REBUILD_STATUS | changes)
    assert harness.same(getattr(decoded, attribute), value)


@pytest.mark.parametrize(
    ("changes", "parameter", "words"),
    [
        pytest.param({"job_id": None}, "job_id", "is required", id="job_id null"),
        pytest.param({"job_id": " \n"}, "job_id", "is required", id="job_id blank"),
        pytest.param({"job_id": 5}, "job_id", "expected", id="job_id 5"),
        pytest.param({"job_id": True}, "job_id", "expected", id="job_id True"),
        pytest.param({"job_id": ["x"]}, "job_id", "expected", id="job_id ['x']"),
        pytest.param({"job_id": {"a": 1}}, "job_id", "expected", id="job_id {'a': 1}"),
    ],
)
def test_rebuild_status_refuses(changes: dict[str, Any], parameter: str, words: str) -> None:
    harness.check_refusal(params.decode_rebuild_status, REBUILD_STATUS | changes, parameter, words)
