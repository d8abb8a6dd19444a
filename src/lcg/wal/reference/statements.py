"""What a parsed statement does, in terms of rows: which rows it names, and what becomes of them.

The shapes that the reference implementation writes are few, but their texts differ from age to age (other variable
names, other order, values written out, wrappers around values). So a statement is not compared with known texts; its
meaning is read from its clauses, and whatever has another meaning than a write to rows named by uuid is refused.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from lcg.wal.reference import syntax
from lcg.wal.reference.actions import DropLink, DropRows, LinkKind, PutLink, PutRow, Statement
from lcg.wal.reference.errors import unrecognised
from lcg.wal.reference.naming import name_of
from lcg.wal.reference.parser import parse
from lcg.wal.reference.rows import RowKind
from lcg.wal.reference.syntax import Apply, Assignment, Column, Columns, Expression

KINDS: dict[str, RowKind] = {"Entity": "entity", "Episodic": "episode", "RelatesToNode_": "edge"}
LEGACY_LABELS = frozenset({"Community", "Saga"})
LEGACY_TYPES = frozenset({"HAS_MEMBER", "HAS_EPISODE", "NEXT_EPISODE"})
_RELATES = "RELATES_TO"
_MENTIONS = "MENTIONS"
_CACHED_CHARS = 2_000


def understand(text: str) -> Statement:
    """Return what a statement does.

    Raises:
        Untranslated: it does something that has no translation, or is no statement.
    """
    return _remembered(text) if len(text) <= _CACHED_CHARS else _understand(text)


# A log repeats a few texts for ever; those with values written out are all different, so the memory is bounded.
@lru_cache(maxsize=256)
def _remembered(text: str) -> Statement:
    return _understand(text)


def _understand(text: str) -> Statement:
    reading = _Reading()
    clauses = parse(text)
    reading.statement.begins_with_match = isinstance(clauses[0], syntax.Match)
    for clause in clauses:
        reading.take(clause)
    return reading.finish()


@dataclass(slots=True)
class _Bound:
    """What a variable stands for: a node of a table, selected by `uuid` or `group_id`, or a link."""

    kind: RowKind | None = None
    uuid: Expression | None = None
    group: Expression | None = None
    listed: bool = False
    if_empty: str | None = None
    link: syntax.Link | None = None
    put: PutRow | None = None


class _Reading:
    """The variables of a statement, and what it does so far."""

    def __init__(self) -> None:
        self.statement = Statement()
        self._bound: dict[str, _Bound] = {}
        self._changes = 0
        self._follows_links = False

    def take(self, clause: syntax.Clause) -> None:
        match clause:
            case syntax.Match(paths, condition):
                self._match(paths, condition)
            case syntax.Create(paths):
                self._changes += 1
                for path in paths:
                    self._create(path)
            case syntax.Merge():
                self._changes += 1
                self._merge(clause)
            case syntax.SetColumns(assignments):
                self._changes += 1
                for assignment in assignments:
                    self._set(assignment)
            case syntax.Delete(variables):
                self._changes += 1
                for variable in variables:
                    self._delete(variable)

    def finish(self) -> Statement:
        if not self._changes:
            raise unrecognised("the statement changes nothing")
        statement = self.statement
        statement.legacy = statement.legacy and not statement.actions
        statement.name = name_of(statement)
        return statement

    # Matching

    def _match(self, paths: tuple[syntax.Path, ...], condition: Expression | None) -> None:
        for path in paths:
            for node in path.nodes:
                self._bind(node)
            for link in path.links:
                self._bind_link(link)
        if condition is not None:
            for part in (
                condition.arguments if isinstance(condition, Apply) and condition.name == "and" else [condition]
            ):
                self._restrict(part)

    def _bind(self, node: syntax.Node) -> _Bound:
        known = self._bound.get(node.variable)
        if known is not None:
            if node.labels or node.columns:
                raise unrecognised("a variable is described twice")
            return known
        bound = self._bound[node.variable] = _Bound(self._kind(node))
        for column, value in node.columns.items():
            self._select(bound, column, value, listed=False)
        return bound

    def _bind_link(self, link: syntax.Link) -> None:
        self._follows_links = True
        self._note_types(link.types)
        self.statement.link_types.update(link.types)
        bound = self._bound[link.variable] = _Bound(link=link)
        for column, value in link.columns.items():
            self._select(bound, column, value, listed=False)

    def _kind(self, node: syntax.Node) -> RowKind | None:
        """Return the table of a node, None when it has no label or one of the tables that are passed over."""
        if legacy := LEGACY_LABELS.intersection(node.labels):
            self.statement.legacy = True
            self.statement.legacy_labels.update(legacy)
            self.statement.legacy_nodes += 1
            return None
        kinds = {KINDS[label] for label in node.labels if label in KINDS}
        if len(kinds) > 1 or (node.labels and not kinds):
            raise unrecognised("the statement names a table that is not known here")
        return next(iter(kinds), None)

    def _note_types(self, types: tuple[str, ...]) -> None:
        if LEGACY_TYPES.issuperset(types) and types:
            self.statement.legacy = True
        elif not types or not {_RELATES, _MENTIONS, *LEGACY_TYPES}.issuperset(types):
            raise unrecognised("the statement names a kind of link that is not known here")

    def _select(self, bound: _Bound, column: str, value: Expression, *, listed: bool) -> None:
        if column == "uuid" and bound.uuid is None:
            bound.uuid = value
            bound.listed = listed
        elif column == "group_id" and bound.group is None:
            bound.group = value
            self.statement.groups.append(value)
        else:
            raise unrecognised("rows are selected by something other than their uuid or group")

    def _restrict(self, condition: Expression) -> None:
        match condition:
            case Apply("=", (Column(variable, column), value)):
                self._select(self._variable(variable), column, value, listed=False)
            case Apply("in", (Column(variable, column), value)):
                self._select(self._variable(variable), column, value, listed=True)
            case Apply("or", parts) if (empty := _emptiness(parts)) is not None:
                self._variable(empty.variable).if_empty = empty.name
            case Apply("is null", (Column(variable, column),)):
                self._variable(variable).if_empty = column
            case _:
                raise unrecognised("rows are selected by something other than their uuid or group")

    def _variable(self, name: str) -> _Bound:
        if name not in self._bound:
            raise unrecognised("the statement uses a variable that it does not introduce")
        return self._bound[name]

    # Writing

    def _create(self, path: syntax.Path) -> None:
        if path.links:
            self._link(path)
            return
        node = path.nodes[0]
        columns = _assignments(node.variable, node.columns, leaving_out="uuid")
        put = self._put(node, columns)
        if put is not None:
            put.changed, put.whole = list(columns), True

    def _merge(self, clause: syntax.Merge) -> None:
        self.statement.merges = True
        if clause.path.links:
            self._link(clause.path)
            for assignment in (*clause.on_create, *clause.on_match):
                self._set(assignment)
            return
        node = clause.path.nodes[0]
        put = self._put(node, _assignments(node.variable, node.columns, leaving_out="uuid"))
        for assignment in clause.on_create:
            self._set_merged(node, put, "created", assignment)
        for assignment in clause.on_match:
            self._set_merged(node, put, "changed", assignment)

    def _set_merged(
        self, node: syntax.Node, put: PutRow | None, event: Literal["created", "changed"], assignment: Assignment
    ) -> None:
        if assignment.variable != node.variable:
            raise unrecognised("the statement uses a variable that it does not introduce")
        self._note_group(assignment)
        if put is not None:
            _append(put, event, assignment)

    def _put(self, node: syntax.Node, columns: list[Assignment]) -> PutRow | None:
        """Create a node that has a uuid; None when its table is one that is passed over."""
        if node.variable in self._bound:
            raise unrecognised("a variable is described twice")
        kind = self._kind(node)
        bound = self._bound[node.variable] = _Bound(kind)
        for assignment in columns:
            self._note_group(assignment)
        if kind is None:
            if not self.statement.legacy:
                raise unrecognised("the statement creates a node without saying of what table")
            return None
        if "uuid" not in node.columns:
            raise unrecognised("the statement creates a row without a uuid")
        bound.put = PutRow(kind, node.columns["uuid"], columns)
        self.statement.actions.append(bound.put)
        return bound.put

    def _set(self, assignment: Assignment) -> None:
        bound = self._variable(assignment.variable)
        self._note_group(assignment)
        if bound.link is not None:
            # Links carry nothing here that their rows do not say.
            self.statement.link_columns.add(assignment.column or "")
            return
        if bound.put is None:
            if bound.kind is None and self.statement.legacy:
                return
            if bound.kind is None or bound.uuid is None or bound.listed or self._follows_links:
                raise unrecognised("the statement changes rows that it does not name by their uuid")
            bound.put = PutRow(bound.kind, bound.uuid, None, if_empty=bound.if_empty)
            self.statement.actions.append(bound.put)
        _append(bound.put, "both", assignment)

    def _note_group(self, assignment: Assignment) -> None:
        if assignment.column == "group_id":
            self.statement.groups.append(assignment.value)

    def _link(self, path: syntax.Path) -> None:
        for node in path.nodes:
            self._bind(node)
        for link in path.links:
            self._note_types(link.types)
            self._bound[link.variable] = _Bound(link=link)
            self.statement.link_types.update(link.types)
            if len(link.types) != 1:
                raise unrecognised("the statement makes a link of several kinds")
            if "group_id" in link.columns:
                self.statement.groups.append(link.columns["group_id"])
            if link.types[0] not in LEGACY_TYPES:
                kind = self._link_kind(link)
                source, target = self._end(link.source), self._end(link.target)
                self.statement.actions.append(PutLink(kind, source, target, link.columns.get("uuid")))

    def _end(self, node: syntax.Node) -> Expression:
        bound = self._bound[node.variable]
        uuid = bound.put.uuid if bound.put is not None else bound.uuid
        if uuid is None or bound.listed:
            raise unrecognised("the statement links rows that it does not name by their uuid")
        return uuid

    def _link_kind(self, link: syntax.Link) -> LinkKind:
        ends = (link.types[0], self._bound[link.source.variable].kind, self._bound[link.target.variable].kind)
        match ends:
            case ("RELATES_TO", "entity", "edge"):
                return "source"
            case ("RELATES_TO", "edge", "entity"):
                return "target"
            case ("RELATES_TO", "entity", "entity"):
                return "direct"
            case ("MENTIONS", "episode", "entity"):
                return "mention"
            case _:
                raise unrecognised("a link joins tables that it never joins")

    # Deleting

    def _delete(self, variable: str) -> None:
        bound = self._variable(variable)
        if bound.link is not None:
            self._delete_link(bound, bound.link)
        elif bound.kind is None:
            if not self.statement.legacy:
                raise unrecognised("the statement deletes rows without saying of what table")
        elif bound.if_empty is not None or self._follows_links:
            raise unrecognised("rows are selected by something other than their uuid or group")
        elif bound.uuid is not None:
            self.statement.actions.append(DropRows(bound.kind, "uuid", bound.uuid, bound.listed))
        elif bound.group is not None:
            self.statement.actions.append(DropRows(bound.kind, "group_id", bound.group))
        else:
            raise unrecognised("the statement deletes rows that it names neither by uuid nor by group")

    def _delete_link(self, bound: _Bound, link: syntax.Link) -> None:
        if LEGACY_TYPES.issuperset(link.types):
            return
        if bound.if_empty is not None:
            raise unrecognised("links are selected by something other than their uuid or their ends")
        source, target = self._bound[link.source.variable], self._bound[link.target.variable]
        if bound.uuid is not None:
            # One kind of link: the direct one, which only repeats its edge. Several: edges of the oldest kind.
            if len(link.types) > 1:
                self.statement.actions.append(DropLink("listed", uuids=bound.uuid))
            elif (source.kind, target.kind) != ("entity", "entity"):
                raise unrecognised("the statement deletes links by a uuid that they do not have here")
            return
        kind = self._link_kind(link)
        edge = {"source": target, "target": source}.get(kind)
        named = source.uuid is not None and target.uuid is not None if edge is None else edge.uuid is not None
        if source.listed or target.listed or not named:
            raise unrecognised("the statement deletes links of rows that it does not name by their uuid")
        if kind != "direct":
            self.statement.actions.append(DropLink(kind, source.uuid, target.uuid))


def _assignments(variable: str, columns: Columns, *, leaving_out: str) -> list[Assignment]:
    return [Assignment(variable, column, value) for column, value in columns.items() if column != leaving_out]


def _append(put: PutRow, event: Literal["created", "changed", "both"], assignment: Assignment) -> None:
    if event != "changed" and put.created is not None:
        put.created.append(assignment)
    if event != "created":
        put.changed.append(assignment)


def _emptiness(parts: tuple[Expression, ...]) -> Column | None:
    """Return the column of `x.c IS NULL OR x.c = ''`."""
    columns = set()
    for part in parts:
        match part:
            case Apply("is null", (Column() as column,)):
                columns.add(column)
            case Apply("=", (Column() as column, syntax.Literal(""))):
                columns.add(column)
            case _:
                return None
    return columns.pop() if len(columns) == 1 else None
