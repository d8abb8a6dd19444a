"""`lcg export` and `lcg import` where streams are gone, names are long, and something odd stands in the way."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

from tests.commands.conftest import Workspace
from tests.commands.program import lcg
from tests.processes import PATIENCE_S, REAL, environment

REFUSED = '{"format":"lcg-graph","version":1}\n{"type":"entity","group":5}\n'


def in_shell(workspace: Path, command: str) -> subprocess.CompletedProcess[str]:
    """Run the program, which is `"$@"` of the command, with the streams that a shell gives it."""
    return subprocess.run(
        ["sh", "-c", command, "sh", *REAL],
        cwd=workspace,
        env=environment({}),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S * 2,
        check=False,
    )


def test_a_refused_line_is_told_by_the_exit_status_whoever_reads(workspace: Workspace) -> None:
    (workspace.root / "bad.jsonl").write_text(REFUSED, encoding="utf-8")
    for streams in ("| true", "2>&1 | true"):
        command = f'{{ sleep 0.2; "$@" import bad.jsonl; echo $? >status; }} {streams}'
        in_shell(workspace.root, command)
        assert (workspace.root / "status").read_text() == "1\n"


def test_a_full_stderr_keeps_nothing_from_being_imported(workspace: Workspace) -> None:
    done = in_shell(workspace.root, '"$@" export --group a --group none a.jsonl 2>/dev/full')
    assert done.returncode == 0
    assert (workspace.root / "a.jsonl").exists()


def test_a_stdin_that_is_closed_is_empty(workspace: Workspace) -> None:
    done = in_shell(workspace.root, '"$@" import - <&-')
    assert (done.returncode, done.stderr) == (1, "lcg import: - cannot be imported: it is empty.\n")


def test_an_import_of_nothing_leaves_no_folder_behind(tmp_path: Path) -> None:
    assert lcg(tmp_path, "import", "missing.jsonl").returncode == 1
    assert os.listdir(tmp_path) == []


def test_a_file_can_have_the_longest_name_that_a_file_system_takes(workspace: Workspace) -> None:
    name = "日" * 85
    done = lcg(workspace.root, "export", name)
    assert (done.returncode, done.stderr) == (0, "")
    assert (workspace.root / name).is_file()


def test_the_files_of_the_graph_itself_are_never_replaced(workspace: Workspace) -> None:
    log = next((workspace.root / ".lcg" / "wal").rglob("*.jsonl"))
    before = log.read_bytes()
    (workspace.root / "link").symlink_to(log)
    for target in (str(log.relative_to(workspace.root)), "link", ".lcg/wal/new.jsonl"):
        done = lcg(workspace.root, "export", "--force", target)
        assert done.returncode == 1 and "holds the graph itself" in done.stderr
    assert log.read_bytes() == before
    assert not (workspace.root / ".lcg/wal/new.jsonl").exists()


def test_links_that_go_in_a_circle_are_refused_in_one_line(workspace: Workspace) -> None:
    (workspace.root / "loop").symlink_to("loop")
    done = lcg(workspace.root, "export", "--force", "loop")
    assert done.returncode == 1 and done.stderr.count("\n") == 1


def test_pipes_folders_and_lost_links_of_a_vault_are_left_alone(workspace: Workspace) -> None:
    assert lcg(workspace.root, "export", "--format", "markdown", "vault").returncode == 0
    notes = sorted((workspace.root / "vault").rglob("*.md"))[:3]
    for note in notes:
        note.unlink()
    os.mkfifo(notes[0])
    notes[1].mkdir()
    notes[2].symlink_to(workspace.root / "outside")
    assert lcg(workspace.root, "export", "--format", "markdown", "vault").returncode == 0
    assert notes[0].is_fifo() and notes[1].is_dir() and notes[2].is_symlink()
    assert not (workspace.root / "outside").exists()


def test_links_in_a_vault_do_not_lead_an_export_out_of_it(workspace: Workspace) -> None:
    """Neither through a folder nor through a note: nothing is written, replaced or removed where they lead."""
    vault, outside = workspace.root / "vault", workspace.root / "outside"
    export = ("export", "--format", "markdown", "vault")
    assert lcg(workspace.root, *export).returncode == 0
    folder = vault / "a"
    shutil.move(folder, outside)
    folder.symlink_to(outside)
    lone = sorted((vault / "liminis").rglob("*.md"))[0]
    shutil.move(lone, workspace.root / "lone.md")
    lone.symlink_to(workspace.root / "lone.md")

    def all_outside() -> dict[str, str]:
        files = [path for path in outside.rglob("*") if path.is_file()]
        return {str(path): path.read_text(encoding="utf-8") for path in (*files, workspace.root / "lone.md")}

    before = all_outside()
    nodes = workspace.ask("list_entities")["nodes"]
    calls: list[tuple[str, dict[str, Any]]] = [
        ("assert_entity", {"name": node["name"], "group_id": node["group_id"], "summary": "changed"}) for node in nodes
    ]
    calls += [("assert_entity", {"name": f"new {group}", "group_id": group}) for group in ("a", "liminis")]
    workspace.ask_all(*calls)
    assert lcg(workspace.root, *export).returncode == 0
    workspace.ask("delete_by_group", group_ids=["a", "liminis"], confirm=True)
    assert lcg(workspace.root, *export).returncode == 0
    assert all_outside() == before


def test_a_memory_of_a_vault_that_is_a_link_is_refused(workspace: Workspace) -> None:
    (workspace.root / "vault").mkdir()
    (workspace.root / "profile").write_text("theirs")
    (workspace.root / "vault" / ".lcg-export.jsonl").symlink_to(workspace.root / "profile")
    done = lcg(workspace.root, "export", "--format", "markdown", "vault")
    assert done.returncode == 1 and "no regular file" in done.stderr
    assert (workspace.root / "profile").read_text() == "theirs"


def test_a_memory_of_a_vault_that_is_a_pipe_is_refused(workspace: Workspace) -> None:
    (workspace.root / "vault").mkdir()
    os.mkfifo(workspace.root / "vault" / ".lcg-export.jsonl")
    done = lcg(workspace.root, "export", "--format", "markdown", "vault")
    assert done.returncode == 1 and "no regular file" in done.stderr
