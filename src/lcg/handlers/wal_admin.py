"""Log administration: rebuilds, marks, search indexes, copies of the files."""

from lcg.generated.params import RebuildFromWalParams, WalMarkCreateParams
from lcg.generated.results import (
    BuildIndicesResult,
    PrepareCheckpointResult,
    RebuildFromWalResult,
    WalMarkCreateResult,
)
from lcg.graph.graph import Graph
from lcg.handlers.marks import MarkHandlers
from lcg.handlers.rebuilds import RebuildCalls
from lcg.runtime.call import Call
from lcg.services.maintenance import Maintenance
from lcg.services.marks import Marks


class WalAdminHandlers(MarkHandlers):
    """Upkeep of logs and indexes."""

    def __init__(self, graph: Graph, marks: Marks, maintenance: Maintenance, rebuilds: RebuildCalls) -> None:
        super().__init__(marks)
        self._graph = graph
        self._maintenance = maintenance
        self._rebuilds = rebuilds

    def rebuild_from_wal(self, params: RebuildFromWalParams, call: Call) -> RebuildFromWalResult:
        """Rebuild a group from its log."""
        return self._rebuilds.rebuild(params, call)

    def build_indices(self, call: Call) -> BuildIndicesResult:
        """Build the search indexes anew."""
        embedded, missing = self._maintenance.build_indices()
        return {
            "status": "ok",
            "indices_built": True,
            "embedded": embedded,
            "embedding_warning": f"{missing} rows have no vector; the embedder did not answer" if missing else None,
        }

    def prepare_checkpoint(self, call: Call) -> PrepareCheckpointResult:
        """Make the files fit for a copy."""
        closed, total = self._maintenance.prepare_checkpoint()
        return {"success": True, "files_flushed": closed, "files_total": total}

    def wal_mark_create(self, params: WalMarkCreateParams, call: Call) -> WalMarkCreateResult:
        """Name the present position of a group's log."""
        mark = self._marks.create(self._graph.state, params.group_id, params.name)
        return {
            "success": True,
            "name": mark.name,
            "group_id": params.group_id,
            "seq": mark.seq or 0,
            "generation": mark.generation,
        }
