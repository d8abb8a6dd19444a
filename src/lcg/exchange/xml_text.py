"""Text in XML: what XML has no place for is shown as a replacement character."""

import re
from xml.sax import saxutils

_ILLEGAL = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def content(text: str) -> str:
    """Return text as the content of an element."""
    return saxutils.escape(_ILLEGAL.sub("\ufffd", text), {"\r": "&#13;"})


def attribute(text: str) -> str:
    """Return text as the value of an attribute, in quotes."""
    return saxutils.quoteattr(_ILLEGAL.sub("\ufffd", text))
