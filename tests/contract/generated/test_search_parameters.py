# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 85dfc88f0b48004a618280b012d396acf3875ccc796fa46dea80d6cb5471f49e)
# Template: codegen/templates/test_parameters.py.j2
"""What the methods under "Search" take and refuse, parameter by parameter."""

from typing import Any

import pytest

from lcg.generated import params
from lcg.runtime.groups import GroupFilter
from tests.contract import harness

FIND_ENTITIES: dict[str, Any] = {"query": "who runs billing"}


@pytest.mark.parametrize(
    ("name", "meant"), (("queryx", "query"), ("num_resultsx", "num_results"), ("group_idsx", "group_ids"))
)
def test_find_entities_names_the_parameter_that_was_meant(name: str, meant: str) -> None:
    error = harness.refusal(params.decode_find_entities, FIND_ENTITIES | {name: "x"})
    assert error.data["suggestion"] == meant


@pytest.mark.parametrize("name", ("query",))
def test_find_entities_requires(name: str) -> None:
    error = harness.refusal(params.decode_find_entities, harness.without(FIND_ENTITIES, name))
    assert error.message.startswith(f"knowledge_find_entities: {name} is required (")
    assert error.data["received"] == "nothing"


@pytest.mark.parametrize(
    ("changes", "attribute", "value"),
    [
        pytest.param({"query": " cafe\u0301 "}, "query", "caf\xe9", id="query padded"),
        pytest.param({}, "num_results", 10, id="num_results left out"),
        pytest.param({"num_results": None}, "num_results", 10, id="num_results null"),
        pytest.param({"num_results": "6"}, "num_results", 6, id="num_results text"),
        pytest.param({"num_results": 6.0}, "num_results", 6, id="num_results float"),
        pytest.param({"num_results": ""}, "num_results", 10, id="num_results blank"),
        pytest.param({}, "groups", GroupFilter(None), id="group_ids left out"),
        pytest.param({"group_ids": None}, "groups", GroupFilter(None), id="group_ids null"),
        pytest.param({"group_ids": " a "}, "groups", GroupFilter(("a",)), id="group_ids named"),
        pytest.param({"group_ids": []}, "groups", GroupFilter(()), id="group_ids empty"),
        pytest.param({"group_ids": ["a", "a "]}, "groups", GroupFilter(("a",)), id="group_ids array"),
        pytest.param({"group_ids": '["a"]'}, "groups", GroupFilter(("a",)), id="group_ids JSON text"),
    ],
)
def test_find_entities_takes(changes: dict[str, Any], attribute: str, value: Any) -> None:
    decoded = params.decode_find_entities(FIND_ENTITIES | changes)
    assert harness.same(getattr(decoded, attribute), value)


