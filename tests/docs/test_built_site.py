"""The site as readers get it: built without a warning, needs no network, and shows what the pages say."""

import re
import subprocess
from collections import Counter
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote

import pytest
from bs4 import BeautifulSoup

from tests.docs.pages import PAGES, ROOT, kinds_of_blocks
from tools.docs.site import build

pytestmark = pytest.mark.skipif(
    find_spec("material") is None, reason="the site needs the extra `docs`, which `make docs` installs"
)
FETCHED = {"script": "src", "img": "src", "source": "srcset", "iframe": "src", "link": "href"}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> "tuple[Path, subprocess.CompletedProcess[str]]":
    folder = tmp_path_factory.mktemp("built")
    done = build(ROOT, folder)
    return folder / "site", done


@pytest.fixture(scope="module")
def site(built: "tuple[Path, subprocess.CompletedProcess[str]]") -> Path:
    return built[0]


@cache
def soup(path: Path) -> BeautifulSoup:
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


def html_of(page: str) -> str:
    return re.sub(r"README\.md$", "index.md", page).removesuffix(".md") + ".html"


def test_it_is_built_without_a_warning(built: "tuple[Path, subprocess.CompletedProcess[str]]") -> None:
    _, done = built
    assert done.returncode == 0, done.stdout
    assert "WARNING" not in done.stdout


def test_nothing_is_fetched_from_the_web(site: Path) -> None:
    for path in site.rglob("*.html"):
        for tag, attribute in FETCHED.items():
            for element in soup(path).find_all(tag):
                assert "//" not in str(element.get(attribute, "")), (path, element)
    for path in site.rglob("*.css"):
        assert not re.search(r"url\(['\"]?(?:https?:)?//|@import", path.read_text(encoding="utf-8")), path


def test_every_link_within_the_site_arrives(site: Path) -> None:
    lost = []
    for path in site.rglob("*.html"):
        if path.name == "404.html":
            continue  # whose links begin at the root of a server
        for element in soup(path).find_all("a", href=True):
            target, _, anchor = unquote(str(element["href"])).partition("#")
            if "://" in target or target.startswith("mailto:"):
                continue
            file = (path.parent / target).resolve() if target else path
            found = file.is_file()
            if found and anchor and file.suffix == ".html":
                found = soup(file).find(id=anchor) is not None
            if not found:
                lost.append((path.relative_to(site).as_posix(), element["href"]))
    assert lost == []


@pytest.mark.parametrize("page", PAGES)
def test_a_page_shows_the_lists_tables_and_samples_that_its_text_has(site: Path, page: str) -> None:
    """Code hosts and the site read Markdown by different rules; what both read alike, readers of both can use."""
    article = soup(site / html_of(page)).find("article")
    assert article is not None
    shown = Counter({tag: len(article.find_all(tag)) for tag in ("li", "tr", "pre", "h1", "h2", "h3")})
    assert shown == kinds_of_blocks(page)


def test_the_texts_for_language_models_and_the_pages_they_name_are_there(site: Path) -> None:
    listed = re.findall(r"\]\(([^)]+)\)", (site / "llms.txt").read_text(encoding="utf-8"))
    assert listed
    assert all((site / target).is_file() for target in listed)
    assert (site / "llms-full.txt").stat().st_size > 100_000
