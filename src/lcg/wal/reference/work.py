"""Carrying out the actions of one line: its rows in the making, and the operations that they end in."""

from dataclasses import replace
from typing import Any, NamedTuple

from lcg.model.operations import (
    EdgeDelete,
    EdgePut,
    EntityDelete,
    EntityPut,
    EpisodeDelete,
    EpisodePut,
    MentionDelete,
    MentionPut,
    Operation,
)
from lcg.model.rows import Edge, Entity, Episode, Mention
from lcg.model.times import Micros
from lcg.wal.reference import columns, values
from lcg.wal.reference.actions import Action, DropLink, DropRows, PutLink, PutRow
from lcg.wal.reference.columns import Given
from lcg.wal.reference.errors import failed, unrecognised
from lcg.wal.reference.rows import KnownRows, RowKind
from lcg.wal.reference.syntax import Assignment, Expression, Params

NAMES: dict[RowKind, str] = {"entity": "entity", "edge": "relationship", "episode": "episode"}
_COLUMNS = {"entity": columns.ENTITY_COLUMNS, "edge": columns.EDGE_COLUMNS, "episode": columns.EPISODE_COLUMNS}


class Embedding(NamedTuple):
    """A vector that a line brings, and the text that it was made from."""

    text: str
    vector: list[float]


