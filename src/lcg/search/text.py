"""How text is prepared for full-text search: the same for what is indexed and for what is asked.

Words are cut and folded here and not by SQLite, so that they do not depend on how old its Unicode tables are. What
reaches the index are tokens with single spaces between them.

A token is a run of letters, digits and marks, without case, accents or compatibility forms. Symbols such as emoji are
tokens by themselves. Scripts written without spaces have no words to find, so a run of such characters is indexed as
all its pairs of neighbours and its last character: any part of it is then a sequence of consecutive pairs.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from lcg.search.stop_words import STOP_WORDS

_SPACELESS = (
    "\u0e01-\u0eff"  # Thai, Lao
    "\u1000-\u109f\u1780-\u17ff"  # Burmese, Khmer
    "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff"  # kana and the marks that go with it
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han
    "\uac00-\ud7a3"  # Hangul: it has spaces, but glues particles to its words
)
_PARTS = re.compile(f"(?P<run>[{_SPACELESS}]+)|[^{_SPACELESS}]+")
_RUN = re.compile(f"[{_SPACELESS}]")
_LAST_RUN = re.compile(f"[{_SPACELESS}]+$")
_ACCENTS = re.compile("[\u0300-\u036f]+")
_ALIKE = {"ı": "i", "ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe"}
"""Letters that people type without what they know as an accent, and that Unicode does not take apart."""

_SENTENCE_CHARS = 5
"""From here on a run in a query is more likely a phrase or sentence than one word: its parts count too."""

MOST_TERMS = 128
_MOST_QUERY_CHARS = 8_192
_MOST_PHRASE_TOKENS = 64
"""What a search looks at of a query; nobody asks for more, but somebody may send a whole document."""


class _CharacterTable(dict[int, str | None]):
    """What becomes of a character, found out when it first occurs: itself, a space, nothing, or a token of its own."""

    def __missing__(self, code: int) -> str | None:
        char = chr(code)
        self[code] = result = _fate(char)
        return result


def _fate(char: str) -> str | None:
    if char in _ALIKE:
        return _ALIKE[char]
    category = unicodedata.category(char)
    if category[0] in "LN":
        return char
    if category == "Cf" or "\ufe00" <= char <= "\ufe0f":  # joiners, soft hyphens, variation selectors: part of a word
        return None
    if category[0] == "M" or category == "Co":
        return char
    return f" {char} " if category == "So" else " "


_TABLE = _CharacterTable()
_SEPARATOR = "\x1e"
_SPACES = re.compile("  +")


class _ApartTable(_CharacterTable):
    """The same where the separator, which is white space to us, holds texts apart."""

    def __init__(self) -> None:
        self[ord(_SEPARATOR)] = _SEPARATOR


_APART = _ApartTable()
_PLAIN_TABLE = {code: _APART[code] for code in range(128)}
"""An ordinary dictionary serves ASCII characters several times as fast."""


def fold(text: str) -> str:
    """Return the text without case, accents and punctuation: what counts, with white space between."""
    return _without_accents(text).translate(_TABLE)


def _without_accents(text: str) -> str:
    """Return the text without case, accents and compatibility forms."""
    folded = text.casefold()
    if text.isascii():
        return folded
    folded = unicodedata.normalize("NFKD", text).casefold()
    return unicodedata.normalize("NFC", _ACCENTS.sub("", folded))


def prepare(text: str) -> str:
    """Return the tokens that a text is indexed by, with single spaces between them."""
    folded = " ".join(fold(text).split())
    return folded if folded.isascii() else _with_pairs(folded)


def prepare_all(texts: Sequence[str]) -> list[str]:
    """Return what `prepare` does for each text. Texts go through together, which takes a third of the time."""
    plain: list[str] = []
    others: list[str] = []
    for text in texts:
        (plain if text.isascii() else others).append(text.replace(_SEPARATOR, " "))
    ready = iter(_apart(_SEPARATOR.join(plain).lower().translate(_PLAIN_TABLE)))
    folded = _apart(_without_accents(_SEPARATOR.join(others)).translate(_APART))
    told = iter([text if text.isascii() else _with_pairs(text) for text in folded])
    return [next(ready) if text.isascii() else next(told) for text in texts]


def _apart(texts: str) -> list[str]:
    """Take texts apart that the separator stands between, and leave single spaces in them."""
    return [text.strip() for text in _SPACES.sub(" ", texts).split(_SEPARATOR)]


def _with_pairs(folded: str) -> str:
    """Replace runs of scripts without spaces by their tokens."""
    if _RUN.search(folded) is None:
        return folded
    return " ".join(token for word in folded.split() for token in _tokens(word))


def _tokens(word: str) -> list[str]:
    found: list[str] = []
    for part in _PARTS.finditer(word):
        if part["run"]:
            found.extend(first + second for first, second in pairwise(part["run"]))
            found.append(part["run"][-1])
        else:
            found.append(part[0])
    return found


@dataclass(frozen=True, slots=True)
class Term:
    """Tokens to be found one after the other; of the last one, only its beginning when `prefix` is set."""

    tokens: tuple[str, ...]
    prefix: bool = False

    def as_match(self) -> str:
        """Write the term in FTS5's query language, where nothing inside the quotes can mean anything else."""
        return f'"{" ".join(self.tokens)}"' + (" *" if self.prefix else "")

    @property
    def sought(self) -> str:
        """What a prepared text with spaces around it has somewhere when it holds the term."""
        return f" {' '.join(self.tokens)}{'' if self.prefix else ' '}"

    def is_in(self, prepared: str) -> bool:
        """Say whether a prepared text holds the term."""
        return self.sought in f" {prepared} "

    def times_in(self, prepared: str) -> int:
        """Count how often a prepared text holds the term; where it overlaps itself, each beginning counts."""
        if not self.is_in(prepared):
            return 0
        tokens, length = prepared.split(), len(self.tokens)
        if length == 1 and not self.prefix:
            return tokens.count(self.tokens[0])
        return sum(self.is_in(" ".join(tokens[at : at + length])) for at in range(len(tokens) - length + 1))


