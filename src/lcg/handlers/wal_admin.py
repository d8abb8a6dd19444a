"""Log administration: rebuilds, marks, dumps, search indexes, copies of the files."""

from lcg.errors import InvalidParams
from lcg.generated.params import DumpWalParams, RebuildFromWalParams, WalMarkCreateParams
from lcg.generated.results import (
    BuildIndicesResult,
    DumpWalResult,
    PrepareCheckpointResult,
    RebuildFromWalResult,
    WalMarkCreateResult,
)
from lcg.graph.graph import Graph
from lcg.handlers.marks import MarkHandlers
from lcg.handlers.rebuilds import RebuildCalls
from lcg.handlers.status import unlogged_mutations
from lcg.runtime.call import Call
from lcg.services import warnings
from lcg.services.dump import Dumper
from lcg.services.maintenance import Maintenance
from lcg.services.marks import Marks


class WalAdminHandlers(MarkHandlers):
    """Upkeep of logs and indexes."""

    def __init__(
        self, graph: Graph, marks: Marks, dumper: Dumper, maintenance: Maintenance, rebuilds: RebuildCalls
    ) -> None:
        super().__init__(marks)
        self._dumper = dumper
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

    def dump_wal(self, params: DumpWalParams, call: Call) -> DumpWalResult:
        """Write the graph as fresh logs."""
        if params.target_dir is not None and "\0" in params.target_dir:
            raise InvalidParams(call.method, "target_dir", "a path", "text with a NUL character")
        done = self._dumper.dump(params.groups, params.target_dir, call)
        unlogged = unlogged_mutations(self._graph.state) or 0
        result: DumpWalResult = {
            "success": True,
            "nodes_dumped": done.nodes,
            "edges_dumped": done.links,
            "files_written": sum(group.files for group in done.groups),
            "groups": [
                {"group_id": group.group_id, "max_seq": group.max_seq, "generation": group.generation}
                for group in done.groups
            ],
            "target_dir": str(done.target),
            "includes_unlogged": unlogged > 0,
        }
        if unlogged:
            result["warnings"] = [warnings.unlogged_dumped(unlogged)]
        return result
