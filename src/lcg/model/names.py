"""How names, labels and group ids are normalised and compared. One place, so that identity means one thing."""

import hashlib
import unicodedata

GROUP_DIRECTORY_MAX_BYTES = 200
DEFAULT_GROUP = "liminis"
_PLAIN = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")


def is_blank(text: str) -> bool:
    """Say whether a text is empty or only white space, which counts as empty everywhere."""
    return not text.strip()


def has_control(text: str) -> bool:
    """Say whether a text holds control characters (category Cc: NUL, tab, newline and the like)."""
    return any(unicodedata.category(char) == "Cc" for char in text)


def normalise(text: str) -> str:
    """Bring a name, predicate or id to its stored form: NFC, trimmed."""
    return unicodedata.normalize("NFC", text).strip()


def name_key(name: str) -> str:
    """Return what two names are compared by: NFC and casefold, of the trimmed name."""
    if name.isascii():
        return name.strip().lower()
    return unicodedata.normalize("NFC", normalise(name).casefold())


def group_key(group_id: str) -> str:
    """Return what two group ids collide by: their casefold."""
    return unicodedata.normalize("NFC", group_id.casefold())


def encode_group(group_id: str) -> str:
    """Return the directory name of a group: `[A-Za-z0-9_-]` stay, every other UTF-8 byte becomes `%XX`."""
    return "".join(chr(b) if b in _PLAIN else f"%{b:02X}" for b in group_id.encode("utf-8"))


def decode_group(directory: str) -> str | None:
    """Return the group id of a directory name, or None when no group encodes to that name."""
    try:
        raw = bytearray()
        rest = directory.encode("ascii")
        while rest:
            if rest[:1] == b"%":
                raw.append(int(rest[1:3].decode("ascii"), 16))
                rest = rest[3:]
            else:
                raw.append(rest[0])
                rest = rest[1:]
        group_id = raw.decode("utf-8")
    except ValueError:
        return None
    return group_id if group_id and encode_group(group_id) == directory else None


def text_hash(text: str) -> str:
    """Return the content hash of a text (BLAKE2b, 16 bytes, hex)."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
