"""What an MCP client can read without calling a tool: texts, and what certain calls return."""

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

import mcp_types as types
from mcp import MCPError
from mcp.server import ServerRequestContext

from lcg.errors import LcgError
from lcg.generated.errors import ErrorCode
from lcg.runtime.agent_texts import Resource, compose
from lcg.runtime.call import Call
from lcg.runtime.show import plain
from lcg.server.calls import CallRunner
from lcg.server.envelope import to_json
from lcg.server.mcp_lists import LISTS_TTL_MS, shown_resources
from lcg.server.mcp_tools import Toolbox


class Resources:
    """The resources of one process: its texts, and those whose call belongs to an active scope."""

    def __init__(self, toolbox: Toolbox, runner: CallRunner) -> None:
        self._toolbox = toolbox
        self._runner = runner
        self._shown = {resource.uri: resource for resource in shown_resources(toolbox)}

    @property
    def changing(self) -> frozenset[str]:
        """The addresses of those that change while the process lives."""
        return frozenset(uri for uri, resource in self._shown.items() if resource.method is not None)

    async def list_all(
        self, context: ServerRequestContext[Any, Any], params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        """Answer `resources/list`."""
        return types.ListResourcesResult(
            resources=[
                types.Resource(
                    uri=resource.uri,
                    name=resource.name,
                    title=resource.title,
                    description=resource.description,
                    mime_type=resource.mime_type,
                )
                for resource in self._shown.values()
            ]
        )

    async def list_templates(
        self, context: ServerRequestContext[Any, Any], params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        """Answer `resources/templates/list`: there are none."""
        return types.ListResourceTemplatesResult(resource_templates=[])

    async def read(
        self, context: ServerRequestContext[Any, Any], params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        """Answer `resources/read`.

        Raises:
            MCPError: there is no such resource, or its call failed.
        """
        resource = self.find(str(params.uri))
        try:
            text = await self._text(resource, {})
        except LcgError as error:
            raise MCPError(int(error.code), error.message, error.data) from error
        return types.ReadResourceResult(
            contents=[types.TextResourceContents(uri=resource.uri, mime_type=resource.mime_type, text=text)],
            ttl_ms=0 if resource.method else LISTS_TTL_MS,
            cache_scope="private",
        )

    def find(self, uri: str) -> Resource:
        """Return a resource.

        Raises:
            MCPError: there is none at this address.
        """
        resource = self._shown.get(uri)
        if resource is None:
            known = ", ".join(self._shown)
            raise MCPError(
                ErrorCode.INVALID_PARAMS, f"There is no resource at `{plain(uri)}`. There are: {known}.", {"uri": uri}
            )
        return resource

    async def states(self, uris: Iterable[str]) -> dict[str, bytes]:
        """Return a hash of each of these resources, by address.

        Raises:
            LcgError: a call failed.
        """
        results: dict[str, Mapping[str, Any]] = {}
        return {
            uri: hashlib.sha256((await self._text(self._shown[uri], results)).encode()).digest() for uri in sorted(uris)
        }

    async def _text(self, resource: Resource, results: dict[str, Mapping[str, Any]]) -> str:
        """Return what a resource holds now. `results` keeps what calls returned, so that none is made twice."""
        if resource.method is None:
            return compose(resource.text, self._toolbox.names)
        params = dict(resource.params or {})
        key = f"{resource.method} {to_json(params).decode()}"
        if key not in results:
            results[key] = await self._runner.run(params, Call(resource.method))
        result = results[key]
        shown = {name: result[name] for name in resource.keys if name in result} if resource.keys else result
        return to_json(shown).decode()
