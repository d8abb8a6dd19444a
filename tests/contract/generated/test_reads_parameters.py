# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 85dfc88f0b48004a618280b012d396acf3875ccc796fa46dea80d6cb5471f49e)
# Template: codegen/templates/test_parameters.py.j2
"""What the methods under "Graph reads" take and refuse, parameter by parameter."""

from typing import Any

import pytest

from lcg.generated import params
from lcg.runtime.groups import GroupFilter
from tests.contract import harness

GET_EPISODES: dict[str, Any] = {}


@pytest.mark.parametrize(("name", "meant"), (("last_nx", "last_n"), ("offsetx", "offset"), ("group_idx", "group_id")))
def test_get_episodes_names_the_parameter_that_was_meant(name: str, meant: str) -> None:
    error = harness.refusal(params.decode_get_episodes, GET_EPISODES | {name: "x"})
    assert error.data["suggestion"] == meant


@pytest.mark.parametrize(
    ("changes", "attribute", "value"),
    [
        pytest.param({}, "last_n", 50, id="last_n left out"),
        pytest.param({"last_n": None}, "last_n", 50, id="last_n null"),
        pytest.param({"last_n": "6"}, "last_n", 6, id="last_n text"),
        pytest.param({"last_n": 6.0}, "last_n", 6, id="last_n float"),
        pytest.param({"last_n": ""}, "last_n", 50, id="last_n blank"),
        pytest.param({}, "offset", 0, id="offset left out"),
        pytest.param({"offset": None}, "offset", 0, id="offset null"),
        pytest.param({"offset": "5"}, "offset", 5, id="offset text"),
        pytest.param({"offset": 5.0}, "offset", 5, id="offset float"),
        pytest.param({"offset": ""}, "offset", 0, id="offset blank"),
        pytest.param({}, "group_id", "liminis", id="group_id left out"),
        pytest.param({"group_id": None}, "group_id", "liminis", id="group_id null"),
        pytest.param({"group_id": " a "}, "group_id", "a", id="group_id named"),
        pytest.param({"group_id": " "}, "group_id", "liminis", id="group_id empty"),
    ],
)
def test_get_episodes_takes(changes: dict[str, Any], attribute: str, value: Any) -> None:
    decoded = params.decode_get_episodes(GET_EPISODES | changes)
    assert harness.same(getattr(decoded, attribute), value)


