"""Turns JSON values into fragments: an object is a subject, its keys are relations, its name-like strings are names."""

import re
from collections.abc import Iterator

from lcg.model.times import parse_time
from lcg.providers.extractor.rules.fragments import Fragment, StatedLink
from lcg.providers.extractor.rules.json_source import Node, own_name
from lcg.providers.extractor.rules.layout import Sentence, split_text
from lcg.providers.extractor.rules.markup import find_marks
from lcg.providers.extractor.rules.naming import clean
from lcg.providers.extractor.rules.relations import screaming_snake
from lcg.providers.extractor.rules.spans import Span, identifier

_MAX_FACT = 400
_OPAQUE = re.compile(r"[0-9a-fA-F]{12,}|[0-9a-fA-F-]{32,}|[A-Za-z0-9+/=_-]{40,}")
_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{4}|.)", re.DOTALL)
_SENTENCE_LIKE = re.compile(r"[.!?]\s|[.!?]\Z|,\s")


def json_fragments(text: str, roots: list[Node]) -> Iterator[Fragment | Sentence]:
    """Yield what the values say, in the order of the text; prose inside strings comes as sentences still to be read."""
    # (value, name of the object it belongs to, the key that led to it, the member to quote)
    stack: list[tuple[Node, str, str, Node]] = [(root, "", "", root) for root in reversed(roots)]
    while stack:
        node, subject, key, member = stack.pop()
        if node.text is not None:
            yield from _string(text, node, subject, key, member)
            continue
        if node.is_object:
            name = _object_name(node, node.key)
            if name:
                yield _named(text, node, name, subject, key)
            subject = name or subject
        for child in reversed(node.children):
            if node.is_array:
                stack.append((child, subject, key, member if member.end - member.start <= _MAX_FACT else child))
            else:
                stack.append((child, subject, child.key, child))


def _object_name(node: Node, key: str) -> str:
    """The name that an object states, else the key that holds it, else `""`."""
    stated = own_name(node)
    if stated is not None and not _is_opaque(stated[1]):
        name = clean(stated[1])
        if name is not None:
            return name
    return (clean(key) or "") if key else ""


def _named(text: str, node: Node, name: str, subject: str, key: str) -> Fragment:
    stated = own_name(node)
    place = stated[0] if stated is not None and clean(stated[1]) == name else node
    if subject and node.end - node.member_start <= _MAX_FACT:
        place = node
    quote = Sentence(
        place.member_start, place.end if place.end - place.member_start <= _MAX_FACT else place.start, "member"
    )
    relation = screaming_snake(key) if key != name else None
    links = [StatedLink(subject, name, relation)] if subject and subject != name else []
    return Fragment(quote, [Span(place.member_start, place.end, name, "value")], links)


def _string(text: str, node: Node, subject: str, key: str, member: Node) -> Iterator[Fragment | Sentence]:
    value = node.text or ""
    name = _value_name(value)
    if name is not None:
        quote = Sentence(member.member_start, member.end, "member")
        links = [StatedLink(subject, name, screaming_snake(key))] if subject and subject != name else []
        yield Fragment(quote, [Span(node.start, node.end, name, _value_kind(value))], links)
        return
    if len(value.split()) < 3:
        return
    # Prose keeps its place in the text; escapes cut it, since a fact must be found in the text as it stands.
    at = node.start + 1
    for escape in _ESCAPE.finditer(text, node.start + 1, node.end - 1):
        yield from split_text(text, at, escape.start(), subject)
        at = escape.end()
    yield from split_text(text, at, node.end - 1, subject)


def _value_name(value: str) -> str | None:
    if _is_opaque(value) or len(value) > 200:
        return None
    marks = find_marks(value, 0, len(value))
    if len(marks) == 1 and marks[0].name and marks[0].end - marks[0].start == len(value):
        return marks[0].name
    if _SENTENCE_LIKE.search(value):
        return None
    name = clean(value)
    if name is None:
        return None
    first = name[0]
    return name if first.isupper() or (" " not in name and identifier(name)) else None


def _value_kind(value: str) -> str:
    marks = find_marks(value, 0, len(value))
    return marks[0].kind if marks and marks[0].end - marks[0].start == len(value) else "value"


def _is_opaque(value: str) -> bool:
    """Say whether a value is a hash, a key or a time: nothing that a person would call a name."""
    if _OPAQUE.fullmatch(value):
        return True
    try:
        parse_time(value)
    except ValueError:
        return False
    return True
