"""The sub-commands of the program, as the registry names them, and where each is. Nothing heavy is imported here."""

from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from typing import Final

from lcg.generated import config

Run = Callable[[Sequence[str]], int]
"""Takes the arguments after the sub-command's name and returns the exit status."""


def _run(name: str, arguments: Sequence[str]) -> int:
    # `import` is a word that no module can have in an import statement.
    module = "importing" if name == "import" else name.replace("-", "_")
    status: int = import_module(f"lcg.commands.{module}").run(arguments)
    return status


COMMANDS: Final[dict[str, Run]] = {name: partial(_run, name) for name in config.COMMANDS}
