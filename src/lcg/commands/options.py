"""Options that several sub-commands have, each with one wording."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

Decorated = TypeVar("Decorated", bound=Any)


def as_json(command: Decorated) -> Decorated:
    """Add `--json`."""
    return click.option("--json", "as_json", is_flag=True, help="Write the answer as JSON.")(command)


def groups(command: Decorated) -> Decorated:
    """Add `--group`, which can be given several times; none means all groups."""
    return click.option(
        "--group", "groups", metavar="G", multiple=True, callback=_trimmed, help="Only this group; can be repeated."
    )(command)


def limit(default: int, what: str) -> Callable[[Decorated], Decorated]:
    """Add `--limit` of at least 1."""
    return click.option(
        "--limit", "-n", type=click.IntRange(min=1), metavar="N", default=default, show_default=True, help=what
    )


def _trimmed(context: click.Context, parameter: click.Parameter, value: tuple[str, ...]) -> list[str] | None:
    if any(not group.strip() for group in value):
        raise click.BadParameter("a group has a name.", context, parameter)
    return [group.strip() for group in value] or None
