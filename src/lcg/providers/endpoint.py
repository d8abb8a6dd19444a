"""Where a provider answers and how patiently it is asked, and what goes wrong with it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit, urlunsplit

LOCALHOST: Final = "http://localhost"
_SHOWN_CHARS = 300


class ProviderError(Exception):
    """A provider did not answer, or not usably. The message names provider, address and remedy and is safe to show.

    `status` is the HTTP status of the last answer, or None when there was none. `said` is what the provider said of
    it, cut short and without secrets, or `""`. `timed_out` says that its time was over.
    """

    def __init__(self, message: str, *, status: int | None = None, said: str = "", timed_out: bool = False) -> None:
        super().__init__(message)
        self.status = status
        self.said = said
        self.timed_out = timed_out


@dataclass(frozen=True, slots=True)
class Retry:
    """When a request is sent again, and how long it waits before.

    Attributes:
        delays_s: the wait before each further try, in seconds; as many further tries as there are delays.
        statuses: the HTTP statuses that are worth another try.
        jitter: the share of a delay that is added to it at most, so that many clients do not come back together.
        longest_wait_s: the bound of a wait that the provider asks for by `Retry-After`.
    """

    delays_s: tuple[float, ...] = (0.5, 1.0, 2.0)
    statuses: frozenset[int] = frozenset({429, 500, 502, 503, 504})
    jitter: float = 0.25
    longest_wait_s: float = 20.0

    def wait_s(self, tried: int, asked_s: float | None) -> float:
        """Return how long to wait after so many tries; `asked_s` is what the provider asks for."""
        import random  # here, since every start reads this module and few providers fail

        delay = self.delays_s[tried - 1]
        delay += delay * self.jitter * random.random()
        return delay if asked_s is None else min(max(asked_s, 0.0), self.longest_wait_s)


NEVER_AGAIN: Final = Retry(delays_s=())
"""For a request that is sent once."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One address of a provider.

    Attributes:
        provider: what it is to people, as in "the embedder".
        url: the full URL. Over a Unix socket its host is only what the `host` header says.
        remedy: what to do when it fails, as a sentence.
        uds: the Unix socket, or None for TCP.
        bearer: the token for `authorization: Bearer`, or None.
        headers: further headers. Their values are never shown, nor is the token.
        timeout_s: bound of one request from beginning to end, answer included.
        connect_timeout_s: bound of getting a connection.
        most_bytes: bound of an answer's body.
        retry: when a request is sent again.
    """

    provider: str
    url: str
    remedy: str
    uds: str | None = None
    bearer: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    timeout_s: float = 30.0
    connect_timeout_s: float = 5.0
    most_bytes: int = 64 * 1024 * 1024
    retry: Retry = Retry()

    def __post_init__(self) -> None:
        if not legal_url(self.url):
            raise ValueError(f"expected a full http:// or https:// URL, got {plain_url(self.url)!r}")

    @property
    def shown(self) -> str:
        """The address as it may be shown: no user, password, query or fragment."""
        return f"{self.uds} ({urlsplit(self.url).path})" if self.uds else plain_url(self.url)

    def request_headers(self) -> dict[str, str]:
        """Return what every request says."""
        fixed = {"content-type": "application/json", "accept": "application/json", "accept-encoding": "identity"}
        token = {"authorization": f"Bearer {self.bearer}"} if self.bearer else {}
        return {**fixed, "user-agent": "lcg", **token, **self.headers}

    def failure(
        self, what: str, *, status: int | None = None, said: str = "", timed_out: bool = False
    ) -> ProviderError:
        """Return the error that says what happened, e.g. `"answered 500"`, and what to do."""
        said = self.tidy(said)
        quoted = f': "{said}"' if said else ""
        message = f"The {self.provider} at {self.shown} {what}{quoted}. {self.remedy}"
        return ProviderError(message, status=status, said=said, timed_out=timed_out)

    def tidy(self, text: str) -> str:
        """Make a provider's words fit for a message: one line, cut short, without the secrets that were sent."""
        for secret in filter(None, (self.bearer, *self.headers.values(), urlsplit(self.url).password)):
            text = text.replace(secret, "***")
        text = re.sub(r"[\s\x00-\x1f\x7f-\x9f]+", " ", text).strip()
        return text if len(text) <= _SHOWN_CHARS else text[: _SHOWN_CHARS - 1] + "…"


def legal_url(url: str) -> bool:
    """Say whether a text is a full http:// or https:// URL."""
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def plain_url(url: str) -> str:
    """Return a URL without user, password, query and fragment."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "a malformed URL"
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
