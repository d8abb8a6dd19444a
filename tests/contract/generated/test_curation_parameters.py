# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 85dfc88f0b48004a618280b012d396acf3875ccc796fa46dea80d6cb5471f49e)
# Template: codegen/templates/test_parameters.py.j2
"""What the methods under "Curation" take and refuse, parameter by parameter."""

from typing import Any

import pytest

from lcg.generated import params
from tests.contract import harness

MERGE_ENTITIES: dict[str, Any] = {}


@pytest.mark.parametrize(
    ("name", "meant"),
    (
        ("canonical_uuidx", "canonical_uuid"),
        ("canonical_namex", "canonical_name"),
        ("alias_uuidsx", "alias_uuids"),
        ("alias_namesx", "alias_names"),
        ("merge_all_by_namex", "merge_all_by_name"),
        ("dry_runx", "dry_run"),
        ("group_idx", "group_id"),
    ),
)
def test_merge_entities_names_the_parameter_that_was_meant(name: str, meant: str) -> None:
    error = harness.refusal(params.decode_merge_entities, MERGE_ENTITIES | {name: "x"})
    assert error.data["suggestion"] == meant


@pytest.mark.parametrize(
    ("changes", "attribute", "value"),
    [
        pytest.param({}, "canonical_uuid", None, id="canonical_uuid left out"),
        pytest.param({"canonical_uuid": None}, "canonical_uuid", None, id="canonical_uuid null"),
        pytest.param({"canonical_uuid": " cafe\u0301 "}, "canonical_uuid", "cafe\u0301", id="canonical_uuid padded"),
        pytest.param({"canonical_uuid": " "}, "canonical_uuid", None, id="canonical_uuid blank"),
        pytest.param({}, "canonical_name", None, id="canonical_name left out"),
        pytest.param({"canonical_name": None}, "canonical_name", None, id="canonical_name null"),
        pytest.param({"canonical_name": " cafe\u0301 "}, "canonical_name", "caf\xe9", id="canonical_name padded"),
        pytest.param({"canonical_name": " "}, "canonical_name", None, id="canonical_name blank"),
        pytest.param({}, "alias_uuids", (), id="alias_uuids left out"),
        pytest.param({"alias_uuids": None}, "alias_uuids", (), id="alias_uuids null"),
        pytest.param({"alias_uuids": ["x0", "x0"]}, "alias_uuids", ("x0",), id="alias_uuids twice"),
        pytest.param({"alias_uuids": [" x0 "]}, "alias_uuids", ("x0",), id="alias_uuids padded"),
        pytest.param({"alias_uuids": '["x0"]'}, "alias_uuids", ("x0",), id="alias_uuids JSON text"),
        pytest.param({"alias_uuids": "x0"}, "alias_uuids", ("x0",), id="alias_uuids bare text"),
        pytest.param({}, "alias_names", (), id="alias_names left out"),
        pytest.param({"alias_names": None}, "alias_names", (), id="alias_names null"),
        pytest.param({"alias_names": ["x0", "x0"]}, "alias_names", ("x0",), id="alias_names twice"),
        pytest.param({"alias_names": [" x0 "]}, "alias_names", ("x0",), id="alias_names padded"),
        pytest.param({"alias_names": '["x0"]'}, "alias_names", ("x0",), id="alias_names JSON text"),
        pytest.param({"alias_names": "x0"}, "alias_names", ("x0",), id="alias_names bare text"),
        pytest.param({}, "merge_all_by_name", False, id="merge_all_by_name left out"),
        pytest.param({"merge_all_by_name": None}, "merge_all_by_name", False, id="merge_all_by_name null"),
        pytest.param({"merge_all_by_name": True}, "merge_all_by_name", True, id="merge_all_by_name true"),
        pytest.param({"merge_all_by_name": False}, "merge_all_by_name", False, id="merge_all_by_name false"),
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
def test_merge_entities_takes(changes: dict[str, Any], attribute: str, value: Any) -> None:
    decoded = params.decode_merge_entities(MERGE_ENTITIES | changes)
    assert harness.same(getattr(decoded, attribute), value)


@pytest.mark.parametrize(
    ("changes", "parameter", "words"),
    [
        pytest.param({"canonical_uuid": 5}, "canonical_uuid", "expected", id="canonical_uuid 5"),
        pytest.param({"canonical_uuid": True}, "canonical_uuid", "expected", id="canonical_uuid True"),
        pytest.param({"canonical_uuid": ["x"]}, "canonical_uuid", "expected", id="canonical_uuid ['x']"),
        pytest.param({"canonical_uuid": {"a": 1}}, "canonical_uuid", "expected", id="canonical_uuid {'a': 1}"),
        pytest.param({"canonical_name": 5}, "canonical_name", "expected", id="canonical_name 5"),
        pytest.param({"canonical_name": True}, "canonical_name", "expected", id="canonical_name True"),
        pytest.param({"canonical_name": ["x"]}, "canonical_name", "expected", id="canonical_name ['x']"),
        pytest.param({"canonical_name": {"a": 1}}, "canonical_name", "expected", id="canonical_name {'a': 1}"),
        pytest.param({"alias_uuids": 5}, "alias_uuids", "expected", id="alias_uuids 5"),
        pytest.param({"alias_uuids": True}, "alias_uuids", "expected", id="alias_uuids True"),
        pytest.param({"alias_uuids": {"a": 1}}, "alias_uuids", "expected", id="alias_uuids {'a': 1}"),
        pytest.param({"alias_uuids": [1]}, "alias_uuids", "expected", id="alias_uuids [1]"),
        pytest.param({"alias_uuids": [""]}, "alias_uuids", "expected", id="alias_uuids ['']"),
        pytest.param({"alias_uuids": ["a", None]}, "alias_uuids", "expected", id="alias_uuids ['a', None]"),
        pytest.param({"alias_uuids": ""}, "alias_uuids", "expected", id="alias_uuids ''"),
        pytest.param({"alias_names": 5}, "alias_names", "expected", id="alias_names 5"),
        pytest.param({"alias_names": True}, "alias_names", "expected", id="alias_names True"),
        pytest.param({"alias_names": {"a": 1}}, "alias_names", "expected", id="alias_names {'a': 1}"),
        pytest.param({"alias_names": [1]}, "alias_names", "expected", id="alias_names [1]"),
        pytest.param({"alias_names": [""]}, "alias_names", "expected", id="alias_names ['']"),
        pytest.param({"alias_names": ["a", None]}, "alias_names", "expected", id="alias_names ['a', None]"),
        pytest.param({"alias_names": ""}, "alias_names", "expected", id="alias_names ''"),
        pytest.param({"merge_all_by_name": 1}, "merge_all_by_name", "expected", id="merge_all_by_name 1"),
        pytest.param({"merge_all_by_name": "true"}, "merge_all_by_name", "expected", id="merge_all_by_name 'true'"),
        pytest.param({"merge_all_by_name": ""}, "merge_all_by_name", "expected", id="merge_all_by_name ''"),
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
def test_merge_entities_refuses(changes: dict[str, Any], parameter: str, words: str) -> None:
    harness.check_refusal(params.decode_merge_entities, MERGE_ENTITIES | changes, parameter, words)


APPLY_CORRECTIONS: dict[str, Any] = {}


@pytest.mark.parametrize(("name", "meant"), (("dry_runx", "dry_run"),))
def test_apply_corrections_names_the_parameter_that_was_meant(name: str, meant: str) -> None:
    error = harness.refusal(params.decode_apply_corrections, APPLY_CORRECTIONS | {name: "x"})
    assert error.data["suggestion"] == meant


@pytest.mark.parametrize(
    ("changes", "attribute", "value"),
    [
        pytest.param({}, "dry_run", False, id="dry_run left out"),
        pytest.param({"dry_run": None}, "dry_run", False, id="dry_run null"),
        pytest.param({"dry_run": True}, "dry_run", True, id="dry_run true"),
        pytest.param({"dry_run": False}, "dry_run", False, id="dry_run false"),
    ],
)
def test_apply_corrections_takes(changes: dict[str, Any], attribute: str, value: Any) -> None:
    decoded = params.decode_apply_corrections(APPLY_CORRECTIONS | changes)
    assert harness.same(getattr(decoded, attribute), value)


@pytest.mark.parametrize(
    ("changes", "parameter", "words"),
    [
        pytest.param({"dry_run": 1}, "dry_run", "expected", id="dry_run 1"),
        pytest.param({"dry_run": "true"}, "dry_run", "expected", id="dry_run 'true'"),
        pytest.param({"dry_run": ""}, "dry_run", "expected", id="dry_run ''"),
    ],
)
def test_apply_corrections_refuses(changes: dict[str, Any], parameter: str, words: str) -> None:
    harness.check_refusal(params.decode_apply_corrections, APPLY_CORRECTIONS | changes, parameter, words)


REPROCESS_ENTITY_TYPES: dict[str, Any] = {}


@pytest.mark.parametrize(("name", "meant"), (("scopex", "scope"), ("dry_runx", "dry_run"), ("group_idx", "group_id")))
def test_reprocess_entity_types_names_the_parameter_that_was_meant(name: str, meant: str) -> None:
    error = harness.refusal(params.decode_reprocess_entity_types, REPROCESS_ENTITY_TYPES | {name: "x"})
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
def test_reprocess_entity_types_takes(changes: dict[str, Any], attribute: str, value: Any) -> None:
    decoded = params.decode_reprocess_entity_types(REPROCESS_ENTITY_TYPES | changes)
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
def test_reprocess_entity_types_refuses(changes: dict[str, Any], parameter: str, words: str) -> None:
    harness.check_refusal(params.decode_reprocess_entity_types, REPROCESS_ENTITY_TYPES | changes, parameter, words)
