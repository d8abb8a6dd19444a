"""What a statement does, in terms of rows. Values are still expressions: they come from each line's parameters."""

from dataclasses import dataclass, field
from typing import Literal

from lcg.wal.reference.rows import RowKind
from lcg.wal.reference.syntax import Assignment, Expression

LinkKind = Literal["source", "target", "direct", "mention"]


@dataclass(slots=True)
class PutRow:
    """Create or change the row of a uuid.

    `created` are the columns of a row that is not there yet; None: it must be there. `changed` are those of one that
    is; a `whole` row begins anew. `if_empty` names a column: only a row in which it is empty is changed.
    """

    kind: RowKind
    uuid: Expression
    created: list[Assignment] | None
    changed: list[Assignment] = field(default_factory=list)
    whole: bool = False
    if_empty: str | None = None


@dataclass(frozen=True, slots=True)
class DropRows:
    """Delete the rows of a uuid or of a group, or of a list of them (`listed`: the statement says IN)."""

    kind: RowKind
    selector: Literal["uuid", "group_id"]
    values: Expression
    listed: bool = False


@dataclass(frozen=True, slots=True)
class PutLink:
    """Link two rows. A direct link between entities also carries the uuid of the edge that it repeats."""

    kind: LinkKind
    source: Expression
    target: Expression
    uuid: Expression | None = None


@dataclass(frozen=True, slots=True)
class DropLink:
    """Take links away: one end of an edge, a mention, or whatever has a uuid of a list."""

    kind: Literal["source", "target", "mention", "listed"]
    source: Expression | None = None
    target: Expression | None = None
    uuids: Expression | None = None


Action = PutRow | DropRows | PutLink | DropLink


@dataclass(slots=True)
class Statement:
    """The actions of a statement, in order.

    `groups` are the values that must be the log's own group. A `legacy` statement writes only to tables that are passed
    over. `name` is its number in the list of known statements, or says what it does. The rest helps to find the name.
    """

    actions: list[Action] = field(default_factory=list)
    groups: list[Expression] = field(default_factory=list)
    begins_with_match: bool = False
    merges: bool = False
    legacy: bool = False
    link_columns: set[str] = field(default_factory=set)
    link_types: set[str] = field(default_factory=set)
    legacy_labels: set[str] = field(default_factory=set)
    legacy_nodes: int = 0
    name: str = ""
