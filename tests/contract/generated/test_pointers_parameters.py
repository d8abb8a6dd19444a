# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 85dfc88f0b48004a618280b012d396acf3875ccc796fa46dea80d6cb5471f49e)
# Template: codegen/templates/test_parameters.py.j2
"""What the methods under "Cross-group pointers" take and refuse, parameter by parameter."""

from typing import Any

import pytest

from lcg.generated import params
from tests.contract import harness

ADD_CROSS_GROUP_EDGE: dict[str, Any] = {
    "name": "USES",
    "source": {"source_group_id": "teams", "endpoint_name": "Billing"},
    "target": {"source_group_id": "platform", "endpoint_name": "Mailer"},
    "fact": "The billing service uses the shared mailer.",
}


@pytest.mark.parametrize(
    ("name", "meant"),
    (
        ("namex", "name"),
        ("sourcex", "source"),
        ("targetx", "target"),
        ("factx", "fact"),
        ("valid_atx", "valid_at"),
        ("relation_typex", "relation_type"),
        ("group_idx", "group_id"),
    ),
)
def test_add_cross_group_edge_names_the_parameter_that_was_meant(name: str, meant: str) -> None:
    error = harness.refusal(params.decode_add_cross_group_edge, ADD_CROSS_GROUP_EDGE | {name: "x"})
    assert error.data["suggestion"] == meant


@pytest.mark.parametrize("name", ("name", "source", "target", "fact"))
def test_add_cross_group_edge_requires(name: str) -> None:
    error = harness.refusal(params.decode_add_cross_group_edge, harness.without(ADD_CROSS_GROUP_EDGE, name))
    assert error.message.startswith(f"knowledge_add_cross_group_edge: {name} is required (")
    assert error.data["received"] == "nothing"


@pytest.mark.parametrize(
    ("changes", "attribute", "value"),
    [
        pytest.param({"name": " cafe\u0301 "}, "name", "caf\xe9", id="name padded"),
        pytest.param({"source": {"uuid": " x "}}, "source", {"uuid": "x"}, id="source trimmed"),
        pytest.param({"source": {"uuid": ""}}, "source", {}, id="source blank key"),
        pytest.param({"target": {"uuid": " x "}}, "target", {"uuid": "x"}, id="target trimmed"),
        pytest.param({"target": {"uuid": ""}}, "target", {}, id="target blank key"),
        pytest.param({"fact": " cafe\u0301 "}, "fact", " cafe\u0301 ", id="fact padded"),
        pytest.param({}, "valid_at", None, id="valid_at left out"),
        pytest.param({"valid_at": None}, "valid_at", None, id="valid_at null"),
        pytest.param({"valid_at": "2026-05-20"}, "valid_at", 1779235200000000, id="valid_at 2026-05-20"),
        pytest.param(
            {"valid_at": "2026-05-20 08:30:00"}, "valid_at", 1779265800000000, id="valid_at 2026-05-20 08:30:00"
        ),
        pytest.param({"valid_at": " "}, "valid_at", None, id="valid_at blank"),
        pytest.param({}, "relation_type", None, id="relation_type left out"),
        pytest.param({"relation_type": None}, "relation_type", None, id="relation_type null"),
        pytest.param({"relation_type": " cafe\u0301 "}, "relation_type", "caf\xe9", id="relation_type padded"),
        pytest.param({"relation_type": " "}, "relation_type", None, id="relation_type blank"),
        pytest.param({}, "group_id", "liminis", id="group_id left out"),
        pytest.param({"group_id": None}, "group_id", "liminis", id="group_id null"),
        pytest.param({"group_id": " a "}, "group_id", "a", id="group_id named"),
        pytest.param({"group_id": " "}, "group_id", "liminis", id="group_id empty"),
    ],
)
def test_add_cross_group_edge_takes(changes: dict[str, Any], attribute: str, value: Any) -> None:
    decoded = params.decode_add_cross_group_edge(ADD_CROSS_GROUP_EDGE | changes)
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
        pytest.param({"source": None}, "source", "is required", id="source null"),
        pytest.param({"source": 5}, "source", "expected", id="source 5"),
        pytest.param({"source": "x"}, "source", "expected", id="source 'x'"),
        pytest.param({"source": ["a"]}, "source", "expected", id="source ['a']"),
        pytest.param({"source": {"no_such_key": "x"}}, "source", "no_such_key", id="source other key"),
        pytest.param({"target": None}, "target", "is required", id="target null"),
        pytest.param({"target": 5}, "target", "expected", id="target 5"),
        pytest.param({"target": "x"}, "target", "expected", id="target 'x'"),
        pytest.param({"target": ["a"]}, "target", "expected", id="target ['a']"),
        pytest.param({"target": {"no_such_key": "x"}}, "target", "no_such_key", id="target other key"),
        pytest.param({"fact": None}, "fact", "is required", id="fact null"),
        pytest.param({"fact": " \n"}, "fact", "is required", id="fact blank"),
        pytest.param({"fact": 5}, "fact", "expected", id="fact 5"),
        pytest.param({"fact": True}, "fact", "expected", id="fact True"),
        pytest.param({"fact": ["x"]}, "fact", "expected", id="fact ['x']"),
        pytest.param({"fact": {"a": 1}}, "fact", "expected", id="fact {'a': 1}"),
        pytest.param({"valid_at": 5}, "valid_at", "expected", id="valid_at 5"),
        pytest.param({"valid_at": True}, "valid_at", "expected", id="valid_at True"),
        pytest.param({"valid_at": ["x"]}, "valid_at", "expected", id="valid_at ['x']"),
        pytest.param({"valid_at": {"a": 1}}, "valid_at", "expected", id="valid_at {'a': 1}"),
        pytest.param({"valid_at": "yesterday"}, "valid_at", "RFC 3339", id="valid_at no time"),
        pytest.param({"relation_type": 5}, "relation_type", "expected", id="relation_type 5"),
        pytest.param({"relation_type": True}, "relation_type", "expected", id="relation_type True"),
        pytest.param({"relation_type": ["x"]}, "relation_type", "expected", id="relation_type ['x']"),
        pytest.param({"relation_type": {"a": 1}}, "relation_type", "expected", id="relation_type {'a': 1}"),
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
def test_add_cross_group_edge_refuses(changes: dict[str, Any], parameter: str, words: str) -> None:
    harness.check_refusal(params.decode_add_cross_group_edge, ADD_CROSS_GROUP_EDGE | changes, parameter, words)