def whole_terms(query: str) -> list[Term]:
    """Return what a row must hold to hold the whole query: one term for each thing between white space."""
    return _unique([term for chunk in query.split() if (term := _phrase(chunk)) is not None])


def any_terms(query: str) -> list[Term]:
    """Return what a row may be found by: the whole terms, and their words where they consist of several.

    Stop words count only in a query that has nothing else. Of an overlong query only the beginning counts: at most
    `MOST_TERMS` terms come back.
    """
    terms: list[Term] = []
    for chunk in query[:_MOST_QUERY_CHARS].split():
        phrase = _phrase(chunk)
        if phrase is None:
            continue
        if len(phrase.tokens) <= _MOST_PHRASE_TOKENS:
            terms.append(phrase)
        if len(phrase.tokens) == 1:
            continue
        for word in fold(chunk).split():
            for part in _PARTS.finditer(word):
                if not part["run"]:
                    terms.append(Term((part[0],)))
                elif (inner := _phrase(part[0])) is not None:
                    if len(inner.tokens) <= _MOST_PHRASE_TOKENS:
                        terms.append(inner)
                    if len(part[0]) >= _SENTENCE_CHARS:
                        terms.extend(Term((token,)) for token in inner.tokens)
    telling = [term for term in terms if len(term.tokens) > 1 or term.tokens[0] not in STOP_WORDS]
    return _unique(telling or terms)[:MOST_TERMS]


def telling_words(query: str) -> frozenset[str]:
    """Return the tokens of a query without its stop words, or all when it has nothing else."""
    tokens = frozenset(prepare(query[:_MOST_QUERY_CHARS]).split())
    return tokens - STOP_WORDS or tokens


def _phrase(chunk: str) -> Term | None:
    words = fold(chunk).split()
    tokens = [token for word in words for token in _tokens(word)]
    if not tokens:
        return None
    run = _LAST_RUN.search(words[-1])
    if run is None:
        return Term(tuple(tokens))
    # The row's run may go on where ours ends, so only what does not depend on its end may be asked for: of a run of
    # one character the beginning of a pair, of a longer one its pairs.
    return Term(tuple(tokens), prefix=True) if len(run[0]) == 1 else Term(tuple(tokens[:-1]))


def _unique(terms: list[Term]) -> list[Term]:
    return list(dict.fromkeys(terms))
