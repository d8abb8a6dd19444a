"""What is generated from the documents themselves: which file, from what, and whether it is current."""

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

from tools.docs import decisions, llms

HEADER = "<!--\nDO NOT EDIT. Renew with `make gen`.\nSource: {source}\n-->\n"
FILES: Mapping[str, tuple[str, Callable[[Path], str]]] = MappingProxyType(
    {
        decisions.PATH: ("docs/adr/", decisions.index),
        llms.PATH: ("docs/index.md", llms.llms_short),
    }
)
"""Path of a file → where its facts come from, and what makes its text."""


def expected(root: Path) -> dict[str, str]:
    """Return what each file has to be: path → text."""
    return {path: HEADER.format(source=source) + text(root) for path, (source, text) in FILES.items()}


def changes(root: Path) -> list[str]:
    """Return the files that are missing or not current."""
    return [path for path, text in expected(root).items() if _read(root / path) != text]


def renew(root: Path) -> list[str]:
    """Write the files that are not current, and return their paths."""
    texts = expected(root)
    different = changes(root)
    for path in different:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(texts[path], encoding="utf-8")
    return different


def _read(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