REBIND_POINTERS: dict[str, Any] = {"source_group_id": "nowhere"}


@pytest.mark.parametrize(("name", "meant"), (("source_group_idx", "source_group_id"),))
def test_rebind_pointers_names_the_parameter_that_was_meant(name: str, meant: str) -> None:
    error = harness.refusal(params.decode_rebind_pointers, REBIND_POINTERS | {name: "x"})
    assert error.data["suggestion"] == meant


@pytest.mark.parametrize("name", ("source_group_id",))
def test_rebind_pointers_requires(name: str) -> None:
    error = harness.refusal(params.decode_rebind_pointers, harness.without(REBIND_POINTERS, name))
    assert error.message.startswith(f"knowledge_rebind_pointers: {name} is required (")
    assert error.data["received"] == "nothing"


@pytest.mark.parametrize(
    ("changes", "attribute", "value"),
    [
        pytest.param({"source_group_id": " a "}, "source_group_id", "a", id="source_group_id named"),
    ],
)
def test_rebind_pointers_takes(changes: dict[str, Any], attribute: str, value: Any) -> None:
    decoded = params.decode_rebind_pointers(REBIND_POINTERS | changes)
    assert harness.same(getattr(decoded, attribute), value)


@pytest.mark.parametrize(
    ("changes", "parameter", "words"),
    [
        pytest.param({"source_group_id": None}, "source_group_id", "source_group_id", id="source_group_id null"),
        pytest.param({"source_group_id": 1}, "source_group_id", "source_group_id", id="source_group_id number"),
        pytest.param(
            {"source_group_id": "a\x00"}, "source_group_id", "source_group_id", id="source_group_id control character"
        ),
        pytest.param(
            {
                "source_group_id": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
            },
            "source_group_id",
            "source_group_id",
            id="source_group_id too long",
        ),
        pytest.param({"source_group_id": " "}, "source_group_id", "source_group_id", id="source_group_id empty"),
        pytest.param({"source_group_id": ["a"]}, "source_group_id", "source_group_id", id="source_group_id array"),
    ],
)
def test_rebind_pointers_refuses(changes: dict[str, Any], parameter: str, words: str) -> None:
    harness.check_refusal(params.decode_rebind_pointers, REBIND_POINTERS | changes, parameter, words)
