"""The call of `lcg import`, which is no method of the registry: only the program's own commands know it.

It is taken on the socket, and by commands that opened the workspace themselves; no MCP client can see or call it.
"""

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from lcg.errors import InvalidParams, OperationFailed
from lcg.exchange.staged import Staged
from lcg.generated.errors import ErrorKind
from lcg.graph.graph import Graph
from lcg.runtime.call import Call
from lcg.runtime.dispatch import Method
from lcg.runtime.internal import IMPORT_ROWS
from lcg.runtime.show import show
from lcg.services.embedding import Embedding
from lcg.services.import_rules import EXISTING, NAMES, Rules
from lcg.services.importing import Importer


class ImportHandlers:
    """Takes staged rows into the graph."""

    def __init__(self, graph: Graph, embedding: Embedding) -> None:
        self._graph = graph
        self._embedding = embedding

    def import_rows(self, params: Mapping[str, Any], call: Call) -> dict[str, Any]:
        """Import the rows of a staged file.

        Parameters: `staged` (path of a file of `lcg.exchange.staged`), `existing`, `names`, `undated` (see
        `lcg.services.import_rules`), `skip_refused`, `dry_run`.

        Raises:
            InvalidParams: one is missing or not what it has to be.
            OperationFailed: `not_found`: there is no such file; `precondition`: it is another kind of file.
            LcgError: as `Importer.run`.
        """
        path = Path(_text(params, "staged"))
        if not path.is_file():
            raise OperationFailed(ErrorKind.NOT_FOUND, f"There is no file {path} for this service to read.")
        rules = Rules(
            _one_of(params, "existing", EXISTING),
            _one_of(params, "names", NAMES),
            undated=_switch(params, "undated"),
        )
        skips, dry_run = _switch(params, "skip_refused"), _switch(params, "dry_run")
        try:
            with closing(Staged(path)) as staged:
                done = Importer(self._graph, self._embedding, staged, rules, call, skips=skips).run(dry_run=dry_run)
        except sqlite3.Error as error:
            raise OperationFailed(ErrorKind.PRECONDITION, f"{path} cannot be read as staged rows: {error}.") from error
        return {
            "written": done.written,
            "counts": done.counts,
            "refused": [{"line": line, "reason": reason} for line, reason in done.refused],
            "refused_count": done.refused_count,
            "groups_done": done.groups_done,
            "embedding_warning": done.embedding_warning,
        }


def _run(handlers: Any, params: Mapping[str, Any], call: Call) -> dict[str, Any]:
    found: dict[str, Any] = handlers.importing.import_rows(params, call)
    return found


IMPORT: Final = Method(IMPORT_ROWS, None, works_degraded=False, progress=True, run=_run)


def _text(params: Mapping[str, Any], name: str) -> str:
    value = params.get(name)
    if isinstance(value, str) and value and "\0" not in value:
        return value
    raise InvalidParams(IMPORT_ROWS, name, "a path", show(value))


def _one_of(params: Mapping[str, Any], name: str, words: tuple[Any, ...]) -> Any:
    value = params.get(name)
    if value in words:
        return value
    raise InvalidParams(IMPORT_ROWS, name, f"one of {', '.join(words)}", show(value))


def _switch(params: Mapping[str, Any], name: str) -> bool:
    value = params.get(name, False)
    if isinstance(value, bool):
        return value
    raise InvalidParams(IMPORT_ROWS, name, "true or false", show(value))
