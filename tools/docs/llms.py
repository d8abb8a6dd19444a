"""`llms.txt`, the contents for language models, and `llms-full.txt`, all pages in one file."""

import re
from pathlib import Path
from posixpath import dirname, relpath

from tools.docs.contents import HOME, Section, contents, pages_below

PATH = "docs/generated/llms.txt"
_HEADER = re.compile(r"\A<!--.*?-->\n", re.DOTALL)


def llms_short(root: Path, folder: str = dirname(PATH)) -> str:
    """Return the list of pages, in the form of https://llmstxt.org: a title, what it is, links with a sentence.

    The links are those of a file in `folder`, a path from the root of the project.
    """
    title, summary = _beginning((root / HOME).read_text(encoding="utf-8"))
    parts = [f"# {title}", f"> {summary}", *(_listed(section, folder) for section in contents(root))]
    return "\n\n".join(parts) + "\n"


def llms_full(root: Path) -> str:
    """Return the text of all pages, in the order of the contents, each under a line that names it."""
    listed = [entry.path for section in contents(root) for entry in section.entries if entry.path.endswith(".md")]
    pages = dict.fromkeys([HOME, *(page for path in listed for page in (path, *pages_below(root, path)))])
    texts = ((page, (root / page).read_text(encoding="utf-8")) for page in pages)
    return "\n".join(f"<!-- {page} -->\n\n{_HEADER.sub('', text)}" for page, text in texts)


def _listed(section: Section, folder: str) -> str:
    links = [f"[{entry.title}]({relpath(entry.path, folder)}): {entry.text}" for entry in section.entries]
    return "\n".join([f"## {section.title}", "", *(f"- {link}" for link in links)])


def _beginning(text: str) -> tuple[str, str]:
    """Return the title of a page and its first paragraph on one line."""
    blocks = [block for block in text.split("\n\n") if not block.startswith("<!--")]
    title = next(block for block in blocks if block.startswith("# "))
    paragraph = next(block for block in blocks if block[0].isalnum())
    return title.removeprefix("# "), " ".join(paragraph.split())
