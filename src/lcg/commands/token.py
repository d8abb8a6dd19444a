"""`lcg token`: the bearer tokens of `lcg --http`."""

import os
import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from lcg.commands.common import FAILED, USAGE, Parser, say
from lcg.generated import config
from lcg.server.http_tokens import UnusableTokens, add_token, read_tokens, remove_token
from lcg.settings import UsageError


def run(arguments: Sequence[str]) -> int:
    """Run the sub-command. Exit status: 0 done, 1 the file cannot be used, 2 usage error."""
    try:
        options = _parser().read(arguments)
        if options is None:
            return 0
        _ACTIONS[options.action](_file(options), options)
    except UsageError as error:
        say(f"lcg token: {error}")
        return USAGE
    except UnusableTokens as error:
        say(f"lcg token: {error}")
        return FAILED
    return 0


def _parser() -> Parser:
    parser = Parser(
        "token",
        "Make, list and remove the bearer tokens that clients of `lcg --http` send. The file holds digests; a token "
        "is shown once, when it is made. A running server notices every change.",
    )
    parser.add_argument("action", choices=sorted(_ACTIONS), help="what to do")
    parser.add_argument("name", nargs="?", help="what the token is called, for example the client that uses it")
    parser.add_argument("--scope", metavar="LIST", help="the scopes that a new one opens, for example read,write")
    parser.add_argument("--file", metavar="PATH", help="the file; without it LCG_HTTP_TOKENS names it")
    return parser


def _file(options: Namespace) -> Path:
    named = options.file or os.environ.get(config.LCG_HTTP_TOKENS.name, "").strip()
    if not named:
        raise UsageError(
            "which file? Set LCG_HTTP_TOKENS, which the server reads too, or give --file PATH; for example "
            "LCG_HTTP_TOKENS=.lcg/tokens."
        )
    return Path(named)


def _add(path: Path, options: Namespace) -> None:
    if options.scope is None:
        raise UsageError("which scopes? Give --scope LIST, for example --scope read,write.")
    secret = add_token(path, _name(options), options.scope)
    sys.stdout.write(f"{secret}\n")
    say(f"This is the only time that the token is shown; {path} holds its digest.")


def _remove(path: Path, options: Namespace) -> None:
    remove_token(path, _name(options))
    say(f"{options.name} is removed; a running server refuses it from now on.")


def _list(path: Path, options: Namespace) -> None:
    for token in read_tokens(path):
        sys.stdout.write(f"{token.name}\t{','.join(token.scopes)}\n")


def _name(options: Namespace) -> str:
    if options.name is None:
        raise UsageError(f"which token? Write: lcg token {options.action} NAME")
    name: str = options.name
    return name


_ACTIONS = {"add": _add, "list": _list, "remove": _remove}
