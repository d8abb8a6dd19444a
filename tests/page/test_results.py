"""What every method returns: its keys, which of them may be missing, and which may be null."""

from typing import Any

import pytest

from lcg.generated import results
from tests.page import page, registry
from tests.page.results import ALWAYS_TRUE, INNER, RESULTS, SHOWN_RECORDS, WORDS

pytestmark = pytest.mark.page


def noted(fields: dict[str, dict[str, Any]]) -> set[str]:
    return {
        key + ("?" if facets.get("optional") else "") + ("|null" if facets.get("nullable") else "")
        for key, facets in fields.items()
    }


@pytest.mark.parametrize(("method", "keys"), RESULTS.items())
def test_a_result_has_exactly_the_keys_of_the_contract(method: str, keys: str) -> None:
    assert noted(registry.methods()[method]["result"]) == set(keys.split())


@pytest.mark.parametrize(("method", "key", "keys"), [(*place, keys) for place, keys in INNER.items()])
def test_an_object_inside_a_result_has_exactly_the_keys_of_the_contract(method: str, key: str, keys: str) -> None:
    facets = registry.methods()[method]["result"][key]
    assert noted(facets.get("fields") or facets["list_of_fields"]) == set(keys.split())


def test_every_method_is_held_against_the_contract_here() -> None:
    assert list(RESULTS) == page.METHODS


def test_every_object_inside_a_result_is_held_against_the_contract_here() -> None:
    inner = {
        (method, key)
        for method, entry in registry.methods().items()
        for key, facets in entry["result"].items()
        if "fields" in facets or "list_of_fields" in facets
    }
    assert inner == set(INNER)


def test_a_plan_of_a_merge_counts_the_relationships_of_each_alias() -> None:
    plan = registry.methods()["knowledge_merge_entities"]["result"]["plan"]["fields"]
    assert set(plan["aliases"]["list_of_fields"]) == {
        "uuid",
        "name",
        "active_edges",
        "duplicate_edges",
        "foreign_edges_skipped",
    }


def test_the_ends_of_a_cross_group_edge_are_pointers_or_null() -> None:
    ends = registry.methods()["knowledge_add_cross_group_edge"]["result"]["cross_group_pointers"]["fields"]
    assert {key: (end["record"], end["nullable"]) for key, end in ends.items()} == dict.fromkeys(
        ("src", "dst"), ("Pointer", True)
    )


def test_records_stand_where_the_contract_shows_them() -> None:
    found = {
        (method, key): facets.get("list_of") or facets["record"]
        for method, entry in registry.methods().items()
        for key, facets in entry["result"].items()
        if "list_of" in facets or "record" in facets
    }
    assert found == SHOWN_RECORDS


def test_every_collection_is_counted() -> None:
    for method, keys in RESULTS.items():
        for collection in {"nodes", "edges", "episodes", "passages", "checkpoints", "rows"} & set(keys.split()):
            assert "count" in keys.split(), (method, collection)


def test_what_is_paged_says_how_many_rows_there_are() -> None:
    for method, entry in registry.methods().items():
        if "offset" in entry["params"]:
            assert {"total", "has_more"} <= set(entry["result"]), method


def test_only_the_corrections_file_has_warnings_of_its_own() -> None:
    assert [name for name, entry in registry.methods().items() if "warnings" in entry["result"]] == [
        "knowledge_validate_corrections"
    ]


def test_every_method_may_add_warnings_to_its_result() -> None:
    for method in page.METHODS:
        shape = getattr(results, "".join(map(str.capitalize, method.removeprefix("knowledge_").split("_"))) + "Result")
        assert "warnings" in shape.__optional_keys__ or method == "knowledge_validate_corrections"


@pytest.mark.parametrize(("method", "key", "values"), [(*place, values) for place, values in WORDS.items()])
def test_a_word_in_a_result_is_one_of_the_contract(method: str, key: str, values: list[str]) -> None:
    assert registry.methods()[method]["result"][key]["enum"] == values


def test_no_other_key_is_limited_to_certain_words() -> None:
    found = {(name, key) for name, entry in registry.methods().items() for key in entry["result"]}
    assert {place for place in found if "enum" in registry.methods()[place[0]]["result"][place[1]]} == set(WORDS)


def test_what_is_never_false_is_declared_so() -> None:
    assert {
        (name, key)
        for name, entry in registry.methods().items()
        for key, facets in entry["result"].items()
        if facets.get("const_true")
    } == ALWAYS_TRUE


@pytest.mark.parametrize(
    ("key", "values"),
    [
        ("hydration_status", ["hydrated", "wal_ahead", "not_applicable"]),
        ("generation_status", ["known", "unknown", "not_applicable"]),
    ],
)
def test_the_state_of_a_log_is_one_of_three_words(key: str, values: list[str]) -> None:
    assert sorted(registry.methods()["knowledge_status"]["result"]["wal"]["fields"][key]["enum"]) == sorted(values)


def test_an_entity_in_a_chunk_is_matched_by_name_embedding_or_adapter() -> None:
    by = registry.methods()["knowledge_process_chunk"]["result"]["resolutions"]["list_of_fields"]["by"]
    assert by["enum"] == ["name", "embedding", "adapter"]
