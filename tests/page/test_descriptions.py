"""What a client reads of every tool: short enough to be read, portable, and saying what the page warns of."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from lcg.generated.tool_specs import TOOL_SPECS
from lcg.runtime.tool_spec import ToolSpec
from tests.page import page, registry

pytestmark = pytest.mark.page

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
def test_the_answer_of_tools_list_keeps_to_its_budget(scopes: tuple[str, ...], limit: int) -> None:
    tools = ",".join(as_listed(spec) for spec in TOOL_SPECS if spec.scope in scopes)
    answer = f'{{"jsonrpc":"2.0","id":1,"result":{{"tools":[{tools}]}}}}\n'
    assert len(answer.encode()) <= limit * 1024


@pytest.mark.parametrize("spec", TOOL_SPECS, ids=lambda spec: spec.name)
def test_a_description_is_at_most_1000_characters_and_more_than_a_phrase(spec: ToolSpec) -> None:
    assert 90 <= len(spec.description) <= 1000


@pytest.mark.parametrize("spec", TOOL_SPECS, ids=lambda spec: spec.name)
def test_a_tool_uses_the_schema_words_that_every_client_takes(spec: ToolSpec) -> None:
    for root in (spec.input_schema, spec.output_schema):
        assert root["type"] == "object"
        for schema in schemas(root):
            assert set(schema) <= PORTABLE
            assert isinstance(schema.get("type", "none"), str)
            assert all(isinstance(value, str) for value in schema.get("enum", []))


@pytest.mark.parametrize("spec", TOOL_SPECS, ids=lambda spec: spec.name)
def test_an_output_schema_is_open_and_shallow(spec: ToolSpec) -> None:
    assert "required" not in spec.output_schema
    for key, schema in spec.output_schema["properties"].items():
        assert "properties" not in schema, key
        if schema.get("type") == "array":
            assert "properties" not in schema["items"], key


@pytest.mark.parametrize("spec", TOOL_SPECS, ids=lambda spec: spec.name)
def test_a_result_that_may_be_null_is_published_without_a_type(spec: ToolSpec) -> None:
    result = registry.methods()[spec.name]["result"]
    untyped = {key: schema for key, schema in spec.output_schema["properties"].items() if "type" not in schema}
    nullable = {key: facets["type"] for key, facets in result.items() if facets.get("nullable")}
    assert untyped == {key: {"description": f"{kind}/null"} for key, kind in nullable.items()}


@pytest.mark.parametrize("spec", TOOL_SPECS, ids=lambda spec: spec.name)
def test_every_parameter_is_described(spec: ToolSpec) -> None:
    assert [key for key, schema in spec.input_schema["properties"].items() if not schema.get("description")] == []


@pytest.mark.parametrize("spec", TOOL_SPECS, ids=lambda spec: spec.name)
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
        ("knowledge_get_nodes_by_group", ["`[]` = no group"]),
        ("knowledge_get_edges_by_group", ["`[]` = no group"]),
        ("knowledge_find_relationships", ["`[]` = no group"]),
        ("knowledge_search_passages", ["`[]` = all groups", "min_score"]),
        ("knowledge_list_entities", ["`[]` = all groups"]),
        ("knowledge_list_relationships", ["`[]` = all groups"]),
        ("knowledge_get_entities_by_source", ["`[]` = all groups"]),
        ("knowledge_dump_wal", ["all groups", "marks"]),
        ("knowledge_add_episode", ["every call", "knowledge_process_chunk"]),
        ("knowledge_clear_all", ["preserve_wal", "logs"]),
        ("knowledge_merge_entities", ["dry_run", "success"]),
        ("knowledge_canonicalize_relations", ["without reading the fact", "UNCLASSIFIED", "cannot be recovered"]),
        (
            "knowledge_backfill_relation_types",
            [
                "DEPRECATED",
                "does not classify against the ontology",
                "pollutes the relation_type space",
                "re-nulling",
                "knowledge_reprocess_relation_types with scope `untyped`",
            ],
        ),
        ("knowledge_reprocess_relation_types", ["fact", "abstain", "UNCLASSIFIED"]),
        ("knowledge_add_cross_group_edge", ["knowledge_assert_relationship", "knowledge_rebind_pointers"]),
        ("knowledge_rebuild_from_wal", ["force_clear", "to_seq", "unbounded rebuild", "Other groups"]),
        ("knowledge_delete_by_group", ["confirm", "dry_run", "knowledge_rebuild_from_wal"]),
        ("knowledge_status", ["connected", "queryable", "initializing", "hydration_status"]),
    ],
)
def test_a_description_says_what_the_page_warns_of(tool: str, words: list[str]) -> None:
    assert [word for word in words if word not in described(tool)] == []
