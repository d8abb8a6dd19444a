"""Reads pages of the explorer as a browser's parser does, without a browser."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from typing import Any


class Page(HTMLParser):
    """What a page is made of.

    Attributes:
        tags: every element that opens, with its attributes.
        texts: the content of scripts, styles and the title, by (element, type).
    """

    def __init__(self, page: bytes) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[tuple[str, str | None], str] = {}
        self._in: tuple[str, str | None] | None = None
        self.feed(page.decode())
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag in ("script", "style", "title"):
            self._in = (tag, dict(attrs).get("type"))
            assert self._in not in self.texts, "there are two of these"
            self.texts[self._in] = ""

    def handle_endtag(self, tag: str) -> None:
        self._in = None

    def handle_data(self, data: str) -> None:
        if self._in is not None:
            self.texts[self._in] += data

    @property
    def data(self) -> Any:
        """What the page embeds; None when it embeds nothing."""
        text = self.texts["script", "application/json"]
        return json.loads(text) if text else None

    @property
    def policy(self) -> dict[str, list[str]]:
        """The directives of the content security policy."""
        (content,) = [
            attrs["content"] for tag, attrs in self.tags if attrs.get("http-equiv") == "Content-Security-Policy"
        ]
        return {name: values for name, *values in (part.split() for part in re.split(r";\s*", content or ""))}


def digest_of(text: str) -> str:
    """Return how a policy names a script or a style."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
