"""Whoever follows a link in the documents arrives."""

from pathlib import PurePosixPath
from posixpath import normpath

import pytest

from tests.docs.pages import PAGES, ROOT, WRITTEN, anchors, headings, links, text_of

INNER = [(page, link) for page in PAGES for link in dict.fromkeys(links(page)) if "://" not in link]
PARTS = ("Context", "Decision", "Consequences")
ADRS = [page for page in WRITTEN if page.startswith("docs/adr/0")]


def target_of(page: str, link: str) -> tuple[str, str]:
    path, _, anchor = link.partition("#")
    return (normpath(PurePosixPath(page).parent / path) if path else page), anchor


@pytest.mark.parametrize(("page", "link"), INNER, ids=lambda value: value)
def test_a_link_leads_to_a_file_and_a_heading_of_it(page: str, link: str) -> None:
    target, anchor = target_of(page, link)
    assert not target.startswith(".."), "the link leaves the project"
    assert (ROOT / target).exists(), f"no file {target}"
    if anchor:
        assert anchor in anchors(target), f"{target} has no heading for #{anchor}"


def linked_from(index: str) -> set[str]:
    return {target_of(index, link)[0] for link in links(index)}


def test_the_index_leads_to_every_page() -> None:
    pages = {page for page in WRITTEN if page.startswith("docs/") and "/adr/0" not in page}
    assert linked_from("docs/index.md") >= pages - {"docs/index.md"}, "give it a row under a heading of docs/index.md"


def test_the_index_of_decisions_leads_to_every_record() -> None:
    assert ADRS
    assert linked_from("docs/generated/decisions.md") >= set(ADRS)


@pytest.mark.parametrize("page", ADRS)
def test_a_decision_record_has_its_number_and_its_parts(page: str) -> None:
    title, *parts = headings(page)
    assert title.startswith(f"{PurePosixPath(page).name[:4]}: ")
    assert [part for part in parts if part in PARTS] == list(PARTS)
    assert "\nStatus: " in text_of(page)
