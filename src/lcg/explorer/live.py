"""What the page of `lcg view` is answered: the rows of a moment, read anew with every page that is opened."""

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from lcg.exchange.dumped import graph_rows
from lcg.explorer.reading import Budget, Details, read_graph
from lcg.explorer.records import AroundRecord, GraphRecord, NodeRecord, SourceRecord
from lcg.explorer.selection import Selection, select
from lcg.generated.client import Methods

_NO_TEXTS: Final = 0
_FOUND: Final = 20


class LiveGraph:
    """Reads for pages. For one thread, the one that closes it too.

    Args:
        service: the methods of the graph; only those that read are called.
        groups: what is shown; None shows every group.
        title: what the page is called.
        parent: the folder in which the rows may lie meanwhile.
    """

    def __init__(self, service: Methods, groups: Sequence[str] | None, title: str, parent: Path) -> None:
        self._service = service
        self._groups = groups
        self._title = title
        self._parent = parent
        self._rows = ExitStack()
        self._details: Details | None = None

    def graph(self) -> GraphRecord:
        """Read the rows as they are now, and return what a page begins with; texts are left to `source`.

        Raises:
            ClientError, BrokenDump, OSError, sqlite3.Error: they cannot be had; those before still answer.
        """
        record, _ = self._read()
        return record

    def around(self, uuid: str, offset: int) -> AroundRecord:
        """Return a page of the facts of an entity with their ends; of an unknown one, nothing."""
        return self._known().around(uuid, offset)

    def search(self, query: str) -> list[NodeRecord]:
        """Return what the service finds, the best first.

        Raises:
            ClientError: it refuses.
        """
        found = self._service.knowledge_find_entities(query, num_results=_FOUND, group_ids=self._groups)
        return self._known().nodes(node["uuid"] for node in found["nodes"])

    def source(self, uuid: str) -> SourceRecord | None:
        """Return an episode with its text, or None when it is not shown."""
        return self._known().source(uuid)

    def close(self) -> None:
        """Let go of the rows. Safe to call twice."""
        self._details = None
        self._rows.close()

    def _known(self) -> Details:
        # A page that was opened before this process asks for details at once.
        return self._details or self._read()[1]

    def _read(self) -> tuple[GraphRecord, Details]:
        with ExitStack() as rows:
            reader = rows.enter_context(graph_rows(self._service, self._groups, self._parent))
            selection: Selection = select(reader)
            record = read_graph(reader, selection, self._title, self._groups, Budget(_NO_TEXTS))
            self.close()
            self._rows, self._details = rows.pop_all(), Details(reader, selection)
            return record, self._details
