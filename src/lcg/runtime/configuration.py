"""The shape of what the generated list of flags and variables holds."""

from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

Default = TypeVar("Default", covariant=True)


@dataclass(frozen=True, slots=True)
class Variable(Generic[Default]):
    """An environment variable.

    Attributes:
        name: its name.
        default: the value when it is unset, already of its own type; None where unset is a state of its own.
        minimum: the smallest legal number.
        maximum: the largest legal number, or None.
        words: the legal values of a choice; what also means true for a switch.
        outside: what happens to an illegal value.
        old_name: a name that still works, with a note.
        available: whether this build uses it.
    """

    name: str
    default: Default
    minimum: float = 0
    maximum: float | None = None
    words: tuple[str, ...] = ()
    outside: Literal["refuse", "clamp", "default"] = "refuse"
    old_name: str | None = None
    available: bool = True


@dataclass(frozen=True, slots=True)
class Mode:
    """What the program can be: the flag that chooses it, and the mode whose flag has to be given as well."""

    name: str
    flag: str | None
    within: str | None


@dataclass(frozen=True, slots=True)
class Flag:
    """A flag of the command line.

    Attributes:
        name: its name, two dashes included.
        short: its short form, or None.
        takes_value: whether a value follows.
        words: the legal values of a choice, else empty.
        modes: the modes in which it means something; None: in all.
        refused_elsewhere: whether it is refused in other modes; if not, it is pointed out.
        available: whether this build has it.
    """

    name: str
    short: str | None
    takes_value: bool
    words: tuple[str, ...]
    modes: tuple[str, ...] | None
    refused_elsewhere: bool
    available: bool
