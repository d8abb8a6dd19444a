"""The formats of `lcg export`, each read by what reads it in the world: NetworkX, a CSV reader, a Markdown parser."""

import csv
import json
import re
import sqlite3
from io import BytesIO
from pathlib import Path
from typing import Any

import networkx
import pytest
from markdown_it import MarkdownIt

from lcg.exchange import gexf, graphml, tables, vault
from lcg.exchange.file_names import LONGEST_BYTES, collision_key, file_name
from lcg.exchange.graph_reader import GraphReader, write_rows
from lcg.model.rows import Edge, Entity, Episode, Mention, Row
from tests.commands.conftest import Workspace
from tests.commands.program import lcg
from tests.processes import REAL, serving

NASTY = "<b>&\"'\x00\x1b]]>\ufffe é中🙂\r\n\tend"
DAY = 86_400_000_000


def entity(uuid: str, name: str, group: str = "g", **fields: Any) -> Entity:
    return Entity(uuid, group, name, fields.pop("labels", ("Entity", "Person")), DAY, **fields)


def edge(uuid: str, source: str, target: str, **fields: Any) -> Edge:
    return Edge(uuid, "g", "KNOWS", source, target, fields.pop("fact", f"{source} knows {target}"), DAY, **fields)


ROWS: list[Row] = [
    entity("u1", "Ada", summary=NASTY, attributes='{"a":[1]}'),
    entity("u2", "ada/\\:*?", summary="# heading\n- item\n1. one\n[[link]] <script>"),
    entity("u3", NASTY),
    entity("u4", "gone", labels=("Entity", "Merged")),
    entity("u5", "Ada", "h"),
    edge("e1", "u1", "u2", valid_at=DAY, invalid_at=3 * DAY, episodes=("p1",)),
    edge("e2", "u1", "u2", fact=NASTY),
    edge("e3", "u1", "u1"),
    edge("e4", "u1", "elsewhere"),
    Episode("p1", "g", "=cmd()", DAY, "text", "notes/a.md:1", "=1+1 said Ada", DAY),
    Mention("g", "p1", "u1"),
]


@pytest.fixture
def graph(tmp_path: Path) -> Any:
    return reader(tmp_path, ROWS)


def reader(tmp_path: Path, rows: list[Row]) -> GraphReader:
    number = len(list(tmp_path.iterdir()))
    path = tmp_path / f"rows-{number}.db"
    write_rows(path, rows)
    return GraphReader(sqlite3.connect(path))


def whole(write: Any, graph: GraphReader) -> tuple[BytesIO, list[str]]:
    out = BytesIO()
    notes = list(write(graph, out))
    out.seek(0)
    return out, notes


def test_networkx_reads_graphml_with_every_entity_and_fact(graph: GraphReader) -> None:
    out, notes = whole(graphml.write, graph)
    read = networkx.read_graphml(out, force_multigraph=True)
    assert set(read.nodes) == {"u1", "u2", "u3", "u5"} and read.is_directed()
    assert sorted(read.edges(keys=True)) == [("u1", "u1", "e3"), ("u1", "u2", "e1"), ("u1", "u2", "e2")]
    assert read.nodes["u1"]["types"] == "Person" and json.loads(read.nodes["u1"]["attributes"]) == {"a": [1]}
    assert read.nodes["u1"]["summary"] == NASTY.replace("\x00", "\ufffd").replace("\x1b", "\ufffd").replace(
        "\ufffe", "\ufffd"
    )
    assert read.edges["u1", "u2", "e1"]["sources"] == "notes/a.md:1"
    assert notes == [
        "1 entities that were merged into others are left out.",
        "1 facts are left out, for an end of theirs is not in what is exported.",
    ]


