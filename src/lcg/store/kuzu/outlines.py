"""Rows in outline: what an index needs of every row of a store, without the texts that nobody looks a row up by.

To read whole rows instead takes ten times as long, and nearly all of what an open graph waits for.
"""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

from lcg.model.plain import Plain
from lcg.model.pointers import KEY
from lcg.store.kuzu.engine import Session
from lcg.store.protocol import StoreError

_EPOCH = datetime(1970, 1, 1)
_MICROSECOND = timedelta(microseconds=1)

_ENTITIES = "MATCH (n:Entity) RETURN n.uuid, n.group_id, n.name, n.labels, n.created_at"
_EDGES = (
    "MATCH (n:RelatesToNode_) RETURN n.uuid, n.group_id, n.name, n._source_uuid, n._target_uuid, n.created_at, "
    f"n.invalid_at, CASE WHEN n.attributes CONTAINS '{KEY}' THEN n.attributes END, n.episodes"
)
_EPISODES = (
    "MATCH (n:Episodic) RETURN n.uuid, n.group_id, n.name, n.created_at, n.source_description, n._source_file, "
    "n._chunk_id, n._revision, n._text_hash, n._extractor_key"
)
_MENTIONS = "MATCH (p:Episodic)-[:MENTIONS]->(e:Entity) RETURN p.uuid, e.uuid"


def outlined_entities(session: Session, whole: Iterator[Plain]) -> Iterator[Plain]:
    """Yield entities in outline, as they are written in `StoreReader`; `whole` are the rows themselves."""

    def outline(uuid: str, group_id: Any, name: Any, labels: Any, created_at: Any) -> Plain:
        return uuid, group_id or "", name or "", _texts(labels), _moment(created_at), "", "{}", None, None

    return _outlined(session, _ENTITIES, outline, whole)


def outlined_edges(session: Session, whole: Iterator[Plain]) -> Iterator[Plain]:
    """Yield relationships in outline. Their attributes are there where they may hold pointers."""

    def outline(
        uuid: str,
        group_id: Any,
        name: Any,
        source: Any,
        target: Any,
        created_at: Any,
        invalid_at: Any,
        attributes: Any,
        episodes: Any,
    ) -> Plain:
        ended = None if invalid_at is None else _moment(invalid_at)
        ends = (source or "", target or "")
        about = (attributes or "{}", None, _texts(episodes), None)
        return (uuid, group_id or "", name or "", *ends, "", _moment(created_at), None, ended, *about)

    return _outlined(session, _EDGES, outline, whole)


def outlined_episodes(session: Session, whole: Iterator[Plain]) -> Iterator[Plain]:
    """Yield episodes in outline."""

    def outline(uuid: str, group_id: Any, name: Any, created_at: Any, description: Any, *chunk: Any) -> Plain:
        return (uuid, group_id or "", name or "", _moment(created_at), "", description or "", "", None, *chunk)

    return _outlined(session, _EPISODES, outline, whole)


def mentioned(session: Session) -> dict[str, dict[str, bool]]:
    """Return the entities that each episode mentions, as the keys of a dictionary."""
    found: dict[str, dict[str, bool]] = {}
    for episode, entity in session.stream(_MENTIONS):
        ends = found.get(episode)
        if ends is None:
            found[episode] = {entity: True}
        else:
            ends[entity] = True
    return found


def _outlined(
    session: Session, statement: str, outline: Callable[..., Plain], whole: Iterator[Plain]
) -> Iterator[Plain]:
    rows = session.stream(statement)
    try:
        first = next(rows, None)
    except StoreError:
        # The engine holds a whole result in its buffer pool. Where that is too small, rows are read a few at a time.
        yield from whole
        return
    if first is not None:
        yield outline(*first)
        for values in rows:
            yield outline(*values)


def _moment(value: datetime | None) -> int:
    return 0 if value is None else (value - _EPOCH) // _MICROSECOND


def _texts(value: list[str | None] | None) -> tuple[str, ...]:
    if value is None:
        return ()
    return tuple(value) if None not in value else tuple(text for text in value if text is not None)  # type: ignore[arg-type]
