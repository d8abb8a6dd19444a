"""The closed sets that programs may rely on, and the records that several results share."""

import pytest

from lcg.generated.errors import ErrorCode, ErrorKind, WarningType
from tests.page import page, registry
from tests.page.results import FAILURES

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


@pytest.mark.parametrize("method", page.METHODS)
def test_a_method_fails_in_its_own_ways_only(method: str) -> None:
    kinds = {error["kind"] for error in registry.methods()[method]["errors"]}
    assert kinds == set(FAILURES.get(method, "").split())


def test_verdicts_are_results_not_errors() -> None:
    for method in ("knowledge_merge_entities", "knowledge_apply_corrections"):
        result = registry.methods()[method]["result"]
        assert (result["success"]["type"], result["errors"]["items"]) == ("boolean", "string")
    for method in ("reprocess_entity_types", "reprocess_relation_types", "recover", "recover_full"):
        result = registry.methods()[f"knowledge_{method}"]["result"]
        assert "const_true" not in result["success"]
        assert result["error"]["when"] == result["kind"]["when"] == "success is false"
