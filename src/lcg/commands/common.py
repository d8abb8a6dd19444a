"""What the sub-commands share: reading their arguments, and the workspace that must be there."""

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Literal, NoReturn, TextIO

from lcg.server.lock import Ownership
from lcg.settings import Settings, UsageError, read_settings

FAILED: Final = 1
USAGE: Final = 2


class Parser(argparse.ArgumentParser):
    """Reads the arguments of one sub-command; a wrong one is a `UsageError`."""

    def __init__(self, name: str, description: str) -> None:
        super().__init__(prog=f"lcg {name}", description=description, allow_abbrev=False)

    def error(self, message: str) -> NoReturn:
        """Refuse a command line."""
        raise UsageError(f"{message[:1].lower()}{message[1:]}.\n{self.format_usage().rstrip()}")

    def read(self, arguments: Sequence[str]) -> argparse.Namespace | None:
        """Return the arguments; None when the help was asked for and printed."""
        try:
            return self.parse_args(arguments)
        except SystemExit:
            return None


def workspace() -> Settings:
    """Return the settings of the workspace that this directory is, for commands that have no text read.

    Raises:
        UsageError: it is none, or a variable is wrong.
    """
    # So files and models of extraction must not stand in their way.
    return replace(find_workspace(), extractor=None, record_llm=None, replay_llm=None, llm_prices=None)


def find_workspace() -> Settings:
    """Return the settings of the workspace that this directory is.

    Raises:
        UsageError: it is none, or a variable is wrong.
    """
    settings = read_settings()
    if not has_workspace(settings):
        raise UsageError(
            f"there is no workspace here: neither {settings.db_path} nor {settings.wal_dir} exists. "
            "Run this in the directory that has .lcg/, or begin one here: `lcg ingest .` makes one of documents."
        )
    return settings


def has_workspace(settings: Settings) -> bool:
    """Say whether this directory is a workspace already."""
    return settings.db_path.exists() or settings.wal_dir.is_dir()


def take_workspace(settings: Settings, command: Literal["verify", "restore", "command"]) -> Ownership:
    """Own the workspace, its store and its logs, and make nothing but lock files.

    Raises:
        WorkspaceOwned, LockFailed: the message says who has them.
    """
    ownership = Ownership.acquire(settings, command)
    try:
        if settings.wal_dir.is_dir():
            ownership.take_logs(settings)
    except BaseException:
        ownership.release()
        raise
    return ownership


def say(line: str) -> None:
    """Write one line to stderr. That nobody can read it stops no work and changes no exit status."""
    try:
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()
    except OSError:
        discard(sys.stderr)


def discard(stream: TextIO) -> None:
    """Let what a stream still holds, and all that follows, go nowhere; it would be tried once more at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
