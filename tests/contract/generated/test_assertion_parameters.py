# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 85dfc88f0b48004a618280b012d396acf3875ccc796fa46dea80d6cb5471f49e)
# Template: codegen/templates/test_parameters.py.j2
"""What the methods under "Direct assertion" take and refuse, parameter by parameter."""

from typing import Any

import pytest

from lcg.generated import params
from tests.contract import harness

ASSERT_ENTITY: dict[str, Any] = {"name": "Priya Nair"}


@pytest.mark.parametrize(
    ("name", "meant"),
    (
        ("namex", "name"),
        ("entity_uuidx", "entity_uuid"),
        ("labelsx", "labels"),
        ("summaryx", "summary"),
        ("attributesx", "attributes"),
        ("group_idx", "group_id"),
    ),
)
def test_assert_entity_names_the_parameter_that_was_meant(name: str, meant: str) -> None:
    error = harness.refusal(params.decode_assert_entity, ASSERT_ENTITY | {name: "x"})
    assert error.data["suggestion"] == meant


@pytest.mark.parametrize("name", ("name",))
def test_assert_entity_requires(name: str) -> None:
    error = harness.refusal(params.decode_assert_entity, harness.without(ASSERT_ENTITY, name))
    assert error.message.startswith(f"knowledge_assert_entity: {name} is required (")
    assert error.data["received"] == "nothing"


@pytest.mark.parametrize(
    ("changes", "attribute", "value"),
    [
        pytest.param({"name": " cafe\u0301 "}, "name", "caf\xe9", id="name padded"),
        pytest.param({}, "entity_uuid", None, id="entity_uuid left out"),
        pytest.param({"entity_uuid": None}, "entity_uuid", None, id="entity_uuid null"),
        pytest.param({"entity_uuid": " cafe\u0301 "}, "entity_uuid", "cafe\u0301", id="entity_uuid padded"),
        pytest.param({"entity_uuid": " "}, "entity_uuid", None, id="entity_uuid blank"),
        pytest.param({}, "labels", ("Entity",), id="labels left out"),
        pytest.param({"labels": None}, "labels", ("Entity",), id="labels null"),
        pytest.param({"labels": ["x0", "x0"]}, "labels", ("x0",), id="labels twice"),
        pytest.param({"labels": [" x0 "]}, "labels", ("x0",), id="labels padded"),
        pytest.param({"labels": '["x0"]'}, "labels", ("x0",), id="labels JSON text"),
        pytest.param({"labels": "x0"}, "labels", ("x0",), id="labels bare text"),
        pytest.param({}, "summary", "", id="summary left out"),
        pytest.param({"summary": None}, "summary", "", id="summary null"),
        pytest.param({"summary": " cafe\u0301 "}, "summary", " cafe\u0301 ", id="summary padded"),
        pytest.param({"summary": " "}, "summary", "", id="summary blank"),
        pytest.param({}, "attributes", {}, id="attributes left out"),
        pytest.param({"attributes": None}, "attributes", {}, id="attributes null"),
        pytest.param({"attributes": {"a": 1}}, "attributes", {"a": 1}, id="attributes object"),
        pytest.param({"attributes": '{"a": 1}'}, "attributes", {"a": 1}, id="attributes JSON text"),
        pytest.param({"attributes": 5}, "attributes_malformed", True, id="attributes 5"),
        pytest.param({"attributes": 5}, "attributes", {}, id="attributes 5 absent"),
        pytest.param({"attributes": "x"}, "attributes_malformed", True, id="attributes 'x'"),
        pytest.param({"attributes": "x"}, "attributes", {}, id="attributes 'x' absent"),
        pytest.param({"attributes": ["a"]}, "attributes_malformed", True, id="attributes ['a']"),
        pytest.param({"attributes": ["a"]}, "attributes", {}, id="attributes ['a'] absent"),
        pytest.param({"attributes": {"a": 1}}, "attributes_malformed", False, id="attributes sound"),
        pytest.param({}, "group_id", "liminis", id="group_id left out"),
        pytest.param({"group_id": None}, "group_id", "liminis", id="group_id null"),
        pytest.param({"group_id": " a "}, "group_id", "a", id="group_id named"),
        pytest.param({"group_id": " "}, "group_id", "liminis", id="group_id empty"),
    ],
)
def test_assert_entity_takes(changes: dict[str, Any], attribute: str, value: Any) -> None:
    decoded = params.decode_assert_entity(ASSERT_ENTITY | changes)
    assert harness.same(getattr(decoded, attribute), value)


