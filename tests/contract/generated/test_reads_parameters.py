# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 e8191a1af2d906f005083f10582cf77674d9af557ce37f83eb3fa7ed115b985c)
# Template: codegen/templates/test_parameters.py.j2
"""What the methods under "Graph reads" take and refuse, parameter by parameter."""

from typing import Any

import pytest

from lcg.generated import params
from lcg.runtime.groups import GroupFilter
from tests.contract import harness

GET_ENTITY_NEIGHBORS: dict[str, Any] = {"entity_uuid": "00000000-0000-0000-0000-000000000000"}


@pytest.mark.parametrize(
    ("name", "meant"),
    (
        ("entity_uuidx", "entity_uuid"),
        ("num_resultsx", "num_results"),
        ("offsetx", "offset"),
        ("valid_atx", "valid_at"),
        ("group_idsx", "group_ids"),
    ),
)
def test_get_entity_neighbors_names_the_parameter_that_was_meant(name: str, meant: str) -> None:
    error = harness.refusal(params.decode_get_entity_neighbors, GET_ENTITY_NEIGHBORS | {name: "x"})
    assert error.data["suggestion"] == meant


@pytest.mark.parametrize("name", ("entity_uuid",))
def test_get_entity_neighbors_requires(name: str) -> None:
    error = harness.refusal(params.decode_get_entity_neighbors, harness.without(GET_ENTITY_NEIGHBORS, name))
    assert error.message.startswith(f"knowledge_get_entity_neighbors: {name} is required (")
    assert error.data["received"] == "nothing"


@pytest.mark.parametrize(
    ("changes", "attribute", "value"),
    [
        pytest.param({"entity_uuid": " cafe\u0301 "}, "entity_uuid", "cafe\u0301", id="entity_uuid padded"),
        pytest.param({}, "num_results", 50, id="num_results left out"),
        pytest.param({"num_results": None}, "num_results", 50, id="num_results null"),
        pytest.param({"num_results": "6"}, "num_results", 6, id="num_results text"),
        pytest.param({"num_results": 6.0}, "num_results", 6, id="num_results float"),
        pytest.param({"num_results": ""}, "num_results", 50, id="num_results blank"),
        pytest.param({}, "offset", 0, id="offset left out"),
        pytest.param({"offset": None}, "offset", 0, id="offset null"),
        pytest.param({"offset": "5"}, "offset", 5, id="offset text"),
        pytest.param({"offset": 5.0}, "offset", 5, id="offset float"),
        pytest.param({"offset": ""}, "offset", 0, id="offset blank"),
        pytest.param({}, "valid_at", None, id="valid_at left out"),
        pytest.param({"valid_at": None}, "valid_at", None, id="valid_at null"),
        pytest.param({"valid_at": "2026-05-20"}, "valid_at", 1779235200000000, id="valid_at 2026-05-20"),
        pytest.param(
            {"valid_at": "2026-05-20 08:30:00"}, "valid_at", 1779265800000000, id="valid_at 2026-05-20 08:30:00"
        ),
        pytest.param({"valid_at": " "}, "valid_at", None, id="valid_at blank"),
        pytest.param({}, "groups", GroupFilter(None), id="group_ids left out"),
        pytest.param({"group_ids": None}, "groups", GroupFilter(None), id="group_ids null"),
        pytest.param({"group_ids": " a "}, "groups", GroupFilter(("a",)), id="group_ids named"),
        pytest.param({"group_ids": []}, "groups", GroupFilter(None), id="group_ids empty"),
        pytest.param({"group_ids": ["a", "a "]}, "groups", GroupFilter(("a",)), id="group_ids array"),
        pytest.param({"group_ids": '["a"]'}, "groups", GroupFilter(("a",)), id="group_ids JSON text"),
    ],
)
def test_get_entity_neighbors_takes(changes: dict[str, Any], attribute: str, value: Any) -> None:
    decoded = params.decode_get_entity_neighbors(GET_ENTITY_NEIGHBORS | changes)
    assert harness.same(getattr(decoded, attribute), value)


@pytest.mark.parametrize(
    ("changes", "parameter", "words"),
    [
        pytest.param({"entity_uuid": None}, "entity_uuid", "is required", id="entity_uuid null"),
        pytest.param({"entity_uuid": " \n"}, "entity_uuid", "is required", id="entity_uuid blank"),
        pytest.param({"entity_uuid": 5}, "entity_uuid", "expected", id="entity_uuid 5"),
        pytest.param({"entity_uuid": True}, "entity_uuid", "expected", id="entity_uuid True"),
        pytest.param({"entity_uuid": ["x"]}, "entity_uuid", "expected", id="entity_uuid ['x']"),
        pytest.param({"entity_uuid": {"a": 1}}, "entity_uuid", "expected", id="entity_uuid {'a': 1}"),
        pytest.param({"num_results": "ten"}, "num_results", "expected", id="num_results 'ten'"),
        pytest.param({"num_results": " 5 "}, "num_results", "expected", id="num_results ' 5 '"),
        pytest.param({"num_results": "1e1"}, "num_results", "expected", id="num_results '1e1'"),
        pytest.param({"num_results": 2.5}, "num_results", "expected", id="num_results 2.5"),
        pytest.param({"num_results": True}, "num_results", "expected", id="num_results True"),
        pytest.param({"num_results": [1]}, "num_results", "expected", id="num_results [1]"),
        pytest.param({"num_results": 0}, "num_results", "at least 1", id="num_results below"),
        pytest.param({"offset": "ten"}, "offset", "expected", id="offset 'ten'"),
        pytest.param({"offset": " 5 "}, "offset", "expected", id="offset ' 5 '"),
        pytest.param({"offset": "1e1"}, "offset", "expected", id="offset '1e1'"),
        pytest.param({"offset": 2.5}, "offset", "expected", id="offset 2.5"),
        pytest.param({"offset": True}, "offset", "expected", id="offset True"),
        pytest.param({"offset": [1]}, "offset", "expected", id="offset [1]"),
        pytest.param({"offset": -1}, "offset", "at least 0", id="offset below"),
        pytest.param({"valid_at": 5}, "valid_at", "expected", id="valid_at 5"),
        pytest.param({"valid_at": True}, "valid_at", "expected", id="valid_at True"),
        pytest.param({"valid_at": ["x"]}, "valid_at", "expected", id="valid_at ['x']"),
        pytest.param({"valid_at": {"a": 1}}, "valid_at", "expected", id="valid_at {'a': 1}"),
        pytest.param({"valid_at": "yesterday"}, "valid_at", "RFC 3339", id="valid_at no time"),
        pytest.param({"group_ids": 1}, "group_ids", "group_ids", id="group_ids number"),
        pytest.param({"group_ids": "a\x00"}, "group_ids", "group_ids", id="group_ids control character"),
        pytest.param(
            {
                "group_ids": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
            },
            "group_ids",
            "group_ids",
            id="group_ids too long",
        ),
        pytest.param({"group_ids": ""}, "group_ids", "group_ids", id="group_ids blank text"),
        pytest.param({"group_ids": ["a", ""]}, "group_ids", "group_ids", id="group_ids blank element"),
        pytest.param({"group_ids": ["a", None]}, "group_ids", "group_ids", id="group_ids null element"),
    ],
)
def test_get_entity_neighbors_refuses(changes: dict[str, Any], parameter: str, words: str) -> None:
    harness.check_refusal(params.decode_get_entity_neighbors, GET_ENTITY_NEIGHBORS | changes, parameter, words)
