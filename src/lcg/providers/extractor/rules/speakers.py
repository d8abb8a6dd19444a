"""Finds who says what in a chat or a transcript."""

import re
from dataclasses import dataclass

from lcg.providers.extractor.rules.naming import clean

_TURN = re.compile(
    r"""
    [ \t]{0,4}(?:[-*>][ \t])?
    (?:\[[\d:., TZ/apmAPM-]{3,32}\][ \t]*|\d{1,2}:\d\d(?::\d\d)?(?:[ ]?[ap]m)?[ \t]+[-–]?[ \t]*)?
    (?:
        <(?P<angle>[^<>:\n]{1,40})>[ \t]*
      | (?P<stars>\*{0,2})(?P<name>@?[^\W\d_][\w.@'’-]{0,30}(?:[ ][\w.'’-]{1,30}){0,2})(?P=stars)
        (?:[ ]?[(\[][\d:., TZ/apmAPM-]{3,32}[)\]])?[ ]?:(?P=stars)?(?:[ \t]+|$)
    )
    """,
    re.VERBOSE,
)
_MIN_TURNS = 3
_MAX_LINE_START = 160


@dataclass(frozen=True, slots=True)
class Turn:
    """What one speaker says, by offsets. `speaker` is `""` for what stands before the first speaker."""

    speaker: str
    start: int
    body: int
    end: int


def find_turns(text: str) -> list[Turn]:
    """Split a text into the turns of its speakers; one turn without a speaker when it has none."""
    turns: list[Turn] = []
    speaker, start, body = "", 0, 0
    at = 0
    while at < len(text):
        match = _TURN.match(text, at, min(len(text), at + _MAX_LINE_START))
        name = clean((match["angle"] or match["name"]).removeprefix("@")) if match is not None else None
        if match is not None and name is not None:
            turns.append(Turn(speaker, start, body, at))
            speaker, start, body = name, at, match.end()
        line_end = text.find("\n", at)
        at = len(text) if line_end < 0 else line_end + 1
    turns.append(Turn(speaker, start, body, len(text)))
    return [turn for turn in turns if turn.speaker or turn.end > turn.start]


def looks_like_chat(text: str) -> bool:
    """Say whether a text that was not declared a message is one: most lines begin with a speaker who speaks again."""
    head = text[:20_000]
    turns = [turn for turn in find_turns(head) if turn.speaker]
    lines = sum(1 for line in head.splitlines() if line.strip())
    speakers = {turn.speaker for turn in turns}
    return len(turns) >= _MIN_TURNS and 2 * len(turns) > lines and len(speakers) < len(turns)
