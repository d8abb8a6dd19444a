"""From the resolved model to text: the template environment and its few filters."""

import functools
import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import jinja2

from codegen.agents import AgentTexts
from codegen.config_page import ConfigPage
from codegen.distribution import Distribution
from codegen.outputs import OUTPUTS, Output
from codegen.recorded import RecordedCall
from codegen.resolve import Category, Resolved

TEMPLATES = Path(__file__).parent / "templates"

_CHOSEN: Mapping[str, Callable[[Category], bool]] = {
    "category": lambda category: True,
    "decoded": lambda category: bool(category.decoded),
}
_CODE_SPAN = re.compile(r"(`[^`]*`)")
_LOOSE_QUOTE = re.compile(r'"(?="|$)')
_LOOSE_UNDERSCORE = re.compile(r"(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")


def render(
    resolved: Resolved,
    config: ConfigPage,
    agents: AgentTexts,
    distribution: Distribution,
    recorded: Mapping[str, RecordedCall],
) -> dict[Output, dict[str, str]]:
    """Render every output: for each row of the table, path → text."""
    rendered: dict[Output, dict[str, str]] = {}
    for output in OUTPUTS:
        template = _environment().get_template(output.template)
        if output.mode == "single":
            texts = {"agents": agents, "distribution": distribution}
            rendered[output] = {output.path: template.render(spec=resolved, config=config, **texts)}
            continue
        rendered[output] = {
            output.path.format(slug=category.slug): template.render(spec=resolved, category=category, recorded=recorded)
            for category in _categories(resolved, output)
        }
    return rendered


def render_one(template: str, resolved: Resolved, category: Category | None = None) -> str:
    """Render a single template of the registry."""
    return _environment().get_template(template).render(spec=resolved, category=category, recorded={})


@functools.cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {"py": py, "ascii": ascii, "doc": doc, "lines": lines, "md": md, "json": as_json}
    return environment


def _categories(resolved: Resolved, output: Output) -> list[Category]:
    return [category for category in resolved.categories if _CHOSEN[output.mode](category)]


def py(value: Any) -> str:
    """Write a value as a Python literal."""
    return repr(value)


def as_json(value: Any) -> str:
    """Write a value as JSON that can be read."""
    return json.dumps(value, ensure_ascii=False, indent=2)


def doc(text: str) -> str:
    """Write a text so that it can stand inside a docstring."""
    return _LOOSE_QUOTE.sub(r'\\"', text.replace("\\", "\\\\"))


def lines(text: str) -> str:
    """Write a text of several lines as a Python literal."""
    return f'"""\\\n{doc(text)}"""'


def md(text: str) -> str:
    """Write a text so that Markdown shows it as it is, table cells included; `code` stays code."""
    parts = _CODE_SPAN.split(text)
    return "".join(part.replace("|", "\\|") if index % 2 else _escape(part) for index, part in enumerate(parts))


def _escape(text: str) -> str:
    for char in "\\|*[]<":
        text = text.replace(char, f"\\{char}")
    return _LOOSE_UNDERSCORE.sub(r"\\_", text)
