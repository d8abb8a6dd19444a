"""The second gate: rules about meaning, each with an id, what it demands and why."""

from codegen.findings import Finding
from codegen.model import Registry
from codegen.yamlload import Document


def run(registry: Registry, document: Document) -> list[Finding]:
    """Apply every rule and return all that they find."""
    return []
