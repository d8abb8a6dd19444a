"""Asking a provider by HTTP: one JSON object there, one back, within bounds of time, size and patience.

Callers block, and many may call at once. The requests run on an event loop of their own thread, for only there can one
be given up at any moment: when its time is over, or when the call that it serves is cancelled.
"""

import asyncio
import logging
import os
import ssl
import threading
from collections.abc import Coroutine, Mapping
from concurrent.futures import Future, wait
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

import orjson

from lcg.errors import OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.providers.endpoint import NEVER_AGAIN, Endpoint, ProviderError
from lcg.providers.half_characters import loads
from lcg.runtime.call import cancellation
from lcg.runtime.threads import started

if TYPE_CHECKING:
    import httpx2

_log = logging.getLogger(__name__)
_LOOK_S = 0.05
"""How often a waiting caller looks whether its call was cancelled."""
_END_S = 2.0
"""As long may connections take to close."""
_ERROR_BYTES = 65_536
"""As much of an error's body is read as can hold a message."""


@dataclass(frozen=True, slots=True)
class _Answer:
    status: int
    body: bytes
    retry_after: str
    location: str


class _Unanswered(Exception):
    """There was no whole answer. `again` says whether another try is worth it, `timed_out` that its time was over."""

    def __init__(self, what: str, *, again: bool, timed_out: bool = False) -> None:
        super().__init__(what)
        self.again = again
        self.timed_out = timed_out