@pytest.mark.parametrize(
    ("changes", "parameter", "words"),
    [
        pytest.param({"last_n": "ten"}, "last_n", "expected", id="last_n 'ten'"),
        pytest.param({"last_n": " 5 "}, "last_n", "expected", id="last_n ' 5 '"),
        pytest.param({"last_n": "1e1"}, "last_n", "expected", id="last_n '1e1'"),
        pytest.param({"last_n": 2.5}, "last_n", "expected", id="last_n 2.5"),
        pytest.param({"last_n": True}, "last_n", "expected", id="last_n True"),
        pytest.param({"last_n": [1]}, "last_n", "expected", id="last_n [1]"),
        pytest.param({"last_n": 0}, "last_n", "at least 1", id="last_n below"),
        pytest.param({"offset": "ten"}, "offset", "expected", id="offset 'ten'"),
        pytest.param({"offset": " 5 "}, "offset", "expected", id="offset ' 5 '"),
        pytest.param({"offset": "1e1"}, "offset", "expected", id="offset '1e1'"),
        pytest.param({"offset": 2.5}, "offset", "expected", id="offset 2.5"),
        pytest.param({"offset": True}, "offset", "expected", id="offset True"),
        pytest.param({"offset": [1]}, "offset", "expected", id="offset [1]"),
        pytest.param({"offset": -1}, "offset", "at least 0", id="offset below"),
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
def test_get_episodes_refuses(changes: dict[str, Any], parameter: str, words: str) -> None:
    harness.check_refusal(params.decode_get_episodes, GET_EPISODES | changes, parameter, words)


GET_NODES_BY_GROUP: dict[str, Any] = {}


@pytest.mark.parametrize(
    ("name", "meant"), (("num_resultsx", "num_results"), ("offsetx", "offset"), ("group_idsx", "group_ids"))
)
def test_get_nodes_by_group_names_the_parameter_that_was_meant(name: str, meant: str) -> None:
    error = harness.refusal(params.decode_get_nodes_by_group, GET_NODES_BY_GROUP | {name: "x"})
    assert error.data["suggestion"] == meant


@pytest.mark.parametrize(
    ("changes", "attribute", "value"),
    [
        pytest.param({}, "num_results", None, id="num_results left out"),
        pytest.param({"num_results": None}, "num_results", None, id="num_results null"),
        pytest.param({"num_results": "6"}, "num_results", 6, id="num_results text"),
        pytest.param({"num_results": 6.0}, "num_results", 6, id="num_results float"),
        pytest.param({"num_results": ""}, "num_results", None, id="num_results blank"),
        pytest.param({}, "offset", 0, id="offset left out"),
        pytest.param({"offset": None}, "offset", 0, id="offset null"),
        pytest.param({"offset": "5"}, "offset", 5, id="offset text"),
        pytest.param({"offset": 5.0}, "offset", 5, id="offset float"),
        pytest.param({"offset": ""}, "offset", 0, id="offset blank"),
        pytest.param({}, "groups", GroupFilter(None), id="group_ids left out"),
        pytest.param({"group_ids": None}, "groups", GroupFilter(None), id="group_ids null"),
        pytest.param({"group_ids": " a "}, "groups", GroupFilter(("a",)), id="group_ids named"),
        pytest.param({"group_ids": []}, "groups", GroupFilter(()), id="group_ids empty"),
        pytest.param({"group_ids": ["a", "a "]}, "groups", GroupFilter(("a",)), id="group_ids array"),
        pytest.param({"group_ids": '["a"]'}, "groups", GroupFilter(("a",)), id="group_ids JSON text"),
    ],
)
def test_get_nodes_by_group_takes(changes: dict[str, Any], attribute: str, value: Any) -> None:
    decoded = params.decode_get_nodes_by_group(GET_NODES_BY_GROUP | changes)
    assert harness.same(getattr(decoded, attribute), value)


@pytest.mark.parametrize(
    ("changes", "parameter", "words"),
    [
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
def test_get_nodes_by_group_refuses(changes: dict[str, Any], parameter: str, words: str) -> None:
    harness.check_refusal(params.decode_get_nodes_by_group, GET_NODES_BY_GROUP | changes, parameter, words)


GET_EDGES_BY_GROUP: dict[str, Any] = {}


@pytest.mark.parametrize(
    ("name", "meant"),
    (("num_resultsx", "num_results"), ("offsetx", "offset"), ("valid_atx", "valid_at"), ("group_idsx", "group_ids")),
)
def test_get_edges_by_group_names_the_parameter_that_was_meant(name: str, meant: str) -> None:
    error = harness.refusal(params.decode_get_edges_by_group, GET_EDGES_BY_GROUP | {name: "x"})
    assert error.data["suggestion"] == meant


@pytest.mark.parametrize(
    ("changes", "attribute", "value"),
    [
        pytest.param({}, "num_results", None, id="num_results left out"),
        pytest.param({"num_results": None}, "num_results", None, id="num_results null"),
        pytest.param({"num_results": "6"}, "num_results", 6, id="num_results text"),
        pytest.param({"num_results": 6.0}, "num_results", 6, id="num_results float"),
        pytest.param({"num_results": ""}, "num_results", None, id="num_results blank"),
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
        pytest.param({"group_ids": []}, "groups", GroupFilter(()), id="group_ids empty"),
        pytest.param({"group_ids": ["a", "a "]}, "groups", GroupFilter(("a",)), id="group_ids array"),
        pytest.param({"group_ids": '["a"]'}, "groups", GroupFilter(("a",)), id="group_ids JSON text"),
    ],
)
def test_get_edges_by_group_takes(changes: dict[str, Any], attribute: str, value: Any) -> None:
    decoded = params.decode_get_edges_by_group(GET_EDGES_BY_GROUP | changes)
    assert harness.same(getattr(decoded, attribute), value)


@pytest.mark.parametrize(
    ("changes", "parameter", "words"),
    [
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
def test_get_edges_by_group_refuses(changes: dict[str, Any], parameter: str, words: str) -> None:
    harness.check_refusal(params.decode_get_edges_by_group, GET_EDGES_BY_GROUP | changes, parameter, words)


GET_EDGES_BY_UUIDS: dict[str, Any] = {"uuids": ["00000000-0000-0000-0000-000000000000"]}


@pytest.mark.parametrize(("name", "meant"), (("uuidsx", "uuids"),))
def test_get_edges_by_uuids_names_the_parameter_that_was_meant(name: str, meant: str) -> None:
    error = harness.refusal(params.decode_get_edges_by_uuids, GET_EDGES_BY_UUIDS | {name: "x"})
    assert error.data["suggestion"] == meant


@pytest.mark.parametrize("name", ("uuids",))
def test_get_edges_by_uuids_requires(name: str) -> None:
    error = harness.refusal(params.decode_get_edges_by_uuids, harness.without(GET_EDGES_BY_UUIDS, name))
    assert error.message.startswith(f"knowledge_get_edges_by_uuids: {name} is required (")
    assert error.data["received"] == "nothing"


@pytest.mark.parametrize(
    ("changes", "attribute", "value"),
    [
        pytest.param({"uuids": ["x0", "x0"]}, "uuids", ("x0",), id="uuids twice"),
        pytest.param({"uuids": [" x0 "]}, "uuids", ("x0",), id="uuids padded"),
        pytest.param({"uuids": '["x0"]'}, "uuids", ("x0",), id="uuids JSON text"),
        pytest.param({"uuids": "x0"}, "uuids", ("x0",), id="uuids bare text"),
    ],
)
def test_get_edges_by_uuids_takes(changes: dict[str, Any], attribute: str, value: Any) -> None:
    decoded = params.decode_get_edges_by_uuids(GET_EDGES_BY_UUIDS | changes)
    assert harness.same(getattr(decoded, attribute), value)


@pytest.mark.parametrize(
    ("changes", "parameter", "words"),
    [
        pytest.param({"uuids": None}, "uuids", "is required", id="uuids null"),
        pytest.param({"uuids": 5}, "uuids", "expected", id="uuids 5"),
        pytest.param({"uuids": True}, "uuids", "expected", id="uuids True"),
        pytest.param({"uuids": {"a": 1}}, "uuids", "expected", id="uuids {'a': 1}"),
        pytest.param({"uuids": [1]}, "uuids", "expected", id="uuids [1]"),
        pytest.param({"uuids": [""]}, "uuids", "expected", id="uuids ['']"),
        pytest.param({"uuids": ["a", None]}, "uuids", "expected", id="uuids ['a', None]"),
        pytest.param({"uuids": ""}, "uuids", "expected", id="uuids ''"),
    ],
)
def test_get_edges_by_uuids_refuses(changes: dict[str, Any], parameter: str, words: str) -> None:
    harness.check_refusal(params.decode_get_edges_by_uuids, GET_EDGES_BY_UUIDS | changes, parameter, words)


LIST_ENTITIES: dict[str, Any] = {}


@pytest.mark.parametrize(
    ("name", "meant"), (("num_resultsx", "num_results"), ("offsetx", "offset"), ("group_idsx", "group_ids"))
)
def test_list_entities_names_the_parameter_that_was_meant(name: str, meant: str) -> None:
    error = harness.refusal(params.decode_list_entities, LIST_ENTITIES | {name: "x"})
    assert error.data["suggestion"] == meant


@pytest.mark.parametrize(
    ("changes", "attribute", "value"),
    [
        pytest.param({}, "num_results", 500, id="num_results left out"),
        pytest.param({"num_results": None}, "num_results", 500, id="num_results null"),
        pytest.param({"num_results": "6"}, "num_results", 6, id="num_results text"),
        pytest.param({"num_results": 6.0}, "num_results", 6, id="num_results float"),
        pytest.param({"num_results": ""}, "num_results", 500, id="num_results blank"),
        pytest.param({}, "offset", 0, id="offset left out"),
        pytest.param({"offset": None}, "offset", 0, id="offset null"),
        pytest.param({"offset": "5"}, "offset", 5, id="offset text"),
        pytest.param({"offset": 5.0}, "offset", 5, id="offset float"),
        pytest.param({"offset": ""}, "offset", 0, id="offset blank"),
        pytest.param({}, "groups", GroupFilter(None), id="group_ids left out"),
        pytest.param({"group_ids": None}, "groups", GroupFilter(None), id="group_ids null"),
        pytest.param({"group_ids": " a "}, "groups", GroupFilter(("a",)), id="group_ids named"),
        pytest.param({"group_ids": []}, "groups", GroupFilter(None), id="group_ids empty"),
        pytest.param({"group_ids": ["a", "a "]}, "groups", GroupFilter(("a",)), id="group_ids array"),
        pytest.param({"group_ids": '["a"]'}, "groups", GroupFilter(("a",)), id="group_ids JSON text"),
    ],
)
def test_list_entities_takes(changes: dict[str, Any], attribute: str, value: Any) -> None:
    decoded = params.decode_list_entities(LIST_ENTITIES | changes)
    assert harness.same(getattr(decoded, attribute), value)


@pytest.mark.parametrize(
    ("changes", "parameter", "words"),
    [
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
def test_list_entities_refuses(changes: dict[str, Any], parameter: str, words: str) -> None:
    harness.check_refusal(params.decode_list_entities, LIST_ENTITIES | changes, parameter, words)


LIST_RELATIONSHIPS: dict[str, Any] = {}


@pytest.mark.parametrize(
    ("name", "meant"),
    (("num_resultsx", "num_results"), ("offsetx", "offset"), ("valid_atx", "valid_at"), ("group_idsx", "group_ids")),
)
def test_list_relationships_names_the_parameter_that_was_meant(name: str, meant: str) -> None:
    error = harness.refusal(params.decode_list_relationships, LIST_RELATIONSHIPS | {name: "x"})
    assert error.data["suggestion"] == meant


@pytest.mark.parametrize(
    ("changes", "attribute", "value"),
    [
        pytest.param({}, "num_results", 1000, id="num_results left out"),
        pytest.param({"num_results": None}, "num_results", 1000, id="num_results null"),
        pytest.param({"num_results": "6"}, "num_results", 6, id="num_results text"),
        pytest.param({"num_results": 6.0}, "num_results", 6, id="num_results float"),
        pytest.param({"num_results": ""}, "num_results", 1000, id="num_results blank"),
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
def test_list_relationships_takes(changes: dict[str, Any], attribute: str, value: Any) -> None:
    decoded = params.decode_list_relationships(LIST_RELATIONSHIPS | changes)
    assert harness.same(getattr(decoded, attribute), value)


@pytest.mark.parametrize(
    ("changes", "parameter", "words"),
    [
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
def test_list_relationships_refuses(changes: dict[str, Any], parameter: str, words: str) -> None:
    harness.check_refusal(params.decode_list_relationships, LIST_RELATIONSHIPS | changes, parameter, words)


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


GET_ENTITIES_BY_SOURCE: dict[str, Any] = {"source": "notes/nowhere.md"}


@pytest.mark.parametrize(
    ("name", "meant"),
    (("sourcex", "source"), ("num_resultsx", "num_results"), ("offsetx", "offset"), ("group_idsx", "group_ids")),
)
def test_get_entities_by_source_names_the_parameter_that_was_meant(name: str, meant: str) -> None:
    error = harness.refusal(params.decode_get_entities_by_source, GET_ENTITIES_BY_SOURCE | {name: "x"})
    assert error.data["suggestion"] == meant


@pytest.mark.parametrize("name", ("source",))
def test_get_entities_by_source_requires(name: str) -> None:
    error = harness.refusal(params.decode_get_entities_by_source, harness.without(GET_ENTITIES_BY_SOURCE, name))
    assert error.message.startswith(f"knowledge_get_entities_by_source: {name} is required (")
    assert error.data["received"] == "nothing"


@pytest.mark.parametrize(
    ("changes", "attribute", "value"),
    [
        pytest.param({"source": " cafe\u0301 "}, "source", "caf\xe9", id="source padded"),
        pytest.param({}, "num_results", 100, id="num_results left out"),
        pytest.param({"num_results": None}, "num_results", 100, id="num_results null"),
        pytest.param({"num_results": "6"}, "num_results", 6, id="num_results text"),
        pytest.param({"num_results": 6.0}, "num_results", 6, id="num_results float"),
        pytest.param({"num_results": ""}, "num_results", 100, id="num_results blank"),
        pytest.param({}, "offset", 0, id="offset left out"),
        pytest.param({"offset": None}, "offset", 0, id="offset null"),
        pytest.param({"offset": "5"}, "offset", 5, id="offset text"),
        pytest.param({"offset": 5.0}, "offset", 5, id="offset float"),
        pytest.param({"offset": ""}, "offset", 0, id="offset blank"),
        pytest.param({}, "groups", GroupFilter(None), id="group_ids left out"),
        pytest.param({"group_ids": None}, "groups", GroupFilter(None), id="group_ids null"),
        pytest.param({"group_ids": " a "}, "groups", GroupFilter(("a",)), id="group_ids named"),
        pytest.param({"group_ids": []}, "groups", GroupFilter(None), id="group_ids empty"),
        pytest.param({"group_ids": ["a", "a "]}, "groups", GroupFilter(("a",)), id="group_ids array"),
        pytest.param({"group_ids": '["a"]'}, "groups", GroupFilter(("a",)), id="group_ids JSON text"),
    ],
)
def test_get_entities_by_source_takes(changes: dict[str, Any], attribute: str, value: Any) -> None:
    decoded = params.decode_get_entities_by_source(GET_ENTITIES_BY_SOURCE | changes)
    assert harness.same(getattr(decoded, attribute), value)


@pytest.mark.parametrize(
    ("changes", "parameter", "words"),
    [
        pytest.param({"source": None}, "source", "is required", id="source null"),
        pytest.param({"source": " \n"}, "source", "is required", id="source blank"),
        pytest.param({"source": 5}, "source", "expected", id="source 5"),
        pytest.param({"source": True}, "source", "expected", id="source True"),
        pytest.param({"source": ["x"]}, "source", "expected", id="source ['x']"),
        pytest.param({"source": {"a": 1}}, "source", "expected", id="source {'a': 1}"),
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
def test_get_entities_by_source_refuses(changes: dict[str, Any], parameter: str, words: str) -> None:
    harness.check_refusal(params.decode_get_entities_by_source, GET_ENTITIES_BY_SOURCE | changes, parameter, words)
