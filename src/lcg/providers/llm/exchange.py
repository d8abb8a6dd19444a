"""The way from a request to what its answer says: straight to the provider. Cassettes stand in for it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from lcg.providers.http import JsonClient
from lcg.providers.llm.question import CallType

ReadT = TypeVar("ReadT")
Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Request:
    """The body of a request, with what reports and recordings say of it."""

    body: Json
    call: CallType
    provider: str
    model: str
    max_tokens: int
    about: str


@dataclass(frozen=True, slots=True)
class Reply:
    """The body of an answer, and whether the provider gave it just now, so that its tokens are to be paid."""

    body: Json
    paid: bool


class Exchange(Protocol):
    """Gets requests answered."""

    def ask(self, request: Request, read: Callable[[Reply], ReadT]) -> ReadT:
        """Return what `read` makes of the answer. Blocks; safe from any thread.

        Raises:
            ProviderError: there is no answer.
            BadAnswer: `read` raised it.
            OperationFailed: `cancelled`.
        """
        ...

    def close(self) -> None:
        """Give up what is on its way. Safe to call twice."""
        ...


class LiveExchange:
    """Asks the provider."""

    def __init__(self, http: JsonClient) -> None:
        self._http = http

    def ask(self, request: Request, read: Callable[[Reply], ReadT]) -> ReadT:
        """See `Exchange`."""
        return read(Reply(self._http.post(request.body), paid=True))

    def close(self) -> None:
        """See `Exchange`."""
        self._http.close()
