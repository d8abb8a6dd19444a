"""What becomes of the summary of an entity that further texts speak of."""

import re
from dataclasses import replace

from lcg.model.names import name_key
from lcg.model.rows import Entity

SUMMARY_LIMIT = 2_000
"""Characters up to which a summary takes more sentences. A row is logged whole, so without a bound an entity that
every chunk mentions would make the log grow with the square of the chunks."""

_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？])\s*|\n+")
_EDGES = re.compile(r"^\W+|\W+$")


def with_summary(row: Entity, addition: str) -> Entity:
    """Append the sentences that a summary does not have yet, as long as it stays within the limit."""
    summary = _joined(row.summary, addition)
    if summary == row.summary:
        return row
    embedded = row.summary if row.summary_embedded is None else row.summary_embedded
    return replace(row, summary=summary, summary_embedded=None if embedded == summary else embedded)


def _joined(summary: str, addition: str) -> str:
    known = _key(summary)
    for sentence in filter(None, map(str.strip, _SENTENCE_END.split(addition))):
        key = _key(sentence)
        if not key or _stands_in(key, known):
            continue
        longer = f"{summary} {sentence}".strip()
        if len(longer) > SUMMARY_LIMIT:
            break
        summary, known = longer, f"{known} {key}"
    return summary


def _stands_in(key: str, known: str) -> bool:
    """Say whether a sentence stands in a text as whole words. Each is sought once, so no pattern is made for it."""
    start = known.find(key)
    while start >= 0:
        end = start + len(key)
        if not _is_word(known[:start][-1:]) and not _is_word(known[end : end + 1]):
            return True
        start = known.find(key, start + 1)
    return False


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def _key(text: str) -> str:
    return _EDGES.sub("", name_key(" ".join(text.split())))
