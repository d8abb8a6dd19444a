"""Exporting and importing within a process, over the small graph of the graph's own tests."""

import tempfile
from contextlib import closing
from io import BytesIO
from pathlib import Path

from lcg.exchange import jsonl
from lcg.exchange.graph_reader import GraphReader, open_rows, write_rows
from lcg.exchange.imports import Form, Reading, Staging, stage
from lcg.exchange.staged import Staged
from lcg.runtime.call import Call
from lcg.services.import_rules import Rules
from lcg.services.importing import Imported, Importer
from tests.graph.harness import NOON, Workspace


def exported(workspace: Workspace) -> bytes:
    """Return the whole graph as the format `jsonl`."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "rows.db"
        write_rows(path, (row for rows in workspace.rows() for row in rows))
        out = BytesIO()
        with open_rows(path) as file:
            list(jsonl.write(GraphReader(file), out))
        return out.getvalue()


def staged_in(
    folder: Path, content: bytes, *, group: str | None = None, new: bool = False, form: Form | None = None
) -> Staging:
    """Stage what a file holds."""
    return stage(BytesIO(content), Reading(form, "memory.jsonl", group, NOON, new), folder)


def imported(
    workspace: Workspace,
    content: bytes,
    rules: Rules = Rules(),  # noqa: B008  immutable
    *,
    skips: bool = False,
    dry_run: bool = False,
    group: str | None = None,
    new: bool = False,
    form: Form | None = None,
    call: Call | None = None,
) -> tuple[Staging, Imported]:
    """Import what a file holds, as the command does."""
    call = call or Call("lcg_import_rows")
    with tempfile.TemporaryDirectory() as directory:
        staging = staged_in(Path(directory), content, group=group, new=new, form=form)
        dry_run = dry_run or bool(staging.refusals.count and not skips)
        with closing(Staged(staging.path)) as staged:
            importer = Importer(workspace.graph, workspace.embedding, staged, rules, call, skips=skips)
            return staging, importer.run(dry_run=dry_run)