def test_networkx_reads_gexf_with_the_time_of_each_fact(graph: GraphReader) -> None:
    read = networkx.read_gexf(whole(gexf.write, graph)[0])
    assert set(read.nodes) == {"u1", "u2", "u3", "u5"} and read.is_directed()
    facts = {found["id"]: found for _, _, found in read.edges(data=True)}
    assert set(facts) == {"e1", "e2", "e3"}
    assert (facts["e1"]["start"], facts["e1"]["end"]) == ("1970-01-02", "1970-01-04")
    assert facts["e1"]["valid_at"] == "1970-01-02T00:00:00Z"
    assert read.nodes["u2"]["label"] == "ada/\\:*?"


def test_tables_have_every_row_and_no_formula(graph: GraphReader, tmp_path: Path) -> None:
    list(tables.write(graph, tmp_path))
    found = {}
    for name in ("entities", "edges", "episodes", "mentions"):
        with (tmp_path / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            found[name] = list(csv.DictReader(file, strict=True))
    assert [row["uuid"] for row in found["entities"]] == ["u1", "u2", "u3", "u5"]
    assert found["entities"][0]["summary"] == NASTY
    ends = [(row["source_name"], row["target_name"]) for row in found["edges"]]
    assert ends == [("Ada", "ada/\\:*?"), ("Ada", "ada/\\:*?"), ("Ada", "Ada"), ("Ada", "")]
    assert (found["episodes"][0]["name"], found["episodes"][0]["content"]) == ("'=cmd()", "'=1+1 said Ada")
    assert found["mentions"] == [{"group": "g", "episode_uuid": "p1", "entity_uuid": "u1"}]
    assert (tmp_path / "mentions.csv").read_bytes() == b"group,episode_uuid,entity_uuid\r\ng,p1,u1\r\n"


def notes_of(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.md"))}


def test_a_vault_has_a_note_for_each_entity_and_episode_with_links_that_lead_there(
    graph: GraphReader, tmp_path: Path
) -> None:
    folder = tmp_path / "vault"
    folder.mkdir()
    list(vault.write(graph, folder))
    notes = notes_of(folder)
    assert len(notes) == 5 and len({collision_key(name) for name in notes}) == 5
    assert {"g/Ada.md", "h/Ada.md", "g/Sources/=cmd() – notes a.md 1.md"} < notes.keys()
    links = {found for text in notes.values() for found in re.findall(r"(?<!\\)\[\[([^|\]]+)\|[^\]]+\]\]", text)}
    assert links and all(f"{link}.md" in notes for link in links)
    assert "(since 1970-01-02T00:00:00Z, until 1970-01-04T00:00:00Z)" in notes["g/Ada.md"]


def test_no_text_is_markup_in_a_vault(graph: GraphReader, tmp_path: Path) -> None:
    folder = tmp_path / "vault"
    folder.mkdir()
    list(vault.write(graph, folder))
    (note,) = [text for name, text in notes_of(folder).items() if 'uuid: "u2"' in text]
    body = note.split("---\n", 2)[2].split("## Facts")[0]
    tokens = MarkdownIt().parse(body)
    kinds = [token.type for token in tokens]
    assert kinds.count("heading_open") == 1 and "ordered_list_open" not in kinds and "html_block" not in kinds
    shown = "".join(
        child.content for token in tokens for child in token.children or () if child.type.startswith("text")
    )
    assert "[[link]] <script>" in shown and "# heading" in shown and "1. one" in shown


def test_a_vault_that_is_written_again_changes_only_what_changed_and_nobody_elses(tmp_path: Path) -> None:
    folder = tmp_path / "vault"
    (folder / "g").mkdir(parents=True)
    (folder / "g" / "Bob.md").write_text("mine")
    before: list[Row] = [entity("u1", "Ada"), entity("u2", "Bob"), entity("u3", "Cyd"), entity("u4", "Dan")]
    list(vault.write(reader(tmp_path, before), folder))
    assert (folder / "g" / "Bob.md").read_text() == "mine"
    assert {"g/Ada.md", "g/Bob (u2).md", "g/Cyd.md", "g/Dan.md"} < notes_of(folder).keys()
    (folder / "g" / "Dan.md").write_text("changed by hand")
    unchanged = (folder / "g" / "Ada.md").stat().st_mtime_ns
    after: list[Row] = [entity("u1", "Ada"), entity("u2", "Bob", summary="new"), entity("u4", "Dan", summary="new")]
    notes = list(vault.write(reader(tmp_path, after), folder))
    assert notes_of(folder).keys() == {"g/Ada.md", "g/Bob.md", "g/Bob (u2).md", "g/Dan.md"}
    assert "new" in (folder / "g" / "Bob (u2).md").read_text()
    assert (folder / "g" / "Dan.md").read_text() == "changed by hand"
    assert (folder / "g" / "Ada.md").stat().st_mtime_ns == unchanged
    assert notes == [
        "1 notes were changed by hand and are left as they are.",
        "1 notes of rows that are gone are removed.",
    ]
    assert "1 notes were changed by hand" in next(iter(vault.write(reader(tmp_path, after), folder)))


def test_a_vault_keeps_the_notes_of_groups_that_are_not_written(tmp_path: Path) -> None:
    folder = tmp_path / "vault"
    folder.mkdir()
    list(vault.write(reader(tmp_path, [entity("u1", "Ada"), entity("u5", "Ada", "h")]), folder))
    list(vault.write(reader(tmp_path, [entity("u2", "Bob")]), folder))
    assert notes_of(folder).keys() == {"g/Bob.md", "h/Ada.md"}


def test_a_vault_that_was_cut_off_is_brought_up_to_date_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "vault"
    folder.mkdir()
    list(vault.write(reader(tmp_path, [entity("u1", "Ada"), entity("u2", "Bob")]), folder))
    monkeypatch.setattr("lcg.exchange.vault_files.VaultFiles.finish", lambda *_: 1 / 0)
    middle: list[Row] = [entity("u1", "Ada", summary="middle"), entity("u3", "Cyd")]
    with pytest.raises(ZeroDivisionError):
        vault.write(reader(tmp_path, middle), folder)
    monkeypatch.undo()
    assert list(vault.write(reader(tmp_path, [entity("u1", "Ada", summary="end"), entity("u3", "Cyd")]), folder)) == [
        "1 notes of rows that are gone are removed."
    ]
    assert notes_of(folder).keys() == {"g/Ada.md", "g/Cyd.md"} and "end" in notes_of(folder)["g/Ada.md"]


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("CON", "_CON"),
        ("nul.txt", "_nul.txt"),
        ("..", "_"),
        (".hidden", "hidden"),
        ("a. ", "a"),
        ("a/b\\c:d", "a b c d"),
        ("\x00\n", "_"),
        ("e\u0301", "é"),
        ("中" * 200, "中" * (LONGEST_BYTES // 3)),
    ],
)
def test_a_name_becomes_a_file_name_that_every_system_takes(name: str, file: str) -> None:
    assert file_name(name) == file


@pytest.mark.parametrize("name", ["graphml", "gexf", "csv", "markdown", "html"])
def test_every_format_is_the_same_from_a_service_and_without(workspace: Workspace, name: str) -> None:
    def written(place: str) -> dict[str, bytes]:
        done = lcg(workspace.root, "export", "--format", name, place)
        assert done.returncode == 0, done.stderr
        path = workspace.root / place
        files = [path] if path.is_file() else [file for file in sorted(path.rglob("*")) if file.is_file()]
        return {str(file.relative_to(path)): file.read_bytes() for file in files}

    alone = written("alone")
    with serving(workspace.root, command=REAL) as server:
        server.says("listening")
        assert written("attached") == alone


def test_a_folder_is_replaced_only_by_force_and_never_goes_to_stdout(workspace: Workspace) -> None:
    (workspace.root / "tables").mkdir()
    (workspace.root / "tables" / "mine").touch()
    done = lcg(workspace.root, "export", "--format", "csv", "tables")
    assert done.returncode == 1 and "--force" in done.stderr
    assert lcg(workspace.root, "export", "--format", "csv", "tables", "--force").returncode == 0
    assert (workspace.root / "tables" / "mine").exists()
    assert lcg(workspace.root, "export", "--format", "csv", "-").returncode == 2