@pytest.mark.parametrize(
    ("changes", "parameter", "words"),
    [
        pytest.param({"name": None}, "name", "is required", id="name null"),
        pytest.param({"name": " \n"}, "name", "is required", id="name blank"),
        pytest.param({"name": 5}, "name", "expected", id="name 5"),
        pytest.param({"name": True}, "name", "expected", id="name True"),
        pytest.param({"name": ["x"]}, "name", "expected", id="name ['x']"),
        pytest.param({"name": {"a": 1}}, "name", "expected", id="name {'a': 1}"),
        pytest.param({"name": "a\x00b"}, "name", "control characters", id="name control character"),
        pytest.param({"entity_uuid": 5}, "entity_uuid", "expected", id="entity_uuid 5"),
        pytest.param({"entity_uuid": True}, "entity_uuid", "expected", id="entity_uuid True"),
        pytest.param({"entity_uuid": ["x"]}, "entity_uuid", "expected", id="entity_uuid ['x']"),
        pytest.param({"entity_uuid": {"a": 1}}, "entity_uuid", "expected", id="entity_uuid {'a': 1}"),
        pytest.param({"labels": 5}, "labels", "expected", id="labels 5"),
        pytest.param({"labels": True}, "labels", "expected", id="labels True"),
        pytest.param({"labels": {"a": 1}}, "labels", "expected", id="labels {'a': 1}"),
        pytest.param({"labels": [1]}, "labels", "expected", id="labels [1]"),
        pytest.param({"labels": [""]}, "labels", "expected", id="labels ['']"),
        pytest.param({"labels": ["a", None]}, "labels", "expected", id="labels ['a', None]"),
        pytest.param({"labels": ""}, "labels", "expected", id="labels ''"),
        pytest.param({"labels": ["x", "Merged"]}, "labels", "Merged", id="labels Merged"),
        pytest.param({"summary": 5}, "summary", "expected", id="summary 5"),
        pytest.param({"summary": True}, "summary", "expected", id="summary True"),
        pytest.param({"summary": ["x"]}, "summary", "expected", id="summary ['x']"),
        pytest.param({"summary": {"a": 1}}, "summary", "expected", id="summary {'a': 1}"),
        pytest.param({"attributes": {"merged_into": 1}}, "attributes", "merged_into", id="attributes key merged_into"),
        pytest.param(
            {"attributes": {"cross_group_pointers": 1}},
            "attributes",
            "cross_group_pointers",
            id="attributes key cross_group_pointers",
        ),
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
def test_assert_entity_refuses(changes: dict[str, Any], parameter: str, words: str) -> None:
    harness.check_refusal(params.decode_assert_entity, ASSERT_ENTITY | changes, parameter, words)


ASSERT_RELATIONSHIP: dict[str, Any] = {
    "source_name": "Priya Nair",
    "predicate": "MAINTAINS",
    "target_name": "billing-service",
}


@pytest.mark.parametrize(
    ("name", "meant"),
    (
        ("source_namex", "source_name"),
        ("predicatex", "predicate"),
        ("target_namex", "target_name"),
        ("factx", "fact"),
        ("relation_typex", "relation_type"),
        ("valid_atx", "valid_at"),
        ("attributesx", "attributes"),
        ("group_idx", "group_id"),
    ),
)
def test_assert_relationship_names_the_parameter_that_was_meant(name: str, meant: str) -> None:
    error = harness.refusal(params.decode_assert_relationship, ASSERT_RELATIONSHIP | {name: "x"})
    assert error.data["suggestion"] == meant


@pytest.mark.parametrize("name", ("source_name", "predicate", "target_name"))
def test_assert_relationship_requires(name: str) -> None:
    error = harness.refusal(params.decode_assert_relationship, harness.without(ASSERT_RELATIONSHIP, name))
    assert error.message.startswith(f"knowledge_assert_relationship: {name} is required (")
    assert error.data["received"] == "nothing"


@pytest.mark.parametrize(
    ("changes", "attribute", "value"),
    [
        pytest.param({"source_name": " cafe\u0301 "}, "source_name", "caf\xe9", id="source_name padded"),
        pytest.param({"predicate": " cafe\u0301 "}, "predicate", "caf\xe9", id="predicate padded"),
        pytest.param({"target_name": " cafe\u0301 "}, "target_name", "caf\xe9", id="target_name padded"),
        pytest.param({}, "fact", None, id="fact left out"),
        pytest.param({"fact": None}, "fact", None, id="fact null"),
        pytest.param({"fact": " cafe\u0301 "}, "fact", " cafe\u0301 ", id="fact padded"),
        pytest.param({"fact": " "}, "fact", None, id="fact blank"),
        pytest.param({}, "relation_type", None, id="relation_type left out"),
        pytest.param({"relation_type": None}, "relation_type", None, id="relation_type null"),
        pytest.param({"relation_type": " cafe\u0301 "}, "relation_type", "caf\xe9", id="relation_type padded"),
        pytest.param({"relation_type": " "}, "relation_type", None, id="relation_type blank"),
        pytest.param({}, "valid_at", None, id="valid_at left out"),
        pytest.param({"valid_at": None}, "valid_at", None, id="valid_at null"),
        pytest.param({"valid_at": "2026-05-20"}, "valid_at", 1779235200000000, id="valid_at 2026-05-20"),
        pytest.param(
            {"valid_at": "2026-05-20 08:30:00"}, "valid_at", 1779265800000000, id="valid_at 2026-05-20 08:30:00"
        ),
        pytest.param({"valid_at": " "}, "valid_at", None, id="valid_at blank"),
        pytest.param({}, "attributes", None, id="attributes left out"),
        pytest.param({"attributes": None}, "attributes", None, id="attributes null"),
        pytest.param({"attributes": {"a": 1}}, "attributes", {"a": 1}, id="attributes object"),
        pytest.param({"attributes": '{"a": 1}'}, "attributes", {"a": 1}, id="attributes JSON text"),
        pytest.param({"attributes": 5}, "attributes_malformed", True, id="attributes 5"),
        pytest.param({"attributes": 5}, "attributes", None, id="attributes 5 absent"),
        pytest.param({"attributes": "x"}, "attributes_malformed", True, id="attributes 'x'"),
        pytest.param({"attributes": "x"}, "attributes", None, id="attributes 'x' absent"),
        pytest.param({"attributes": ["a"]}, "attributes_malformed", True, id="attributes ['a']"),
        pytest.param({"attributes": ["a"]}, "attributes", None, id="attributes ['a'] absent"),
        pytest.param({"attributes": {"a": 1}}, "attributes_malformed", False, id="attributes sound"),
        pytest.param({}, "group_id", "liminis", id="group_id left out"),
        pytest.param({"group_id": None}, "group_id", "liminis", id="group_id null"),
        pytest.param({"group_id": " a "}, "group_id", "a", id="group_id named"),
        pytest.param({"group_id": " "}, "group_id", "liminis", id="group_id empty"),
    ],
)
def test_assert_relationship_takes(changes: dict[str, Any], attribute: str, value: Any) -> None:
    decoded = params.decode_assert_relationship(ASSERT_RELATIONSHIP | changes)
    assert harness.same(getattr(decoded, attribute), value)


@pytest.mark.parametrize(
    ("changes", "parameter", "words"),
    [
        pytest.param({"source_name": None}, "source_name", "is required", id="source_name null"),
        pytest.param({"source_name": " \n"}, "source_name", "is required", id="source_name blank"),
        pytest.param({"source_name": 5}, "source_name", "expected", id="source_name 5"),
        pytest.param({"source_name": True}, "source_name", "expected", id="source_name True"),
        pytest.param({"source_name": ["x"]}, "source_name", "expected", id="source_name ['x']"),
        pytest.param({"source_name": {"a": 1}}, "source_name", "expected", id="source_name {'a': 1}"),
        pytest.param(
            {"source_name": "a\x00b"}, "source_name", "control characters", id="source_name control character"
        ),
        pytest.param({"predicate": None}, "predicate", "is required", id="predicate null"),
        pytest.param({"predicate": " \n"}, "predicate", "is required", id="predicate blank"),
        pytest.param({"predicate": 5}, "predicate", "expected", id="predicate 5"),
        pytest.param({"predicate": True}, "predicate", "expected", id="predicate True"),
        pytest.param({"predicate": ["x"]}, "predicate", "expected", id="predicate ['x']"),
        pytest.param({"predicate": {"a": 1}}, "predicate", "expected", id="predicate {'a': 1}"),
        pytest.param({"target_name": None}, "target_name", "is required", id="target_name null"),
        pytest.param({"target_name": " \n"}, "target_name", "is required", id="target_name blank"),
        pytest.param({"target_name": 5}, "target_name", "expected", id="target_name 5"),
        pytest.param({"target_name": True}, "target_name", "expected", id="target_name True"),
        pytest.param({"target_name": ["x"]}, "target_name", "expected", id="target_name ['x']"),
        pytest.param({"target_name": {"a": 1}}, "target_name", "expected", id="target_name {'a': 1}"),
        pytest.param(
            {"target_name": "a\x00b"}, "target_name", "control characters", id="target_name control character"
        ),
        pytest.param({"fact": 5}, "fact", "expected", id="fact 5"),
        pytest.param({"fact": True}, "fact", "expected", id="fact True"),
        pytest.param({"fact": ["x"]}, "fact", "expected", id="fact ['x']"),
        pytest.param({"fact": {"a": 1}}, "fact", "expected", id="fact {'a': 1}"),
        pytest.param({"relation_type": 5}, "relation_type", "expected", id="relation_type 5"),
        pytest.param({"relation_type": True}, "relation_type", "expected", id="relation_type True"),
        pytest.param({"relation_type": ["x"]}, "relation_type", "expected", id="relation_type ['x']"),
        pytest.param({"relation_type": {"a": 1}}, "relation_type", "expected", id="relation_type {'a': 1}"),
        pytest.param({"valid_at": 5}, "valid_at", "expected", id="valid_at 5"),
        pytest.param({"valid_at": True}, "valid_at", "expected", id="valid_at True"),
        pytest.param({"valid_at": ["x"]}, "valid_at", "expected", id="valid_at ['x']"),
        pytest.param({"valid_at": {"a": 1}}, "valid_at", "expected", id="valid_at {'a': 1}"),
        pytest.param({"valid_at": "yesterday"}, "valid_at", "RFC 3339", id="valid_at no time"),
        pytest.param({"attributes": {"merged_into": 1}}, "attributes", "merged_into", id="attributes key merged_into"),
        pytest.param(
            {"attributes": {"cross_group_pointers": 1}},
            "attributes",
            "cross_group_pointers",
            id="attributes key cross_group_pointers",
        ),
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
def test_assert_relationship_refuses(changes: dict[str, Any], parameter: str, words: str) -> None:
    harness.check_refusal(params.decode_assert_relationship, ASSERT_RELATIONSHIP | changes, parameter, words)
