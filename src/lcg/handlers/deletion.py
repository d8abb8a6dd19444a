"""Deletion: episodes by uuid, file and chunk; purges of groups; clearing everything."""

import json

from lcg.errors import OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.generated.params import (
    ClearAllParams,
    DeleteByGroupParams,
    DeleteBySourceParams,
    DeleteChunkEpisodeParams,
    DeleteEpisodeParams,
)
from lcg.generated.results import (
    ClearAllResult,
    DeleteByGroupResult,
    DeleteBySourceResult,
    DeleteChunkEpisodeResult,
    DeleteEpisodeResult,
)
from lcg.graph.graph import Graph
from lcg.runtime.call import Call
from lcg.services.clearing import Clearing
from lcg.services.deletion import delete_by_source, delete_chunk, delete_episode, purge_groups
from lcg.services.rebuild.jobs import Jobs


class DeletionHandlers:
    """Removes what is no longer wanted."""

    def __init__(self, graph: Graph, clearing: Clearing, jobs: Jobs) -> None:
        self._graph = graph
        self._clearing = clearing
        self._jobs = jobs

    def delete_episode(self, params: DeleteEpisodeParams, call: Call) -> DeleteEpisodeResult:
        """Delete one episode."""
        done = delete_episode(self._graph, params.episode_uuid, call.method)
        return {"status": "deleted", "deleted_count": len(done.uuids), "orphaned_entities": done.orphaned}

    def delete_by_source(self, params: DeleteBySourceParams, call: Call) -> DeleteBySourceResult:
        """Delete the episodes of a file."""
        done = delete_by_source(self._graph, params.source_file, params.group_ids, call.method)
        return {
            "success": True,
            "source_file": params.source_file,
            "deleted_count": len(done.uuids),
            "orphaned_entities": done.orphaned,
            "deleted_uuids": done.uuids,
            "groups_done": done.groups_done,
        }

    def delete_chunk_episode(self, params: DeleteChunkEpisodeParams, call: Call) -> DeleteChunkEpisodeResult:
        """Delete every revision of a chunk."""
        done = delete_chunk(self._graph, params.chunk_id, params.group_ids, call.method)
        return {
            "success": True,
            "chunk_id": params.chunk_id,
            "deleted_count": len(done.uuids),
            "orphaned_entities": done.orphaned,
            "deleted_uuids": done.uuids,
            "groups_done": done.groups_done,
        }

    def delete_by_group(self, params: DeleteByGroupParams, call: Call) -> DeleteByGroupResult:
        """Remove everything that groups own, or count it."""
        if not (params.dry_run or params.confirm):
            raise _unconfirmed_purge(params.group_ids)
        done = purge_groups(self._graph, params.group_ids, call.method, dry_run=params.dry_run)
        return {
            "success": True,
            "dry_run": params.dry_run,
            "groups": [
                {
                    "group_id": group.group_id,
                    "entities": group.entities,
                    "episodes": group.episodes,
                    "edges": group.edges,
                    "purge_seq": group.purge_seq,
                }
                for group in done.groups
            ],
            "unbound_impacts": [
                {"group_id": group_id, "pointer_count": count} for group_id, count in done.unbound_impacts.items()
            ],
            "groups_done": done.groups_done,
            "applied_seq_reset": False,
        }

    def clear_all(self, params: ClearAllParams, call: Call) -> ClearAllResult:
        """Empty the whole graph."""
        if not params.confirm:
            raise OperationFailed(
                ErrorKind.PRECONDITION,
                "Clearing removes every group and needs `confirm` to be true; nothing was changed. With "
                "`preserve_wal` the logs stay, and a rebuild brings the data back.",
            )
        with self._jobs.shut("Clearing the whole graph"):
            self._clearing.clear(self._graph, preserve_wal=params.preserve_wal)
        kept = "The logs are kept; everything in them is left out until a rebuild."
        gone = "The logs and their marks are gone too."
        return {"success": True, "message": f"The graph is empty. {kept if params.preserve_wal else gone}"}


def _unconfirmed_purge(group_ids: tuple[str, ...]) -> OperationFailed:
    arguments = json.dumps({"group_ids": list(group_ids), "confirm": True}, ensure_ascii=False, separators=(",", ":"))
    call = f"knowledge_delete_by_group {arguments}"
    return OperationFailed(
        ErrorKind.PRECONDITION,
        "A purge removes everything that these groups own and needs `confirm`; nothing was changed. Count first with "
        f"`dry_run`, or go ahead: {call}",
        call=call,
    )
