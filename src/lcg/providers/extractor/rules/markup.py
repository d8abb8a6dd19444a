"""Finds what the writer marked as a name: links, quotes, code, bold text, paths, addresses. And what is no prose."""

import re
from dataclasses import dataclass

from lcg.providers.extractor.rules.cues import CODE_ENDINGS, DOCUMENT_ENDINGS
from lcg.providers.extractor.rules.naming import clean

# Every repetition is bounded or cannot be entered twice for one character: 100,000 brackets cost 100,000 short tries.
_INLINE = re.compile(
    r"""
      (?P<code>`{1,2}(?P<code_text>[^`\n]{1,120})`{1,2})
    | (?P<wiki>\[\[(?P<wiki_target>[^\[\]|\n]{1,120})(?:\|(?P<wiki_text>[^\[\]|\n]{1,120}))?\]\])
    | (?P<link>!?\[(?P<link_text>[^\[\]\n]{0,120})\]\((?P<link_url>[^()\s]{0,300})\))
    | (?P<url>https?://[^\s<>"'`)\]}|]{1,300})
    | (?P<email>(?<![\w.+-])[A-Za-z0-9][\w.+-]{0,63}@[A-Za-z0-9][A-Za-z0-9-]{0,60}(?:\.[A-Za-z0-9-]{1,60}){1,4})
    | (?P<handle>(?<![\w@/.])@[A-Za-z][\w-]{1,38})
    | (?P<bold>(?P<stars>\*\*|\'\'\')(?=\S)(?P<bold_text>[^*'\n]{1,120})(?P=stars))
    | (?P<quoted>
          "(?P<quote1>[^"\s][^"\n]{0,80})"
        | “(?P<quote2>[^“”„\n]{1,80})”
        | „(?P<quote3>[^“”„"\n]{1,80})[“”"]
        | [«»](?P<quote4>[^«»\n]{1,80})[«»]
        | [「『《](?P<quote5>[^「」『』《》\n]{1,40})[」』》]
      )
    | (?P<path>(?<![\w/.~-])(?:~/|\.{1,2}/|/)?(?:[\w.@+-]{1,60}/){1,12}[\w.@+-]{0,60}(?![\w/]))
    | (?P<file>(?<![\w/.-])[\w-]{1,60}(?:\.[\w-]{1,30}){0,3}\.(?P<ending>[A-Za-z][A-Za-z0-9]{0,5})(?![\w/.]\w))
    | (?P<noise>
          &\#?\w{1,10};
        | <[/!]?[A-Za-z][^<>\n]{0,200}>
        | \{\{[^{}\n]{0,200}\}\}
        | \b(?:class|style|scope|width|align|rowspan|colspan|data-[a-z-]{1,30})\s?=\s?(?:"[^"\n]{0,120}"|\w{1,20})
        | \b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b
        | \b(?:File|Image|Datei|Category|Kategorie):[^\n|]{1,120}
      )
    """,
    re.VERBOSE,
)
_SENTENCE_INSIDE = re.compile(r"[.!?;]\s|[.!?,;]\Z")
_VALUES = frozenset({"true", "false", "null", "none", "nil", "undefined", "nan"})
_ROOTED = re.compile(r"(?:~/|\.{1,2}/|/)")


@dataclass(frozen=True, slots=True)
class Mark:
    """A marked piece by its offsets. `name` is None where the piece is only hidden from the other rules."""

    start: int
    end: int
    name: str | None
    kind: str


def find_marks(text: str, start: int, end: int) -> list[Mark]:
    """Return the marked pieces of one sentence, in order, without overlaps.

    A quote or bold text that is no name (a whole sentence, say) is left to the other rules and not returned.
    """
    marks: list[Mark] = []
    at = start
    while (match := _INLINE.search(text, at, end)) is not None:
        mark = _mark_of(match)
        if mark is not None:
            marks.append(mark)
            at = mark.end
        else:
            # It is no name, but it may hold other marks.
            at = match.start() + (2 if match["bold"] or match["wiki"] else 1)
    return marks


def _mark_of(match: re.Match[str]) -> Mark | None:
    start, end = match.span()
    if match["noise"]:
        return Mark(start, end, None, "noise")
    if match["code"]:
        return Mark(start, end, _code_name(match["code_text"]), "code")
    if match["wiki"]:
        name = _phrase(match["wiki_text"] or match["wiki_target"])
        return Mark(start, end, name, "link") if name else None
    if match["link"]:
        name = _phrase(match["link_text"].strip("`*"))
        return Mark(start, end, name, "link") if name else None
    if match["url"]:
        url = match["url"].rstrip(".,;:!?*_")
        return Mark(start, start + len(url), clean(url, literal=True), "url")
    if match["email"]:
        return Mark(start, end, clean(match["email"], literal=True), "email")
    if match["handle"]:
        return Mark(start, end, clean(match["handle"][1:]), "handle")
    if match["bold"]:
        name = _phrase(match["bold_text"].rstrip(":"))
        return Mark(start, end, name, "bold") if name else None
    if match["quoted"]:
        inner = next(match[f"quote{n}"] for n in range(1, 6) if match[f"quote{n}"])
        name = _phrase(inner)
        return Mark(start, end, name, "quoted") if name else None
    return _path_mark(match)


def _path_mark(match: re.Match[str]) -> Mark | None:
    piece = match[0].rstrip(".")
    start = match.start()
    if match["path"]:
        # `and/or`, `km/h`, `12/24`: a path is rooted, goes deeper, or ends in a file.
        ending = piece.rsplit("/", 1)[-1].rpartition(".")[2].lower()
        known = ending in CODE_ENDINGS | DOCUMENT_ENDINGS and "." in piece
        if not (known or (_ROOTED.match(piece) and len(piece) > 3) or piece.endswith("/")):
            return None
        return Mark(start, start + len(piece), clean(piece, literal=True), "path")
    if match["ending"].lower() in CODE_ENDINGS | DOCUMENT_ENDINGS and len(piece) > 3:
        return Mark(start, start + len(piece), clean(piece, literal=True), "path")
    return None


def _code_name(code: str) -> str | None:
    """The name in back-ticks: an identifier, a path, a command; without the brackets of a call."""
    stripped = code.strip()
    if stripped.endswith("()"):
        stripped = stripped[:-2]
    if stripped.lower() in _VALUES or any(c in stripped for c in "{}=<>;|\\$\"'") or len(stripped.split()) > 4:
        return None
    return clean(stripped, literal=True)


def _phrase(inner: str) -> str | None:
    if _SENTENCE_INSIDE.search(inner):
        return None
    return clean(inner)
