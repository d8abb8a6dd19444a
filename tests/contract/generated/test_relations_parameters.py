# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 85dfc88f0b48004a618280b012d396acf3875ccc796fa46dea80d6cb5471f49e)
# Template: codegen/templates/test_parameters.py.j2
"""What the methods under "Relation typing" take and refuse, parameter by parameter."""

from typing import Any

import pytest

from lcg.generated import params
from tests.contract import harness

CANONICALIZE_RELATIONS: dict[str, Any] = {"group_id": "liminis"}


@pytest.mark.parametrize(
    ("name", "meant"),
    (("dry_runx", "dry_run"), ("embedding_thresholdx", "embedding_threshold"), ("group_idx", "group_id")),
)
def test_canonicalize_relations_names_the_parameter_that_was_meant(name: str, meant: str) -> None:
    error = harness.refusal(params.decode_canonicalize_relations, CANONICALIZE_RELATIONS | {name: "x"})
    assert error.data["suggestion"] == meant


@pytest.mark.parametrize("name", ("group_id",))
def test_canonicalize_relations_requires(name: str) -> None:
    error = harness.refusal(params.decode_canonicalize_relations, harness.without(CANONICALIZE_RELATIONS, name))
    assert error.message.startswith(f"knowledge_canonicalize_relations: {name} is required (")
    assert error.data["received"] == "nothing"


@pytest.mark.parametrize(
    ("changes", "attribute", "value"),
    [
        pytest.param({}, "dry_run", False, id="dry_run left out"),
        pytest.param({"dry_run": None}, "dry_run", False, id="dry_run null"),
        pytest.param({"dry_run": True}, "dry_run", True, id="dry_run true"),
        pytest.param({"dry_run": False}, "dry_run", False, id="dry_run false"),
        pytest.param({}, "embedding_threshold", 0.7, id="embedding_threshold left out"),
        pytest.param({"embedding_threshold": None}, "embedding_threshold", 0.7, id="embedding_threshold null"),
        pytest.param({"embedding_threshold": "1"}, "embedding_threshold", 1.0, id="embedding_threshold text"),
        pytest.param({"embedding_threshold": 1.0}, "embedding_threshold", 1.0, id="embedding_threshold float"),
        pytest.param({"embedding_threshold": ""}, "embedding_threshold", 0.7, id="embedding_threshold blank"),
        pytest.param({"embedding_threshold": -1}, "embedding_threshold", 0.0, id="embedding_threshold below"),
        pytest.param({"embedding_threshold": 2}, "embedding_threshold", 1.0, id="embedding_threshold above"),
        pytest.param({"group_id": " a "}, "group_id", "a", id="group_id named"),
    ],
)
def test_canonicalize_relations_takes(changes: dict[str, Any], attribute: str, value: Any) -> None:
    decoded = params.decode_canonicalize_relations(CANONICALIZE_RELATIONS | changes)
    assert harness.same(getattr(decoded, attribute), value)


