"""Keeping the search indexes in step with the rows: what each row contributes, and following a transaction."""

from collections.abc import Iterable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field

from lcg.graph.entries import Kind
from lcg.graph.index import GraphIndex
from lcg.graph.stage import Stage
from lcg.model.names import is_blank
from lcg.model.rows import Edge, Entity, Episode
from lcg.search.protocol import TextEntry, TextIndex, TextKind, VectorEntry, VectorIndex, VectorKind


@dataclass(slots=True)
class Contribution:
    """What changes in the search indexes: entries to replace, and rows to forget."""

    texts: list[TextEntry] = field(default_factory=list)
    vectors: list[VectorEntry] = field(default_factory=list)
    no_texts: list[tuple[TextKind, str]] = field(default_factory=list)
    no_vectors: list[tuple[VectorKind, str]] = field(default_factory=list)

    def entity(self, uuid: str, row: Entity | None) -> None:
        """Take in an entity as it is now; a tombstone is not searchable."""
        live = row if row is not None and not row.is_tombstone else None
        if live is None:
            self.no_texts.append((TextKind.ENTITY, uuid))
        else:
            self.texts.append(TextEntry(TextKind.ENTITY, uuid, live.group_id, (live.name, live.summary)))
        self._vector(VectorKind.ENTITY_NAME, uuid, live, _current(live.name_embedded, live.name) if live else None)
        self._vector(
            VectorKind.ENTITY_SUMMARY, uuid, live, _current(live.summary_embedded, live.summary) if live else None
        )

    def edge(self, uuid: str, row: Edge | None, *, unbound: bool) -> None:
        """Take in an edge as it is now; one that lacks an endpoint is not searchable."""
        visible = None if unbound else row
        if visible is None:
            self.no_texts.append((TextKind.EDGE, uuid))
        else:
            self.texts.append(TextEntry(TextKind.EDGE, uuid, visible.group_id, (visible.name, visible.fact)))
        self._vector(
            VectorKind.EDGE_FACT, uuid, visible, _current(visible.fact_embedded, visible.fact) if visible else None
        )

    def episode(self, uuid: str, row: Episode | None, *, superseded: bool) -> None:
        """Take in an episode as it is now; only the newest revision of a chunk is searchable."""
        shown = None if superseded else row
        if shown is None:
            self.no_texts.append((TextKind.EPISODE, uuid))
        else:
            fields = (shown.content, shown.source, shown.source_description)
            self.texts.append(TextEntry(TextKind.EPISODE, uuid, shown.group_id, fields))
        self._vector(VectorKind.EPISODE_CONTENT, uuid, shown, shown.content if shown else None)

    def _vector(self, kind: VectorKind, uuid: str, row: Entity | Edge | Episode | None, text: str | None) -> None:
        if row is None or text is None or is_blank(text):
            self.no_vectors.append((kind, uuid))
        else:
            self.vectors.append(VectorEntry(kind, uuid, row.group_id, text))


class Derived:
    """The search indexes as followers of the rows. Writes come from the committer's thread."""

    def __init__(self, text: TextIndex | Future[TextIndex], vectors: VectorIndex | Future[VectorIndex]) -> None:
        """Take the indexes, which may be about to be opened: whoever asks for one waits for that."""
        self._text = text
        self._vectors = vectors

    @property
    def text(self) -> TextIndex:
        """Full text. Raises what opening it did."""
        return self._text.result() if isinstance(self._text, Future) else self._text

    @property
    def vectors(self) -> VectorIndex:
        """Vectors. Raises what opening them did."""
        return self._vectors.result() if isinstance(self._vectors, Future) else self._vectors

    def follow(self, stage: Stage, positions: Mapping[str, int]) -> None:
        """Take over what a committed stage changed."""
        for group_id in stage.cleared:
            self.text.clear_group(group_id)
            self.vectors.clear_group(group_id)
        change = Contribution()
        # A row that lacks its vector may find it learned by now, so none is passed over while any does.
        all_anew = self.vectors.missing() > 0
        for uuid, entity in stage.entities.after.items():
            if all_anew or searched(stage.entities.before[uuid]) != searched(entity):
                change.entity(uuid, entity)
        for uuid in dict.fromkeys((*stage.edges.after, *stage.rebound)):
            edge = stage.edges.get(uuid)
            if all_anew or uuid in stage.rebound or _shown(stage.edges.before[uuid]) != _shown(edge):
                change.edge(uuid, edge, unbound=stage.index.is_unbound(uuid))
        for uuid in _with_siblings(stage):
            episode = stage.episodes.get(uuid)
            superseded = episode is not None and stage.index.is_superseded(episode)
            change.episode(uuid, episode, superseded=superseded)
        self.write(change, positions)

    def write(self, change: Contribution, positions: Mapping[str, int]) -> None:
        """Write a contribution and the positions that it brings the indexes to."""
        self.text.update(change.texts, change.no_texts, positions)
        self.vectors.update(change.vectors, change.no_vectors, positions)

    def close(self) -> None:
        """Close both indexes, unless one could not be opened."""
        for index in (self._text, self._vectors):
            if not isinstance(index, Future):
                index.close()
            elif index.exception() is None:
                index.result().close()


def contribution_of(
    index: GraphIndex, entities: Iterable[Entity], edges: Iterable[Edge], episodes: Iterable[Episode]
) -> Contribution:
    """Return what existing rows contribute, for a rebuild of the indexes."""
    change = Contribution()
    for entity in entities:
        change.entity(entity.uuid, entity)
    for edge in edges:
        change.edge(edge.uuid, edge, unbound=index.is_unbound(edge.uuid))
    for episode in episodes:
        change.episode(episode.uuid, episode, superseded=index.is_superseded(episode))
    return change


def forget(index: GraphIndex, kind_of: Mapping[str, Kind]) -> Contribution:
    """Return what takes rows out of the indexes, for those of `kind_of` that no longer exist."""
    change = Contribution()
    for uuid, kind in kind_of.items():
        if uuid in index.places:
            continue
        match kind:
            case Kind.ENTITY:
                change.entity(uuid, None)
            case Kind.EDGE:
                change.edge(uuid, None, unbound=True)
            case Kind.EPISODE:
                change.episode(uuid, None, superseded=False)
    return change


def _with_siblings(stage: Stage) -> dict[str, None]:
    """Return the changed episodes, and those of their chunks: one that comes or goes decides which is the newest."""
    uuids = dict.fromkeys(stage.episodes.after)
    for row in (*stage.episodes.before.values(), *stage.episodes.after.values()):
        if row is not None:
            uuids.update(dict.fromkeys(stage.index.siblings(row)))
    return uuids


def searched(row: Entity | Edge | None) -> tuple[object, ...]:
    """Return what the search indexes hold of a row."""
    if isinstance(row, Entity):
        embedded = (row.name_embedded, row.summary_embedded)
        return (row.group_id, row.is_tombstone, row.name, row.summary, *embedded)
    return () if row is None else (row.group_id, row.name, row.fact, row.fact_embedded)


def _shown(row: Edge | None) -> tuple[object, ...]:
    """Return what the search indexes hold of an edge, and what decides whether they show it."""
    return () if row is None else (*searched(row), row.source_uuid, row.target_uuid)


def _current(embedded: str | None, text: str) -> str:
    return text if embedded is None else embedded
