"""Names of notes and folders that every file system takes, and Obsidian, too."""

import re
import unicodedata
from typing import Final

LONGEST_BYTES: Final = 180
"""File systems take 255; an ending, a number and the name of a draft have room beside it."""
_ILLEGAL: Final = re.compile(r'[\\/:*?"<>|#^\[\]%\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+')
_RESERVED: Final = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?", re.IGNORECASE)


def file_name(text: str) -> str:
    """Return a name without an ending that is as near to a text as all file systems allow; never empty."""
    name = " ".join(_ILLEGAL.sub(" ", unicodedata.normalize("NFC", text)).split())
    name = name.encode("utf-8", "replace")[:LONGEST_BYTES].decode("utf-8", "ignore").lstrip(".").strip(" .")
    if not name:
        return "_"
    return f"_{name}" if _RESERVED.fullmatch(name) else name


def collision_key(path: str) -> str:
    """Return what two paths have in common when a file system may take them for one."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFKD", path).casefold())
