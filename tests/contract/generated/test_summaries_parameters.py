# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 85dfc88f0b48004a618280b012d396acf3875ccc796fa46dea80d6cb5471f49e)
# Template: codegen/templates/test_parameters.py.j2
"""What the methods under "Semantic search maintenance" take and refuse, parameter by parameter."""

from typing import Any

import pytest

from lcg.generated import params
from tests.contract import harness

BACKFILL_SUMMARY_EMBEDDINGS: dict[str, Any] = {"group_id": "nowhere"}


@pytest.mark.parametrize(("name", "meant"), (("dry_runx", "dry_run"), ("group_idx", "group_id")))
def test_backfill_summary_embeddings_names_the_parameter_that_was_meant(name: str, meant: str) -> None:
    error = harness.refusal(params.decode_backfill_summary_embeddings, BACKFILL_SUMMARY_EMBEDDINGS | {name: "x"})
    assert error.data["suggestion"] == meant


@pytest.mark.parametrize("name", ("group_id",))
def test_backfill_summary_embeddings_requires(name: str) -> None:
    error = harness.refusal(
        params.decode_backfill_summary_embeddings, harness.without(BACKFILL_SUMMARY_EMBEDDINGS, name)
    )
    assert error.message.startswith(f"knowledge_backfill_summary_embeddings: {name} is required (")
    assert error.data["received"] == "nothing"


@pytest.mark.parametrize(
    ("changes", "attribute", "value"),
    [
        pytest.param({}, "dry_run", False, id="dry_run left out"),
        pytest.param({"dry_run": None}, "dry_run", False, id="dry_run null"),
        pytest.param({"dry_run": True}, "dry_run", True, id="dry_run true"),
        pytest.param({"dry_run": False}, "dry_run", False, id="dry_run false"),
        pytest.param({"group_id": " a "}, "group_id", "a", id="group_id named"),
    ],
)
def test_backfill_summary_embeddings_takes(changes: dict[str, Any], attribute: str, value: Any) -> None:
    decoded = params.decode_backfill_summary_embeddings(BACKFILL_SUMMARY_EMBEDDINGS | changes)
    assert harness.same(getattr(decoded, attribute), value)


@pytest.mark.parametrize(
    ("changes", "parameter", "words"),
    [
        pytest.param({"dry_run": 1}, "dry_run", "expected", id="dry_run 1"),
        pytest.param({"dry_run": "true"}, "dry_run", "expected", id="dry_run 'true'"),
        pytest.param({"dry_run": ""}, "dry_run", "expected", id="dry_run ''"),
        pytest.param({"group_id": None}, "group_id", "group_id", id="group_id null"),
        pytest.param({"group_id": 1}, "group_id", "group_id", id="group_id number"),
        pytest.param({"group_id": "a\x00"}, "group_id", "group_id", id="group_id control character"),
        pytest.param(
            {
                "group_id": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
            },
            "group_id",
            "group_id",
            id="group_id too long",
        ),
        pytest.param({"group_id": " "}, "group_id", "group_id", id="group_id empty"),
        pytest.param({"group_id": ["a"]}, "group_id", "group_id", id="group_id array"),
    ],
)
def test_backfill_summary_embeddings_refuses(changes: dict[str, Any], parameter: str, words: str) -> None:
    harness.check_refusal(
        params.decode_backfill_summary_embeddings, BACKFILL_SUMMARY_EMBEDDINGS | changes, parameter, words
    )
