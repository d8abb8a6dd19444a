"""Who is answered by `lcg view`: the page that it served itself, with the token that it printed, and nobody else."""

import hmac
from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

HEADERS: Final = {
    "cache-control": "no-store",
    # What is here belongs to the page that shows it: it is not framed, and not loaded by pages of other sites.
    "content-security-policy": "frame-ancestors 'none'",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}
"""Headers of every response."""

_SCHEME: Final = "bearer "
_OWN_SITE: Final = ("same-origin", "none")


class Guard:
    """Looks at the headers of a request.

    A page of another site can call the loopback address under a name of its own (DNS rebinding), so the name must be
    ours; other users of this machine can call it, too, so what is asked of the graph needs the token.
    """

    def __init__(self, port: int, token: str) -> None:
        self._hosts = (f"127.0.0.1:{port}", f"localhost:{port}")
        self._token = token.encode()

    def refusal(self, request: Request, *, with_token: bool) -> Response | None:
        """Return what a request is refused with: 421 a name, 403 a page, 405 a method, 401 a token; None: come in."""
        host = request.headers.get("host", "")
        if host not in self._hosts:
            return problem(421, f"this server is called {self._hosts[0]}. Open the address that `lcg view` printed.")
        origin = request.headers.get("origin")
        site = request.headers.get("sec-fetch-site", "none")
        if with_token and (origin not in (None, f"http://{host}") or site not in _OWN_SITE):
            return problem(403, "only the page of `lcg view` itself is answered. Open the address that it printed.")
        if request.method not in ("GET", "HEAD"):
            return problem(405, "nothing can be changed here; only GET and HEAD are answered.")
        if with_token and not self._is_bearer(request.headers.get("authorization", "")):
            return problem(
                401, "the address lacks the key of this `lcg view`. Open the address that it printed, whole."
            )
        return None

    def _is_bearer(self, header: str) -> bool:
        came = header[len(_SCHEME) :].strip().encode()
        return header.lower().startswith(_SCHEME) and hmac.compare_digest(came, self._token)


def problem(status: int, message: str) -> Response:
    """Return a response that says what is wrong in one sentence."""
    return JSONResponse({"error": message}, status_code=status, headers=HEADERS)