class JsonClient:
    """A provider's HTTP endpoint. Cheap to make: thread and connections come with the first request.

    Proxies, certificates and credentials of the environment are not used, and redirects are not followed: the endpoint
    is the one that was configured, and its token goes nowhere else. HTTPS certificates are checked.
    """

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self._lock = threading.Lock()
        self._closed = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._client: httpx2.AsyncClient | None = None

    def post(self, body: Mapping[str, Any], *, patient: bool = True) -> dict[str, Any]:
        """Send a JSON object and return the one that comes back. Blocks; safe from any thread.

        Args:
            body: the request.
            patient: whether it may be sent again as the endpoint's `retry` says.

        Raises:
            ProviderError: no usable answer, after the tries that were due.
            OperationFailed: `cancelled`, the call that this thread serves was given up.
        """
        endpoint, content = self.endpoint, orjson.dumps(body)
        retry = endpoint.retry if patient else NEVER_AGAIN
        for tried in range(1, len(retry.delays_s) + 2):
            asked_s: float | None = None
            try:
                answer = self._run(self._try(content))
            except _Unanswered as trouble:
                error, again = endpoint.failure(str(trouble), timed_out=trouble.timed_out), trouble.again
            else:
                if 200 <= answer.status < 300:
                    return _read_object(endpoint, answer)
                error, again = _refusal(endpoint, answer), answer.status in retry.statuses
                asked_s = _seconds(answer.retry_after)
            if not again or tried > len(retry.delays_s):
                raise error
            wait_s = retry.wait_s(tried, asked_s)
            _log.warning("%s Try %d; the next follows in %.1f s.", error, tried, wait_s)
            if cancellation().wait(wait_s):
                raise _cancelled()
        raise AssertionError("the last try returns or raises")

    def close(self) -> None:
        """Give up what is on its way and end the thread. Safe to call twice."""
        with self._lock:
            self._closed = True
            loop, thread, self._loop = self._loop, self._thread, None
        if loop is None or thread is None:
            return
        wait([asyncio.run_coroutine_threadsafe(self._end(), loop)], _END_S)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()

    async def _try(self, content: bytes) -> _Answer:
        """Send the request once."""
        import httpx2

        assert self._client is not None
        bound_s = self.endpoint.timeout_s
        try:
            async with (
                asyncio.timeout(bound_s),
                self._client.stream("POST", self.endpoint.url, content=content) as response,
            ):
                body = await self._read(response)
        except httpx2.ConnectTimeout as error:
            bound_s = min(bound_s, self.endpoint.connect_timeout_s)
            raise _Unanswered(f"did not take a connection within {bound_s:g} s", again=False, timed_out=True) from error
        except (TimeoutError, httpx2.TimeoutException) as error:
            raise _Unanswered(f"did not answer within {bound_s:g} s", again=False, timed_out=True) from error
        except httpx2.ConnectError as error:
            raise _Unanswered(f"cannot be reached ({_cause(error)})", again=True) from error
        except httpx2.DecodingError as error:
            raise _Unanswered("sent an answer that cannot be unpacked", again=False) from error
        except httpx2.TransportError as error:
            raise _Unanswered(f"broke its answer off ({_cause(error)})", again=True) from error
        except (httpx2.InvalidURL, httpx2.StreamError, ValueError) as error:
            raise _Unanswered("cannot be asked: the URL or a header is malformed", again=False) from error
        header = response.headers.get
        return _Answer(response.status_code, body, header("retry-after", ""), header("location", ""))

    async def _read(self, response: "httpx2.Response") -> bytes:
        good = 200 <= response.status_code < 300
        body = bytearray()
        async for part in response.aiter_bytes():
            body += part
            if good and len(body) > self.endpoint.most_bytes:
                raise _Unanswered(f"sent more than {self.endpoint.most_bytes:,} bytes", again=False)
            if not good and len(body) >= _ERROR_BYTES:
                break
        return bytes(body)

    def _run(self, work: Coroutine[Any, Any, _Answer]) -> _Answer:
        """Run a request on the loop, until it is done or the caller's call is cancelled."""
        try:
            future: Future[_Answer] = asyncio.run_coroutine_threadsafe(work, self._running_loop())
        except BaseException as error:
            work.close()
            if self._closed:
                raise _cancelled() from error
            raise
        given_up = cancellation()
        while not wait([future], _LOOK_S).done:
            if given_up.is_set():
                future.cancel()
                raise _cancelled()
        if future.cancelled():
            raise _cancelled()
        return future.result()

    def _running_loop(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._closed:
                raise _cancelled()
            if self._loop is None:
                self._client = _open_client(self.endpoint)
                loop = asyncio.new_event_loop()
                try:
                    self._thread = started(f"lcg-{self.endpoint.provider}", loop.run_forever)
                except RuntimeError:
                    loop.close()
                    raise
                self._loop = loop
            return self._loop

    async def _end(self) -> None:
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._client is not None:
            await self._client.aclose()


def _open_client(endpoint: Endpoint) -> "httpx2.AsyncClient":
    # Imported here: it takes a while, and a server whose models are built in never needs it.
    import httpx2

    # Without TLS the system's certificates need not be read, which takes a while; such a context trusts nobody.
    tls = True if endpoint.url.lower().startswith("https:") else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    limits = httpx2.Limits(max_connections=None, max_keepalive_connections=8, keepalive_expiry=30.0)
    transport = httpx2.AsyncHTTPTransport(verify=tls, uds=endpoint.uds, limits=limits, trust_env=False)
    return httpx2.AsyncClient(
        transport=transport,
        headers=endpoint.request_headers(),
        timeout=httpx2.Timeout(None, connect=endpoint.connect_timeout_s),
        follow_redirects=False,
        trust_env=False,
    )


def _read_object(endpoint: Endpoint, answer: _Answer) -> dict[str, Any]:
    try:
        value = loads(answer.body)
    except orjson.JSONDecodeError as error:
        said = answer.body[:2_000].decode("utf-8", "replace")
        raise endpoint.failure(
            f"answered {answer.status} with what is no JSON", status=answer.status, said=said
        ) from error
    if not isinstance(value, dict):
        raise endpoint.failure(f"answered {answer.status} with JSON that is no object", status=answer.status)
    return value


def _refusal(endpoint: Endpoint, answer: _Answer) -> ProviderError:
    said = _message(answer.body)
    what = f"answered {answer.status}"
    if 300 <= answer.status < 400 and answer.location:
        what, said = f"answered {answer.status}: it moved, and redirects are not followed", ""
    return endpoint.failure(what, status=answer.status, said=said)


def _message(body: bytes) -> str:
    """Find the provider's words in the body of an error, whichever of the usual shapes it has."""
    text = body.decode("utf-8", "replace")
    try:
        value = orjson.loads(body)
    except orjson.JSONDecodeError:
        return text
    for _ in range(3):
        if not isinstance(value, dict):
            break
        value = next((value[key] for key in ("error", "message", "detail", "type") if value.get(key)), text)
    return value if isinstance(value, str) else text


def _seconds(retry_after: str) -> float | None:
    """Read a `Retry-After`: seconds or a date. Anything else counts as none."""
    text = retry_after.strip()
    if text.isascii() and text.isdigit() and len(text) < 10:
        return float(text)
    try:
        when = parsedate_to_datetime(text)
    except ValueError:
        return None
    return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp() - datetime.now(UTC).timestamp()


def _cause(error: BaseException) -> str:
    """Return what the system said, without addresses."""
    at: BaseException | None = error
    while at is not None:
        if isinstance(at, ssl.SSLCertVerificationError):
            return f"its certificate is not trusted: {at.verify_message}"
        if isinstance(at, ssl.SSLError):
            return f"no secure connection: {at.reason}"
        if isinstance(at, OSError) and at.errno:
            return os.strerror(at.errno) if at.errno > 0 else str(at.strerror)
        at = at.__cause__ or at.__context__
    return str(error) or type(error).__name__


def _cancelled() -> OperationFailed:
    return OperationFailed(ErrorKind.CANCELLED, "operation cancelled")
