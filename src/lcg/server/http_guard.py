"""Who may ask over HTTP: the names that the server answers to, and the bearers of tokens."""

import ipaddress
from typing import Final

from mcp.server.transport_security import TransportSecurityMiddleware, TransportSecuritySettings
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from lcg.runtime.show import quote
from lcg.server.http_address import HttpAddress
from lcg.server.http_tokens import Token, TokenFile, UnusableTokens
from lcg.server.lifecycle import log

_OWN_NAMES: Final = ("127.0.0.1", "localhost", "[::1]")
_SCHEME: Final = "bearer "


class Refused(Exception):
    """A request is not let in; the response says why."""

    def __init__(self, response: Response) -> None:
        super().__init__(response.status_code)
        self.response = response


class Guard:
    """Looks at the headers of a request before anything else is done with it.

    A page in a browser can be made to call a server on the loopback address under a name of its own. Such a call
    carries that name, or the page's, so both are compared with the names that are ours.

    Args:
        address: where the server listens.
        hosts: further names that it is called by.
        tokens: the file of tokens, or None when everybody who gets here may come in.
    """

    def __init__(self, address: HttpAddress, hosts: tuple[str, ...], tokens: TokenFile | None) -> None:
        self._names = names = _names(address, hosts)
        patterns = [each for name in names for each in (name, f"{name}:*")]
        settings = TransportSecuritySettings(
            allowed_hosts=patterns,
            allowed_origins=[f"{scheme}://{each}" for scheme in ("http", "https") for each in patterns],
        )
        self._security = TransportSecurityMiddleware(settings)
        self._tokens = tokens
        self._complaint = ""

    async def check_names(self, request: Request) -> None:
        """Refuse a request under a name that is not ours, or from a page that is not ours.

        Raises:
            Refused: 421 for the name in `Host`, 403 for the page in `Origin`.
        """
        refusal = await self._security.validate_request(request)
        if refusal is None:
            return
        header = "host" if refusal.status_code == 421 else "origin"
        came = quote(request.headers[header]) if header in request.headers else "nothing"
        raise Refused(
            problem(
                refusal.status_code,
                f"{header.capitalize()} is {came}, but this server answers to {', '.join(self._names)} only. Use one "
                "of these names, or start lcg with another one in LCG_HTTP_HOSTS.",
            )
        )

    def bearer(self, request: Request) -> Token | None:
        """Return whose token a request carries; None when no tokens are needed.

        Raises:
            Refused: 401, it has none that is known.
        """
        if self._tokens is None:
            return None
        header = request.headers.get("authorization", "")
        found = None
        if header.lower().startswith(_SCHEME):
            found = self._find(self._tokens, header[len(_SCHEME) :].strip())
        if found is None:
            raise Refused(_unauthorized(came=bool(header)))
        return found

    def known(self) -> tuple[Token, ...]:
        """Return all tokens that open something now."""
        try:
            return self._tokens.tokens() if self._tokens else ()
        except UnusableTokens:
            return ()

    def _find(self, tokens: TokenFile, secret: str) -> Token | None:
        try:
            found = tokens.find(secret)
        except UnusableTokens as error:
            if str(error) != self._complaint:
                log.error("nobody is let in over HTTP: %s", error)
            self._complaint = str(error)
            return None
        self._complaint = ""
        return found


def problem(status: int, message: str, **headers: str) -> Response:
    """Return a response that says what is wrong in one sentence."""
    return JSONResponse({"error": message}, status_code=status, headers=headers)


def _names(address: HttpAddress, hosts: tuple[str, ...]) -> tuple[str, ...]:
    own = f"[{address.host}]" if ":" in address.host else address.host
    try:
        is_place = not ipaddress.ip_address(address.host).is_unspecified
    except ValueError:
        is_place = True
    return tuple(dict.fromkeys((*_OWN_NAMES, *([own] if is_place else ()), *hosts)))


def _unauthorized(*, came: bool) -> Response:
    came_words = "the one that came is not known" if came else "none came"
    return problem(
        401,
        f"a bearer token is needed, and {came_words}. Send `Authorization: Bearer TOKEN`; `lcg token add NAME` makes "
        "one.",
        **{"www-authenticate": 'Bearer realm="lcg"' + (', error="invalid_token"' if came else "")},
    )
