"""Resources, their updates, prompts and completion, as the SDK's own client has them, in both protocol eras."""

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import pytest
from mcp import MCPError
from mcp.client import Client
from mcp.server.subscriptions import ResourceUpdated
from mcp_types import PromptReference, ResourceUpdatedNotification, TextContent, TextResourceContents

from lcg.errors import OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.generated.tool_specs import SCOPES, TOOL_SPECS
from lcg.runtime.call import Call
from lcg.server.calls import CallRunner
from lcg.server.lifecycle import Stop
from lcg.server.mcp_resources import Resources
from lcg.server.mcp_server import build_server
from lcg.server.mcp_tools import Toolbox
from lcg.server.mcp_updates import Updates
from tests.server.fake_service import TRAITS, FakeService
from tests.server.running import PATIENCE_S

ERAS = ["legacy", "2026-07-28"]
eras = pytest.mark.parametrize("era", ERAS)
ALL = ["guide", "schema", "status", "groups"]


class Graph(FakeService):
    """A service with groups and texts; a call of any writing tool makes a group, and anybody else may, too."""

    def __init__(self) -> None:
        super().__init__()
        self.groups = ["liminis", "ops"]
        self.away = threading.Event()
        self.asked: list[Mapping[str, Any]] = []

    def call(self, method: str, params: Mapping[str, Any] | None, call: Call) -> dict[str, Any]:
        if self.away.is_set():
            raise OperationFailed(ErrorKind.UNAVAILABLE, "The service is away.")
        match method:
            case "knowledge_status":
                self.asked.append(dict(params or {}))
                declared = {"declared": None} if (params or {}).get("include_ontology") else {}
                groups = {group: {"applied_seq": 1} for group in self.groups}
                return {"pid": 1, "wal_groups": groups, "ontology": {"present": False, **declared}}
            case "knowledge_get_episodes":
                group = (params or {}).get("group_id", "liminis")
                texts = [("docs/b.md", "1"), ("docs/a.md", "1"), ("docs/b.md", "2"), (f"{group}.txt", "x")]
                episodes = [{"source_description": f"{file}:{chunk}", "name": chunk} for file, chunk in texts]
                return {"episodes": [*episodes, {"source_description": "a talk", "name": "monday"}]}
            case "knowledge_assert_entity":
                self.groups.append(f"new {len(self.groups)}")
                return {"created": True}
        return super().call(method, params, call)


@asynccontextmanager
async def connected(
    era: str,
    graph: Graph,
    scopes: tuple[str, ...] = SCOPES,
    profile: str = "all",
    period_s: float = 0.05,
    on_message: Any = None,
) -> AsyncIterator[Client]:
    toolbox, runner = Toolbox(TOOL_SPECS, scopes, profile), CallRunner(graph, TRAITS)
    updates = Updates(Resources(toolbox, runner), period_s)
    server = build_server(toolbox, runner, Stop(), updates)
    async with Client(server, mode=era, message_handler=on_message, cache=None) as client:
        yield client
    updates.close()


def talk(era: str, conversation: Callable[[Client], Awaitable[Any]], graph: Graph | None = None, **more: Any) -> Any:
    async def main() -> Any:
        async with connected(era, graph or Graph(), **more) as client:
            return await conversation(client)

    return asyncio.run(main())


def refusal(era: str, conversation: Callable[[Client], Awaitable[Any]], **more: Any) -> MCPError:
    """Return what the conversation is refused with; caught inside, since the client puts it into a group."""

    async def refused(client: Client) -> MCPError:
        with pytest.raises(MCPError) as caught:
            await conversation(client)
        return caught.value

    error: MCPError = talk(era, refused, **more)
    return error


def read(era: str, name: str, **more: Any) -> Any:
    result = talk(era, lambda client: client.read_resource(f"knowledge://{name}"), **more)
    (content,) = result.contents
    assert isinstance(content, TextResourceContents)
    assert content.uri == f"knowledge://{name}"
    return content.text if content.mime_type == "text/markdown" else json.loads(content.text)


# -- Resources


@eras
@pytest.mark.parametrize(
    ("scopes", "profile", "expected"),
    [(SCOPES, "all", ALL), (("read",), "core", ALL), (("write", "admin"), "all", ["guide"])],
)
def test_resources_of_scopes_that_are_not_active_are_not_there(
    era: str, scopes: tuple[str, ...], profile: str, expected: list[str]
) -> None:
    listed = talk(era, lambda client: client.list_resources(), scopes=scopes, profile=profile)
    assert [resource.name for resource in listed.resources] == expected
    assert [resource.uri for resource in listed.resources] == [f"knowledge://{name}" for name in expected]
    assert all(resource.title and resource.description and resource.mime_type for resource in listed.resources)
    if "status" not in expected:
        error = refusal(era, lambda client: client.read_resource("knowledge://status"), scopes=scopes)
        assert error.message == "There is no resource at `knowledge://status`. There are: knowledge://guide."


@eras
def test_the_guide_is_for_the_tools_that_can_be_called(era: str) -> None:
    whole, narrow = read(era, "guide"), read(era, "guide", scopes=("read",))
    assert whole.startswith("# How to work with this graph")
    assert "knowledge_assert_relationship" in whole
    assert "knowledge_assert" not in narrow
    assert "no facts" in narrow.casefold()


@eras
def test_the_others_show_what_a_call_returns_or_a_part_of_it(era: str) -> None:
    graph = Graph()
    assert read(era, "groups", graph=graph) == {
        "wal_groups": {"liminis": {"applied_seq": 1}, "ops": {"applied_seq": 1}}
    }
    assert read(era, "status", graph=graph).keys() == {"pid", "wal_groups", "ontology"}
    assert read(era, "schema", graph=graph) == {"ontology": {"present": False, "declared": None}}
    assert graph.asked == [{}, {}, {"include_ontology": True}]


@eras
def test_a_resource_that_is_not_there_is_told_with_those_that_are(era: str) -> None:
    error = refusal(era, lambda client: client.read_resource("knowledge://guides"))
    assert (error.code, error.data) == (-32602, {"uri": "knowledge://guides"})
    assert "`knowledge://guides`" in error.message
    assert "knowledge://guide, " in error.message


@eras
def test_a_resource_whose_call_fails_says_why(era: str) -> None:
    graph = Graph()
    graph.away.set()
    error = refusal(era, lambda client: client.read_resource("knowledge://status"), graph=graph)
    assert (error.code, error.message) == (-32000, "The service is away.")


# -- Updates


async def told_of(era: str, graph: Graph, change: Callable[[Client], Awaitable[Any]], period_s: float) -> list[str]:
    """Subscribe to the groups, let something change, and return the addresses of which the client is told."""
    told: asyncio.Queue[str] = asyncio.Queue()

    async def note(message: Any) -> None:
        if isinstance(message, ResourceUpdatedNotification):
            told.put_nowait(str(message.params.uri))

    async with connected(era, graph, period_s=period_s, on_message=note) as client:
        if era == "legacy":
            await client.subscribe_resource("knowledge://groups")
            await change(client)
            return [await asyncio.wait_for(told.get(), PATIENCE_S)]
        async with client.listen(resource_subscriptions=["knowledge://groups"]) as stream:
            await change(client)
            event = await asyncio.wait_for(anext(aiter(stream)), PATIENCE_S)
            assert isinstance(event, ResourceUpdated)
            return [event.uri]


@eras
@pytest.mark.filterwarnings("ignore:.*subscribe.*")
def test_who_subscribes_is_told_at_once_of_what_the_same_client_writes(era: str) -> None:
    async def write(client: Client) -> None:
        await client.call_tool("knowledge_assert_entity", {"name": "Ada"})

    assert asyncio.run(told_of(era, Graph(), write, period_s=600)) == ["knowledge://groups"]


@eras
@pytest.mark.filterwarnings("ignore:.*subscribe.*")
def test_who_subscribes_is_told_of_what_somebody_else_writes_even_after_the_service_was_away(era: str) -> None:
    graph = Graph()

    async def write(_: Client) -> None:
        graph.away.set()
        await asyncio.sleep(0.3)
        graph.groups.append("theirs")
        graph.away.clear()

    assert asyncio.run(told_of(era, graph, write, period_s=0.05)) == ["knowledge://groups"]


@pytest.mark.filterwarnings("ignore:.*subscribe.*")
def test_nobody_looks_where_nobody_listens_any_more() -> None:
    graph = Graph()

    async def main() -> None:
        async with connected("legacy", graph) as client:
            await client.subscribe_resource("knowledge://groups")
            await client.unsubscribe_resource("knowledge://groups")
            await asyncio.sleep(0.3)
            before = len(graph.asked)
            await client.call_tool("knowledge_assert_entity", {"name": "Ada"})
            await asyncio.sleep(0.5)
            assert len(graph.asked) == before

    asyncio.run(main())


@eras
@pytest.mark.filterwarnings("ignore:.*subscribe.*")
def test_only_what_somebody_wants_to_hear_of_is_looked_at(era: str) -> None:
    graph = Graph()

    async def write(client: Client) -> None:
        await client.call_tool("knowledge_assert_entity", {"name": "Ada"})

    asyncio.run(told_of(era, graph, write, period_s=600))
    assert {"include_ontology": True} not in graph.asked
    assert len(graph.asked) == 2  # before the write and after it


def test_who_listens_for_what_never_changes_makes_nobody_look() -> None:
    graph = Graph()

    async def main() -> None:
        async with (
            connected("2026-07-28", graph) as client,
            client.listen(tools_list_changed=True, resource_subscriptions=["knowledge://guide", "knowledge://none"]),
        ):
            await client.call_tool("knowledge_assert_entity", {"name": "Ada"})
            await asyncio.sleep(0.3)

    asyncio.run(main())
    assert graph.asked == []


@pytest.mark.filterwarnings("ignore:.*subscribe.*")
def test_a_connection_that_ends_is_forgotten() -> None:
    async def main() -> None:
        toolbox, runner = Toolbox(TOOL_SPECS, SCOPES, "all"), CallRunner(Graph(), TRAITS)
        updates = Updates(Resources(toolbox, runner), 0.05)
        server = build_server(toolbox, runner, Stop(), updates)
        async with Client(server, mode="legacy") as client:
            await client.subscribe_resource("knowledge://groups")
            wanted = [bool(updates.wanted)]
        wanted.append(bool(updates.wanted))
        assert wanted == [True, False]
        updates.close()

    asyncio.run(main())


@pytest.mark.filterwarnings("ignore:.*subscribe.*")
def test_what_is_not_there_cannot_be_subscribed_to() -> None:
    error = refusal("legacy", lambda client: client.subscribe_resource("knowledge://group"))
    assert "There is no resource" in error.message


@pytest.mark.parametrize("era", ["legacy", "auto"])  # a client that is told its era does not ask
def test_the_capabilities_say_what_there_is(era: str) -> None:
    async def capabilities(client: Client) -> Any:
        return client.server_capabilities

    found = talk(era, capabilities)
    assert found.resources.subscribe
    assert found.prompts is not None
    assert found.completions is not None


def test_what_never_changes_may_be_kept_and_only_by_this_client() -> None:
    async def conversation(client: Client) -> list[Any]:
        return [
            await client.list_tools(),
            await client.list_resources(),
            await client.list_prompts(),
            await client.read_resource("knowledge://guide"),
            await client.read_resource("knowledge://groups"),
        ]

    results = talk("2026-07-28", conversation)
    assert [result.cache_scope for result in results] == ["private"] * 5
    assert [result.ttl_ms > 0 for result in results] == [True, True, True, True, False]


# -- Prompts


@eras
def test_prompts_are_listed_with_their_arguments(era: str) -> None:
    listed = talk(era, lambda client: client.list_prompts()).prompts
    assert {prompt.name: [(a.name, bool(a.required)) for a in prompt.arguments] for prompt in listed} == {
        "recall": [("topic", True), ("group", False)],
        "tidy_up": [("group", False)],
        "review_source": [("source", True), ("group", False)],
    }
    assert all(prompt.title and prompt.description for prompt in listed)


@eras
def test_a_prompt_is_offered_only_where_its_tools_can_be_called(era: str) -> None:
    assert talk(era, lambda client: client.list_prompts(), scopes=("admin",)).prompts == []
    error = refusal(era, lambda client: client.get_prompt("recall", {"topic": "x"}), scopes=("admin",))
    assert "their tools are hidden" in error.message


def prompt(era: str, name: str, arguments: dict[str, str], **more: Any) -> str:
    result = talk(era, lambda client: client.get_prompt(name, arguments), **more)
    (message,) = result.messages
    assert message.role == "user"
    assert isinstance(message.content, TextContent)
    return message.content.text


@eras
def test_a_prompt_says_what_was_given_and_leaves_out_what_was_not(era: str) -> None:
    whole = prompt(era, "recall", {"topic": "the {group} of boats", "group": "ops"})
    assert "the {group} of boats" in whole
    assert "group `ops`" in whole
    assert "group `" not in prompt(era, "recall", {"topic": "boats", "group": " "})


@eras
def test_a_prompt_for_a_graph_that_is_only_read_does_not_speak_of_writing(era: str) -> None:
    assert "knowledge_merge_entities" in prompt(era, "tidy_up", {})
    narrow = prompt(era, "tidy_up", {}, scopes=("read",))
    assert "knowledge_merge_entities" not in narrow
    assert "nothing can be merged" in narrow


@eras
@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("recal", {"topic": "x"}, "There are: recall, "),
        ("recall", {}, "topic is required"),
        ("recall", {"topic": "  "}, "topic is required"),
        ("recall", {"topic": "x", "subject": "y"}, "no argument `subject`"),
    ],
)
def test_a_prompt_that_is_asked_for_wrongly_says_what_would_be_right(
    era: str, name: str, arguments: dict[str, str], words: str
) -> None:
    error = refusal(era, lambda client: client.get_prompt(name, arguments))
    assert error.code == -32602
    assert words in error.message


# -- Completion


def complete(era: str, name: str, argument: str, typed: str, others: Any = None, **more: Any) -> list[str]:
    async def conversation(client: Client) -> Any:
        reference = PromptReference(name=name)
        return await client.complete(reference, {"name": argument, "value": typed}, context_arguments=others)

    found: list[str] = talk(era, conversation, **more).completion.values
    return found


@eras
def test_groups_and_sources_are_offered_while_they_are_typed(era: str) -> None:
    assert complete(era, "recall", "group", "") == ["liminis", "ops"]
    assert complete(era, "recall", "group", "OP") == ["ops"]
    assert complete(era, "review_source", "source", "") == ["docs/b.md", "docs/a.md", "liminis.txt", "a talk"]
    assert complete(era, "review_source", "source", "a") == ["a talk", "docs/a.md"]
    assert complete(era, "review_source", "source", ".txt", {"group": "ops"}) == ["ops.txt"]


@eras
def test_nothing_is_offered_for_free_text_where_it_is_not_to_be_seen_or_when_the_service_is_away(era: str) -> None:
    graph = Graph()
    assert complete(era, "recall", "topic", "x", graph=graph) == []
    graph.away.set()
    assert complete(era, "recall", "group", "", graph=graph) == []
