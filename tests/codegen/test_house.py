"""House rules: small things stay readable, and the generator stands alone. Generated files are not counted."""

import ast
import re
from pathlib import Path

import pytest

from codegen.outputs import GENERATED_FOLDERS

ROOT = Path(__file__).parents[2]
EXPRESSION = re.compile(r"\{\{.*?\}\}")
LONGEST_MODULE = 400
LONGEST_FUNCTION = 60
LONGEST_TEMPLATE = 60
WRITTEN = sorted(
    path.relative_to(ROOT).as_posix()
    for folder in ("codegen", "src/lcg")
    for path in (ROOT / folder).rglob("*.py")
    if not path.relative_to(ROOT).as_posix().startswith(GENERATED_FOLDERS)
)


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("path", WRITTEN)
def test_a_module_and_its_functions_are_short(path: str) -> None:
    assert len(lines(ROOT / path)) <= LONGEST_MODULE
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    functions = [node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    sizes = {node.name: (node.end_lineno or node.lineno) - node.lineno + 1 for node in functions}
    assert {name: size for name, size in sizes.items() if size > LONGEST_FUNCTION} == {}


def test_templates_are_short_and_only_loop() -> None:
    for path in sorted((ROOT / "codegen/templates").glob("*.j2")):
        text = lines(path)
        assert len(text) <= LONGEST_TEMPLATE, path.name
        joined = "\n".join(text)
        assert "{% set" not in joined and "{% macro" not in joined, path.name
        assert max(expression.count("|") for expression in [*EXPRESSION.findall(joined), ""]) <= 1, path.name


def test_the_generator_needs_nothing_of_what_it_generates() -> None:
    """Else a broken generated file could not be renewed."""
    for path in sorted((ROOT / "codegen").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not [name for name in names if name.split(".")[0] == "lcg"], path.name
