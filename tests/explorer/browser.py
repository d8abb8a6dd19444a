"""A headless Chromium, where the machine has one, driven by Playwright."""

import importlib.util
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserType

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# Nothing of a browser's own may go to a network; WebGL is drawn by the processor.
OPTIONS = (
    "--no-sandbox", "--no-first-run", "--disable-quic", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist",
    "--force-color-profile=srgb", "--font-render-hinting=none",
)  # fmt: skip


def missing() -> str | None:
    """Say what it takes to run a browser and is not there."""
    if importlib.util.find_spec("playwright") is None:
        return "the package `playwright` is not installed"
    if program() is None:
        return "there is no Chromium; on Debian: apt install chromium"
    return None


def program() -> str | None:
    """Return where Chromium is."""
    return next((found for name in PROGRAMS if (found := shutil.which(name))), None)


@contextmanager
def chromium() -> Iterator["BrowserType"]:
    """Give what `launch` takes to start a browser; there can be one driver at a time in a process."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        yield driver.chromium


@contextmanager
def launch(kind: "BrowserType", *more: str) -> Iterator["Browser"]:
    """Run a browser while the block runs."""
    browser = kind.launch(executable_path=program(), args=[*OPTIONS, *more])
    try:
        yield browser
    finally:
        browser.close()
