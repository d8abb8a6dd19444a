"""What has to hold for the real registry and cannot be spoiled by a small edit of the sample."""

from pathlib import Path
from typing import Any

import jsonschema
import pytest

from codegen import gate, project, resolve, yamlload
from codegen.model import Registry
from codegen.rules import texts
from codegen.rules.base import Spec

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def registry() -> Registry:
    return project.load_registry(ROOT)


def test_every_method_is_described_whether_it_has_a_handler_or_not(registry: Registry) -> None:
    assert [method.name for method in registry.methods if method.result is None] == []


def test_published_schemas_are_schemas(registry: Registry) -> None:
    for tool in resolve.resolve(registry).tools:
        jsonschema.Draft202012Validator.check_schema(tool.input_schema)
        jsonschema.Draft202012Validator.check_schema(tool.output_schema)


def test_a_failure_is_a_legal_structured_result(registry: Registry) -> None:
    failure = {"code": -32000, "message": "no", "data": {"kind": "not_found"}}
    for tool in resolve.resolve(registry).tools:
        jsonschema.validate(failure, tool.output_schema)


@pytest.mark.parametrize("key", ["version", "methods", "group_rules", "records"])
def test_the_gate_misses_every_section(key: str) -> None:
    document, _ = yamlload.load((ROOT / "spec/tools.yaml").read_text(encoding="utf-8"), "tools.yaml")
    del document.value[key]
    schema = (ROOT / "spec/tools.schema.json").read_text(encoding="utf-8")
    assert [finding.rule for finding in gate.check_shape(document, schema)] == ["schema-missing-key"]


@pytest.mark.parametrize(
    ("schema", "problem"),
    [
        ({"type": "object", "additionalProperties": False}, "uses `additionalProperties`"),
        ({"type": ["string", "null"]}, "several types"),
        ({"type": "object", "properties": {"a": {"const": 1}}}, "schema.a uses `const`"),
        ({"type": "array", "items": {"format": "date"}}, "schema[] uses `format`"),
        ({"type": "integer", "enum": [1]}, "enum of something else"),
    ],
)
def test_schemas_that_some_clients_refuse_are_found(schema: dict[str, Any], problem: str) -> None:
    assert problem in "; ".join(texts.unportable(schema, "schema"))


def test_the_budget_counts_the_whole_answer(registry: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    document, _ = yamlload.load((ROOT / "spec/tools.yaml").read_text(encoding="utf-8"), "tools.yaml")
    spec = Spec(registry, document)
    assert list(texts.budgets(spec)) == []
    monkeypatch.setattr(texts, "BUDGETS", {("read",): 1_000})
    ((_, message, hint),) = texts.budgets(spec)
    assert message.startswith("tools/list for read has ")
    assert "knowledge_status " in hint
