"""The shape of what agents are told beside the list of tools, and how a text is put together for the tools at hand."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, Literal

_PLACE: Final = re.compile(r"\{([a-z_]+)\}")
_BULLET: Final = "- "
_HEADING: Final = "#"


@dataclass(frozen=True, slots=True)
class Passage:
    """A paragraph, a bullet or a heading.

    Attributes:
        text: what it says; `{name}` stands for an argument.
        tools: it is shown where all of these can be called,
        without: and none of these;
        arguments: and where these are given.
    """

    text: str
    tools: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()

    def is_shown(self, visible: Collection[str], given: Collection[str]) -> bool:
        """Say whether it is shown where these tools can be called and these arguments are given."""
        return (
            all(tool in visible for tool in self.tools)
            and not any(tool in visible for tool in self.without)
            and all(name in given for name in self.arguments)
        )


@dataclass(frozen=True, slots=True)
class Resource:
    """Something to read: a text, or what a call returns.

    Attributes:
        uri: its address.
        name: its name for programs.
        title: its name for people.
        description: what it holds.
        mime_type: what it is written in.
        text: the passages; empty where it is a call.
        method: the tool that is called.
        params: its parameters.
        keys: what is shown of the result; empty for all of it.
    """

    uri: str
    name: str
    title: str
    description: str
    mime_type: str
    text: tuple[Passage, ...]
    method: str | None
    params: Mapping[str, Any] | None
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Argument:
    """What a prompt asks for; `complete` is what is offered while it is typed."""

    name: str
    description: str
    required: bool
    complete: Literal["groups", "sources"] | None


@dataclass(frozen=True, slots=True)
class Prompt:
    """Something to choose from a menu: a text with arguments, offered where all of `needs` can be called."""

    name: str
    title: str
    description: str
    needs: tuple[str, ...]
    arguments: tuple[Argument, ...]
    text: tuple[Passage, ...]


def compose(
    passages: Sequence[Passage],
    visible: Collection[str],
    given: Mapping[str, str] = MappingProxyType({}),
    *,
    paragraph: str = "\n\n",
) -> str:
    """Put a text together for the tools that can be called and the arguments that are given.

    Bullets that follow each other make a list, and a heading without a section is left out.
    """
    shown = [passage.text for passage in passages if passage.is_shown(visible, given)]
    text = ""
    for before, passage, after in zip(["", *shown], shown, [*shown[1:], ""], strict=False):
        if passage.startswith(_HEADING) and (not after or _level(after) in range(1, _level(passage) + 1)):
            continue
        gap = "\n" if before.startswith(_BULLET) and passage.startswith(_BULLET) else paragraph
        text += (gap if text else "") + passage
    return _PLACE.sub(lambda place: given.get(place[1], place[0]), text)


def _level(passage: str) -> int:
    """Return how deep a heading is; 0 for what is none."""
    return len(passage) - len(passage.lstrip(_HEADING))
