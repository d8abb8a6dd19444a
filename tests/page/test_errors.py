"""The closed sets that programs may rely on, and the records that several results share."""

import pytest

from lcg.generated.errors import ErrorCode, ErrorKind, WarningType
from tests.page import page, registry

pytestmark = pytest.mark.page


def test_error_codes_are_those_of_the_contract() -> None:
    assert {code.name: int(code) for code in ErrorCode} == page.ERROR_CODES


def test_error_kinds_are_a_closed_set_of_eleven() -> None:
    assert len(page.ERROR_KINDS) == 11
    assert {str(kind) for kind in ErrorKind} == page.ERROR_KINDS


def test_warning_types_are_a_closed_set_of_twelve() -> None:
    assert len(page.WARNING_TYPES) == 12
    assert {str(kind) for kind in WarningType} == page.WARNING_TYPES


@pytest.mark.parametrize(("record", "keys"), page.RECORD_KEYS.items())
def test_a_shared_record_has_exactly_the_keys_of_the_contract(record: str, keys: set[str]) -> None:
    assert set(registry.sections()["records"][record]["fields"]) == keys


@pytest.mark.parametrize("record", ["Entity", "Edge"])
def test_only_the_score_of_a_record_may_be_missing(record: str) -> None:
    fields = registry.sections()["records"][record]["fields"]
    assert [key for key, facets in fields.items() if facets.get("optional")] == ["score"]


def test_what_may_be_null_in_a_record() -> None:
    nullable = {
        record: {key for key, facets in spec["fields"].items() if facets.get("nullable")}
        for record, spec in registry.sections()["records"].items()
    }
    assert nullable == {
        "Entity": set(),
        "Edge": {"valid_at", "invalid_at", "relation_type"},
        "Episode": set(),
        "Passage": {"valid_at", "score"},
        "Pointer": set(),
        "Warning": set(),
    }


def test_vectors_are_in_no_record() -> None:
    keys = {key for spec in registry.sections()["records"].values() for key in spec["fields"]}
    assert [key for key in keys if "embedding" in key or "vector" in key] == []


@pytest.mark.parametrize(
    ("method", "kinds"),
    [
        ("health_check", {"unavailable"}),
        ("knowledge_status", set()),
        ("knowledge_process_chunk", {"unconfigured", "provider_failed"}),
        ("knowledge_assert_entity", {"not_found", "conflict", "precondition"}),
        ("knowledge_assert_relationship", {"not_found"}),
        ("knowledge_find_entities", set()),
        ("knowledge_get_entity_neighbors", set()),
        ("knowledge_query_cypher", {"precondition", "limit"}),
        ("knowledge_close", set()),
    ],
)
def test_a_method_fails_in_its_own_ways_only(method: str, kinds: set[str]) -> None:
    assert {error["kind"] for error in registry.methods()[method]["errors"]} == kinds
