"""The calls and results that the page itself prints, letter by letter."""

import json
from typing import Any

import pytest

from lcg.generated import params
from tests.page import registry

pytestmark = pytest.mark.page

CALLS = [
    ("knowledge_delete_chunk_episode", '{"chunk_id": "notes-0001", "group_ids": ["liminis"]}'),
    ("knowledge_delete_by_source", '{"source_file": "notes.md", "group_ids": ["liminis"]}'),
    ("knowledge_rebind_pointers", '{"source_group_id": "..."}'),
]

DROPPED = """
  {
    "edges_dropped_unresolvable": 1,
    "dropped_edges": [
      {
        "source_name": "Ada Lovelace",
        "target_name": "Analytical Engine",
        "relation_type": "WROTE_NOTES_ON",
        "fact": "Ada Lovelace wrote the first published algorithm for the Analytical Engine.",
        "unresolved_endpoint": "target"
      }
    ]
  }
"""


@pytest.mark.parametrize(("method", "call"), CALLS)
def test_a_call_of_the_page_names_the_group_as_its_rule_wants(method: str, call: str) -> None:
    sent = json.loads(call)
    rule = registry.group_rule(method)
    assert rule["parameter"] in sent
    assert isinstance(sent[rule["parameter"]], list) is rule["many"]


@pytest.mark.parametrize(("method", "call"), CALLS)
def test_a_call_of_the_page_is_legal(method: str, call: str) -> None:
    sent: dict[str, Any] = json.loads(call)
    decoded = getattr(params, f"decode_{method.removeprefix('knowledge_')}")(sent)
    for name, value in sent.items():
        assert getattr(decoded, name) == (tuple(value) if isinstance(value, list) else value)


def test_dropped_edges_look_as_on_the_page() -> None:
    shown = json.loads(DROPPED)
    result = registry.methods()["knowledge_process_chunk"]["result"]
    assert set(shown) <= set(result)
    fields = result["dropped_edges"]["list_of_fields"]
    assert list(shown["dropped_edges"][0]) == list(fields)
    assert fields["unresolved_endpoint"]["enum"] == ["source", "target", "both"]
    assert fields["relation_type"]["nullable"] is True


def test_dropped_edges_are_always_there() -> None:
    result = registry.methods()["knowledge_process_chunk"]["result"]
    assert not any(result[key].get("optional") for key in json.loads(DROPPED))


def test_the_warning_of_an_oversized_chunk_only_comes_when_there_is_one() -> None:
    result = registry.methods()["knowledge_process_chunk"]["result"]
    assert result["warning"]["optional"] is True


def test_readiness_can_be_read_off_the_two_probes_as_the_page_says() -> None:
    health = registry.methods()["health_check"]["result"]
    assert {"healthy", "degraded"} <= set(health["state"]["enum"])
    status = registry.methods()["knowledge_status"]["result"]
    for key in ("connected", "queryable", "initializing"):
        assert status[key]["type"] == "boolean"
        assert "optional" not in status[key]
    assert "healthy" not in status


def test_status_shows_log_and_pointers_as_the_page_says() -> None:
    status = registry.methods()["knowledge_status"]["result"]
    assert "hydration_status" in status["wal"]["fields"]
    assert list(status["cross_group_pointers"]["fields"]) == ["bound", "unbound", "ambiguous"]