class Work:
    """One line's changes. Every row that comes out of it belongs to the group of the log."""

    def __init__(self, group_id: str, rows: KnownRows, params: Params, written_at: Micros) -> None:
        self.embeddings: list[Embedding] = []
        self.waiting: list[str] = []
        self._group_id = group_id
        self._rows = rows
        self._params = params
        self._written_at = written_at
        self._operations: dict[tuple[str, ...], Operation] = {}

    def operations(self) -> tuple[Operation, ...]:
        """Return what the line comes to."""
        return tuple(self._operations.values())

    def do(self, action: Action) -> None:
        """Carry out one action.

        Raises:
            Untranslated: it cannot be; nothing of the line counts then.
        """
        match action:
            case PutRow():
                self._put_row(action)
            case DropRows():
                self._drop_rows(action)
            case PutLink():
                self._put_link(action)
            case DropLink():
                self._drop_link(action)

    # Rows

    def _put_row(self, action: PutRow) -> None:
        uuid = self._key(action.uuid, "uuid")
        held = self._held(action.kind, uuid)
        if held is None and action.created is None:
            raise failed(f"it changes a row that no line made: {_an(action.kind)}", f"{NAMES[action.kind]} {uuid}")
        if held is not None and not action.changed:
            return
        if action.if_empty is not None and self._is_filled(action.kind, held, action.if_empty):
            return
        assigned = self._given(action.kind, action.changed if held is not None else action.created or [])
        new = held is None or action.whole
        match action.kind, held:
            case "entity", (Entity() | None):
                start = held if held and not new else columns.new_entity(uuid, self._group_id, self._written_at)
                entity, vector = columns.set_entity(start, assigned, new=new)
                self._note_vector(entity.name, vector)
                self._put(("entity", uuid), EntityPut(entity), changed=entity != held)
            case "edge", (Edge() | None):
                edge, vector = columns.set_edge(self._edge_start(held, uuid, whole=new), assigned, new=new)
                self._note_vector(edge.fact, vector)
                self._put(("edge", uuid), EdgePut(edge), changed=edge != held)
            case "episode", (Episode() | None):
                begun = held if held and not new else columns.new_episode(uuid, self._group_id, self._written_at)
                episode, vector = columns.set_episode(begun, assigned)
                self._note_vector(episode.content, vector)
                self._put(("episode", uuid), EpisodePut(episode), changed=episode != held)

    def _edge_start(self, held: Edge | None, uuid: str, *, whole: bool) -> Edge:
        if held is None:
            return columns.new_edge(uuid, self._group_id, self._written_at)
        if not whole:
            return held
        # Its ends are no columns, so creating it once more leaves them.
        fresh = columns.new_edge(uuid, self._group_id, self._written_at)
        return _with_ends(fresh, held.source_uuid, held.target_uuid)

    def _given(self, kind: RowKind, assignments: list[Assignment]) -> Given:
        assigned = columns.given(assignments, self._params, _COLUMNS[kind])
        group = assigned.columns.get("group_id")
        if group not in (None, "", self._group_id):
            raise failed("the line writes to another group than that of its directory", f"group {str(group)[:80]!r}")
        return assigned

    def _is_filled(self, kind: RowKind, held: Any, column: str) -> bool:
        if column not in _COLUMNS[kind] or not hasattr(held, column):
            raise unrecognised(f"the table has no column {column[:40]!r} that could be empty")
        return bool(getattr(held, column))

    def _drop_rows(self, action: DropRows) -> None:
        chosen = values.evaluate(action.values, self._params)
        listed = chosen if type(chosen) is list else [chosen]
        if action.selector == "group_id":
            # The groups were compared with the log's own before; an empty list chooses none.
            uuids = list(self._rows.owned(action.kind, self._group_id)) if self._group_id in listed else []
        else:
            uuids = [values.text(uuid, "uuid") for uuid in listed]
        for uuid in uuids:
            if self._held(action.kind, uuid) is not None:
                self._drop(action.kind, uuid)

    def _drop(self, kind: RowKind, uuid: str) -> None:
        match kind:
            case "entity":
                self._operations[kind, uuid] = EntityDelete(uuid)
            case "edge":
                self._operations[kind, uuid] = EdgeDelete(uuid)
            case "episode":
                self._operations[kind, uuid] = EpisodeDelete(uuid)

    # Links

    def _put_link(self, action: PutLink) -> None:
        source, target = self._key(action.source, "the source"), self._key(action.target, "the target")
        match action.kind:
            case "source":
                edge = self._edge(target)
                self._bind(edge, source, edge.target_uuid)
            case "target":
                edge = self._edge(source)
                self._bind(edge, edge.source_uuid, target)
            case "direct":
                self._fill_ends(action, source, target)
            case "mention":
                self._require("episode", source)
                self._require("entity", target)
                mention = Mention(self._group_id, source, target)
                self._operations["mention", source, target] = MentionPut(mention)

    def _fill_ends(self, action: PutLink, source: str, target: str) -> None:
        """A direct link repeats its edge: it tells an end that is still missing, and nothing else."""
        uuid = None if action.uuid is None else values.evaluate(action.uuid, self._params)
        edge = self._held("edge", uuid) if type(uuid) is str else None
        if isinstance(edge, Edge) and edge.group_id == self._group_id:
            self._bind(edge, edge.source_uuid or source, edge.target_uuid or target)

    def _drop_link(self, action: DropLink) -> None:
        if action.kind == "listed":
            self._drop_listed(action)
            return
        source = None if action.source is None else self._key(action.source, "the source")
        target = None if action.target is None else self._key(action.target, "the target")
        match action.kind:
            case "source" if target is not None:
                edge = self._edge(target)
                if source in (None, edge.source_uuid):
                    self._bind(edge, "", edge.target_uuid)
            case "target" if source is not None:
                edge = self._edge(source)
                if target in (None, edge.target_uuid):
                    self._bind(edge, edge.source_uuid, "")
            case "mention" if source is not None and target is not None:
                mention = Mention(self._group_id, source, target)
                self._operations["mention", source, target] = MentionDelete(mention)
            case _:
                raise unrecognised("the statement deletes links of rows that it does not name by their uuid")

    def _drop_listed(self, action: DropLink) -> None:
        chosen = None if action.uuids is None else values.evaluate(action.uuids, self._params)
        for uuid in values.texts(chosen if type(chosen) is list else [chosen], "uuids"):
            if self._held("edge", uuid) is not None:
                self._drop("edge", uuid)

    def _bind(self, edge: Edge, source: str, target: str) -> None:
        for end, before in ((source, edge.source_uuid), (target, edge.target_uuid)):
            if end and end != before and self._rows.group_of("entity", end) is None and self._planned(end) is None:
                self.waiting.append(end)
        bound = _with_ends(edge, source, target)
        self._put(("edge", edge.uuid), EdgePut(bound), changed=bound != edge)

    # Looking up

    def _held(self, kind: RowKind, uuid: str) -> Entity | Edge | Episode | None:
        """Return a row of this group as it is now.

        Raises:
            Untranslated: the row belongs to another group.
        """
        match self._operations.get((kind, uuid)):
            case EntityPut(row) | EdgePut(row) | EpisodePut(row):
                return row
            case None:
                pass
            case _:
                return None
        found: Entity | Edge | Episode | None
        match kind:
            case "entity":
                found = self._rows.entity(uuid)
            case "edge":
                found = self._rows.edge(uuid)
            case "episode":
                found = self._rows.episode(uuid)
        if found is not None and found.group_id != self._group_id:
            raise failed("the row belongs to another group", f"{NAMES[kind]} {uuid}")
        return found

    def _edge(self, uuid: str) -> Edge:
        found = self._held("edge", uuid)
        if isinstance(found, Edge):
            return found
        raise failed("it changes a row that no line made: a relationship", f"relationship {uuid}")

    def _require(self, kind: RowKind, uuid: str) -> None:
        if (kind, uuid) in self._operations:
            held = self._held(kind, uuid) is not None
        else:
            held = self._rows.group_of(kind, uuid) == self._group_id
        if not held:
            raise failed(f"it links {_an(kind)} that no line made", f"{NAMES[kind]} {uuid}")

    def _planned(self, entity_uuid: str) -> Operation | None:
        return self._operations.get(("entity", entity_uuid))

    def _key(self, expression: Expression, name: str) -> str:
        return values.key(values.evaluate(expression, self._params), name)

    def _put(self, place: tuple[str, ...], operation: Operation, *, changed: bool) -> None:
        if changed:
            self._operations[place] = operation

    def _note_vector(self, text: str, vector: list[float] | None) -> None:
        if vector is not None and text:
            self.embeddings.append(Embedding(text, vector))


def _with_ends(edge: Edge, source: str, target: str) -> Edge:
    return replace(edge, source_uuid=source, target_uuid=target)


def _an(kind: RowKind) -> str:
    return "a relationship" if kind == "edge" else f"an {kind}"
