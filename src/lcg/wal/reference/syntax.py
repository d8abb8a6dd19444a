"""The parts of a parsed Cypher statement."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Literal:
    """A value written out: text, number, true, false or null."""

    value: str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Param:
    """`$name`."""

    name: str


@dataclass(frozen=True, slots=True)
class Column:
    """`variable.column`."""

    variable: str
    name: str


@dataclass(frozen=True, slots=True)
class Items:
    """`[a, b]`."""

    items: "tuple[Expression, ...]"


@dataclass(frozen=True, slots=True)
class Mapping:
    """`{key: value}`."""

    entries: "dict[str, Expression]"


@dataclass(frozen=True, slots=True)
class Apply:
    """A function, or an operator (`=`, `<>`, `in`, `is null`, `not`, `and`, `or`), and what it is applied to."""

    name: str
    arguments: "tuple[Expression, ...]"


@dataclass(frozen=True, slots=True)
class Case:
    """`CASE WHEN condition THEN value … ELSE otherwise END`."""

    branches: "tuple[tuple[Expression, Expression], ...]"
    otherwise: "Expression"


Expression = Literal | Param | Column | Items | Mapping | Apply | Case
Columns = dict[str, Expression]


@dataclass(frozen=True, slots=True)
class Node:
    """`(variable:Label {column: value})`; `variable` is made up where there is none."""

    variable: str
    labels: tuple[str, ...] = ()
    columns: Columns = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Link:
    """`(source)-[variable:TYPE {column: value}]->(target)`."""

    variable: str
    types: tuple[str, ...]
    columns: Columns
    source: Node
    target: Node


@dataclass(frozen=True, slots=True)
class Path:
    """Nodes, and the links between them."""

    nodes: tuple[Node, ...]
    links: tuple[Link, ...] = ()


@dataclass(frozen=True, slots=True)
class Assignment:
    """`variable.column = value`; without a column, all columns of a map."""

    variable: str
    column: str | None
    value: Expression


@dataclass(frozen=True, slots=True)
class Match:
    """`MATCH paths WHERE condition`."""

    paths: tuple[Path, ...]
    condition: Expression | None = None


@dataclass(frozen=True, slots=True)
class Create:
    """`CREATE paths`."""

    paths: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class Merge:
    """`MERGE path ON CREATE SET … ON MATCH SET …`."""

    path: Path
    on_create: tuple[Assignment, ...] = ()
    on_match: tuple[Assignment, ...] = ()


@dataclass(frozen=True, slots=True)
class SetColumns:
    """`SET …`."""

    assignments: tuple[Assignment, ...]


@dataclass(frozen=True, slots=True)
class Delete:
    """`DETACH DELETE variables`."""

    variables: tuple[str, ...]


Clause = Match | Create | Merge | SetColumns | Delete
Params = dict[str, Any]
