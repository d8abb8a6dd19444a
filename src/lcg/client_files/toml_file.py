"""Puts a server into a TOML file: the text around it stays as it is, comments included."""

import tomllib
from collections.abc import Mapping, MutableMapping
from typing import Any

import tomlkit
from tomlkit.exceptions import ParseError, TOMLKitError

from lcg.client_files.merging import Unmergeable, merged, refuse_foreign


def with_server(text: str, key: str, name: str, entry: Mapping[str, Any]) -> str:
    """Return the text of a file with a server in it; see `json_file.with_server`.

    Raises:
        Unmergeable: the text cannot be read, or the name belongs to another program.
    """
    try:
        document = tomlkit.parse(text)
        value = tomllib.loads(text)
    except ParseError as error:
        raise Unmergeable(f"it is no TOML: {error}", error.line) from None
    except (tomllib.TOMLDecodeError, TOMLKitError) as error:
        raise Unmergeable(f"it is no TOML: {error}") from None
    servers = value.get(key, {})
    if not isinstance(servers, dict):
        raise Unmergeable(f"`{key}` is no table")
    wanted = merged(value, key, name, entry)
    if wanted == value:
        return text
    if name in servers:
        refuse_foreign(servers[name], name)
    try:
        _put(document, key, name, entry)
        changed = f"{tomlkit.dumps(document).rstrip()}\n"
        if tomllib.loads(changed) == wanted:
            return changed
    except (TOMLKitError, tomllib.TOMLDecodeError, ValueError, TypeError):
        pass  # the sentence below says what to do, the reason would not
    raise Unmergeable("it is written in a way that cannot be added to; please put the server in by hand")


def servers_in(text: str, key: str) -> dict[str, Any]:
    """Return the servers that the text of a file has. Raises Unmergeable."""
    try:
        servers = tomllib.loads(text).get(key, {})
    except tomllib.TOMLDecodeError as error:
        raise Unmergeable(f"it is no TOML: {error}") from None
    if not isinstance(servers, dict):
        raise Unmergeable(f"`{key}` is no table")
    return servers


def _put(document: tomlkit.TOMLDocument, key: str, name: str, entry: Mapping[str, Any]) -> None:
    if key not in document:
        document[key] = tomlkit.table(is_super_table=True)
    servers = document[key]
    assert isinstance(servers, MutableMapping)
    if name in servers:
        for field, value in entry.items():
            servers[name][field] = value
        return
    server = tomlkit.table()
    for field, value in entry.items():
        server[field] = value
    server.add(tomlkit.nl())
    servers[name] = server
