"""How the names of types are normalised, so that spellings of one name meet."""

import re
import unicodedata

_SEPARATORS = re.compile(r"[_\-\s]+")


def words(text: str) -> list[str]:
    """Split a text at `_`, `-`, blanks and changes of case: `HTTPServer_id` is HTTP, Server, id."""
    parts = _SEPARATORS.split(unicodedata.normalize("NFC", text))
    return [word for part in parts if part for word in _at_case_changes(part)]


def entity_type_name(text: str) -> str:
    """Return the normalised name of an entity type: words capitalised and joined."""
    return "".join(word[:1].upper() + word[1:].lower() for word in words(text))


def relation_name(text: str) -> str:
    """Return the normalised name of a relation type, an alias or a predicate: words in capitals, joined by `_`."""
    return "_".join(word.upper() for word in words(text))


def keyword_text(text: str) -> str:
    """Return a keyword as predicates are searched for it: lower case, blanks as `_`."""
    return "_".join(unicodedata.normalize("NFC", text).lower().split())


def _at_case_changes(part: str) -> list[str]:
    found, start = [], 0
    for at in range(1, len(part)):
        before, here, after = part[at - 1], part[at], part[at + 1 : at + 2]
        begins = here.isupper() and (before.islower() or (before.isupper() and after.islower()))
        if begins:
            found.append(part[start:at])
            start = at
    return [*found, part[start:]]
