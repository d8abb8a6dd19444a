"""Which tools `--scope` and `--profile` show."""

from typing import Final

from lcg.generated.tool_specs import PROFILES, SCOPES
from lcg.settings import UsageError

ALL: Final = "all"


def parse_scopes(text: str, place: str = "--scope") -> tuple[str, ...]:
    """Read a comma list of scopes into the active ones, in the order of the registry.

    Tokens are trimmed and case-sensitive, empty ones are skipped, `all` stands for every scope. `place` is where the
    list stands, for messages.

    Raises:
        UsageError: a token is unknown or none is left; names it and the valid values.
    """
    valid = ", ".join((*SCOPES, ALL))
    tokens = [token for token in (part.strip() for part in text.split(",")) if token]
    for token in tokens:
        if token != ALL and token not in SCOPES:
            raise UsageError(f"{place}: unknown scope {token!r}. Valid are: {valid}.")
    if not tokens:
        raise UsageError(f"{place}: the list {text!r} is empty. Valid are: {valid}.")
    return tuple(scope for scope in SCOPES if ALL in tokens or scope in tokens)


def parse_profile(text: str) -> str:
    """Read a profile.

    Raises:
        UsageError: there is no such profile; names the valid ones.
    """
    if text != ALL and text not in PROFILES:
        raise UsageError(f"--profile: unknown profile {text!r}. Valid are: {', '.join((*PROFILES, ALL))}.")
    return text
