"""From the checked document to the model. The gate has seen to the shape, so this only rearranges."""

from collections.abc import Mapping
from typing import Any

from codegen import model
from codegen.findings import Finding
from codegen.yamlload import Document, Path

_TUPLES = ("enum", "refuse", "refuse_keys")


class _Parser:
    def __init__(self, document: Document) -> None:
        self.document = document
        self.findings: list[Finding] = []
        self.rules: dict[str, model.GroupRule] = {}

    def named(self, section: str) -> tuple[model.Named, ...]:
        entries: Mapping[str, Any] = self.document.value[section]
        return tuple(model.Named(name=name, path=(section, name), **entry) for name, entry in entries.items())

    def groups(self, value: str | Mapping[str, Any], path: Path) -> model.Groups:
        facets: Mapping[str, Any] = {"rule": value} if isinstance(value, str) else value
        rule = self.rules.get(facets["rule"])
        if rule is None:
            hint = f"known rules: {', '.join(self.rules)}"
            message = f"there is no group rule `{facets['rule']}`"
            self.findings.append(self.document.finding(path, "group-rule-exists", message, hint))
            rule = model.GroupRule(facets["rule"], None, False, False, "all", "all", "", path)
        return model.Groups(rule, facets.get("parameter", rule.parameter), facets.get("of"))

    def method(self, entry: Mapping[str, Any], path: Path) -> model.Method:
        facts = dict(entry)
        facts["exposure"] = tuple(entry["exposure"])
        facts["profiles"] = tuple(entry.get("profiles", ()))
        facts["details"] = tuple(entry.get("details", ()))
        facts["groups"] = self.groups(entry["groups"], (*path, "groups"))
        if "progress" in entry:
            progress = entry["progress"]
            facts["progress"] = model.Progress(progress["phases"], progress.get("frame_fields", {}))
        if "deprecated" in entry:
            facts["deprecated"] = model.Deprecated(**entry["deprecated"])
        facts["params"] = parameters(entry["params"], (*path, "params"))
        facts["result"] = fields(entry["result"], (*path, "result"))
        places = enumerate(entry["errors"])
        facts["errors"] = tuple(model.ErrorCase(**case, path=(*path, "errors", i)) for i, case in places)
        facts["examples"] = tuple(
            model.Example(example["title"], example["params"], example["result"], (*path, "examples", index))
            for index, example in enumerate(entry["examples"])
        )
        return model.Method(**facts, path=path)


def parse(document: Document) -> tuple[model.Registry, list[Finding]]:
    """Build the model of a document that passed the gate."""
    value = document.value
    parser = _Parser(document)
    parser.rules = {
        name: model.GroupRule(name=name, path=("group_rules", name), **entry)
        for name, entry in value["group_rules"].items()
    }
    registry = model.Registry(
        product=value["product"],
        scopes=parser.named("scopes"),
        profiles=parser.named("profiles"),
        categories=value["categories"],
        group_rules=parser.rules,
        error_codes=parser.named("error_codes"),
        error_kinds=parser.named("error_kinds"),
        warning_types=parser.named("warning_types"),
        records={
            name: model.Record(
                name, entry["summary"], fields(entry["fields"], ("records", name, "fields")), ("records", name)
            )
            for name, entry in value["records"].items()
        },
        methods=tuple(parser.method(entry, ("methods", index)) for index, entry in enumerate(value["methods"])),
    )
    return registry, parser.findings


def parameters(entries: Mapping[str, Any], path: Path) -> tuple[model.Param, ...]:
    """Build the parameters of a method."""
    found = []
    for name, entry in entries.items():
        facets: dict[str, Any] = {key: tuple(value) if key in _TUPLES else value for key, value in entry.items()}
        if "properties" in facets:
            facets["properties"] = tuple(
                model.Property(key, inner.get("text", "term"), inner.get("description", ""))
                for key, inner in facets["properties"].items()
            )
        found.append(model.Param(name=name, path=(*path, name), **facets))
    return tuple(found)


def fields(entries: Mapping[str, Any], path: Path) -> tuple[model.Field, ...]:
    """Build the keys of a result, a record or an inline object."""
    return tuple(_field(name, entry, (*path, name)) for name, entry in entries.items())


def _field(name: str, entry: Mapping[str, Any], path: Path) -> model.Field:
    facets = dict(entry)
    facets["enum"] = tuple(entry.get("enum", ()))
    if "list_of" in facets:
        facets |= {"type": "array", "items": "object", "record": facets.pop("list_of")}
    elif "list_of_fields" in facets:
        inner = facets.pop("list_of_fields")
        facets |= {"type": "array", "items": "object", "fields": fields(inner, (*path, "list_of_fields"))}
    elif "fields" in facets:
        facets |= {"type": "object", "fields": fields(entry["fields"], (*path, "fields"))}
    elif "record" in facets:
        facets["type"] = "object"
    return model.Field(name=name, path=path, **facets)
