"""The warnings that results carry, one function each: a stable type, a sentence, and what programs may want."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from lcg.generated.errors import WarningType
from lcg.generated.results import WarningRecord

if TYPE_CHECKING:
    # An attached process needs these sentences, and none of the libraries of the search.
    from lcg.search.protocol import Space

Warnings = list[WarningRecord]


def duplicate_name(name: str, group_id: str, uuid: str) -> WarningRecord:
    """Several live entities share a name; the oldest was taken."""
    return _warning(
        WarningType.DUPLICATE_NAME,
        f"Several entities of group {group_id!r} are named {name!r}; the oldest, {uuid}, was taken. "
        "knowledge_merge_entities can make them one.",
        name=name,
        group_id=group_id,
        uuid=uuid,
    )


def attributes_not_object(parameter: str, consequence: str) -> WarningRecord:
    """Attributes came as something that is no JSON object."""
    return _warning(
        WarningType.ATTRIBUTES_NOT_OBJECT, f"`{parameter}` must be a JSON object, so what came {consequence}."
    )


def large_result(characters: int, advice: str) -> WarningRecord:
    """A result is so long that it fills much of what an agent can read."""
    return _warning(
        WarningType.LARGE_RESULT, f"This result has {characters:,} characters; {advice}.", characters=characters
    )


def embedding_unavailable(cause: str) -> WarningRecord:
    """The embedder did not answer a search."""
    return _warning(
        WarningType.EMBEDDING_UNAVAILABLE,
        f"The embedder did not answer, so only words were searched; rows that only mean the same are missing. {cause}",
    )


def rows_without_vectors(cause: str) -> WarningRecord:
    """The embedder did not answer a write."""
    return _warning(WarningType.EMBEDDING_UNAVAILABLE, cause)


def edges_dropped(edges: Sequence[Mapping[str, Any]]) -> WarningRecord:
    """Extracted facts had an end that matches no entity."""
    return _warning(
        WarningType.EDGES_DROPPED,
        f"{len(edges)} extracted facts were not stored, because an end of each matches no entity.",
        dropped_edges=list(edges),
    )


def vectors_missing(rows: int) -> WarningRecord:
    """Rows have no vector, so a search by meaning cannot find them."""
    return _warning(
        WarningType.VECTORS_MISSING,
        f"{rows} rows have no vector of the current model and are found by their words only; "
        "knowledge_build_indices embeds them.",
        rows=rows,
    )


def embedding_model_mismatch(former: "Space", current: "Space", rows: int) -> WarningRecord:
    """The embedder was changed, and rows have no vector of the present one."""
    return _warning(
        WarningType.EMBEDDING_MODEL_MISMATCH,
        f"{rows} rows were embedded by the model {former.model} ({former.dim} numbers), whose vectors {current.model} "
        f"({current.dim} numbers) cannot search; they are found by their words only. knowledge_build_indices embeds "
        "them anew; or configure the embedder of before.",
        store_model=former.model,
        store_dim=former.dim,
        model=current.model,
        dim=current.dim,
        rows=rows,
    )


def wal_ahead(group_id: str, applied_seq: int, max_seq: int | None, pending: int | None) -> WarningRecord:
    """A group's log holds lines that the graph does not show."""
    return _warning(
        WarningType.WAL_AHEAD,
        f"The log of group {group_id!r} reaches line {max_seq}, the graph shows it through line {applied_seq}; "
        f'knowledge_rebuild_from_wal {{"group_id": "{group_id}"}} applies the rest.',
        group_id=group_id,
        applied_seq=applied_seq,
        max_seq=max_seq,
        pending=pending,
    )


def purge_skipped(group_id: str, seq: int) -> WarningRecord:
    """The log ends with a purge, which a rebuild stepped over."""
    return _warning(
        WarningType.PURGE_SKIPPED,
        f"The log of group {group_id!r} ends with a purge (line {seq}), taken as clearing by hand before this rebuild: "
        "it was left out, and stays out of later rebuilds.",
        group_id=group_id,
        seq=seq,
    )


def purge_in_range(group_id: str, seq: int) -> WarningRecord:
    """A purge was applied as part of the log's history."""
    return _warning(
        WarningType.PURGE_IN_RANGE,
        f"Line {seq} of the log of group {group_id!r} is a purge, and was applied: what was written before it is gone. "
        f"A rebuild with `to_seq` {seq - 1} stops before it.",
        group_id=group_id,
        seq=seq,
    )


def unlogged_mutations(count: int) -> WarningRecord:
    """Cypher queries changed rows that no log knows."""
    return _warning(
        WarningType.UNLOGGED_MUTATIONS,
        f"{count} Cypher queries changed rows that no log knows of; what they changed in a rebuilt group is lost.",
    )


def unlogged_dumped(count: int) -> WarningRecord:
    """A dump holds what Cypher queries changed, which the logs here do not."""
    return _warning(
        WarningType.UNLOGGED_MUTATIONS,
        f"{count} Cypher queries changed rows that no log knows of. The dump has what they changed; the live logs "
        "still lack it.",
    )


def chunk_text_oversized(chars: int, recommended: int) -> WarningRecord:
    """A text is longer than is good for extraction."""
    return _warning(
        WarningType.CHUNK_TEXT_OVERSIZED,
        f"The text has {chars} characters; at most {recommended} are recommended. It was taken whole; "
        "smaller chunks are extracted more completely.",
        chunk_text_chars=chars,
        recommended_max_chars=recommended,
    )


def _warning(kind: WarningType, message: str, **more: Any) -> WarningRecord:
    return cast(WarningRecord, {"type": str(kind), "message": message, **more})
