"""The file of bearer tokens: who may call over HTTP, and what. It holds digests, never a token itself."""

import contextlib
import fcntl
import hashlib
import hmac
import os
import re
import secrets
import stat
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from lcg.provider_settings import UnusableFile
from lcg.server.scopes import parse_scopes
from lcg.settings import UsageError

PREFIX: Final = "lcg_"
"""What every token begins with, so that scanners for secrets know one when they see it."""

_DIGEST: Final = "sha256:"
_RANDOM_BYTES: Final = 32
_NAME: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")
_HEADER: Final = "# Bearer tokens for `lcg --http`: name, scopes, digest. `lcg token` adds, lists and removes.\n"


class UnusableTokens(UnusableFile):
    """The file of tokens cannot be used as it is, or not be changed as asked; the message says why."""


@dataclass(frozen=True, slots=True)
class Token:
    """One token, as far as the file knows it: a name for people, the digest, and the scopes that it opens."""

    name: str
    scopes: tuple[str, ...]
    digest: str


class TokenFile:
    """The tokens of a file, read again whenever it has changed, so that a removed one stops to work at once."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._state: tuple[int, ...] = ()
        self._tokens: tuple[Token, ...] = ()

    def tokens(self) -> tuple[Token, ...]:
        """Return the tokens.

        Raises:
            UnusableTokens: the file is missing, readable by others, or not understood. Nobody is let in then.
        """
        try:
            found = self.path.stat()
        except OSError as error:
            raise UnusableTokens(_unreadable(self.path, error)) from error
        state = (found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)
        if state != self._state:
            self._state, self._tokens = (), ()
            self._tokens = read_tokens(self.path)
            self._state = state
        return self._tokens

    def find(self, secret: str) -> Token | None:
        """Return whose token this is, in a time that does not tell how much of it was right.

        Raises:
            UnusableTokens: as in `tokens`.
        """
        digest = _digest(secret)
        matching = [token for token in self.tokens() if hmac.compare_digest(token.digest, digest)]
        return matching[0] if matching else None


def read_tokens(path: Path) -> tuple[Token, ...]:
    """Read the file.

    Raises:
        UnusableTokens: it cannot be read, others may read it, or a line is not understood; names the line.
    """
    try:
        with path.open(encoding="utf-8") as file:
            mode = os.fstat(file.fileno()).st_mode
            text = file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise UnusableTokens(_unreadable(path, error)) from error
    if stat.S_IMODE(mode) & 0o077:
        raise UnusableTokens(
            f"{path} can be used by others than its owner (mode {stat.S_IMODE(mode):04o}), and it says who may come "
            f"in. Run: chmod 600 {path}"
        )
    tokens: list[Token] = []
    for number, line in enumerate(text.splitlines(), 1):
        if _is_token(line):
            token = _parse(line, f"{path}:{number}")
            if any(token.name == other.name for other in tokens):
                raise UnusableTokens(f"{path}:{number}: a second token is called {token.name!r}; remove one of them.")
            tokens.append(token)
    return tuple(tokens)


def add_token(path: Path, name: str, scopes: str) -> str:
    """Add a new token to the file, which is made when it is missing, and return it. It is kept nowhere else.

    Raises:
        UsageError: the name or the scopes are not legal.
        UnusableTokens: the file cannot be used, or has a token of this name.
    """
    if not _NAME.fullmatch(name):
        raise UsageError(f"a token's name has 1 to 64 letters, digits, dots, dashes and underscores; got {name!r}.")
    legal = ",".join(parse_scopes(scopes))
    secret = PREFIX + secrets.token_urlsafe(_RANDOM_BYTES)
    with _changing(path) as lines:
        if any(_is_token(line) and line.split()[0] == name for line in lines):
            raise UnusableTokens(f"{path} has a token {name!r} already. Remove it first, or choose another name.")
        lines.append(f"{name} {legal} {_DIGEST}{_digest(secret)}\n")
    return secret


def remove_token(path: Path, name: str) -> None:
    """Remove a token from the file; a server that uses it refuses it from then on.

    Raises:
        UnusableTokens: the file cannot be used, or has no token of this name.
    """
    if not path.exists():
        raise UnusableTokens(f"{path} does not exist, so there is no token to remove.")
    with _changing(path) as lines:
        left = [line for line in lines if not (_is_token(line) and line.split()[0] == name)]
        if len(left) == len(lines):
            known = ", ".join(line.split()[0] for line in lines if _is_token(line)) or "none"
            raise UnusableTokens(f"{path} has no token {name!r}; it has: {known}.")
        lines[:] = left


def _is_token(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


def _parse(line: str, place: str) -> Token:
    fields = line.split()
    if len(fields) != 3 or not _NAME.fullmatch(fields[0]) or not re.fullmatch(f"{_DIGEST}[0-9a-f]{{64}}", fields[2]):
        raise UnusableTokens(
            f"{place}: a line must be `NAME SCOPES {_DIGEST}DIGEST`, with scopes joined by commas and no blanks. "
            "Let `lcg token add` write it."
        )
    try:
        scopes = parse_scopes(fields[1], place)
    except UsageError as error:
        raise UnusableTokens(str(error)) from error
    return Token(fields[0], scopes, fields[2].removeprefix(_DIGEST))


def _digest(secret: str) -> str:
    # A plain digest does: the token itself is random, so there is nothing that guessing could begin with.
    return hashlib.sha256(secret.encode("utf-8", "surrogateescape")).hexdigest()


def _unreadable(path: Path, error: Exception) -> str:
    reason = error.strerror if isinstance(error, OSError) else "it is not text in UTF-8"
    return f"the file of tokens {path} cannot be read: {reason}. `lcg token add` makes one; LCG_HTTP_TOKENS names it."


@contextlib.contextmanager
def _changing(path: Path) -> Iterator[list[str]]:
    """Yield the lines, and put what became of them in the file's place at once. One process at a time."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = _locked(path)
        try:
            read_tokens(path)
            lines = path.read_text(encoding="utf-8").splitlines(keepends=True) or [_HEADER]
            if not lines[-1].endswith("\n"):
                lines[-1] += "\n"
            yield lines
            _replace(path.resolve(), "".join(lines))
        finally:
            os.close(descriptor)
    except OSError as error:
        raise UnusableTokens(f"the file of tokens {path} cannot be written: {error.strerror}.") from error


def _locked(path: Path) -> int:
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        # Whoever had the lock before may have put another file in its place.
        if os.fstat(descriptor).st_ino == path.stat().st_ino:
            return descriptor
        os.close(descriptor)


def _replace(path: Path, text: str) -> None:
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with open(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(descriptor)
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise
