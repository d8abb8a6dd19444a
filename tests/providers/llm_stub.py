"""A stub provider that plays a language model, in either dialect."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from lcg.provider_settings import LlmSettings
from lcg.providers.endpoint import Retry
from tests.providers.stub_server import Answer, Asked, ok

Provider = Literal["anthropic", "openai"]
PROVIDERS: tuple[Provider, ...] = ("anthropic", "openai")
KEY = "sk-a-key-that-nobody-may-see"
AT_ONCE = Retry(delays_s=(0.0, 0.0, 0.0), statuses=frozenset({429, 529}))

TEXT = "Ada Vance moved the billing service to Postgres in May 2024. Tom Weber reviews it."
ENTITIES = [
    {"name": "Ada Vance", "entity_type": "Person", "summary": "Moved the billing service."},
    {"name": "billing service", "entity_type": "Service", "summary": "Runs on Postgres."},
    {"name": "Tom Weber", "entity_type": "Person", "summary": ""},
]
EDGES = [
    {
        "source_name": "Ada Vance",
        "target_name": "billing service",
        "fact": "Ada Vance moved the billing service to Postgres in May 2024.",
        "relation_type": "moved",
        "valid_at": "2024-05-01",
        "invalid_at": None,
    },
    {"source_name": "Tom Weber", "target_name": "billing service", "fact": "Tom Weber reviews the billing service."},
]


def call_of(asked: Asked) -> str:
    """Return which of the calls a request is: `entities`, `edges` or `types`."""
    system = asked.body["system"] if "system" in asked.body else asked.body["messages"][0]["content"]
    return "types" if "You choose" in system else "edges" if "list the relationships" in system else "entities"


def user_of(asked: Asked) -> str:
    """Return the data of a request."""
    content: str = asked.body["messages"][-1]["content"]
    return content


def chat(content: Any, finish: str = "stop") -> dict[str, Any]:
    """An answer in the dialect of chat completions; `content` is a text or JSON to be."""
    text = content if isinstance(content, str) else json.dumps(content)
    return {
        "choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": finish}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20},
    }


def message(name: str, given: Any, stop: str = "tool_use") -> dict[str, Any]:
    """An answer in Anthropic's dialect that calls a tool."""
    return _anthropic([{"type": "tool_use", "id": "t1", "name": name, "input": given}], stop)


def words(text: str) -> dict[str, Any]:
    """An answer in Anthropic's dialect that is text."""
    return _anthropic([{"type": "text", "text": text}], "end_turn")


def _anthropic(content: list[dict[str, Any]], stop: str) -> dict[str, Any]:
    return {
        "content": content,
        "stop_reason": stop,
        "usage": {"input_tokens": 100, "output_tokens": 20, "cache_read_input_tokens": 10},
    }


def answer(provider: Provider, call: str, items: Any) -> dict[str, Any]:
    """A good answer with these items."""
    if provider == "openai":
        return chat({call: items})
    return words(json.dumps(items)) if call == "types" else message(f"extract_{call}", {call: items})


def truncated(provider: Provider, call: str) -> dict[str, Any]:
    """An answer that was cut off."""
    return (
        chat('{"entities": [{"na', "length") if provider == "openai" else message(f"extract_{call}", {}, "max_tokens")
    )


@dataclass
class Model:
    """What a stub says by default: the same items to every text, and a type for every item of a list."""

    provider: Provider
    entities: list[Any] = field(default_factory=lambda: list(ENTITIES))
    edges: list[Any] = field(default_factory=lambda: list(EDGES))
    types: Callable[[Asked], list[Any]] = lambda _: []

    def __call__(self, asked: Asked) -> Answer:
        call = call_of(asked)
        found: Mapping[str, Any] = {"entities": self.entities, "edges": self.edges}
        return ok(answer(self.provider, call, found[call] if call in found else self.types(asked)))


def llm_settings(provider: Provider, url: str, **changes: Any) -> LlmSettings:
    """Settings that ask a stub at an address, and try again at once."""
    path = "/v1/messages" if provider == "anthropic" else "/v1/chat/completions"
    given = {"models": ("small",), "api_key": KEY, "timeout_s": 60.0, "retry": AT_ONCE, **changes}
    return LlmSettings(provider, f"{url}{path}", **given)
