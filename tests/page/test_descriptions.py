"""What a client reads of every tool: short enough to be read, portable, and saying what the page warns of."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from lcg.generated.tool_specs import TOOL_SPECS
from lcg.runtime.tool_spec import ToolSpec
from tests.page import page, registry

pytestmark = pytest.mark.page

SIZE_OF_A_TOOL_TO_COME = 800
LISTED = [spec for spec in TOOL_SPECS if spec.available]
PORTABLE = {
    "type",
    "properties",
    "description",
    "required",
    "items",
    "enum",
    "minimum",
    "maximum",
    "minItems",
    "minLength",
    "maxLength",
    "default",
}


def as_listed(spec: ToolSpec) -> str:
    """Write a tool as tools/list does."""
    tool = {
        "name": spec.name,
        "title": spec.title,
        "description": spec.description,
        "inputSchema": spec.input_schema,
        "outputSchema": spec.output_schema,
        "annotations": spec.annotations,
    }
    return json.dumps(tool, ensure_ascii=False, separators=(",", ":"))


def schemas(node: Any) -> Iterator[dict[str, Any]]:
    """Yield a schema and every schema inside it."""
    yield node
    for inner in node.get("properties", {}).values():
        yield from schemas(inner)
    if "items" in node:
        yield from schemas(node["items"])


def described(tool: str) -> str:
    return next(spec.description for spec in TOOL_SPECS if spec.name == tool)


@pytest.mark.parametrize(("scopes", "limit"), [(("read", "write", "cypher", "admin"), 45), (("read", "write"), 30)])
def test_the_tool_list_keeps_to_its_budget_with_room_for_the_tools_to_come(scopes: tuple[str, ...], limit: int) -> None:
    tools = [spec for spec in TOOL_SPECS if spec.scope in scopes]
    sizes = [len(as_listed(spec).encode()) + 1 if spec.available else SIZE_OF_A_TOOL_TO_COME for spec in tools]
    assert sum(sizes) <= limit * 1024


@pytest.mark.parametrize("spec", LISTED, ids=lambda spec: spec.name)
def test_a_description_is_at_most_1000_characters_and_more_than_a_phrase(spec: ToolSpec) -> None:
    assert 200 <= len(spec.description) <= 1000


@pytest.mark.parametrize("spec", LISTED, ids=lambda spec: spec.name)
def test_a_tool_uses_the_schema_words_that_every_client_takes(spec: ToolSpec) -> None:
    for root in (spec.input_schema, spec.output_schema):
        assert root["type"] == "object"
        for schema in schemas(root):
            assert set(schema) <= PORTABLE
            assert isinstance(schema.get("type", "none"), str)
            assert all(isinstance(value, str) for value in schema.get("enum", []))


@pytest.mark.parametrize("spec", LISTED, ids=lambda spec: spec.name)
def test_an_output_schema_is_open_and_shallow(spec: ToolSpec) -> None:
    assert "required" not in spec.output_schema
    for key, schema in spec.output_schema["properties"].items():
        assert "properties" not in schema, key
        if schema.get("type") == "array":
            assert "properties" not in schema["items"], key


@pytest.mark.parametrize("spec", LISTED, ids=lambda spec: spec.name)
def test_a_result_that_may_be_null_is_published_without_a_type(spec: ToolSpec) -> None:
    result = registry.methods()[spec.name]["result"]
    untyped = {key for key, schema in spec.output_schema["properties"].items() if "type" not in schema}
    assert untyped == {key for key, facets in result.items() if facets.get("nullable")}


@pytest.mark.parametrize("spec", LISTED, ids=lambda spec: spec.name)
def test_every_parameter_is_described(spec: ToolSpec) -> None:
    assert [key for key, schema in spec.input_schema["properties"].items() if not schema.get("description")] == []


@pytest.mark.parametrize("spec", LISTED, ids=lambda spec: spec.name)
def test_a_description_speaks_of_no_tool_that_does_not_exist(spec: ToolSpec) -> None:
    words = {word.strip("`.,;:()") for word in spec.description.split()}
    assert {word for word in words if word.startswith("knowledge_")} <= set(page.METHODS)


@pytest.mark.parametrize(
    ("tool", "words"),
    [
        ("knowledge_assert_entity", ["knowledge_process_chunk", "cleared", "created", "Attributes"]),
        ("knowledge_assert_relationship", ["knowledge_add_cross_group_edge", "fact", "invalidated"]),
        ("knowledge_process_chunk", ["knowledge_assert_entity", "dropped_edges", "8,000", "warning"]),
        ("knowledge_find_entities", ["knowledge_get_entity_neighbors", "no group"]),
        ("knowledge_get_entity_neighbors", ["valid_at", "all groups"]),
        ("knowledge_query_cypher", ["One statement", "RelatesToNode_", "parameters"]),
        ("knowledge_close", ["--allow-remote-close"]),
        ("knowledge_status", ["connected", "queryable", "initializing", "hydration_status"]),
    ],
)
def test_a_description_says_what_the_page_warns_of(tool: str, words: list[str]) -> None:
    assert [word for word in words if word not in described(tool)] == []
