"""Renews the pictures of the explorer in docs/images/: `python -m tools.screenshots`. Needs Chromium and Playwright.

The graph is that of this project's own documents, as `make demo` ingests them; the one with the slider is made up,
since documents that were read in one go have one time.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from bench.explorer_graph import made_up
from lcg.explorer.page import file_page
from tests.explorer.browser import chromium, launch, missing

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).resolve().parents[1]
IMAGES = ROOT / "docs/images"
SIZE = (1280, 800)
MOST_BYTES = 300_000
SETTLED = "html[data-drawing=settled]"


def main() -> int:
    """Make the pictures and return the exit status."""
    reason = missing()
    if reason is not None:
        sys.stderr.write(f"no pictures: {reason}\n")
        return 1
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, chromium() as kind, launch(kind) as browser:
        documents = exported(Path(folder))
        made = Path(folder, "made-up.html")
        made.write_bytes(file_page("", made_up(220, 420, seed=5) | {"title": "A team over the years"}))
        whole(opened(browser, documents, "light"))
        selected(opened(browser, documents, "dark"))
        in_time(opened(browser, made, "light"))
    return 0


def exported(folder: Path) -> Path:
    """Ingest this project's documents and return the page of their graph."""
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))):
        target = folder / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    program = str(Path(sys.executable).with_name("lcg"))
    for arguments in (["ingest", "README.md", "docs"], ["export", "--format", "html", "graph.html"]):
        subprocess.run([program, *arguments], cwd=folder, check=True, capture_output=True)
    return folder / "graph.html"


def opened(browser: "Browser", path: Path, scheme: str) -> "Page":
    """Open a page and wait until everything has its place."""
    width, height = SIZE
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if scheme == "dark" else "light",
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.goto(path.as_uri())
    page.wait_for_selector(SETTLED, state="attached", timeout=120_000)
    return page


def whole(page: "Page") -> None:
    """Picture the whole graph."""
    keep(page, "explorer")


def selected(page: "Page") -> None:
    """Picture an entity with its neighbours and details."""
    page.keyboard.press("/")
    page.keyboard.type("knowledge_status")
    page.keyboard.press("Enter")
    keep(page, "explorer-selected")


def in_time(page: "Page") -> None:
    """Picture what held at a time."""
    slider = page.get_by_label("Show facts that hold at this time")
    slider.focus()
    page.keyboard.press("Home")
    for _ in range(4):
        page.keyboard.press("PageUp")
    slider.blur()
    keep(page, "explorer-time")


def keep(page: "Page", name: str) -> None:
    """Write a picture, small enough for a repository."""
    page.wait_for_selector(SETTLED, state="attached")
    page.wait_for_timeout(1500)
    target = IMAGES / f"{name}.png"
    page.screenshot(path=target)
    page.context.close()
    assert target.stat().st_size <= MOST_BYTES, f"{target.name} has {target.stat().st_size} bytes"


if __name__ == "__main__":
    sys.exit(main())
