"""Log administration: rebuilds, search indexes, copies of the files."""

from lcg.generated.params import RebuildFromWalParams
from lcg.generated.results import BuildIndicesResult, PrepareCheckpointResult, RebuildFromWalResult
from lcg.handlers.rebuilds import RebuildCalls
from lcg.runtime.call import Call
from lcg.services.maintenance import Maintenance


class WalAdminHandlers:
    """Upkeep of logs and indexes."""

    def __init__(self, maintenance: Maintenance, rebuilds: RebuildCalls) -> None:
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
