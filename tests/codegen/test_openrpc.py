"""The OpenRPC document: sound by the meta-schema of OpenRPC itself, and no less than what the registry says."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from referencing import Registry as Schemas
from referencing.jsonschema import DRAFT7

from codegen import project
from codegen.openrpc import openrpc

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
META = json.loads((HERE / "openrpc_meta_schema.json").read_text(encoding="utf-8"))
JSON_SCHEMA = {
    "allOf": [jsonschema.Draft7Validator.META_SCHEMA],
    "definitions": {"JSONSchemaObject": {"properties": {"$ref": {"type": "string", "format": "uri-reference"}}}},
}
"""Stands for the description of JSON Schema that the meta-schema refers to."""


@pytest.fixture(scope="module")
def document() -> Any:
    return openrpc(project.load_registry(ROOT))


def faults(document: Any) -> list[str]:
    schemas: Any = Schemas()
    for uri in ("https://meta.json-schema.tools", "https://meta.json-schema.tools/"):
        schemas = schemas.with_resource(uri, DRAFT7.create_resource(JSON_SCHEMA))
    validator = jsonschema.Draft7Validator(META, registry=schemas)
    return [error.message for error in validator.iter_errors(document)]


def test_the_document_is_sound_openrpc(document: Any) -> None:
    assert faults(document) == []


def test_the_check_notices_what_is_unsound(document: Any) -> None:
    assert faults(document | {"info": {"title": "x"}}) != []
    method = document["methods"][0] | {"params": [{"name": "x"}]}
    assert faults(document | {"methods": [method]}) != []
    method = document["methods"][0] | {"result": {"name": "x", "schema": {"type": "text"}}}
    assert faults(document | {"methods": [method]}) != []


def test_every_method_of_the_socket_is_in_it_with_all_its_parameters(document: Any) -> None:
    registry = project.load_registry(ROOT)
    assert [method["name"] for method in document["methods"]] == [method.name for method in registry.methods]
    for described, method in zip(document["methods"], registry.methods, strict=True):
        names = {param.name for param in method.params} | {method.groups.parameter} - {None}
        assert {param["name"] for param in described["params"]} == names
        needs = [param["required"] for param in described["params"]]
        assert needs == sorted(needs, reverse=True)


def test_every_reference_leads_somewhere(document: Any) -> None:
    def references(value: Any) -> list[str]:
        if isinstance(value, dict):
            here = [value["$ref"]] if "$ref" in value else []
            return here + [ref for item in value.values() for ref in references(item)]
        return [ref for item in value for ref in references(item)] if isinstance(value, list) else []

    found = set(references(document))
    assert "#/components/schemas/Entity" in found
    for reference in found:
        target = document
        for step in reference.removeprefix("#/").split("/"):
            target = target[step]


def test_examples_are_results_by_their_own_schemas(document: Any) -> None:
    """An example shows some keys only, so what is required does not count."""
    for method in document["methods"]:
        schema = {"properties": method["result"]["schema"]["properties"], "components": document["components"]}
        text = json.dumps(schema).replace('"required":', '"x-required":')
        for example in method["examples"]:
            jsonschema.validate(example["result"]["value"], json.loads(text))
