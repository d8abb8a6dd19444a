"""What the environment and the command line say, read once and checked at start."""

import logging
import math
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from lcg.engines import kind_of, what_is_missing
from lcg.generated import config
from lcg.http_settings import HttpSettings
from lcg.provider_settings import EmbedderSettings, LlmSettings
from lcg.providers.endpoint import LOCALHOST, legal_url, plain_url
from lcg.runtime.configuration import Variable

log = logging.getLogger(__name__)

LOCK_PATH: Final = Path(config.LOCK_PLACE)
SERVICE_LOG: Final = Path(config.SERVICE_LOG_PLACE)
EMBEDDER_SOCKET: Final = Path("/tmp/liminis-inference.sock")
"""Who serves models to everything of this user listens here."""

_MOST_TIME = 2**31 - 1
"""Milliseconds or seconds that every way to wait takes: more than three weeks."""
_MOST_INTEGER = 2**53

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
        embedder: the remote embedder, or None for the built-in one.
        extractor: the extractor that was asked for: the built-in rules, a language model, or None.
        record_llm: where a language model's answers are recorded, or None.
        replay_llm: where recorded answers are taken from in place of any extractor, or None.
        dedup_adapter_url: the program that decides about near names, or None for their spelling.
        llm_prices: a table of prices for telemetry, or None for the built-in one.
        reembed_on_update: whether an update refreshes a row's vectors.
        shutdown_timeout_ms: bound of a clean stop in milliseconds, answers due included.
        attached_call_timeout_ms: milliseconds of silence after which an attached process gives a call up.
        idle_exit_secs: seconds without a client after which a service that an attached process started ends.
        engine: the store's engine.
        telemetry: whether telemetry lines go to stderr.
        auto_hydrate: whether a missing or unreadable store is rebuilt from the logs at start.
        migration_keep_backup: whether the migration of an old workspace keeps that as a backup.
        cypher_allow_files: whether Cypher may touch files and extensions.
        replay_failure_samples: how many kinds of lost lines a rebuild's result shows.
        replay_fidelity_threshold: the share of lost lines, 0 to 1, above which it warns.
        http: how MCP is served over HTTP.
        notes: sentences for stderr about values that have no effect or an outdated name.
    """

    socket_path: Path = Path(config.LCG_SOCKET_PATH.default)
    db_path: Path = Path(config.LCG_DB_PATH.default)
    wal_dir: Path = Path(config.LCG_WAL_DIR.default)
    search_dir: Path = Path(config.SEARCH_PLACE)
    workspace_root: Path = Path(config.LIMINIS_WORKSPACE_ROOT.default)
    wal_max_events_per_file: int = config.LCG_WAL_MAX_EVENTS_PER_FILE.default
    wal_max_bytes_per_file: int = config.LCG_WAL_MAX_BYTES_PER_FILE.default
    embedder: EmbedderSettings | None = None
    extractor: Literal["builtin"] | LlmSettings | None = None
    record_llm: Path | None = None
    replay_llm: Path | None = None
    dedup_adapter_url: str | None = None
    llm_prices: Path | None = None
    reembed_on_update: bool = config.LCG_REEMBED_ON_UPDATE.default
    shutdown_timeout_ms: int = config.LCG_SHUTDOWN_TIMEOUT_MS.default
    attached_call_timeout_ms: int = config.LCG_ATTACHED_CALL_TIMEOUT_MS.default
    idle_exit_secs: int = config.LCG_IDLE_EXIT_SECS.default
    engine: str = config.LCG_ENGINE.default
    telemetry: bool = config.LCG_TELEMETRY.default
    auto_hydrate: bool = config.LCG_AUTO_HYDRATE.default
    migration_keep_backup: bool = config.LCG_MIGRATION_KEEP_BACKUP.default
    cypher_allow_files: bool = config.LCG_CYPHER_ALLOW_FILES.default
    replay_failure_samples: int = config.LCG_REPLAY_FAILURE_SAMPLES.default
    replay_fidelity_threshold: float = config.LCG_REPLAY_FIDELITY_THRESHOLD.default
    http: HttpSettings = field(default_factory=HttpSettings)
    notes: tuple[str, ...] = ()


def read_settings(
    env: Mapping[str, str] | None = None,
    *,
    extractor: Literal["builtin"] | None = None,
    extractor_uds: str | None = None,
    extractor_http: str | None = None,
    embedder_uds: str | None = None,
    embedder_http: str | None = None,
) -> Settings:
    """Read the environment; a flag given on the command line beats its variables.

    Raises:
        UsageError: names the variable, its value and what is legal.
    """
    reader = _Reader(os.environ if env is None else env)
    record, replay = _cassettes(reader)
    reader.note_what_has_no_effect()
    return Settings(
        socket_path=reader.path(config.LCG_SOCKET_PATH),
        db_path=reader.path(config.LCG_DB_PATH),
        wal_dir=reader.path(config.LCG_WAL_DIR),
        workspace_root=reader.path(config.LIMINIS_WORKSPACE_ROOT),
        wal_max_events_per_file=reader.integer(config.LCG_WAL_MAX_EVENTS_PER_FILE),
        wal_max_bytes_per_file=reader.integer(config.LCG_WAL_MAX_BYTES_PER_FILE),
        embedder=_embedder(reader, embedder_uds, embedder_http),
        extractor=_extractor(reader, extractor, extractor_uds, extractor_http),
        record_llm=record,
        replay_llm=replay,
        dedup_adapter_url=reader.url(config.LCG_DEDUP_ADAPTER_URL) if reader.given(config.LCG_DEDUP_LLM) else None,
        llm_prices=reader.optional_path(config.LIMINIS_LLM_COST_TABLE_PATH),
        reembed_on_update=reader.switch(config.LCG_REEMBED_ON_UPDATE),
        shutdown_timeout_ms=reader.integer(config.LCG_SHUTDOWN_TIMEOUT_MS),
        idle_exit_secs=reader.integer(config.LCG_IDLE_EXIT_SECS),
        engine=_engine(reader),
        telemetry=reader.switch(config.LCG_TELEMETRY),
        auto_hydrate=reader.switch(config.LCG_AUTO_HYDRATE),
        migration_keep_backup=reader.switch(config.LCG_MIGRATION_KEEP_BACKUP),
        cypher_allow_files=reader.switch(config.LCG_CYPHER_ALLOW_FILES),
        replay_failure_samples=reader.integer(config.LCG_REPLAY_FAILURE_SAMPLES),
        replay_fidelity_threshold=reader.share(config.LCG_REPLAY_FIDELITY_THRESHOLD),
        http=_http(reader),
        notes=tuple(reader.notes),
    )


def read_attached_settings(env: Mapping[str, str] | None = None) -> Settings:
    """Read what concerns an attached process; what belongs to the service is not even looked at.

    Raises:
        UsageError: names the variable, its value and what is legal.
    """
    reader = _Reader(os.environ if env is None else env)
    return Settings(
        shutdown_timeout_ms=reader.integer(config.LCG_SHUTDOWN_TIMEOUT_MS),
        attached_call_timeout_ms=reader.integer(config.LCG_ATTACHED_CALL_TIMEOUT_MS),
    )


def chunk_text_advisory_max_chars() -> int:
    """Return the length of a chunk, in characters, above which a telemetry line is due; read anew on every call."""
    variable = config.LCG_CHUNK_TEXT_ADVISORY_MAX_CHARS
    text = os.environ.get(variable.name, "").strip()
    if not text or _is_integer(variable, text):
        return int(text) if text else variable.default
    if text not in _advisory_complained_of:
        _advisory_complained_of.add(text)
        log.warning(
            "%s must be %s; got %r. Using %d.",
            variable.name,
            _legal(variable),
            text,
            variable.default,
        )
    return variable.default


def _http(reader: "_Reader") -> HttpSettings:
    variable = config.LCG_HTTP_HOSTS
    hosts = [host.strip().lower() for host in (reader.optional_text(variable) or "").split(",")]
    for host in hosts:
        if "/" in host or "*" in host or len(host.split()) > 1:
            raise UsageError(
                f"{variable.name} must be names joined by commas, each without scheme and path, for example "
                f"graph.example.org; got {host!r}."
            )
    return HttpSettings(
        tokens=reader.optional_path(config.LCG_HTTP_TOKENS),
        hosts=tuple(host for host in hosts if host),
        metrics=reader.switch(config.LCG_HTTP_METRICS),
        max_request_bytes=reader.integer(config.LCG_HTTP_MAX_REQUEST_BYTES),
    )


def _engine(reader: "_Reader") -> str:
    variable = config.LCG_ENGINE
    engine = reader.choice(variable) or variable.default
    missing = what_is_missing(kind_of(engine))
    if missing:
        raise UsageError(
            f"{variable.name} is {engine!r}, but {missing}, or unset {variable.name} ({variable.default})."
        )
    return engine


def _cassettes(reader: "_Reader") -> tuple[Path | None, Path | None]:
    record, replay = reader.optional_path(config.LCG_RECORD_LLM), reader.optional_path(config.LCG_REPLAY_LLM)
    if record and replay:
        raise UsageError("LCG_RECORD_LLM and LCG_REPLAY_LLM are mutually exclusive; set one of them.")
    return record, replay


def _embedder(reader: "_Reader", uds: str | None, http: str | None) -> EmbedderSettings | None:
    """Choose the first embedder that is set: flag, the default socket, LCG_EMBEDDING_URL; None is the built-in one."""
    url = reader.url(config.LCG_EMBEDDING_URL)
    dim = reader.optional_integer(config.LCG_EMBEDDING_DIM)
    model, key = reader.text(config.LCG_EMBEDDING_MODEL), reader.secret(config.LCG_EMBEDDING_API_KEY)
    timeout_s = reader.integer(config.LCG_EMBEDDING_TIMEOUT_MS) / 1000
    if uds is not None and not uds.strip():
        raise UsageError("--embedder-uds needs the path of a socket.")
    if http is not None and not legal_url(http):
        raise UsageError(f"--embedder-http must be a full http:// or https:// URL; got {plain_url(http)!r}.")
    socket = Path(uds) if uds else None
    if socket is None and http is None and _is_own_socket(EMBEDDER_SOCKET):
        socket = EMBEDDER_SOCKET
    address = f"{LOCALHOST}/v1/embeddings" if socket else http or url
    return EmbedderSettings(address, socket, model, dim, key, timeout_s) if address else None


def _is_own_socket(path: Path) -> bool:
    """Say whether a path is a socket of this user: anyone may make one where everybody may write."""
    try:
        found = path.lstat()
    except OSError:
        return False
    return stat.S_ISSOCK(found.st_mode) and found.st_uid == os.geteuid()


def _extractor(
    reader: "_Reader", builtin: str | None, uds: str | None, http: str | None
) -> Literal["builtin"] | LlmSettings | None:
    """Choose the first extractor that is set: flag, LCG_EXTRACTOR, ANTHROPIC_API_KEY, LCG_EXTRACTION_URL."""
    named = reader.choice(config.LCG_EXTRACTOR)
    key = reader.secret(config.ANTHROPIC_API_KEY)
    url = reader.url(config.LCG_EXTRACTION_URL)
    ceiling = reader.integer(config.LCG_EXTRACTION_MAX_TOKENS_CEILING)
    timeout_s = reader.integer(config.LCG_EXTRACTION_TIMEOUT_MS) / 1000
    if builtin or (named and uds is None and http is None):
        return "builtin"
    if key and uds is None and http is None:
        base = reader.url(config.ANTHROPIC_BASE_URL) or config.ANTHROPIC_BASE_URL.default
        models = _models(reader)
        address = f"{base.rstrip('/')}/v1/messages"
        return LlmSettings("anthropic", address, models, None, key, ceiling, timeout_s)
    if uds is not None and not uds.strip():
        raise UsageError("--extractor-uds needs the path of a socket.")
    if http is not None and not legal_url(http):
        raise UsageError(f"--extractor-http must be a full http:// or https:// URL; got {http!r}.")
    address = f"{LOCALHOST}/v1/chat/completions" if uds else http or url or ""
    if not address:
        return None
    model = reader.text(config.LCG_EXTRACTION_MODEL)
    bearer = reader.secret(config.LCG_EXTRACTION_API_KEY)
    return LlmSettings("openai", address, (model,), Path(uds) if uds else None, bearer, ceiling, timeout_s)


def _models(reader: "_Reader") -> tuple[str, ...]:
    variable = config.LCG_EXTRACTION_LLM
    first, colon, second = reader.text(variable).partition(":")
    models = tuple(model.strip() for model in ((first, second) if colon else (first,)))
    if not all(models):
        raise UsageError(f"{variable.name} must be a model or `first:second`; got {reader.text(variable)!r}.")
    return models


def _is_integer(variable: Variable[int] | Variable[int | None], text: str) -> bool:
    # The length first: Python refuses to read a number of very many digits.
    is_short = text.isascii() and text.isdigit() and len(text.lstrip("0")) <= len(str(_MOST_INTEGER))
    return is_short and variable.minimum <= int(text) <= _most(variable)


def _most(variable: Variable[int] | Variable[int | None]) -> int:
    return _MOST_TIME if variable.name.endswith(("_MS", "_SECS")) else _MOST_INTEGER


def _legal(variable: Variable[int] | Variable[int | None]) -> str:
    return f"an integer of at least {variable.minimum} and at most {_most(variable)}"


class _Reader:
    """Reads variables; an empty one counts as unset."""

    def __init__(self, env: Mapping[str, str]) -> None:
        self._env = env
        self.notes: list[str] = []

    def _get(self, variable: Variable[object]) -> str | None:
        value = self._env.get(variable.name, "").strip()
        old = self._env.get(variable.old_name, "").strip() if variable.old_name else ""
        if old:
            used = "ignored, since" if value else "used; rename it, as"
            self.notes.append(f"DEPRECATED: {variable.old_name} is {used} {variable.name} takes its place.")
        return value or old or None

    def path(self, variable: Variable[str]) -> Path:
        return Path(self._get(variable) or variable.default)

    def optional_path(self, variable: Variable[str | None]) -> Path | None:
        value = self._get(variable)
        return Path(value) if value else None

    def given(self, variable: Variable[str | None]) -> bool:
        return self._get(variable) is not None

    def text(self, variable: Variable[str]) -> str:
        return self._get(variable) or variable.default

    def optional_text(self, variable: Variable[str | None]) -> str | None:
        return self._get(variable)

    def url(self, variable: Variable[str | None]) -> str | None:
        value = self._get(variable)
        if value is not None and not legal_url(value):
            raise UsageError(f"{variable.name} must be a full http:// or https:// URL; got {plain_url(value)!r}.")
        return value or variable.default

    def secret(self, variable: Variable[str | None]) -> str | None:
        """Read a key; no message ever shows it."""
        value = self._get(variable)
        if value is not None and not (value.isascii() and value.isprintable() and " " not in value):
            raise UsageError(f"{variable.name} holds characters that no key has; copy it once more.")
        return value

    def integer(self, variable: Variable[int]) -> int:
        value = self._get(variable)
        if value is None:
            return variable.default
        if not _is_integer(variable, value) and variable.outside == "default":
            self.notes.append(f"{variable.name} must be {_legal(variable)}; got {value!r}. Using {variable.default}.")
            return variable.default
        if not _is_integer(variable, value):
            raise UsageError(f"{variable.name} must be {_legal(variable)}; got {value!r}.")
        return int(value)

    def optional_integer(self, variable: Variable[int | None]) -> int | None:
        value = self._get(variable)
        if value is not None and not _is_integer(variable, value):
            raise UsageError(f"{variable.name} must be {_legal(variable)}; got {value!r}.")
        return None if value is None else int(value)

    def share(self, variable: Variable[float]) -> float:
        value = self._get(variable)
        if value is None:
            return variable.default
        try:
            share = float(value)
        except ValueError:
            share = math.nan
        if not math.isfinite(share):
            raise UsageError(f"{variable.name} must be a number; got {value!r}.")
        return min(max(share, 0.0), 1.0)

    def switch(self, variable: Variable[bool]) -> bool:
        value = self._one_of(variable, ("0", "1", *variable.words))
        return variable.default if value is None else value != "0"

    def choice(self, variable: Variable[str | None]) -> str | None:
        return self._one_of(variable, variable.words) or variable.default

    def _one_of(self, variable: Variable[object], legal: tuple[str, ...]) -> str | None:
        value = self._get(variable)
        if value is not None and value not in legal:
            raise UsageError(f"{variable.name} must be {' or '.join(legal)}; got {value!r}.")
        return value

    def note_what_has_no_effect(self) -> None:
        self.notes.extend(
            f"{name} is set, but this build does not use it; it has no effect."
            for variable in config.VARIABLES
            for name in (variable.name, variable.old_name)
            if name and not variable.available and self._env.get(name, "").strip()
        )
