"""The whole way from the files in spec/ to the text of every generated file, in memory."""

from dataclasses import dataclass
from pathlib import Path

from codegen import gate, outputs, parse, render, resolve, rules, writer, yamlload
from codegen.agents import AgentTexts, parse_agents
from codegen.config_page import config_page
from codegen.configuration import Configuration, parse_configuration
from codegen.distribution import distribution, read_project
from codegen.findings import Finding, SpecError
from codegen.model import Registry
from codegen.recorded import read_recorded
from codegen.yamlload import Document


@dataclass(frozen=True, slots=True)
class Spec:
    """What the files in spec/ say, checked."""

    registry: Registry
    configuration: Configuration
    agents: AgentTexts


def load(root: Path) -> Spec:
    """Read and check the files in spec/.

    Raises:
        SpecError: with every finding. Faults of shape hide faults of meaning, since rules need a sound shape.
    """
    tools, findings = _read(root, outputs.TOOLS)
    config, more = _read(root, outputs.CONFIG)
    findings += more
    agents, more = _read(root, outputs.AGENTS)
    findings += more
    if findings:
        raise SpecError(findings)
    registry, findings = parse.parse(tools)
    configuration = parse_configuration(config)
    texts = parse_agents(agents)
    findings += rules.run(registry, tools)
    findings += rules.run_config(configuration, config, registry)
    findings += rules.run_agents(texts, agents, registry)
    if findings:
        raise SpecError(findings)
    return Spec(registry, configuration, texts)


def load_registry(root: Path) -> Registry:
    """Read and check the files in spec/, and return the registry of methods."""
    return load(root).registry


def generate(root: Path) -> dict[str, str]:
    """Render every output of the project at `root`: path → text."""
    spec = load(root)
    digests = {
        source: writer.digest((root / source).read_text(encoding="utf-8"))
        for source in {output.source for output in outputs.OUTPUTS}
    }
    page = config_page(spec.configuration, spec.registry)
    published = distribution(read_project(root / outputs.PYPROJECT), spec.configuration, spec.registry)
    recorded = read_recorded(root)
    rendered = render.render(resolve.resolve(spec.registry), page, spec.agents, published, recorded)
    return writer.finish(rendered, digests)


def _read(root: Path, source: str) -> tuple[Document, list[Finding]]:
    """Read a file and check its shape against the schema beside it."""
    path = root / source
    document, findings = yamlload.load(path.read_text(encoding="utf-8"), source)
    misread = {finding.line for finding in findings}
    schema = path.with_suffix(".schema.json").read_text(encoding="utf-8")
    findings += [finding for finding in gate.check_shape(document, schema) if finding.line not in misread]
    return document, findings
