"""What is made from the documents: the navigation of the site, the index of decisions, texts for language models."""

import shutil
from pathlib import Path
from posixpath import join, normpath
from typing import Any

import pytest

from tests.docs.pages import PAGES, ROOT, text_of
from tools.docs import decisions, llms, recording, written
from tools.docs.contents import HOME, INDEX, contents
from tools.docs.site import navigation, stage


def named(nav: list[Any]) -> list[str]:
    """Return all pages of a navigation, in order."""
    pages: list[str] = []
    for item in nav:
        value = item if isinstance(item, str) else next(iter(item.values()))
        pages += [value] if isinstance(value, str) else named(value)
    return pages


@pytest.fixture(scope="module")
def staged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    stage(ROOT, folder)
    return folder / "source"


def test_the_navigation_leads_to_every_page_once(staged: Path) -> None:
    pages = named(navigation(ROOT))
    assert pages[:2] == [HOME, INDEX]
    assert sorted(pages) == sorted(path.relative_to(staged).as_posix() for path in staged.rglob("*.md"))
    assert set(pages) >= set(PAGES)


def test_pages_stand_in_the_site_where_they_stand_in_the_project(staged: Path) -> None:
    for page in PAGES:
        assert (staged / page).read_text(encoding="utf-8") == text_of(page)


@pytest.mark.parametrize("path", written.FILES)
def test_what_is_made_from_the_documents_is_current(path: str) -> None:
    assert path not in written.changes(ROOT), "make gen renews it"


def test_nothing_else_lies_beside_what_is_made_from_the_documents() -> None:
    files = {path.relative_to(ROOT).as_posix() for path in (ROOT / "docs/generated").rglob("*") if path.is_file()}
    assert files == {*written.FILES, recording.PATH, "docs/generated/benchmarks.md"}


def test_the_list_for_language_models_names_every_page_of_the_contents(staged: Path) -> None:
    for folder, text in (
        ("docs/generated", text_of(llms.PATH)),
        (".", (staged / "llms.txt").read_text(encoding="utf-8")),
    ):
        named = [line.partition("](")[2].partition(")")[0] for line in text.splitlines() if line.startswith("- [")]
        assert [normpath(join(folder, target)) for target in named] == [
            entry.path for section in contents(ROOT) for entry in section.entries
        ]
        assert all((ROOT / folder / target).is_file() for target in named)


def test_the_full_text_for_language_models_holds_every_page_once(staged: Path) -> None:
    text = (staged / "llms-full.txt").read_text(encoding="utf-8")
    for page in set(named(navigation(ROOT))) - {INDEX}:
        assert text.count(f"<!-- {page} -->\n") == 1, page
        assert text_of(page).partition("\n# ")[2] in text


def test_a_row_without_a_heading_is_refused(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / INDEX).write_text("# Contents\n\n| [One](one.md) | for you |\n", encoding="utf-8")
    with pytest.raises(ValueError, match="'One' stands under no heading"):
        contents(tmp_path)


def test_a_decision_record_without_its_status_is_refused(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "docs/adr", tmp_path / "docs/adr")
    assert decisions.index(tmp_path) == decisions.index(ROOT)
    (tmp_path / "docs/adr/9999-new.md").write_text("# 9999: New\n\n## Context\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"docs/adr/9999-new\.md has to begin with"):
        decisions.index(tmp_path)
