"""Whose a store file is. Every file begins with the mark of its engine and the version of its format."""

from dataclasses import dataclass
from pathlib import Path

from lcg.engines import KINDS
from lcg.store.protocol import OtherEngine

_MARK_BYTES = 4
_VERSION_BYTES = 8
"""Of these the lowest comes first."""


@dataclass(frozen=True, slots=True)
class Format:
    """An engine and a version of its files; the versions of two engines have nothing to do with each other."""

    engine: str
    version: int

    def __str__(self) -> str:
        return f"{self.engine}, format {self.version}"


def format_of(path: Path) -> Format | None:
    """Return whose file it is, or None when that cannot be told. Never ask about a file that this process has open.

    Closing a file that was only read would end the lock that the process has on it.
    """
    try:
        with path.open("rb") as file:
            mark, version = file.read(_MARK_BYTES), file.read(_VERSION_BYTES)
    except OSError:
        # There is none, or the engine will say what is wrong with it.
        return None
    for kind in KINDS.values():
        if kind.mark == mark and len(version) == _VERSION_BYTES:
            return Format(kind.name, int.from_bytes(version, "little"))
    return None


def refuse_another(path: Path, own: Format) -> None:
    """Let a file pass that an engine made with the very format that it writes, or of which that cannot be told.

    Raises:
        OtherEngine: it is of another engine, or of another version, which opening it could change for good.
    """
    found = format_of(path)
    if found is not None and found != own:
        raise OtherEngine(
            f"{path.name} was made by {found}, and this service runs {own} (LCG_ENGINE chooses)", found.engine
        )
