# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 85dfc88f0b48004a618280b012d396acf3875ccc796fa46dea80d6cb5471f49e)
# Template: codegen/templates/test_parameters.py.j2
"""What the methods under "Status" take and refuse, parameter by parameter."""

from typing import Any

import pytest

from lcg.generated import params
from tests.contract import harness

STATUS: dict[str, Any] = {}


@pytest.mark.parametrize(("name", "meant"), (("include_ontologyx", "include_ontology"),))
def test_status_names_the_parameter_that_was_meant(name: str, meant: str) -> None:
    error = harness.refusal(params.decode_status, STATUS | {name: "x"})
    assert error.data["suggestion"] == meant


@pytest.mark.parametrize(
    ("changes", "attribute", "value"),
    [
        pytest.param({}, "include_ontology", False, id="include_ontology left out"),
        pytest.param({"include_ontology": None}, "include_ontology", False, id="include_ontology null"),
        pytest.param({"include_ontology": True}, "include_ontology", True, id="include_ontology true"),
        pytest.param({"include_ontology": False}, "include_ontology", False, id="include_ontology false"),
    ],
)
def test_status_takes(changes: dict[str, Any], attribute: str, value: Any) -> None:
    decoded = params.decode_status(STATUS | changes)
    assert harness.same(getattr(decoded, attribute), value)


@pytest.mark.parametrize(
    ("changes", "parameter", "words"),
    [
        pytest.param({"include_ontology": 1}, "include_ontology", "expected", id="include_ontology 1"),
        pytest.param({"include_ontology": "true"}, "include_ontology", "expected", id="include_ontology 'true'"),
        pytest.param({"include_ontology": ""}, "include_ontology", "expected", id="include_ontology ''"),
    ],
)
def test_status_refuses(changes: dict[str, Any], parameter: str, words: str) -> None:
    harness.check_refusal(params.decode_status, STATUS | changes, parameter, words)


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
