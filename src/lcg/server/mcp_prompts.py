"""The prompts that people choose from a menu, and what is offered while they fill them in."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

import mcp_types as types
from mcp import MCPError
from mcp.server import ServerRequestContext

from lcg.errors import LcgError
from lcg.generated.errors import ErrorCode
from lcg.runtime.agent_texts import Prompt, compose
from lcg.runtime.call import Call
from lcg.runtime.show import plain
from lcg.server.calls import CallRunner
from lcg.server.mcp_lists import shown_prompts
from lcg.server.mcp_tools import Toolbox

_STATUS: Final = "knowledge_status"
_EPISODES: Final = "knowledge_get_episodes"
_NEWEST: Final = 100
"""So many of the newest texts are asked for their sources."""
_MOST_VALUES: Final = 100
"""More values no client takes at once."""


class Prompts:
    """The prompts of one process: those whose tools can be called."""

    def __init__(self, toolbox: Toolbox, runner: CallRunner) -> None:
        self._toolbox = toolbox
        self._runner = runner
        self._shown = {prompt.name: prompt for prompt in shown_prompts(toolbox)}

    async def list_all(
        self, context: ServerRequestContext[Any, Any], params: types.PaginatedRequestParams | None
    ) -> types.ListPromptsResult:
        """Answer `prompts/list`."""
        return types.ListPromptsResult(prompts=[_listed(prompt) for prompt in self._shown.values()])

    async def get(
        self, context: ServerRequestContext[Any, Any], params: types.GetPromptRequestParams
    ) -> types.GetPromptResult:
        """Answer `prompts/get`.

        Raises:
            MCPError: there is no such prompt, or its arguments are not those that it asks for.
        """
        prompt = self._find(params.name)
        given = {name: value.strip() for name, value in (params.arguments or {}).items() if value.strip()}
        _check(prompt, given)
        text = compose(prompt.text, self._toolbox.names, given)
        return types.GetPromptResult(
            description=prompt.description,
            messages=[types.PromptMessage(role="user", content=types.TextContent(type="text", text=text))],
        )

    async def complete(
        self, context: ServerRequestContext[Any, Any], params: types.CompleteRequestParams
    ) -> types.CompleteResult:
        """Answer `completion/complete`: what could be meant by what was typed so far, best first.

        Raises:
            MCPError: there is no such prompt.
        """
        if not isinstance(params.ref, types.PromptReference):
            return _offer(())
        prompt = self._find(params.ref.name)
        offered = {argument.name: argument.complete for argument in prompt.arguments}.get(params.argument.name)
        others = params.context.arguments if params.context is not None else None
        try:
            known = await self._values(offered, others or {})
        except LcgError:
            return _offer(())  # nobody is helped by an error while typing
        typed = params.argument.value.strip().casefold()
        found = [value for value in known if typed in value.casefold()]
        return _offer(sorted(found, key=lambda value: not value.casefold().startswith(typed)))

    def _find(self, name: str) -> Prompt:
        prompt = self._shown.get(name)
        if prompt is None:
            known = ", ".join(self._shown) or "none, since their tools are hidden"
            raise MCPError(
                ErrorCode.INVALID_PARAMS, f"There is no prompt `{plain(name)}`. There are: {known}.", {"prompt": name}
            )
        return prompt

    async def _values(self, what: str | None, others: Mapping[str, str]) -> list[str]:
        if what == "groups" and self._toolbox.is_in_scope(_STATUS):
            return list((await self._runner.run({}, Call(_STATUS)))["wal_groups"])
        if what == "sources" and self._toolbox.is_in_scope(_EPISODES):
            asked = {"last_n": _NEWEST} | ({"group_id": others["group"]} if others.get("group") else {})
            episodes = (await self._runner.run(asked, Call(_EPISODES)))["episodes"]
            return list(dict.fromkeys(filter(None, map(_source, episodes))))
        return []


def _listed(prompt: Prompt) -> types.Prompt:
    return types.Prompt(
        name=prompt.name,
        title=prompt.title,
        description=prompt.description,
        arguments=[
            types.PromptArgument(name=argument.name, description=argument.description, required=argument.required)
            for argument in prompt.arguments
        ],
    )


def _check(prompt: Prompt, given: Mapping[str, str]) -> None:
    names = [argument.name for argument in prompt.arguments]
    for name in given:
        if name not in names:
            message = f"{prompt.name} has no argument `{plain(name)}`. It has: {', '.join(names)}."
            raise MCPError(ErrorCode.INVALID_PARAMS, message, {"prompt": prompt.name, "argument": name})
    for argument in prompt.arguments:
        if argument.required and argument.name not in given:
            message = f"{prompt.name}: {argument.name} is required, nothing came. {argument.description}"
            raise MCPError(ErrorCode.INVALID_PARAMS, message, {"prompt": prompt.name, "argument": argument.name})


def _source(episode: Mapping[str, Any]) -> str:
    """Return the file of a chunk, or where another text came from."""
    return str(episode["source_description"]).removesuffix(f":{episode['name']}")


def _offer(values: Iterable[str]) -> types.CompleteResult:
    found = list(values)
    return types.CompleteResult(
        completion=types.Completion(values=found[:_MOST_VALUES], total=len(found), has_more=len(found) > _MOST_VALUES)
    )
