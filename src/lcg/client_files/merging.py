"""What the formats of client files share: how a file is refused, and what becomes of an entry that is there."""

from collections.abc import Mapping
from typing import Any, Final

NAMES: Final = ("lcg", "liminis-context-graph")
"""What the program is called on a command line."""


class Unmergeable(Exception):
    """A client's file was left as it is. `line` is where the reason stands in it, None when nowhere in particular."""

    def __init__(self, what: str, line: int | None = None) -> None:
        super().__init__(what)
        self.line = line


def is_ours(entry: object) -> bool:
    """Whether an entry of a client's file starts this program."""
    if not isinstance(entry, Mapping):
        return False
    command = str(entry.get("command", "")).replace("\\", "/").rpartition("/")[2].removesuffix(".exe")
    arguments = entry.get("args")
    words = arguments if isinstance(arguments, list) else []
    return command in NAMES or any("--mcp-stdio" in str(word) for word in words)


def refuse_foreign(entry: object, name: str, line: int | None = None) -> None:
    """Refuse to touch an entry of another program."""
    if not is_ours(entry):
        raise Unmergeable(
            f"the server `{name}` that stands there is another program's; choose a name with --name", line
        )


def merged(value: Mapping[str, Any], key: str, name: str, entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a file has to say once the entry is in it: everything else as before, other fields of it included."""
    servers = dict(value.get(key, {}))
    old = servers.get(name)
    servers[name] = {**(old if isinstance(old, Mapping) else {}), **entry}
    return {**value, key: servers}
