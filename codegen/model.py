"""The registry as frozen data, as written: no names are made up and nothing is resolved here."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from codegen.yamlload import Path

UNSET: Any = object()
"""Stands for a default that is not declared; null is a legal default."""


@dataclass(frozen=True, slots=True)
class GroupRule:
    """What omitted and empty mean: each `default`, `all`, `none` or `refused`."""

    name: str
    parameter: str | None
    many: bool
    required: bool
    omitted: str
    empty: str
    sentence: str
    path: Path


@dataclass(frozen=True, slots=True)
class Groups:
    """The group rule of a method, and the name of the parameter that it brings (None under the rule `none`)."""

    rule: GroupRule
    parameter: str | None
    of: str | None


@dataclass(frozen=True, slots=True)
class Property:
    """A key of an object parameter that has only certain keys, all of them strings."""

    name: str
    text: str
    description: str


@dataclass(frozen=True, slots=True)
class Param:
    """A parameter of a method."""

    name: str
    type: str
    description: str
    path: Path
    details: str = ""
    required: bool = False
    items: str | None = None
    default: Any = UNSET
    default_on: str | None = None
    default_text: str | None = None
    enum: tuple[str, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    above: str = "refuse"
    below: str = "refuse"
    min_items: int = 0
    refuse: tuple[str, ...] = ()
    refuse_keys: tuple[str, ...] = ()
    wrong_type: str | None = None
    properties: tuple[Property, ...] = ()
    text: str = "term"


@dataclass(frozen=True, slots=True)
class Field:
    """A key of a result or a record. `fields` are those of an inline object or of a list's elements."""

    name: str
    type: str
    description: str
    path: Path
    items: str | None = None
    record: str | None = None
    fields: "tuple[Field, ...] | None" = None
    nullable: bool = False
    optional: bool = False
    when: str | None = None
    enum: tuple[str, ...] = ()
    const_true: bool = False
    order: str | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """A shape that several results share."""

    name: str
    summary: str
    fields: tuple[Field, ...]
    path: Path


@dataclass(frozen=True, slots=True)
class ErrorCase:
    """A failure that is specific to a method."""

    kind: str
    when: str
    path: Path


@dataclass(frozen=True, slots=True)
class Example:
    """A call as it may be sent, and those keys of its result that are worth showing."""

    title: str
    params: Mapping[str, Any]
    result: Mapping[str, Any]
    path: Path


@dataclass(frozen=True, slots=True)
class Progress:
    """The phases of a long pass and what its frames carry beside the common keys, each with its meaning."""

    phases: Mapping[str, str]
    frame_fields: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Deprecated:
    """Which method to use instead, and why."""

    use: str
    why: str


@dataclass(frozen=True, slots=True)
class Named:
    """A word with a meaning: a scope, a profile, an error kind, a warning type.

    Error codes have more, and profiles the most tools that they may have.
    """

    name: str
    summary: str
    path: Path
    code: int = 0
    raised_by: str = ""
    most: int = 0


@dataclass(frozen=True, slots=True)
class Method:
    """One method."""

    name: str
    title: str
    category: str
    scope: str | None
    exposure: tuple[str, ...]
    summary: str
    groups: Groups
    hints: Mapping[str, bool]
    path: Path
    description: str
    params: tuple[Param, ...]
    result: tuple[Field, ...]
    errors: tuple[ErrorCase, ...]
    examples: tuple[Example, ...]
    works_degraded: bool = False
    profiles: tuple[str, ...] = ()
    attached: str | None = None
    confirm: str | None = None
    progress: Progress | None = None
    deprecated: Deprecated | None = None
    details: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Registry:
    """Everything that spec/tools.yaml says."""

    product: Mapping[str, str]
    scopes: tuple[Named, ...]
    profiles: tuple[Named, ...]
    categories: Mapping[str, str]
    group_rules: Mapping[str, GroupRule]
    error_codes: tuple[Named, ...]
    error_kinds: tuple[Named, ...]
    warning_types: tuple[Named, ...]
    records: Mapping[str, Record]
    methods: tuple[Method, ...] = field(default=())
