"""The page: nothing of its data is ever markup, it asks nobody, and its policy allows only its own code."""

import io
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lcg.exchange import html
from lcg.exchange.formats import FORMATS
from lcg.explorer.page import file_page, served_page
from lcg.explorer.records import GraphRecord
from lcg.explorer.selection import select
from tests.explorer.pages import Page, digest_of
from tests.explorer.rows import HOSTILE, hostile, reading
from tests.processes import ROOT

EXPLORER = ROOT / "explorer"
BUILT = ROOT / "src/lcg/explorer/generated/explorer.html"
EMPTY = Page(file_page("", {}))


def exported(folder: Path, rows: list[Any]) -> tuple[bytes, list[str]]:
    out = io.BytesIO()
    with reading(folder, rows) as graph:
        notes = list(html.write(graph, out))
    return out.getvalue(), notes


def test_a_hostile_graph_stays_data(tmp_path: Path) -> None:
    written, notes = exported(tmp_path, hostile())
    page = Page(written)
    assert notes == []
    assert [node["name"] for node in page.data["nodes"]] == sorted(HOSTILE, key=HOSTILE.index)
    assert {source["text"] for source in page.data["sources"]} == set(HOSTILE)
    assert page.tags == EMPTY.tags


@settings(max_examples=30)
@given(st.text())
def test_no_text_changes_what_the_page_is_made_of(text: str) -> None:
    page = Page(file_page(text, {"name": text, text: [text]}))
    assert page.tags == EMPTY.tags
    assert page.data == {"name": text, text: [text]}
    script = page.texts["script", "application/json"]
    assert not re.search("[<>&\u2028\u2029]", script)


def test_the_policy_allows_the_pages_own_code_and_nothing_else() -> None:
    for page, connects in ((file_page("t", {}), "'none'"), (served_page("t"), "'self'")):
        read = Page(page)
        assert read.policy == {
            "default-src": ["'none'"],
            "script-src": [digest_of(read.texts["script", None])],
            "style-src": [digest_of(read.texts["style", None])],
            "worker-src": ["blob:"],
            "img-src": ["data:"],
            "connect-src": [connects],
            "base-uri": ["'none'"],
            "form-action": ["'none'"],
        }


def test_the_page_loads_nothing_from_anywhere() -> None:
    for tag, attrs in EMPTY.tags:
        for name in ("src", "href", "srcset", "action", "data", "poster"):
            assert (attrs.get(name) or "data:").startswith("data:"), (tag, attrs)
    style = EMPTY.texts["style", None]
    assert "@import" not in style and "url(" not in style


def test_the_pages_code_never_reads_text_as_markup_or_code() -> None:
    forbidden = re.compile(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|createContextualFragment"
    )
    for path in sorted((EXPLORER / "src").rglob("*.ts")):
        assert not forbidden.search(path.read_text(encoding="utf-8")), path.name


def test_the_page_says_where_it_comes_from_and_holds_the_licences_of_what_is_in_it() -> None:
    head = BUILT.read_text(encoding="utf-8").split("<html", 1)[0]
    assert "DO NOT EDIT. Renew with `make explorer`." in head
    notice = (ROOT / "NOTICE").read_text(encoding="utf-8")
    packages = re.findall(r"^(\S+) \d\S* \(MIT\)$", head, re.MULTILINE)
    assert len(packages) >= 4
    for package in packages:
        assert re.search(rf"\b{package}\b", notice), package
    assert head.count("Permission is hereby granted") == len(packages)


def test_the_same_rows_are_the_same_bytes_in_whatever_order_they_come(tmp_path: Path) -> None:
    pages = set()
    for number, rows in enumerate((hostile(), hostile()[::-1])):
        folder = tmp_path / str(number)
        folder.mkdir()
        pages.add(exported(folder, rows)[0])
    assert len(pages) == 1


def test_an_empty_graph_is_a_page_too(tmp_path: Path) -> None:
    page = Page(exported(tmp_path, [])[0])
    assert (page.data["nodes"], page.data["facts"], page.texts["title", None]) == ([], [], "Context graph")


def test_what_a_page_leaves_out_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(html, "select", lambda graph: select(graph, most_entities=1))
    monkeypatch.setattr(html, "MOST_SOURCE_CHARS", 3)
    _, notes = exported(tmp_path, hostile())
    assert "best-connected 1 of 12 entities, and 0 of 12 facts" in notes[0]
    assert "leaves out the text of 1 of its sources" in notes[1]


def test_the_record_has_the_members_that_the_page_reads() -> None:
    source = (EXPLORER / "src/data.ts").read_text(encoding="utf-8")
    for name in GraphRecord.__annotations__:
        assert re.search(rf"^  {name}: ", source, re.MULTILINE), name


def node(*arguments: str | Path) -> None:
    """Run Node.js in explorer/; skip where it or the packages are not there."""
    if shutil.which("node") is None:
        pytest.skip("there is no Node.js; the page was built where there is")
    if not (EXPLORER / "node_modules/esbuild").is_dir():
        pytest.skip("the packages of explorer/ are not installed; `make explorer` does")
    done = subprocess.run(["node", *arguments], cwd=EXPLORER, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"


def test_the_checked_in_page_is_what_its_sources_make(tmp_path: Path) -> None:
    node("build.mjs", tmp_path / "page.html")
    assert (tmp_path / "page.html").read_bytes() == BUILT.read_bytes(), "run `make explorer`"


def test_the_pages_own_tests_pass(tmp_path: Path) -> None:
    node("build.mjs", "test", tmp_path)
    tests = sorted(tmp_path.glob("*.test.mjs"))
    assert [path.name.removesuffix(".mjs") for path in tests] == [
        path.name.removesuffix(".ts") for path in sorted((EXPLORER / "test").glob("*.test.ts"))
    ]
    node("--test", *tests)


def test_the_pages_types_hold() -> None:
    node("node_modules/typescript/bin/tsc")


def test_html_is_a_format_of_the_export() -> None:
    assert FORMATS["html"].write is html.write
