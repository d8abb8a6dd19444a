"""The site: the project's pages as they are, in their own places, with a navigation; no page is rewritten.

Material for MkDocs wants all pages below one folder. So they are copied into one, together with every file of the
project that they link to, at the same paths as in the project; a link that works in the project works in the site.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Any

import yaml

from tools.docs.contents import HOME, INDEX, contents, pages_below
from tools.docs.llms import llms_full, llms_short

FOLDER = "build/docs"
_LINK = re.compile(r"!?\[[^\]]*\]\((?P<target>[^)#\s]+)[^)]*\)")
_IMAGE = re.compile(r'<(?:img|source)[^>]* src(?:set)?="(?P<target>[^"]+)"')


def stage(root: Path, folder: Path) -> None:
    """Write sources and configuration of the site into an empty `folder`: `source/` and `mkdocs.yml`."""
    source = folder / "source"
    shutil.copytree(root / "docs", source / "docs")
    for path in linked(root):
        (source / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(root / path, source / path)
    (source / "llms.txt").write_text(llms_short(root, "."), encoding="utf-8")
    (source / "llms-full.txt").write_text(llms_full(root), encoding="utf-8")
    config = {
        "INHERIT": str(root / "tools/docs/mkdocs.yml"),
        "theme": {"custom_dir": str(root / "tools/docs/theme")},
        "docs_dir": "source",
        "site_dir": "site",
        "nav": navigation(root),
    }
    (folder / "mkdocs.yml").write_text(yaml.safe_dump(config, sort_keys=False), encoding="utf-8")


def build(root: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """Build the site into `folder/site`, from nothing. Any warning makes it fail; both streams are returned as one."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    stage(root, folder)
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--config-file", str(folder / "mkdocs.yml")],
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    for page in (folder / "source").rglob("*.md"):  # which llms.txt names
        shutil.copy(page, folder / "site" / page.relative_to(folder / "source"))
    return done


def linked(root: Path) -> list[str]:
    """Return the files outside docs/ that pages of the site link to, and the pages among these; the home page first."""
    found = {HOME: None}
    waiting = [HOME, *sorted(path.relative_to(root).as_posix() for path in (root / "docs").rglob("*.md"))]
    while waiting:
        page = waiting.pop()
        for target in _targets(root, page):
            if target not in found and not target.startswith("docs/") and (root / target).is_file():
                found[target] = None
                if target.endswith(".md"):
                    waiting.append(target)
    return list(found)


def _targets(root: Path, page: str) -> Iterator[str]:
    text = (root / page).read_text(encoding="utf-8")
    for pattern in (_LINK, _IMAGE):
        for match in pattern.finditer(text):
            if "://" not in match["target"]:
                yield normpath(join(dirname(page), match["target"]))


def navigation(root: Path) -> list[Any]:
    """Return the navigation as MkDocs takes it: the sections of the contents; some pages have others below them."""
    sections = contents(root)
    placed = {HOME, INDEX, *(entry.path for section in sections for entry in section.entries)}
    nav: list[Any] = [{"Home": HOME}, {"All pages": INDEX}]
    for section in sections:
        items: list[Any] = []
        for entry in section.entries:
            if not entry.path.endswith(".md"):
                continue
            lower = [{title(root, page): page} for page in pages_below(root, entry.path) if page not in placed]
            items.append({entry.title: [entry.path, *lower] if lower else entry.path})
        nav.append({section.title: items})
    return nav


def title(root: Path, page: str) -> str:
    """Return what a page calls itself."""
    lines = (root / page).read_text(encoding="utf-8").splitlines()
    return next(line.removeprefix("# ") for line in lines if line.startswith("# "))
