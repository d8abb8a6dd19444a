"""The type of every key of results and records, its words and the order of lists; how each text is taken."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.page import page, registry
from tests.page.shapes import (
    FRAMES,
    INNER_WORDS,
    ORDERS,
    OWNERS_OF_THE_GROUP,
    SHAPES,
    TEXTS,
    TEXTS_UNLIKE,
    UNLIKE,
    WARNING_KEYS,
)

pytestmark = pytest.mark.page

EXPECTED = {key: shape for shape, keys in SHAPES.items() for key in keys.split()}
TAKEN = {key: text for text, keys in TEXTS.items() for key in keys.split()}
SERVER_KEYS = ["merged_into", "cross_group_pointers"]
OWNERS = [*page.METHODS, *page.RECORD_KEYS, "Warning"]


def inner(facets: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = facets.get("fields") or facets.get("list_of_fields") or {}
    return found


def fields(owner: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every key of a method's result or of a record, those of inner objects with dots."""
    records = registry.sections()["records"]
    waiting = list((records[owner]["fields"] if owner in records else registry.methods()[owner]["result"]).items())
    while waiting:
        name, facets = waiting.pop(0)
        yield name, facets
        waiting += [(f"{name}.{key}", below) for key, below in inner(facets).items()]


def shape(facets: dict[str, Any]) -> str:
    if "list_of" in facets or "list_of_fields" in facets:
        return "array of object"
    if "record" in facets:
        return "object"
    return f"array of {facets['items']}" if facets["type"] == "array" else str(facets["type"])


@pytest.mark.parametrize("owner", OWNERS)
def test_a_key_has_the_type_of_the_contract(owner: str) -> None:
    found = {name: shape(facets) for name, facets in fields(owner)}
    last = {name: name.rpartition(".")[2] for name in found}
    assert found == {name: UNLIKE.get((owner, last[name]), EXPECTED.get(last[name])) for name in found}


def test_only_certain_keys_inside_are_limited_to_words() -> None:
    found = {
        (owner, name): facets["enum"]
        for owner in OWNERS
        for name, facets in fields(owner)
        if "enum" in facets and (owner in registry.sections()["records"] or "." in name)
    }
    assert found == INNER_WORDS


def test_lists_are_in_the_order_of_the_contract() -> None:
    found = {(owner, name): facets["order"] for owner in OWNERS for name, facets in fields(owner) if "order" in facets}
    assert found == ORDERS


def test_warnings_have_the_keys_of_their_types() -> None:
    found = registry.sections()["records"]["Warning"]["fields"]
    assert {key + ("?" if facets.get("optional") else "") for key, facets in found.items()} == set(WARNING_KEYS.split())


@pytest.mark.parametrize("method", page.METHODS)
def test_a_text_is_taken_as_the_contract_says(method: str) -> None:
    entries = registry.methods()[method]["params"]
    texts = {name: facets for name, facets in entries.items() if facets["type"] in ("string", "array")}
    texts |= {name: inside for facets in entries.values() for name, inside in facets.get("properties", {}).items()}
    found = {name: facets.get("text", "term") for name, facets in texts.items() if "enum" not in facets}
    assert found == {name: TEXTS_UNLIKE.get((method, name), TAKEN.get(name)) for name in found}


def test_both_ends_of_a_cross_group_edge_are_taken_alike() -> None:
    entries = registry.methods()["knowledge_add_cross_group_edge"]["params"]
    for end in ("source", "target"):
        inside = entries[end]["properties"]
        assert {name: facets.get("text", "term") for name, facets in inside.items()} == {
            "uuid": "id",
            "source_group_id": "id",
            "endpoint_name": "name",
        }


def test_attributes_alone_may_be_of_another_type_and_have_keys_of_the_server() -> None:
    found = {
        (method, name): (facets.get("refuse_keys"), facets.get("wrong_type"))
        for method, entry in registry.methods().items()
        for name, facets in entry["params"].items()
        if "refuse_keys" in facets or "wrong_type" in facets
    }
    assert found == dict.fromkeys(
        (("knowledge_assert_entity", "attributes"), ("knowledge_assert_relationship", "attributes")),
        (SERVER_KEYS, "absent_with_warning"),
    )


def test_whose_group_counts_is_said_where_it_could_be_doubted() -> None:
    slots = {name: entry["groups"] for name, entry in registry.methods().items()}
    found = {name: slot["of"] for name, slot in slots.items() if isinstance(slot, dict) and "of" in slot}
    assert found == OWNERS_OF_THE_GROUP


def test_progress_frames_carry_the_keys_of_the_contract() -> None:
    passes = {name: entry["progress"] for name, entry in registry.methods().items() if "progress" in entry}
    assert {name: list(found.get("frame_fields", {})) for name, found in passes.items()} == {
        name: keys.split() for name, keys in FRAMES.items()
    }
