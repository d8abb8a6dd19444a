"""What of a text is embedded."""

from typing import Final

MOST_CHARS: Final = 32_768
"""Of a longer text only this beginning is embedded: more says nothing clearer, and may take a model very long."""


def embeddable(text: str) -> str:
    """Return the beginning of a text, with lone surrogates replaced, which neither JSON nor tokenizers take."""
    start = text[:MOST_CHARS]
    return start if start.isascii() else start.encode("utf-8", "replace").decode("utf-8")