@pytest.mark.parametrize(
    ("changes", "parameter", "words"),
    [
        pytest.param({"dry_run": 1}, "dry_run", "expected", id="dry_run 1"),
        pytest.param({"dry_run": "true"}, "dry_run", "expected", id="dry_run 'true'"),
        pytest.param({"dry_run": ""}, "dry_run", "expected", id="dry_run ''"),
        pytest.param(
            {"embedding_threshold": "half"}, "embedding_threshold", "expected", id="embedding_threshold 'half'"
        ),
        pytest.param({"embedding_threshold": True}, "embedding_threshold", "expected", id="embedding_threshold True"),
        pytest.param({"embedding_threshold": [1]}, "embedding_threshold", "expected", id="embedding_threshold [1]"),
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
def test_canonicalize_relations_refuses(changes: dict[str, Any], parameter: str, words: str) -> None:
    harness.check_refusal(params.decode_canonicalize_relations, CANONICALIZE_RELATIONS | changes, parameter, words)


BACKFILL_RELATION_TYPES: dict[str, Any] = {"group_id": "nowhere"}


@pytest.mark.parametrize(("name", "meant"), (("dry_runx", "dry_run"), ("group_idx", "group_id")))
def test_backfill_relation_types_names_the_parameter_that_was_meant(name: str, meant: str) -> None:
    error = harness.refusal(params.decode_backfill_relation_types, BACKFILL_RELATION_TYPES | {name: "x"})
    assert error.data["suggestion"] == meant


@pytest.mark.parametrize("name", ("group_id",))
def test_backfill_relation_types_requires(name: str) -> None:
    error = harness.refusal(params.decode_backfill_relation_types, harness.without(BACKFILL_RELATION_TYPES, name))
    assert error.message.startswith(f"knowledge_backfill_relation_types: {name} is required (")
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
def test_backfill_relation_types_takes(changes: dict[str, Any], attribute: str, value: Any) -> None:
    decoded = params.decode_backfill_relation_types(BACKFILL_RELATION_TYPES | changes)
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
def test_backfill_relation_types_refuses(changes: dict[str, Any], parameter: str, words: str) -> None:
    harness.check_refusal(params.decode_backfill_relation_types, BACKFILL_RELATION_TYPES | changes, parameter, words)


REPROCESS_RELATION_TYPES: dict[str, Any] = {}


@pytest.mark.parametrize(("name", "meant"), (("scopex", "scope"), ("dry_runx", "dry_run"), ("group_idx", "group_id")))
def test_reprocess_relation_types_names_the_parameter_that_was_meant(name: str, meant: str) -> None:
    error = harness.refusal(params.decode_reprocess_relation_types, REPROCESS_RELATION_TYPES | {name: "x"})
    assert error.data["suggestion"] == meant


@pytest.mark.parametrize(
    ("changes", "attribute", "value"),
    [
        pytest.param({}, "scope", "untyped", id="scope left out"),
        pytest.param({"scope": None}, "scope", "untyped", id="scope null"),
        pytest.param({"scope": "untyped"}, "scope", "untyped", id="scope untyped"),
        pytest.param({"scope": "off_ontology"}, "scope", "off_ontology", id="scope off_ontology"),
        pytest.param({"scope": "all"}, "scope", "all", id="scope all"),
        pytest.param({"scope": " "}, "scope", "untyped", id="scope blank"),
        pytest.param({}, "dry_run", False, id="dry_run left out"),
        pytest.param({"dry_run": None}, "dry_run", False, id="dry_run null"),
        pytest.param({"dry_run": True}, "dry_run", True, id="dry_run true"),
        pytest.param({"dry_run": False}, "dry_run", False, id="dry_run false"),
        pytest.param({}, "group_id", "liminis", id="group_id left out"),
        pytest.param({"group_id": None}, "group_id", "liminis", id="group_id null"),
        pytest.param({"group_id": " a "}, "group_id", "a", id="group_id named"),
        pytest.param({"group_id": " "}, "group_id", "liminis", id="group_id empty"),
    ],
)
def test_reprocess_relation_types_takes(changes: dict[str, Any], attribute: str, value: Any) -> None:
    decoded = params.decode_reprocess_relation_types(REPROCESS_RELATION_TYPES | changes)
    assert harness.same(getattr(decoded, attribute), value)


@pytest.mark.parametrize(
    ("changes", "parameter", "words"),
    [
        pytest.param({"scope": 5}, "scope", "expected", id="scope 5"),
        pytest.param({"scope": True}, "scope", "expected", id="scope True"),
        pytest.param({"scope": ["x"]}, "scope", "expected", id="scope ['x']"),
        pytest.param({"scope": {"a": 1}}, "scope", "expected", id="scope {'a': 1}"),
        pytest.param({"scope": "untypedx"}, "scope", "one of untyped, off_ontology, all", id="scope other word"),
        pytest.param({"dry_run": 1}, "dry_run", "expected", id="dry_run 1"),
        pytest.param({"dry_run": "true"}, "dry_run", "expected", id="dry_run 'true'"),
        pytest.param({"dry_run": ""}, "dry_run", "expected", id="dry_run ''"),
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
        pytest.param({"group_id": ["a"]}, "group_id", "group_id", id="group_id array"),
    ],
)
def test_reprocess_relation_types_refuses(changes: dict[str, Any], parameter: str, words: str) -> None:
    harness.check_refusal(params.decode_reprocess_relation_types, REPROCESS_RELATION_TYPES | changes, parameter, words)
