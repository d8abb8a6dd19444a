"""Recording answers while a provider gives them, and giving recorded ones in its place."""

import logging
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from lcg.providers.endpoint import ProviderError
from lcg.providers.llm.answers import BadAnswer
from lcg.providers.llm.cassette import CassetteError, CassetteFile, Recorded, append_line, key_of
from lcg.providers.llm.exchange import Exchange, ReadT, Reply, Request

_log = logging.getLogger(__name__)
FAILURES_BYTES: Final = 20 * 1024 * 1024
"""Size from which the file of failures is set aside and a new one begun."""


class Failures:
    """The file beside a cassette that takes what could not be used: `<cassette>.failures.jsonl`.

    It never makes a call fail: when it cannot be written, the log says so.
    """

    def __init__(self, cassette: Path, secrets: tuple[str, ...], most_bytes: int = FAILURES_BYTES) -> None:
        self.path = cassette.with_name(f"{cassette.name}.failures.jsonl")
        self._secrets = secrets
        self._most_bytes = most_bytes
        self._lock = threading.Lock()
        try:
            self.path.touch(mode=0o600)
        except OSError as error:
            raise CassetteError(f"{self.path} cannot be made: {error.strerror}.") from error

    def note(self, request: Request, failure: BadAnswer, raw: Any) -> None:
        """Write one failure down."""
        line = {
            "ts_ms": time.time_ns() // 1_000_000,
            "model": request.model,
            "call_type": request.call,
            "chunk_key": request.about,
            "classification": failure.failure,
            "raw_body": raw,
            "finish_reason": failure.finish_reason,
            "completion_tokens": failure.usage.output_tokens,
            "max_tokens": request.max_tokens,
        }
        with self._lock:
            try:
                self._rotate()
                append_line(self.path, line, self._secrets)
            except (CassetteError, OSError) as error:
                _log.warning("a failure could not be noted: %s", error)

    def _rotate(self) -> None:
        if not self.path.exists() or self.path.stat().st_size < self._most_bytes:
            return
        stem = self.path.name.removesuffix(".jsonl")
        number = 1
        while (aside := self.path.with_name(f"{stem}.{number}.jsonl")).exists():
            number += 1
        self.path.rename(aside)


class RecordingExchange:
    """Asks the provider once for each request, and keeps what could be used. A request that is recorded is not sent."""

    def __init__(self, inner: Exchange, file: CassetteFile, failures: Failures) -> None:
        self._inner = inner
        self._file = file
        self._failures = failures

    def ask(self, request: Request, read: Callable[[Reply], ReadT]) -> ReadT:
        """See `Exchange`. Raises CassetteError when the answer cannot be recorded."""
        known = self._file.get(request)
        if known is not None:
            return read(Reply(known.response, paid=False))
        given: list[Reply] = []

        def keep(reply: Reply) -> ReadT:
            given.append(reply)
            return read(reply)

        try:
            found = self._inner.ask(request, keep)
        except BadAnswer as bad:
            self._failures.note(request, bad, given[-1].body)
            raise
        except ProviderError as error:
            unread = error.status is not None and 200 <= error.status < 300
            failure = BadAnswer("malformed" if unread else "http_error", str(error))
            self._failures.note(request, failure, error.said or str(error))
            raise
        self._file.add(request, given[-1].body)
        recorded = self._file.get(request)
        if recorded is not None and recorded.response is not given[-1].body:
            # Another thread asked the same and was first. What is in the file is what counts.
            return read(Reply(recorded.response, paid=False))
        return found

    def close(self) -> None:
        """See `Exchange`."""
        self._inner.close()


class ReplayExchange:
    """Gives recorded answers; there is no network and no key. What was not recorded is an error."""

    def __init__(self, path: Path, recorded: Mapping[str, Recorded]) -> None:
        self._path = path
        self._recorded = recorded

    def ask(self, request: Request, read: Callable[[Reply], ReadT]) -> ReadT:
        """See `Exchange`."""
        known = self._recorded.get(key_of(request))
        if known is None:
            raise ProviderError(
                f"The cassette {self._path} has no answer to this request ({request.call}). Answers are found by text, "
                "kind of source, reference time, ontology and prompt: give the reference_time that was given then, or "
                "record anew with LCG_RECORD_LLM."
            )
        return read(Reply(known.response, paid=False))

    def close(self) -> None:
        """See `Exchange`."""