@pytest.mark.parametrize(
    ("changes", "parameter", "words"),
    [
        pytest.param({"query": None}, "query", "is required", id="query null"),
        pytest.param({"query": " \n"}, "query", "is required", id="query blank"),
        pytest.param({"query": 5}, "query", "expected", id="query 5"),
        pytest.param({"query": True}, "query", "expected", id="query True"),
        pytest.param({"query": ["x"]}, "query", "expected", id="query ['x']"),
        pytest.param({"query": {"a": 1}}, "query", "expected", id="query {'a': 1}"),
        pytest.param({"num_results": "ten"}, "num_results", "expected", id="num_results 'ten'"),
        pytest.param({"num_results": " 5 "}, "num_results", "expected", id="num_results ' 5 '"),
        pytest.param({"num_results": "1e1"}, "num_results", "expected", id="num_results '1e1'"),
        pytest.param({"num_results": 2.5}, "num_results", "expected", id="num_results 2.5"),
        pytest.param({"num_results": True}, "num_results", "expected", id="num_results True"),
        pytest.param({"num_results": [1]}, "num_results", "expected", id="num_results [1]"),
        pytest.param({"num_results": 0}, "num_results", "at least 1", id="num_results below"),
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
def test_find_entities_refuses(changes: dict[str, Any], parameter: str, words: str) -> None:
    harness.check_refusal(params.decode_find_entities, FIND_ENTITIES | changes, parameter, words)


FIND_RELATIONSHIPS: dict[str, Any] = {"query": "maintains billing"}


@pytest.mark.parametrize(
    ("name", "meant"),
    (("queryx", "query"), ("num_resultsx", "num_results"), ("valid_atx", "valid_at"), ("group_idsx", "group_ids")),
)
def test_find_relationships_names_the_parameter_that_was_meant(name: str, meant: str) -> None:
    error = harness.refusal(params.decode_find_relationships, FIND_RELATIONSHIPS | {name: "x"})
    assert error.data["suggestion"] == meant


@pytest.mark.parametrize("name", ("query",))
def test_find_relationships_requires(name: str) -> None:
    error = harness.refusal(params.decode_find_relationships, harness.without(FIND_RELATIONSHIPS, name))
    assert error.message.startswith(f"knowledge_find_relationships: {name} is required (")
    assert error.data["received"] == "nothing"


@pytest.mark.parametrize(
    ("changes", "attribute", "value"),
    [
        pytest.param({"query": " cafe\u0301 "}, "query", "caf\xe9", id="query padded"),
        pytest.param({}, "num_results", 10, id="num_results left out"),
        pytest.param({"num_results": None}, "num_results", 10, id="num_results null"),
        pytest.param({"num_results": "6"}, "num_results", 6, id="num_results text"),
        pytest.param({"num_results": 6.0}, "num_results", 6, id="num_results float"),
        pytest.param({"num_results": ""}, "num_results", 10, id="num_results blank"),
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
def test_find_relationships_takes(changes: dict[str, Any], attribute: str, value: Any) -> None:
    decoded = params.decode_find_relationships(FIND_RELATIONSHIPS | changes)
    assert harness.same(getattr(decoded, attribute), value)


@pytest.mark.parametrize(
    ("changes", "parameter", "words"),
    [
        pytest.param({"query": None}, "query", "is required", id="query null"),
        pytest.param({"query": " \n"}, "query", "is required", id="query blank"),
        pytest.param({"query": 5}, "query", "expected", id="query 5"),
        pytest.param({"query": True}, "query", "expected", id="query True"),
        pytest.param({"query": ["x"]}, "query", "expected", id="query ['x']"),
        pytest.param({"query": {"a": 1}}, "query", "expected", id="query {'a': 1}"),
        pytest.param({"num_results": "ten"}, "num_results", "expected", id="num_results 'ten'"),
        pytest.param({"num_results": " 5 "}, "num_results", "expected", id="num_results ' 5 '"),
        pytest.param({"num_results": "1e1"}, "num_results", "expected", id="num_results '1e1'"),
        pytest.param({"num_results": 2.5}, "num_results", "expected", id="num_results 2.5"),
        pytest.param({"num_results": True}, "num_results", "expected", id="num_results True"),
        pytest.param({"num_results": [1]}, "num_results", "expected", id="num_results [1]"),
        pytest.param({"num_results": 0}, "num_results", "at least 1", id="num_results below"),
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
def test_find_relationships_refuses(changes: dict[str, Any], parameter: str, words: str) -> None:
    harness.check_refusal(params.decode_find_relationships, FIND_RELATIONSHIPS | changes, parameter, words)


SEARCH_PASSAGES: dict[str, Any] = {"query": "release checklist"}


@pytest.mark.parametrize(
    ("name", "meant"),
    (("queryx", "query"), ("num_resultsx", "num_results"), ("min_scorex", "min_score"), ("group_idsx", "group_ids")),
)
def test_search_passages_names_the_parameter_that_was_meant(name: str, meant: str) -> None:
    error = harness.refusal(params.decode_search_passages, SEARCH_PASSAGES | {name: "x"})
    assert error.data["suggestion"] == meant


@pytest.mark.parametrize("name", ("query",))
def test_search_passages_requires(name: str) -> None:
    error = harness.refusal(params.decode_search_passages, harness.without(SEARCH_PASSAGES, name))
    assert error.message.startswith(f"knowledge_search_passages: {name} is required (")
    assert error.data["received"] == "nothing"


@pytest.mark.parametrize(
    ("changes", "attribute", "value"),
    [
        pytest.param({"query": " cafe\u0301 "}, "query", "caf\xe9", id="query padded"),
        pytest.param({}, "num_results", 10, id="num_results left out"),
        pytest.param({"num_results": None}, "num_results", 10, id="num_results null"),
        pytest.param({"num_results": "100"}, "num_results", 100, id="num_results text"),
        pytest.param({"num_results": 100.0}, "num_results", 100, id="num_results float"),
        pytest.param({"num_results": ""}, "num_results", 10, id="num_results blank"),
        pytest.param({"num_results": 101}, "num_results", 100, id="num_results above"),
        pytest.param({}, "min_score", 0.5, id="min_score left out"),
        pytest.param({"min_score": None}, "min_score", 0.5, id="min_score null"),
        pytest.param({"min_score": "1"}, "min_score", 1.0, id="min_score text"),
        pytest.param({"min_score": 1.0}, "min_score", 1.0, id="min_score float"),
        pytest.param({"min_score": ""}, "min_score", 0.5, id="min_score blank"),
        pytest.param({"min_score": -1}, "min_score", 0.0, id="min_score below"),
        pytest.param({"min_score": 2}, "min_score", 1.0, id="min_score above"),
        pytest.param({}, "groups", GroupFilter(None), id="group_ids left out"),
        pytest.param({"group_ids": None}, "groups", GroupFilter(None), id="group_ids null"),
        pytest.param({"group_ids": " a "}, "groups", GroupFilter(("a",)), id="group_ids named"),
        pytest.param({"group_ids": []}, "groups", GroupFilter(None), id="group_ids empty"),
        pytest.param({"group_ids": ["a", "a "]}, "groups", GroupFilter(("a",)), id="group_ids array"),
        pytest.param({"group_ids": '["a"]'}, "groups", GroupFilter(("a",)), id="group_ids JSON text"),
    ],
)
def test_search_passages_takes(changes: dict[str, Any], attribute: str, value: Any) -> None:
    decoded = params.decode_search_passages(SEARCH_PASSAGES | changes)
    assert harness.same(getattr(decoded, attribute), value)


@pytest.mark.parametrize(
    ("changes", "parameter", "words"),
    [
        pytest.param({"query": None}, "query", "is required", id="query null"),
        pytest.param({"query": " \n"}, "query", "is required", id="query blank"),
        pytest.param({"query": 5}, "query", "expected", id="query 5"),
        pytest.param({"query": True}, "query", "expected", id="query True"),
        pytest.param({"query": ["x"]}, "query", "expected", id="query ['x']"),
        pytest.param({"query": {"a": 1}}, "query", "expected", id="query {'a': 1}"),
        pytest.param({"num_results": "ten"}, "num_results", "expected", id="num_results 'ten'"),
        pytest.param({"num_results": " 5 "}, "num_results", "expected", id="num_results ' 5 '"),
        pytest.param({"num_results": "1e1"}, "num_results", "expected", id="num_results '1e1'"),
        pytest.param({"num_results": 2.5}, "num_results", "expected", id="num_results 2.5"),
        pytest.param({"num_results": True}, "num_results", "expected", id="num_results True"),
        pytest.param({"num_results": [1]}, "num_results", "expected", id="num_results [1]"),
        pytest.param({"num_results": 0}, "num_results", "at least 1", id="num_results below"),
        pytest.param({"min_score": "half"}, "min_score", "expected", id="min_score 'half'"),
        pytest.param({"min_score": True}, "min_score", "expected", id="min_score True"),
        pytest.param({"min_score": [1]}, "min_score", "expected", id="min_score [1]"),
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
def test_search_passages_refuses(changes: dict[str, Any], parameter: str, words: str) -> None:
    harness.check_refusal(params.decode_search_passages, SEARCH_PASSAGES | changes, parameter, words)


QUERY_CYPHER: dict[str, Any] = {"query": "MATCH (e:Entity) WHERE e.name = $name RETURN e.uuid, e.summary"}


@pytest.mark.parametrize(
    ("name", "meant"),
    (("queryx", "query"), ("parametersx", "parameters"), ("max_rowsx", "max_rows"), ("timeout_msx", "timeout_ms")),
)
def test_query_cypher_names_the_parameter_that_was_meant(name: str, meant: str) -> None:
    error = harness.refusal(params.decode_query_cypher, QUERY_CYPHER | {name: "x"})
    assert error.data["suggestion"] == meant


@pytest.mark.parametrize("name", ("query",))
def test_query_cypher_requires(name: str) -> None:
    error = harness.refusal(params.decode_query_cypher, harness.without(QUERY_CYPHER, name))
    assert error.message.startswith(f"knowledge_query_cypher: {name} is required (")
    assert error.data["received"] == "nothing"


@pytest.mark.parametrize(
    ("changes", "attribute", "value"),
    [
        pytest.param({"query": " cafe\u0301 "}, "query", " cafe\u0301 ", id="query padded"),
        pytest.param({}, "parameters", {}, id="parameters left out"),
        pytest.param({"parameters": None}, "parameters", {}, id="parameters null"),
        pytest.param({"parameters": {"a": 1}}, "parameters", {"a": 1}, id="parameters object"),
        pytest.param({"parameters": '{"a": 1}'}, "parameters", {"a": 1}, id="parameters JSON text"),
        pytest.param({}, "max_rows", 1000, id="max_rows left out"),
        pytest.param({"max_rows": None}, "max_rows", 1000, id="max_rows null"),
        pytest.param({"max_rows": "100000"}, "max_rows", 100000, id="max_rows text"),
        pytest.param({"max_rows": 100000.0}, "max_rows", 100000, id="max_rows float"),
        pytest.param({"max_rows": ""}, "max_rows", 1000, id="max_rows blank"),
        pytest.param({"max_rows": 100001}, "max_rows", 100000, id="max_rows above"),
        pytest.param({}, "timeout_ms", 30000, id="timeout_ms left out"),
        pytest.param({"timeout_ms": None}, "timeout_ms", 30000, id="timeout_ms null"),
        pytest.param({"timeout_ms": "600000"}, "timeout_ms", 600000, id="timeout_ms text"),
        pytest.param({"timeout_ms": 600000.0}, "timeout_ms", 600000, id="timeout_ms float"),
        pytest.param({"timeout_ms": ""}, "timeout_ms", 30000, id="timeout_ms blank"),
        pytest.param({"timeout_ms": 600001}, "timeout_ms", 600000, id="timeout_ms above"),
    ],
)
def test_query_cypher_takes(changes: dict[str, Any], attribute: str, value: Any) -> None:
    decoded = params.decode_query_cypher(QUERY_CYPHER | changes)
    assert harness.same(getattr(decoded, attribute), value)


@pytest.mark.parametrize(
    ("changes", "parameter", "words"),
    [
        pytest.param({"query": None}, "query", "is required", id="query null"),
        pytest.param({"query": " \n"}, "query", "is required", id="query blank"),
        pytest.param({"query": 5}, "query", "expected", id="query 5"),
        pytest.param({"query": True}, "query", "expected", id="query True"),
        pytest.param({"query": ["x"]}, "query", "expected", id="query ['x']"),
        pytest.param({"query": {"a": 1}}, "query", "expected", id="query {'a': 1}"),
        pytest.param({"parameters": 5}, "parameters", "expected", id="parameters 5"),
        pytest.param({"parameters": "x"}, "parameters", "expected", id="parameters 'x'"),
        pytest.param({"parameters": ["a"]}, "parameters", "expected", id="parameters ['a']"),
        pytest.param({"max_rows": "ten"}, "max_rows", "expected", id="max_rows 'ten'"),
        pytest.param({"max_rows": " 5 "}, "max_rows", "expected", id="max_rows ' 5 '"),
        pytest.param({"max_rows": "1e1"}, "max_rows", "expected", id="max_rows '1e1'"),
        pytest.param({"max_rows": 2.5}, "max_rows", "expected", id="max_rows 2.5"),
        pytest.param({"max_rows": True}, "max_rows", "expected", id="max_rows True"),
        pytest.param({"max_rows": [1]}, "max_rows", "expected", id="max_rows [1]"),
        pytest.param({"max_rows": 0}, "max_rows", "at least 1", id="max_rows below"),
        pytest.param({"timeout_ms": "ten"}, "timeout_ms", "expected", id="timeout_ms 'ten'"),
        pytest.param({"timeout_ms": " 5 "}, "timeout_ms", "expected", id="timeout_ms ' 5 '"),
        pytest.param({"timeout_ms": "1e1"}, "timeout_ms", "expected", id="timeout_ms '1e1'"),
        pytest.param({"timeout_ms": 2.5}, "timeout_ms", "expected", id="timeout_ms 2.5"),
        pytest.param({"timeout_ms": True}, "timeout_ms", "expected", id="timeout_ms True"),
        pytest.param({"timeout_ms": [1]}, "timeout_ms", "expected", id="timeout_ms [1]"),
        pytest.param({"timeout_ms": 0}, "timeout_ms", "at least 1", id="timeout_ms below"),
    ],
)
def test_query_cypher_refuses(changes: dict[str, Any], parameter: str, words: str) -> None:
    harness.check_refusal(params.decode_query_cypher, QUERY_CYPHER | changes, parameter, words)
