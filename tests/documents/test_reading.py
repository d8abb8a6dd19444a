"""Documents are found where people mean them, and read as what they are."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demo.documents import find
from lcg.documents.finding import Document, Kind, find_documents, is_below
from lcg.documents.json_parts import parts_of, text_of
from lcg.documents.reading import Unreadable, markdown_of, read_chunks

PAGE = """<html><head><title>Team</title><script>var x=1</script></head><body><nav>Menu</nav>
<h1>Billing</h1><p>Priya Nair maintains <b>Billing</b>, see <a href="x">there</a>.</p><ul><li>one</li></ul>
</body></html>"""
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=5), inner, max_size=5),
    max_leaves=40,
)


def write(root: Path, *names: str) -> None:
    for name in names:
        (root / name).parent.mkdir(exist_ok=True, parents=True)
        (root / name).write_text("text", encoding="utf-8")


def test_of_a_folder_every_document_is_found_and_nothing_hidden(tmp_path: Path) -> None:
    write(tmp_path, "b.txt", "sub/A.MD", "p.html", "d.json", ".git/x.md", "node_modules/y.md", "picture.png", ".z.md")
    found = [document.source for document in find_documents([tmp_path], tmp_path)]
    assert found == ["b.txt", "d.json", "p.html", "sub/A.MD"]
    assert [path.name for path in find(tmp_path)] == ["b.txt", "A.MD"]


def test_links_in_a_folder_are_told_of_and_not_followed_wherever_they_lead(tmp_path: Path) -> None:
    write(tmp_path, "notes/a.md", "notes/sub/b.md", "outside/secret.md", "outside/deep/c.md")
    notes = tmp_path / "notes"
    (notes / "out.md").symlink_to(tmp_path / "outside/secret.md")
    (notes / "again.md").symlink_to("a.md")
    (notes / "lost.md").symlink_to("nowhere")
    (notes / "picture.png").symlink_to("a.md")
    (notes / ".hidden.md").symlink_to("a.md")
    (notes / "outside").symlink_to(tmp_path / "outside")
    (notes / "sub/loop").symlink_to(notes)
    links: list[Path] = []
    found = [document.source for document in find_documents([notes], notes, links.append)]
    assert found == ["a.md", "sub/b.md"]
    assert sorted(str(link.relative_to(notes)) for link in links) == [
        *("again.md", "lost.md", "out.md", "outside", "sub/loop")
    ]


@pytest.mark.parametrize("name", ["file.md", "folder"])
def test_a_link_that_is_named_itself_is_followed(tmp_path: Path, name: str) -> None:
    write(tmp_path, "elsewhere/a.md", "w/b.md")
    (tmp_path / "w/file.md").symlink_to(tmp_path / "elsewhere/a.md")
    (tmp_path / "w/folder").symlink_to(tmp_path / "elsewhere")
    (document,) = find_documents([tmp_path / "w" / name], tmp_path / "w")
    assert document.path.read_text(encoding="utf-8") == "text"


def test_a_file_that_is_named_is_taken_whatever_its_name_and_once(tmp_path: Path) -> None:
    write(tmp_path, "w/NOTES", "w/a.md", "other/b.md")
    paths = [tmp_path / "w/NOTES", tmp_path / "w", tmp_path / "w/a.md", tmp_path / "other/b.md"]
    found = find_documents(paths, tmp_path / "w")
    assert [document.source for document in found] == [f"{tmp_path.resolve()}/other/b.md", "NOTES", "a.md"]


def test_a_name_that_is_no_text_is_made_one(tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/x\xff.md"))
    path.write_text("text", encoding="utf-8")
    (document,) = find_documents([tmp_path], tmp_path)
    assert document.source == "x\\xff.md"
    assert read_chunks(document)[0].text == "text"


def test_a_source_is_below_a_folder_by_its_path_not_by_its_letters(tmp_path: Path) -> None:
    write(tmp_path, "docs/a.md")
    assert is_below("docs/gone.md", tmp_path / "docs", tmp_path)
    assert not is_below("docs2/gone.md", tmp_path / "docs", tmp_path)
    assert not is_below("docs/chat", tmp_path / "docs", tmp_path)


def test_a_page_is_read_as_its_headings_and_paragraphs() -> None:
    assert markdown_of(PAGE).split("\n\n") == ["# Billing", "Priya Nair maintains Billing, see there.", "* one"]


def test_a_page_without_a_heading_has_its_title() -> None:
    assert markdown_of("<title>Team</title><p>text</p>") == "# Team\n\ntext"


def read(path: Path, kind: Kind, content: bytes) -> list[str]:
    path.write_bytes(content)
    return [chunk.text for chunk in read_chunks(Document(path, path.name, kind))]


def test_line_ends_and_marks_of_other_systems_do_not_matter(tmp_path: Path) -> None:
    assert read(tmp_path / "a.md", "text", b"\xef\xbb\xbf# A\r\n\r\ntext\r\n") == ["# A\n\ntext"]


@pytest.mark.parametrize(
    ("kind", "content", "why"),
    [
        ("text", b"caf\xe9", "no UTF-8"),
        ("text", b"a\x00b", "NUL"),
        ("json", b'{"a":\n', "no JSON in line 2"),
    ],
)
def test_what_is_no_text_is_told_with_what_to_do(tmp_path: Path, kind: Kind, content: bytes, why: str) -> None:
    with pytest.raises(Unreadable, match=why) as refused:
        read(tmp_path / "a", kind, content)
    assert "leave it out" in str(refused.value)


def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / "endless.md").symlink_to("/dev/zero")
    for name in ("pipe.md", "endless.md"):
        with pytest.raises(Unreadable, match="leave it out"):
            read_chunks(Document(tmp_path / name, name, "text"))


def test_a_small_json_document_is_one_chunk_and_a_large_one_several_documents(tmp_path: Path) -> None:
    assert [json.loads(text) for text in read(tmp_path / "a.json", "json", b'{"a": 1}')] == [{"a": 1}]
    large = [{"name": f"n{number}", "text": "x" * 100} for number in range(100)]
    parts = [json.loads(text) for text in read(tmp_path / "b.json", "json", json.dumps(large).encode())]
    assert len(parts) > 2
    assert [item for part in parts for item in part] == large


def leaves(value: Any, path: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], Any]]:
    """Return what is in a value, with the keys on the way; places in arrays change when they are cut."""
    if isinstance(value, dict) and value:
        return [leaf for key, item in value.items() for leaf in leaves(item, (*path, key))]
    if isinstance(value, list) and value:
        return [leaf for item in value for leaf in leaves(item, (*path, "[]"))]
    return [(path, value)]


@given(VALUES, st.integers(5, 60))
def test_parts_of_a_json_document_hold_all_of_it_in_order(value: Any, most: int) -> None:
    parts = list(parts_of(value, most))
    assert [leaf for part in parts for leaf in leaves(part)] == leaves(value)
    cores = [core_of(part) for part in parts]
    assert all(len(text_of(core)) <= most for core in cores if isinstance(core, dict | list) and core)


def core_of(part: Any) -> Any:
    """Return what a part holds, without the arrays and objects of one member that lead to it."""
    while isinstance(part, dict | list) and len(part) == 1:
        (part,) = part.values() if isinstance(part, dict) else part
    return part
