"""The sub-commands of the program: what they are called, and where each is. Nothing heavy is imported here."""

from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from typing import Final

Run = Callable[[Sequence[str]], int]
"""Takes the arguments after the sub-command's name and returns the exit status."""


def _verify(arguments: Sequence[str]) -> int:
    from lcg.commands.verify import run

    return run(arguments)


def _restore(arguments: Sequence[str]) -> int:
    from lcg.commands.restore import run

    return run(arguments)


def _mcp_config(arguments: Sequence[str]) -> int:
    from lcg.commands.mcp_config import run

    return run(arguments)


def _token(arguments: Sequence[str]) -> int:
    from lcg.commands.token import run

    return run(arguments)


def _of_module(name: str, arguments: Sequence[str]) -> int:
    module = "importing" if name == "import" else name  # a word that no module can have in an import statement
    status: int = import_module(f"lcg.commands.{module}").run(arguments)
    return status


FOR_PEOPLE: Final = (
    "status",
    "doctor",
    "search",
    "ask",
    "show",
    "view",
    "groups",
    "marks",
    "tail",
    "ingest",
    "export",
    "import",
    "call",
)
"""Those that get people at the graph; each is a module of its name."""

COMMANDS: Final[dict[str, Run]] = {
    "verify": _verify,
    "restore": _restore,
    "mcp-config": _mcp_config,
    "token": _token,
    **{name: partial(_of_module, name) for name in FOR_PEOPLE},
}
