"""The identity of a stream: a text beside the log, so that a replaced log is not taken for a longer one.

A publisher may write the file. The server makes one when it creates the directory, or first writes where none is.
"""

import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import orjson

from lcg.plain_files import open_plain
from lcg.wal.fileops import FileOps, SystemFileOps, replace_file

FILE_NAME = ".wal-generation.json"
_MAX_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class Identity:
    """What the file says. `generation` is a text exactly when the status is `known`."""

    status: Literal["known", "unknown", "damaged"]
    generation: str | None = None


def read_identity(directory: Path) -> Identity:
    """Read a group's identity: `unknown` without a file, `damaged` when the file holds no generation.

    Raises:
        OSError: the file is there and cannot be read.
    """
    try:
        with open_plain(directory / FILE_NAME) as file:
            content = file.read(_MAX_BYTES + 1)
    except FileNotFoundError:
        return Identity("unknown")
    try:
        value = orjson.loads(content) if len(content) <= _MAX_BYTES else None
    except orjson.JSONDecodeError:
        value = None
    generation = value.get("generation") if isinstance(value, dict) else None
    if not isinstance(generation, str) or not generation.strip():
        return Identity("damaged")
    return Identity("known", generation)


def mint_identity(directory: Path, ops: FileOps | None = None) -> str:
    """Give a group's stream a new identity and return it once it is durable.

    Raises:
        OSError: the disk refused.
    """
    generation = str(uuid.uuid4())
    replace_file(ops or SystemFileOps(), directory / FILE_NAME, orjson.dumps({"generation": generation}) + b"\n")
    return generation
