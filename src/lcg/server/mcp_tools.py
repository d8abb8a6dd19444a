"""Which tools an MCP client sees, and what it is told of one that it does not see."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lcg.errors import InvalidParams, LcgError
from lcg.runtime.show import plain
from lcg.runtime.tool_spec import ToolSpec
from lcg.server.envelope import TOKEN_PARAM
from lcg.server.scopes import ALL


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a tool cannot be called here: a sentence, and data for programs."""

    message: str
    data: dict[str, Any]


class Toolbox:
    """The tools of one process: those with a handler, in an active scope, in the profile, and safe to show.

    Args:
        specs: every tool of the registry, in the order of tools/list.
        scopes: the active scopes.
        profile: a named profile, or `all`.
        attached_flags: the flags that show tools which an attached process hides otherwise; None when the process
            is not attached, and hides none.
        bearer: the name of the token that opens these scopes; None when they are those of the process.

    Attributes:
        visible: the tools that can be called, in their order.
        names: their names.
    """

    def __init__(
        self,
        specs: Sequence[ToolSpec],
        scopes: Sequence[str],
        profile: str,
        attached_flags: Sequence[str] | None = None,
        bearer: str | None = None,
    ) -> None:
        self._specs = {spec.name: spec for spec in specs}
        self._scopes = tuple(scopes)
        self._profile = profile
        self._attached_flags = attached_flags
        self._bearer = bearer
        self.visible = tuple(spec for spec in specs if self._why_hidden(spec) is None)
        self.names = frozenset(spec.name for spec in self.visible)

    def find(self, name: str) -> ToolSpec | None:
        """Return a visible tool, or None; `refusal` then says why."""
        return self._specs[name] if name in self.names else None

    def is_in_scope(self, name: str) -> bool:
        """Say whether a tool belongs to an active scope, in the profile or not."""
        return name in self._specs and self._specs[name].scope in self._scopes

    def refusal(self, name: str) -> Refusal:
        """Say why this name cannot be called, and what would show it."""
        data: dict[str, Any] = {"tool": plain(name), "active_scopes": list(self._scopes)}
        active = f"Active scopes: {', '.join(self._scopes)}."
        spec = self._specs.get(name)
        if spec is not None:
            return Refusal(f"Tool `{name}` {self._why_hidden(spec)} {active}", data)
        from lcg.runtime.decode import (
            nearest,
        )  # here, since it brings all decoding along, which a start need not wait for

        suggestion = nearest(name, tuple(self.names))
        if suggestion:
            return Refusal(
                f"Unknown tool `{plain(name)}`. Did you mean `{suggestion}`? {active}",
                data | {"suggestion": suggestion},
            )
        return Refusal(f"Unknown tool `{plain(name)}`; tools/list shows those that can be called. {active}", data)

    def _why_hidden(self, spec: ToolSpec) -> str | None:
        if spec.scope not in self._scopes:
            wider = ",".join((*self._scopes, spec.scope))
            belongs = f"is hidden: it belongs to the scope `{spec.scope}`"
            if self._bearer is None:
                return f"{belongs}. Start with --scope={wider} to see it."
            return (
                f"{belongs}, which the token `{self._bearer}` does not open here. A server with that scope and a token "
                f"of `lcg token add NAME --scope {wider}` show it."
            )
        if self._profile not in (ALL, *spec.profiles):
            return f"is hidden: it is not in the profile `{self._profile}`. Start with --profile {ALL} to see it."
        if self._attached_flags is not None and spec.attached_flag not in (None, *self._attached_flags):
            return (
                "is hidden: it would act on the service that this process is attached to, for all of its clients. "
                f"Start with {spec.attached_flag} to see it."
            )
        return None


def refuse_token(tool: str, arguments: Mapping[str, Any]) -> None:
    """Refuse the socket's progress token among MCP arguments.

    Raises:
        InvalidParams: it is there; the message names its MCP counterpart.
    """
    if TOKEN_PARAM in arguments:
        raise InvalidParams(
            tool, TOKEN_PARAM, "left out (over MCP the request carries `_meta.progressToken`)", "a value"
        )


def failure_text(error: LcgError) -> str:
    """Return what an agent reads of a failure: the message, then a line with code and kind."""
    kind = error.data.get("kind")
    return f"{error.message}\ncode {int(error.code)}" + (f" kind {kind}" if kind else "")


def failure_content(error: LcgError) -> dict[str, Any]:
    """Return what a program reads of a failure."""
    return {"code": int(error.code), "message": error.message, "data": error.data}
