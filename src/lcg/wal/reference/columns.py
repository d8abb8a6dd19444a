"""Setting columns of rows: what each column of that log becomes, and which vectors a line brings."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from lcg.model.rows import Edge, Entity, Episode
from lcg.model.times import Micros
from lcg.wal.reference import values
from lcg.wal.reference.errors import failed, unrecognised
from lcg.wal.reference.syntax import Assignment, Params

RowT = TypeVar("RowT", Entity, Edge, Episode)


@dataclass(slots=True)
class Given:
    """The columns that a statement sets, evaluated. `more` are keys of a map that are no columns."""

    columns: dict[str, Any] = field(default_factory=dict)
    more: dict[str, Any] = field(default_factory=dict)


def given(assignments: list[Assignment], params: Params, known: frozenset[str]) -> Given:
    """Evaluate assignments.

    Raises:
        Untranslated: a value is missing, or a column does not exist.
    """
    found = Given()
    for assignment in assignments:
        value = values.evaluate(assignment.value, params)
        if assignment.column is None:
            if type(value) is not dict:
                raise failed("all columns are set from something that is no map")
            for name, item in value.items():
                (found.columns if name in known else found.more)[name] = item
        elif assignment.column in known:
            found.columns[assignment.column] = value
        else:
            raise unrecognised(f"the table has no column {assignment.column[:40]!r}")
    return found


_ENTITY: dict[str, Callable[[Any], Any]] = {
    "name": lambda value: values.text(value, "name"),
    "labels": values.labels,
    "created_at": lambda value: values.moment(value, "created_at"),
    "summary": lambda value: values.text(value, "summary"),
    "attributes": values.attributes,
}
_EDGE: dict[str, Callable[[Any], Any]] = {
    "name": lambda value: values.text(value, "name"),
    "fact": lambda value: values.text(value, "fact"),
    "created_at": lambda value: values.moment(value, "created_at"),
    "valid_at": lambda value: values.optional_moment(value, "valid_at"),
    "invalid_at": lambda value: values.optional_moment(value, "invalid_at"),
    "attributes": values.attributes,
    "relation_type": lambda value: values.text(value, "relation_type") or None,
    "episodes": lambda value: values.texts(value, "episodes"),
}
_EPISODE: dict[str, Callable[[Any], Any]] = {
    "name": lambda value: values.text(value, "name"),
    "created_at": lambda value: values.moment(value, "created_at"),
    "source": lambda value: values.text(value, "source"),
    "source_description": lambda value: values.text(value, "source_description"),
    "content": lambda value: values.text(value, "content"),
    "valid_at": lambda value: values.optional_moment(value, "valid_at"),
}
ENTITY_COLUMNS = frozenset({*_ENTITY, "uuid", "group_id", "name_embedding"})
EDGE_COLUMNS = frozenset({*_EDGE, "uuid", "group_id", "fact_embedding", "expired_at"})
# An episode's list of entities follows from its mentions, so `entity_edges` is read and dropped.
EPISODE_COLUMNS = frozenset({*_EPISODE, "uuid", "group_id", "content_embedding", "entity_edges"})


def new_entity(uuid: str, group_id: str, written_at: Micros) -> Entity:
    """Return an entity before any column is set."""
    return Entity(uuid, group_id, "", values.DEFAULT_LABELS, written_at)


def new_edge(uuid: str, group_id: str, written_at: Micros) -> Edge:
    """Return an edge whose ends are still to come."""
    return Edge(uuid, group_id, "", "", "", "", written_at)


def new_episode(uuid: str, group_id: str, written_at: Micros) -> Episode:
    """Return an episode before any column is set."""
    return Episode(uuid, group_id, "", written_at, "", "", "")


def set_entity(row: Entity, columns: Given, *, new: bool) -> tuple[Entity, list[float] | None]:
    """Return an entity with columns set, and the vector of its name if the line brings one."""
    changes = _changes(row, columns, _ENTITY)
    vector = values.vector(columns.columns.get("name_embedding"))
    fresh = new or vector is not None
    # No summary was ever embedded there, so its vector may be that of the present text.
    embedded = None if fresh else _embedded(row.name_embedded, row.name, changes.get("name", row.name))
    return replace(row, **changes, name_embedded=embedded), vector


def set_edge(row: Edge, columns: Given, *, new: bool) -> tuple[Edge, list[float] | None]:
    """Return an edge with columns set, and the vector of its fact if the line brings one."""
    changes = _changes(row, columns, _EDGE)
    expired_at = values.optional_moment(columns.columns.get("expired_at"), "expired_at")
    if expired_at is not None and changes.get("invalid_at", row.invalid_at) is None:
        # The oldest writers noted when they dropped a fact, not always since when it was untrue. Without an end it
        # would come back as present knowledge, so the one time that is known has to stand for the other.
        changes["invalid_at"] = expired_at
    vector = values.vector(columns.columns.get("fact_embedding"))
    fresh = new or vector is not None
    embedded = None if fresh else _embedded(row.fact_embedded, row.fact, changes.get("fact", row.fact))
    return replace(row, **changes, fact_embedded=embedded), vector


def set_episode(row: Episode, columns: Given) -> tuple[Episode, list[float] | None]:
    """Return an episode with columns set, and the vector of its content if the line brings one."""
    return replace(row, **_changes(row, columns, _EPISODE)), values.vector(columns.columns.get("content_embedding"))


def _changes(row: RowT, columns: Given, readers: dict[str, Callable[[Any], Any]]) -> dict[str, Any]:
    given_uuid = columns.columns.get("uuid", row.uuid)
    if given_uuid != row.uuid:
        raise failed("the line changes the uuid of a row")
    # A time of creation that is null or missing leaves the one that is there.
    changes = {
        name: readers[name](value)
        for name, value in columns.columns.items()
        if name in readers and not (name == "created_at" and value in (None, ""))
    }
    if columns.more and not isinstance(row, Episode):
        changes["attributes"] = values.with_attributes(changes.get("attributes", row.attributes), columns.more)
    return changes


def _embedded(embedded: str | None, old: str, new: str) -> str | None:
    """Return which text the vector stands for after a change of the text alone; None when it is the new text."""
    source = old if embedded is None else embedded
    return None if source == new else source
