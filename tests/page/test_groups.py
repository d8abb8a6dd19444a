"""What a missing, null, empty or unknown group means: the page's one statement of it, method by method."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from lcg.errors import InvalidParams
from lcg.generated import params
from lcg.runtime.groups import ALL_GROUPS, GroupFilter
from tests.page import page, registry

pytestmark = pytest.mark.page


def methods_with_rule(rule: str) -> set[str]:
    return {name for name in registry.methods() if registry.group_rule(name)["name"] == rule}


@pytest.mark.parametrize(
    ("rule", "methods"),
    [
        ("many_zero", page.EMPTY_LIST_IS_NO_GROUP),
        ("many_all", page.EMPTY_LIST_IS_EVERY_GROUP),
        ("many_required", page.GROUPS_REQUIRED),
        ("one_required", page.ONE_GROUP_REQUIRED),
        ("one_default", page.DEFAULT_GROUP),
        ("one_or_all", page.ONE_GROUP_OR_ALL),
        ("none", page.NO_GROUP_PARAMETER),
    ],
)
def test_a_group_rule_holds_for_exactly_these_methods(rule: str, methods: set[str]) -> None:
    assert methods_with_rule(rule) == methods


def test_the_nine_readers_split_into_four_and_five() -> None:
    assert len(page.EMPTY_LIST_IS_NO_GROUP) == 4
    assert len(page.EMPTY_LIST_IS_EVERY_GROUP) == 5
    assert page.EMPTY_LIST_IS_NO_GROUP.isdisjoint(page.EMPTY_LIST_IS_EVERY_GROUP)


@pytest.mark.parametrize(
    ("rule", "parameter", "required", "omitted", "empty"),
    [
        ("one_default", "group_id", False, "default", "default"),
        ("one_required", "group_id", True, "refused", "refused"),
        ("one_or_all", "group_id", False, "all", "refused"),
        ("many_zero", "group_ids", False, "all", "none"),
        ("many_all", "group_ids", False, "all", "all"),
        ("many_required", "group_ids", True, "refused", "refused"),
    ],
)
def test_a_group_rule_means_what_the_contract_says(
    rule: str, parameter: str, required: bool, omitted: str, empty: str
) -> None:
    found = registry.sections()["group_rules"][rule]
    assert (found["parameter"], found["required"], found["omitted"], found["empty"]) == (
        parameter,
        required,
        omitted,
        empty,
    )


def test_a_default_group_is_called_liminis() -> None:
    assert registry.sections()["product"]["default_group"] == "liminis"


def test_rebinding_names_the_group_that_the_pointers_lead_to() -> None:
    assert registry.group_rule("knowledge_rebind_pointers")["parameter"] == "source_group_id"


@pytest.mark.parametrize("sent", [{}, {"group_ids": None}])
def test_a_reader_without_groups_reads_every_group(sent: dict[str, Any]) -> None:
    assert params.decode_find_entities({"query": "q", **sent}).groups == ALL_GROUPS
    assert params.decode_get_entity_neighbors({"entity_uuid": "u", **sent}).groups == ALL_GROUPS


def test_an_empty_list_is_no_group_when_finding_entities() -> None:
    assert params.decode_find_entities({"query": "q", "group_ids": []}).groups == GroupFilter(())


def test_an_empty_list_is_every_group_when_asking_for_neighbours() -> None:
    assert params.decode_get_entity_neighbors({"entity_uuid": "u", "group_ids": []}).groups == ALL_GROUPS


def test_one_group_may_be_written_without_a_list() -> None:
    assert params.decode_find_entities({"query": "q", "group_ids": "a"}).groups == GroupFilter(("a",))


def test_a_group_named_twice_counts_once() -> None:
    assert params.decode_find_entities({"query": "q", "group_ids": ["b", "a", "b"]}).groups == GroupFilter(("b", "a"))


@pytest.mark.parametrize("sent", [[""], ["a", ""], [1], ["a", None], "", [" "], {"a": 1}, 1, True])
@pytest.mark.parametrize(
    ("decode", "other"),
    [
        (params.decode_find_entities, {"query": "q"}),
        (params.decode_get_entity_neighbors, {"entity_uuid": "u"}),
    ],
)
def test_nothing_unreadable_ever_widens_a_reader_to_more_groups(
    decode: Callable[[Mapping[str, Any]], object], other: dict[str, Any], sent: object
) -> None:
    with pytest.raises(InvalidParams) as refusal:
        decode({**other, "group_ids": sent})
    assert refusal.value.data["parameter"] == "group_ids"


@pytest.mark.parametrize("sent", [{}, {"group_id": None}, {"group_id": ""}, {"group_id": "  "}])
def test_a_writer_without_a_group_writes_to_liminis(sent: dict[str, Any]) -> None:
    chunk = {"chunk_text": "t", "chunk_id": "c", "source_file": "f.md"}
    assert params.decode_process_chunk({**chunk, **sent}).group_id == "liminis"
    assert params.decode_assert_entity({"name": "n", **sent}).group_id == "liminis"
    ends = {"source_name": "a", "target_name": "b", "predicate": "P"}
    assert params.decode_assert_relationship({**ends, **sent}).group_id == "liminis"


def test_a_writer_takes_the_group_that_it_is_given_trimmed() -> None:
    assert params.decode_assert_entity({"name": "n", "group_id": " notes "}).group_id == "notes"


@pytest.mark.parametrize("sent", [["a"], 1, True, {"id": "a"}, "a\x00b", "a\nb", "ü" * 67])
def test_a_writer_refuses_what_is_no_group(sent: object) -> None:
    with pytest.raises(InvalidParams) as refusal:
        params.decode_assert_entity({"name": "n", "group_id": sent})
    assert refusal.value.data["parameter"] == "group_id"


@pytest.mark.parametrize("wrong", ["groupid", "group", "group_ids", "groupId"])
def test_a_mistyped_group_never_falls_back_to_the_default(wrong: str) -> None:
    with pytest.raises(InvalidParams) as refusal:
        params.decode_assert_entity({"name": "n", wrong: "notes"})
    assert refusal.value.data["suggestion"] == "group_id"


@pytest.mark.parametrize("wrong", ["groupids", "group_id", "groups", "groupIds"])
def test_a_mistyped_list_of_groups_never_falls_back_to_all(wrong: str) -> None:
    with pytest.raises(InvalidParams) as refusal:
        params.decode_find_entities({"query": "q", wrong: ["notes"]})
    assert refusal.value.data["suggestion"] == "group_ids"
