"""Which template makes which file. One table; read it to find the origin of anything in a `generated/` folder."""

from dataclasses import dataclass
from typing import Literal

TOOLS = "spec/tools.yaml"
CONFIG = "spec/config.yaml"
AGENTS = "spec/agents.yaml"

PYPROJECT = "pyproject.toml"

GENERATED_FOLDERS = (
    "src/lcg/generated",
    "docs/reference/generated",
    "tests/contract/generated",
    "packaging/generated",
)
"""Everything in these folders belongs to the generator: what no output names is an orphan and is removed."""


@dataclass(frozen=True, slots=True)
class Output:
    """A row of the table.

    `mode` is `single` (one file), or says which categories have a file each: `category` (all of them) or `decoded`
    (those with a method that has a decoder). Then `{slug}` in the path is the category. `source` is the file in spec/
    that the header names.
    """

    template: str
    path: str
    mode: Literal["single", "category", "decoded"] = "single"
    source: str = TOOLS


OUTPUTS = (
    Output("package.py.j2", "src/lcg/generated/__init__.py"),
    Output("errors.py.j2", "src/lcg/generated/errors.py"),
    Output("tool_specs.py.j2", "src/lcg/generated/tool_specs.py"),
    Output("params.py.j2", "src/lcg/generated/params.py"),
    Output("results.py.j2", "src/lcg/generated/results.py"),
    Output("client.py.j2", "src/lcg/generated/client.py"),
    Output("protocols.py.j2", "src/lcg/generated/protocols.py"),
    Output("dispatch.py.j2", "src/lcg/generated/dispatch.py"),
    Output("agents.py.j2", "src/lcg/generated/agents.py", source=AGENTS),
    Output("config.py.j2", "src/lcg/generated/config.py", source=CONFIG),
    Output("index.md.j2", "docs/reference/generated/index.md"),
    Output("category.md.j2", "docs/reference/generated/{slug}.md", "category"),
    Output("records.md.j2", "docs/reference/generated/records.md"),
    Output("errors.md.j2", "docs/reference/generated/errors.md"),
    Output("scopes.md.j2", "docs/reference/generated/scopes.md"),
    Output("agents.md.j2", "docs/reference/generated/agents.md", source=AGENTS),
    Output("openrpc.json.j2", "docs/reference/generated/openrpc.json"),
    Output("configuration.md.j2", "docs/reference/generated/configuration.md", source=CONFIG),
    Output("server.json.j2", "packaging/generated/server.json", source=CONFIG),
    Output("manifest.json.j2", "packaging/generated/manifest.json", source=CONFIG),
    Output("test_contract.py.j2", "tests/contract/generated/test_{slug}.py", "category"),
    Output("test_parameters.py.j2", "tests/contract/generated/test_{slug}_parameters.py", "decoded"),
)
