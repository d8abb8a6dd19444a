"""The short names of known statements: W as the reference implementation writes, D as it dumps, L as it once wrote.

They are for people who read what came from where. Nothing depends on them.
"""

from lcg.wal.reference.actions import DropLink, DropRows, PutLink, PutRow, Statement
from lcg.wal.reference.rows import RowKind

_CREATES: dict[RowKind, str] = {"entity": "W1", "episode": "W7", "edge": "W9"}
_DUMPS: dict[RowKind, str] = {"entity": "D1", "episode": "D2", "edge": "D3"}
_OLD_CREATES: dict[RowKind, str] = {"entity": "L1", "episode": "L2", "edge": "L3"}
_PURGES: dict[RowKind, str] = {"edge": "W27", "entity": "W28", "episode": "W29"}
_PATCHES: dict[tuple[RowKind, frozenset[str]], str] = {
    ("entity", frozenset({"summary"})): "W2",
    ("entity", frozenset({"name", "labels", "summary", "attributes"})): "W3",
    ("entity", frozenset({"labels"})): "W4",
    ("entity", frozenset({"attributes"})): "W5",
    ("entity", frozenset({"created_at"})): "W6",
    ("edge", frozenset({"attributes"})): "W18",
    ("edge", frozenset({"fact", "valid_at", "relation_type", "attributes"})): "W19",
    ("edge", frozenset({"invalid_at"})): "W21",
    ("edge", frozenset({"relation_type"})): "W23",
}
_LEGACY_TYPES = {"HAS_EPISODE": "D8", "HAS_MEMBER": "D9", "NEXT_EPISODE": "D11"}
_DROPPED_ENDS = {"source": "W15", "target": "W16", "listed": "L6", "mention": "mention.delete"}


def name_of(statement: Statement) -> str:
    """Return the name of a statement."""
    if statement.legacy:
        return _legacy(statement)
    if not statement.actions:
        return _without_effect(statement)
    match statement.actions[0]:
        case PutRow() as put:
            return _put(put, statement)
        case DropRows(kind, "group_id"):
            return _PURGES[kind]
        case DropRows(_, _, listed=listed):
            return "W26" if listed else "W25"
        case PutLink():
            return _link({action.kind for action in statement.actions if isinstance(action, PutLink)}, statement)
        case DropLink(kind):
            return _DROPPED_ENDS[kind]


def _put(put: PutRow, statement: Statement) -> str:
    if put.whole:
        return _CREATES[put.kind]
    columns = frozenset(assignment.column or "*" for assignment in put.changed)
    if put.created is None:
        if put.if_empty:
            return "W24"
        known = _PATCHES.get((put.kind, columns))
        return known or ("L4" if "*" in columns else "L5" if _is_embedding(columns) else f"{put.kind}.set")
    if any(assignment.column is None for assignment in put.created):
        return "L4"
    return _DUMPS[put.kind] if put.changed else _OLD_CREATES[put.kind]


def _is_embedding(columns: frozenset[str]) -> bool:
    return all(column.endswith("_embedding") for column in columns)


def _link(kinds: set[str], statement: Statement) -> str:
    match sorted(kinds), statement.merges:
        case ["source", "target"], merges:
            return "D6" if merges else "W11"
        case ["source"], _:
            return "W13"
        case ["target"], _:
            return "W14"
        case ["direct"], merges:
            return "W12" if merges else "W10"
        case ["mention"], False:
            return "W8"
        case ["mention"], True:
            return "D7" if statement.link_columns >= {"uuid", "group_id", "created_at"} else "L7"
        case _:
            return "links.put"


def _without_effect(statement: Statement) -> str:
    if not statement.link_columns:
        return "W17"
    return "W22" if statement.link_columns == {"invalid_at"} else "W20"


def _legacy(statement: Statement) -> str:
    for kind in sorted(statement.link_types):
        if kind == "HAS_MEMBER" and statement.legacy_nodes > 1:
            return "D10"
        if kind in _LEGACY_TYPES:
            return _LEGACY_TYPES[kind]
    return "D5" if "Saga" in statement.legacy_labels else "D4"
