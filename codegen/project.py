"""The whole way from the files in spec/ to the text of every generated file, in memory."""

from pathlib import Path

from codegen import gate, parse, render, resolve, rules, writer, yamlload
from codegen.findings import SpecError
from codegen.model import Registry


def load_registry(root: Path) -> Registry:
    """Read and check spec/tools.yaml.

    Raises:
        SpecError: with every finding. Faults of shape hide faults of meaning, since rules need a sound shape.
    """
    text = (root / writer.SOURCE).read_text(encoding="utf-8")
    schema = (root / "spec/tools.schema.json").read_text(encoding="utf-8")
    document, findings = yamlload.load(text, writer.SOURCE)
    misread = {finding.line for finding in findings}
    findings += [finding for finding in gate.check_shape(document, schema) if finding.line not in misread]
    if findings:
        raise SpecError(findings)
    registry, findings = parse.parse(document)
    findings += rules.run(registry, document)
    if findings:
        raise SpecError(findings)
    return registry


def generate(root: Path) -> dict[str, str]:
    """Render every output of the project at `root`: path → text."""
    registry = load_registry(root)
    source_digest = writer.digest((root / writer.SOURCE).read_text(encoding="utf-8"))
    return writer.finish(render.render(resolve.resolve(registry)), source_digest)
