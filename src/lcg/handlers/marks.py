"""Marks while the store is closed: knowledge_wal_mark_list, knowledge_wal_mark_delete. They look at the log alone."""

from lcg.generated.params import WalMarkDeleteParams, WalMarkListParams
from lcg.generated.results import WalMarkDeleteResult, WalMarkListResult
from lcg.model.times import format_time
from lcg.runtime.call import Call
from lcg.services.marks import Marks


class MarkHandlers:
    """What of the log's administration answers whatever the state of the store."""

    def __init__(self, marks: Marks) -> None:
        self._marks = marks

    def wal_mark_list(self, params: WalMarkListParams, call: Call) -> WalMarkListResult:
        """List a group's marks."""
        stream, found = self._marks.list(params.group_id)
        return {
            "group_id": params.group_id,
            "checkpoints": [
                {
                    "name": one.mark.name,
                    "seq": one.mark.seq or 0,
                    "reachable": one.reachable,
                    "wal_min_seq": stream.first_seq,
                    "wal_max_seq": stream.max_seq,
                    "generation": one.mark.generation,
                    "created_at": format_time(one.mark.created_at),
                }
                for one in found
            ],
            "count": len(found),
        }

    def wal_mark_delete(self, params: WalMarkDeleteParams, call: Call) -> WalMarkDeleteResult:
        """Delete a mark."""
        self._marks.delete(params.group_id, params.name)
        return {"success": True, "name": params.name, "group_id": params.group_id}
