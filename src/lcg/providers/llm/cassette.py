"""A file of requests with their answers, one JSON object a line, found again by what was asked."""

import hashlib
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Literal, cast

import orjson

from lcg.plain_files import open_plain
from lcg.provider_settings import UnusableFile
from lcg.providers.llm.exchange import Request

_NOT_CONTENT: Final = ("model", "max_tokens")
"""What a request may say differently and still ask the same: a second model, or a second try with a larger budget."""
_SECRET_CHARS: Final = 8


class CassetteError(UnusableFile):
    """A cassette that cannot be used. The message names file, line and remedy."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """One recorded answer, with who gave it."""

    provider: Literal["anthropic", "openai"]
    model: str
    response: Mapping[str, Any]


def key_of(request: Request) -> str:
    """Return what a request is found by: the hash of its body, apart from model and budget."""
    content = {key: value for key, value in request.body.items() if key not in _NOT_CONTENT}
    return hashlib.sha256(orjson.dumps(content, option=orjson.OPT_SORT_KEYS)).hexdigest()


def read_cassette(path: Path) -> dict[str, Recorded]:
    """Read a cassette: every answer by its key, in the order of the file.

    Raises:
        CassetteError: it cannot be read, a line is no record, or two have one key.
    """
    try:
        with open_plain(path) as file:
            lines = file.read().splitlines()
    except OSError as error:
        raise CassetteError(f"The cassette {path} cannot be read: {error.strerror}.") from error
    found: dict[str, Recorded] = {}
    seen: dict[str, int] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        key, recorded = _record(path, number, line)
        if key in seen:
            raise CassetteError(
                f"The cassette {path} answers one request twice, in lines {seen[key]} and {number}. Delete one of them."
            )
        seen[key], found[key] = number, recorded
    return found


def _record(path: Path, number: int, line: bytes) -> tuple[str, Recorded]:
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError:
        value = None
    record = value if isinstance(value, dict) else {}
    key, provider, model, response = (record.get(name) for name in ("key", "provider", "model", "response"))
    if not isinstance(key, str) or provider not in ("anthropic", "openai") or not isinstance(response, dict):
        raise CassetteError(
            f"Line {number} of the cassette {path} is no recorded answer: it needs `key`, `provider` and `response`. "
            "Delete it, or record anew."
        )
    return key, Recorded(cast(Literal["anthropic", "openai"], provider), str(model or ""), response)


class CassetteFile:
    """A cassette that grows. Safe from any thread; a line is on disk before its answer is used.

    Args:
        path: the file; what it holds already is kept.
        secrets: texts that must not get into it, whoever says them.

    Raises:
        CassetteError: it cannot be read or made.
    """

    def __init__(self, path: Path, secrets: tuple[str, ...]) -> None:
        self.path = path
        self._secrets = secrets
        self._lock = threading.Lock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch(mode=0o600)
        except OSError as error:
            raise CassetteError(f"The cassette {path} cannot be made: {error.strerror}.") from error
        self._known = read_cassette(path)
        self._needs_line_end = not path.read_bytes().endswith(b"\n") and path.stat().st_size > 0

    def get(self, request: Request) -> Recorded | None:
        """Return the answer that is recorded for a request."""
        with self._lock:
            return self._known.get(key_of(request))

    def add(self, request: Request, response: Mapping[str, Any]) -> None:
        """Record an answer, unless another thread has recorded one to the same request meanwhile.

        Raises:
            CassetteError: it cannot be written.
        """
        key = key_of(request)
        line = {
            "key": key,
            "call_type": request.call,
            "provider": request.provider,
            "model": request.model,
            "timestamp": datetime.now(UTC).isoformat(timespec="seconds"),
            "request": request.body,
            "response": response,
        }
        with self._lock:
            if key in self._known:
                return
            append_line(self.path, line, self._secrets, new_line=self._needs_line_end)
            self._needs_line_end = False
            self._known[key] = Recorded(cast(Literal["anthropic", "openai"], request.provider), request.model, response)


def append_line(path: Path, record: Mapping[str, Any], secrets: tuple[str, ...], *, new_line: bool = False) -> None:
    """Append a JSON object as one line, with every secret blotted out. Raises CassetteError."""
    text = orjson.dumps(without_secrets(record, secrets)) + b"\n"
    try:
        with path.open("ab") as file:
            file.write(b"\n" + text if new_line else text)
    except OSError as error:
        raise CassetteError(
            f"{path} cannot be written: {error.strerror}. Make room, or unset LCG_RECORD_LLM."
        ) from error


def without_secrets(value: Any, secrets: tuple[str, ...]) -> Any:
    """Return a JSON value in which no text, and no key, holds a secret."""
    if isinstance(value, str):
        for secret in secrets:
            # A token that short ("none", "local") is no secret, and words of the answer would go with it.
            if len(secret) >= _SECRET_CHARS:
                value = value.replace(secret, "***")
        return value
    if isinstance(value, Mapping):
        return {without_secrets(key, secrets): without_secrets(item, secrets) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [without_secrets(item, secrets) for item in value]
    return value
