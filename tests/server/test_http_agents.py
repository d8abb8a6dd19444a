"""Resources, their updates and prompts over HTTP, as the SDK's own client has them."""

import asyncio
from typing import Any

import pytest
from mcp.client import Client
from mcp.server.subscriptions import ResourceUpdated
from mcp_types import ResourceUpdatedNotification

from lcg.generated.tool_specs import TOOL_SPECS
from tests.server.running_http import PATIENCE_S, RunningHttp, running_http
from tests.server.test_mcp_agents import ALL, Graph

GROUPS = "knowledge://groups"


@pytest.mark.parametrize("era", ["legacy", "2026-07-28"])
def test_http_shows_what_other_transports_show(era: str) -> None:
    async def main(running: RunningHttp) -> None:
        async with asyncio.timeout(PATIENCE_S), Client(f"{running.url}/mcp", mode=era) as client:
            assert [resource.name for resource in (await client.list_resources()).resources] == ALL
            assert "ops" in (await client.read_resource(GROUPS)).model_dump_json()
            prompt = await client.get_prompt("recall", {"topic": "boats"})
            assert "boats" in prompt.model_dump_json()

    with running_http(TOOL_SPECS, Graph()) as running:
        asyncio.run(main(running))


async def write(client: Client) -> None:
    await client.call_tool("knowledge_assert_entity", {"name": "Ada"})


@pytest.mark.filterwarnings("ignore:.*subscribe.*")
def test_a_session_is_told_on_its_stream() -> None:
    async def main(running: RunningHttp) -> None:
        told = asyncio.Event()

        async def note(message: Any) -> None:
            if isinstance(message, ResourceUpdatedNotification) and message.params.uri == GROUPS:
                told.set()

        async with asyncio.timeout(PATIENCE_S):
            async with Client(f"{running.url}/mcp", mode="legacy", message_handler=note, cache=None) as client:
                await client.subscribe_resource(GROUPS)
                while not told.is_set():  # until the client has opened its stream, nothing can be sent on it
                    await write(client)
                    await asyncio.sleep(0.1)

    with running_http(TOOL_SPECS, Graph()) as running:
        asyncio.run(main(running))


def test_a_listener_is_told_on_the_answer_to_its_request() -> None:
    async def main(running: RunningHttp) -> None:
        async with (
            asyncio.timeout(PATIENCE_S),
            Client(f"{running.url}/mcp", mode="2026-07-28", cache=None) as client,
            client.listen(resource_subscriptions=[GROUPS]) as stream,
        ):
            await write(client)
            assert await anext(aiter(stream)) == ResourceUpdated(GROUPS)

    with running_http(TOOL_SPECS, Graph()) as running:
        asyncio.run(main(running))
