"""What the environment and the command line say, read once and checked at start."""

import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

log = logging.getLogger(__name__)

LOCK_PATH: Final = Path(".lcg/lock")
DEFAULT_SOCKET_PATH: Final = Path(".lcg/service.sock")

_OLD_NAMES: Final = ("SOCKET_PATH", "DB_PATH", "WAL_DIR")
_NO_EFFECT_YET: Final = (
    "LCG_EMBEDDING_URL",
    "LCG_EXTRACTION_URL",
    "ANTHROPIC_API_KEY",
    "LCG_RECORD_LLM",
    "LCG_REPLAY_LLM",
    "LCG_DEDUP_LLM",
)
_ADVISORY: Final = "LCG_CHUNK_TEXT_ADVISORY_MAX_CHARS"
_ADVISORY_DEFAULT: Final = 8000
_advisory_complained_of: set[str] = set()


class UsageError(Exception):
    """The command line or the environment asks for something that cannot be; the message says what is legal."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that is decided at start. Relative paths are relative to the workspace, the current directory.

    Attributes:
        socket_path: where the socket service listens.
        db_path: the store.
        wal_dir: root of the logs, one directory per group.
        search_dir: full text and vectors.
        workspace_root: where the ontology and corrections files are.
        wal_max_events_per_file: lines after which a log file is full.
        wal_max_bytes_per_file: bytes after which a log file is full; 0 means no such bound.
        extractor: the extractor that was asked for, or None.
        reembed_on_update: whether an update refreshes a row's vectors.
        shutdown_timeout_ms: bound of a clean stop in milliseconds, answers due included.
        attached_call_timeout_ms: milliseconds of silence after which an attached process gives a call up.
        engine: the store's engine.
        telemetry: whether telemetry lines go to stderr.
        auto_hydrate: whether a missing or unreadable store is rebuilt from the logs at start.
        cypher_allow_files: whether Cypher may touch files and extensions.
        notes: sentences for stderr about values that have no effect or an outdated name.
    """

    socket_path: Path = DEFAULT_SOCKET_PATH
    db_path: Path = Path(".lcg/db/liminis.db")
    wal_dir: Path = Path(".lcg/wal")
    search_dir: Path = Path(".lcg/search")
    workspace_root: Path = Path()
    wal_max_events_per_file: int = 10_000
    wal_max_bytes_per_file: int = 5_242_880
    extractor: Literal["builtin"] | None = None
    reembed_on_update: bool = False
    shutdown_timeout_ms: int = 5_000
    attached_call_timeout_ms: int = 30_000
    engine: Literal["kuzu"] = "kuzu"
    telemetry: bool = True
    auto_hydrate: bool = True
    cypher_allow_files: bool = False
    notes: tuple[str, ...] = ()


def read_settings(env: Mapping[str, str] | None = None, *, extractor: Literal["builtin"] | None = None) -> Settings:
    """Read the environment; a flag given on the command line (`extractor`) beats its variable.

    Raises:
        UsageError: names the variable, its value and what is legal.
    """
    reader = _Reader(os.environ if env is None else env)
    wanted = extractor or reader.choice("LCG_EXTRACTOR", ("builtin",), None)
    reader.choice("LCG_ENGINE", ("kuzu",), "kuzu")
    reader.note_what_has_no_effect()
    return Settings(
        socket_path=reader.path("LCG_SOCKET_PATH", DEFAULT_SOCKET_PATH),
        db_path=reader.path("LCG_DB_PATH", Path(".lcg/db/liminis.db")),
        wal_dir=reader.path("LCG_WAL_DIR", Path(".lcg/wal")),
        workspace_root=reader.path("LIMINIS_WORKSPACE_ROOT", Path()),
        wal_max_events_per_file=reader.integer("LCG_WAL_MAX_EVENTS_PER_FILE", 10_000, minimum=1),
        wal_max_bytes_per_file=reader.integer("LCG_WAL_MAX_BYTES_PER_FILE", 5_242_880, minimum=0),
        extractor="builtin" if wanted else None,
        reembed_on_update=reader.switch("LCG_REEMBED_ON_UPDATE", default=False),
        shutdown_timeout_ms=reader.integer("LCG_SHUTDOWN_TIMEOUT_MS", 5_000, minimum=1),
        telemetry=reader.switch("LCG_TELEMETRY", default=True),
        auto_hydrate=reader.switch("LCG_AUTO_HYDRATE", default=True),
        cypher_allow_files=reader.switch("LCG_CYPHER_ALLOW_FILES", default=False),
        notes=tuple(reader.notes),
    )


def read_attached_settings(env: Mapping[str, str] | None = None) -> Settings:
    """Read what concerns an attached process; what belongs to the service is not even looked at.

    Raises:
        UsageError: names the variable, its value and what is legal.
    """
    reader = _Reader(os.environ if env is None else env)
    return Settings(
        shutdown_timeout_ms=reader.integer("LCG_SHUTDOWN_TIMEOUT_MS", 5_000, minimum=1),
        attached_call_timeout_ms=reader.integer("LCG_ATTACHED_CALL_TIMEOUT_MS", 30_000, minimum=1),
    )


def chunk_text_advisory_max_chars() -> int:
    """Return the length of a chunk, in characters, above which a telemetry line is due; read anew on every call."""
    text = os.environ.get(_ADVISORY, "").strip()
    if not text:
        return _ADVISORY_DEFAULT
    if text.isascii() and text.isdigit() and int(text) > 0:
        return int(text)
    if text not in _advisory_complained_of:
        _advisory_complained_of.add(text)
        log.warning("%s must be a positive integer; got %r. Using %d.", _ADVISORY, text, _ADVISORY_DEFAULT)
    return _ADVISORY_DEFAULT


class _Reader:
    """Reads variables; an empty one counts as unset."""

    def __init__(self, env: Mapping[str, str]) -> None:
        self._env = env
        self.notes: list[str] = []

    def _get(self, name: str) -> str | None:
        value = self._env.get(name, "").strip()
        suffix = name.removeprefix("LCG_")
        old = self._env.get(f"GRAPHITI_{suffix}", "").strip() if suffix in _OLD_NAMES else ""
        if old:
            used = "ignored, since" if value else "used; rename it, as"
            self.notes.append(f"DEPRECATED: GRAPHITI_{suffix} is {used} {name} takes its place.")
        return value or old or None

    def path(self, name: str, default: Path) -> Path:
        value = self._get(name)
        return default if value is None else Path(value)

    def integer(self, name: str, default: int, *, minimum: int) -> int:
        value = self._get(name)
        if value is None:
            return default
        if not (value.isascii() and value.isdigit() and int(value) >= minimum):
            raise UsageError(f"{name} must be an integer of at least {minimum}; got {value!r}.")
        return int(value)

    def switch(self, name: str, *, default: bool) -> bool:
        value = self.choice(name, ("0", "1"), None)
        return default if value is None else value == "1"

    def choice(self, name: str, legal: tuple[str, ...], default: str | None) -> str | None:
        value = self._get(name)
        if value is None:
            return default
        if value not in legal:
            raise UsageError(f"{name} must be {' or '.join(legal)}; got {value!r}.")
        return value

    def note_what_has_no_effect(self) -> None:
        self.notes.extend(
            f"{name} is set, but this build does not use it; it has no effect."
            for name in _NO_EFFECT_YET
            if self._env.get(name, "").strip()
        )
