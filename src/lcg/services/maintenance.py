"""Upkeep on request: search indexes built anew, and everything on disk made fit for a copy of the files."""

from lcg.errors import OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.graph.graph import Graph
from lcg.graph.opening import rebuild_indexes
from lcg.graph.state import GraphState
from lcg.search.index_file import SearchIndexError
from lcg.services.embedding import Embedding
from lcg.services.healing import heal
from lcg.wal.log import Log


class Maintenance:
    """Work on files and indexes; it runs on the writer's thread, and reads go on meanwhile."""

    def __init__(self, graph: Graph, log: Log, embedding: Embedding) -> None:
        self._graph = graph
        self._log = log
        self._embedding = embedding

    def build_indices(self) -> tuple[int, int]:
        """Build name, text and vector indexes from the store; return how many rows got a vector, and how many lack one.

        Raises:
            OperationFailed: `precondition`, a core table is missing; `io`, an index file cannot be written;
                `cancelled`, between batches of vectors.
        """
        with self._graph.reader() as reader:
            if not reader.probe():
                raise OperationFailed(
                    ErrorKind.PRECONDITION,
                    "A core table of the store is missing, so there is nothing to index. knowledge_recover_full, or a "
                    "restart without the store's file, rebuilds it from the logs.",
                )
        try:
            before = self._embedding.index.missing()
            self._graph.replace(rebuild_indexes)
            embedded = heal(self._graph, self._embedding)
        except SearchIndexError as error:
            raise OperationFailed(
                ErrorKind.IO,
                f"A search index cannot be written. Check the disk (space, rights), then try again. {error}",
            ) from error
        missing = self._embedding.index.missing()
        # The cache served some while the index was built.
        return max(embedded, before - missing), missing

    def prepare_checkpoint(self) -> tuple[int, int]:
        """Close the log files in use and fold the store's own log; return files closed and files in all.

        Raises:
            OperationFailed: `io`, the disk refused.
        """

        def prepare(state: GraphState) -> tuple[int, int]:
            counts = self._log.rotate()
            state.store.checkpoint()
            return counts

        try:
            closed, total = self._graph.run(prepare)
        except OSError as error:
            raise OperationFailed(
                ErrorKind.IO, f"The log cannot be prepared for a copy. Check the disk, then try again. {error}"
            ) from error
        return closed, total
