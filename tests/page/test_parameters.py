"""What callers may pass: names, types, what is required, defaults and limits, and the page's rules on assertions."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from lcg.errors import InvalidParams
from lcg.generated import params
from lcg.generated.tool_specs import TOOL_SPECS
from lcg.model.times import format_time
from tests.page import page, registry
from tests.page.parameters import OPTIONAL, PARAMETERS, REQUIRED, Param

pytestmark = pytest.mark.page

TOOLS = sorted(set(PARAMETERS) - {"health_check"})
DECODED = sorted(name for name, taken in PARAMETERS.items() if taken)
SOUND = {"string": "x", "array": ["x"], "boolean": True, "object": {"uuid": "x"}}
WRONG: dict[str, tuple[object, ...]] = {
    "string": ("", " \t\n", 5, True, ["x"], {"x": "y"}),
    "array": ("", 5, True, {"x": "y"}, [""], [1], ["x", None]),
    "boolean": ("", "true", 1, [True]),
    "object": ("", "x", 5, ["x"], {"no_such_key": "x"}),
}


def published(tool: str) -> dict[str, Any]:
    return next(dict(spec.input_schema) for spec in TOOL_SPECS if spec.name == tool)


def decoder(method: str) -> Callable[[Mapping[str, Any]], Any]:
    found: Callable[[Mapping[str, Any]], Any] = getattr(params, f"decode_{method.removeprefix('knowledge_')}")
    return found


def sound_call(method: str) -> dict[str, Any]:
    needed = {name: param for name, param in PARAMETERS[method].items() if param.default is REQUIRED}
    return {name: param.words[0] if param.words else SOUND[param.type] for name, param in needed.items()}


def having(facet: Callable[[Param], bool]) -> list[tuple[str, str, Param]]:
    found = [(method, name, param) for method, taken in PARAMETERS.items() for name, param in taken.items()]
    return [(method, name, param) for method, name, param in found if facet(param)]


def test_every_method_is_held_against_the_contract_here() -> None:
    assert list(PARAMETERS) == page.METHODS


def test_the_readiness_probe_takes_no_parameters() -> None:
    assert registry.methods()["health_check"]["params"] == {}


@pytest.mark.parametrize("tool", TOOLS)
def test_a_tool_publishes_exactly_the_parameters_of_the_contract(tool: str) -> None:
    properties = published(tool)["properties"]
    assert {name: schema["type"] for name, schema in properties.items()} == {
        name: param.type for name, param in PARAMETERS[tool].items()
    }


@pytest.mark.parametrize("tool", TOOLS)
def test_a_tool_requires_exactly_what_the_contract_requires(tool: str) -> None:
    expected = {name for name, param in PARAMETERS[tool].items() if param.default is REQUIRED}
    assert set(published(tool).get("required", [])) == expected


@pytest.mark.parametrize("tool", TOOLS)
def test_a_tool_publishes_the_defaults_of_the_contract_and_no_others(tool: str) -> None:
    shown = {name: schema["default"] for name, schema in published(tool)["properties"].items() if "default" in schema}
    assert shown == {
        name: param.default for name, param in PARAMETERS[tool].items() if param.default not in (REQUIRED, OPTIONAL)
    }


@pytest.mark.parametrize("tool", TOOLS)
def test_a_tool_publishes_the_bounds_and_words_of_the_contract(tool: str) -> None:
    properties = published(tool)["properties"].items()
    shown = {name: (one.get("minimum"), one.get("maximum"), tuple(one.get("enum", ()))) for name, one in properties}
    assert shown == {name: (param.least, param.most, param.words) for name, param in PARAMETERS[tool].items()}


@pytest.mark.parametrize(("method", "name", "param"), having(lambda param: param.least is not None))
def test_a_number_outside_its_bounds_is_refused_or_moved_in(method: str, name: str, param: Param) -> None:
    assert param.least is not None
    decode, call = decoder(method), sound_call(method)
    assert getattr(decode({**call, name: param.least}), name) == param.least
    assert getattr(decode({**call, name: 10**9}), name) == (10**9 if param.most is None else param.most)
    if param.clamped:
        assert getattr(decode({**call, name: param.least - 1}), name) == param.least
        return
    with pytest.raises(InvalidParams) as refusal:
        decode({**call, name: param.least - 1})
    assert refusal.value.data["parameter"] == name


@pytest.mark.parametrize(("method", "name", "param"), having(lambda param: bool(param.words)))
def test_a_word_is_one_of_the_contract_letter_case_included(method: str, name: str, param: Param) -> None:
    decode, call = decoder(method), sound_call(method)
    assert [getattr(decode({**call, name: word}), name) for word in param.words] == list(param.words)
    for wrong in ("other", param.words[0].upper()):
        with pytest.raises(InvalidParams) as refusal:
            decode({**call, name: wrong})
        assert all(word in refusal.value.message for word in (name, *param.words))


@pytest.mark.parametrize("method", DECODED)
def test_a_call_with_what_is_required_alone_gets_the_defaults_of_the_contract(method: str) -> None:
    decoded = decoder(method)(sound_call(method))
    for name, param in PARAMETERS[method].items():
        if param.default is not REQUIRED and hasattr(decoded, name):
            expected = None if param.default is OPTIONAL else param.default
            assert getattr(decoded, name) == (tuple(expected) if isinstance(expected, list) else expected), name


@pytest.mark.parametrize(("method", "name", "param"), having(lambda param: param.default is REQUIRED))
def test_a_required_parameter_is_refused_when_missing_null_blank_or_mistyped(
    method: str, name: str, param: Param
) -> None:
    decode, call = decoder(method), sound_call(method)
    decode(call)
    rest = {key: value for key, value in call.items() if key != name}
    for sent in (rest, *({**rest, name: wrong} for wrong in (None, *WRONG[param.type]))):
        with pytest.raises(InvalidParams) as refusal:
            decode(sent)
        assert refusal.value.data["parameter"] == name


@pytest.mark.parametrize("method", [name for name, entry in registry.methods().items() if "examples" in entry])
def test_the_calls_that_the_reference_shows_are_legal(method: str) -> None:
    for example in registry.methods()[method]["examples"]:
        if PARAMETERS[method]:
            decoder(method)(example["params"])
        else:
            assert example["params"] == {}


@pytest.mark.parametrize("method", ["knowledge_delete_by_source", "knowledge_delete_chunk_episode"])
def test_a_deletion_asks_for_what_to_delete_before_it_asks_where(method: str) -> None:
    what = next(name for name in PARAMETERS[method] if name != "group_ids")
    calls: list[tuple[dict[str, Any], str]] = [({}, what), ({"group_ids": ["a"]}, what), ({what: "x"}, "group_ids")]
    for sent, named in calls:
        with pytest.raises(InvalidParams) as refusal:
            decoder(method)(sent)
        assert refusal.value.data["parameter"] == named


class TestCrossGroupEdge:
    """What the contract says of the ends in knowledge_add_cross_group_edge."""

    CALL = {"name": "USES", "fact": "A uses B.", "target": {"uuid": "u"}}  # noqa: RUF012

    def test_an_end_shows_its_three_keys(self) -> None:
        for end in ("source", "target"):
            schema = published("knowledge_add_cross_group_edge")["properties"][end]
            assert {name: inner["type"] for name, inner in schema["properties"].items()} == dict.fromkeys(
                ("uuid", "source_group_id", "endpoint_name"), "string"
            )
            assert "required" not in schema

    def test_null_and_blank_keys_count_as_absent(self) -> None:
        sent = {
            "uuid": None,
            "source_group_id": " a ",
            "endpoint_name": "Tern",
        }
        decoded = params.decode_add_cross_group_edge({**self.CALL, "source": sent})
        assert dict(decoded.source) == {"source_group_id": "a", "endpoint_name": "Tern"}
        decoded = params.decode_add_cross_group_edge({**self.CALL, "source": {"uuid": "u", "endpoint_name": ""}})
        assert dict(decoded.source) == {"uuid": "u"}


class TestMarks:
    """What the contract says of the names of marks."""

    @pytest.mark.parametrize("sent", ["a", "before-merge", "A_9", "x" * 200])
    def test_letters_digits_underscore_and_hyphen_are_a_name(self, sent: str) -> None:
        assert params.decode_wal_mark_create({"name": sent}).name == sent
        assert params.decode_wal_mark_delete({"name": sent}).name == sent

    @pytest.mark.parametrize("sent", ["x" * 201, "a b", "a/b", "..", "a.b", "\u00e9", "a\x00", "\u0663"])
    def test_anything_else_is_refused_with_what_is_allowed(self, sent: str) -> None:
        for decode in (params.decode_wal_mark_create, params.decode_wal_mark_delete):
            with pytest.raises(InvalidParams, match="A-Z") as refusal:
                decode({"name": sent})
            assert refusal.value.data["parameter"] == "name"


@pytest.mark.parametrize("name", ["dry_run", "force_clear", "background"])
def test_a_switch_of_the_rebuild_takes_true_and_false_only_and_says_boolean(name: str) -> None:
    wrong: tuple[object, ...] = ("true", "yes", 1, 0, "", [])
    for sent in wrong:
        with pytest.raises(InvalidParams, match="boolean"):
            params.decode_rebuild_from_wal({name: sent})


class TestAssertEntity:
    """What the page says of knowledge_assert_entity."""

    def test_what_is_omitted_is_cleared_not_kept(self) -> None:
        decoded = params.decode_assert_entity({"name": "Ada"})
        assert (decoded.summary, dict(decoded.attributes or {}), decoded.labels) == ("", {}, ("Entity",))
        assert decoded.entity_uuid is None

    @pytest.mark.parametrize("sent", ["text", 5, True, ["a"], "[1]"])
    def test_attributes_that_are_no_object_count_as_empty(self, sent: object) -> None:
        decoded = params.decode_assert_entity({"name": "Ada", "attributes": sent})
        assert dict(decoded.attributes or {}) == {}
        assert decoded.attributes_malformed is True

    @pytest.mark.parametrize("sent", [{"born": 1815}, '{"born": 1815}'])
    def test_attributes_are_taken_as_an_object_or_as_its_json_text(self, sent: object) -> None:
        decoded = params.decode_assert_entity({"name": "Ada", "attributes": sent})
        assert dict(decoded.attributes or {}) == {"born": 1815}
        assert decoded.attributes_malformed is False

    @pytest.mark.parametrize("key", ["merged_into", "cross_group_pointers"])
    def test_keys_of_the_server_are_refused_in_attributes(self, key: str) -> None:
        for decode, call in (
            (params.decode_assert_entity, {"name": "Ada"}),
            (params.decode_assert_relationship, {"source_name": "a", "target_name": "b", "predicate": "P"}),
        ):
            with pytest.raises(InvalidParams) as refusal:
                decode({**call, "attributes": {key: "x"}})
            assert refusal.value.data["parameter"] == "attributes"

    def test_a_caller_cannot_make_a_tombstone(self) -> None:
        with pytest.raises(InvalidParams) as refusal:
            params.decode_assert_entity({"name": "Ada", "labels": ["Person", "Merged"]})
        assert refusal.value.data["parameter"] == "labels"

    def test_a_blank_uuid_is_no_uuid(self) -> None:
        assert params.decode_assert_entity({"name": "Ada", "entity_uuid": " "}).entity_uuid is None

    def test_names_are_normalised(self) -> None:
        assert params.decode_assert_entity({"name": "  Ame\u0301lie "}).name == "Am\u00e9lie"

    @pytest.mark.parametrize("sent", ["a\x00b", "a\nb", "a\x7fb"])
    def test_control_characters_in_names_are_refused(self, sent: str) -> None:
        with pytest.raises(InvalidParams):
            params.decode_assert_entity({"name": sent})


class TestAssertRelationship:
    """What the page says of knowledge_assert_relationship."""

    ENDS = {"source_name": "Ada", "target_name": "Engine", "predicate": "WROTE_ABOUT"}  # noqa: RUF012

    def test_what_is_omitted_is_told_apart_from_what_is_given(self) -> None:
        decoded = params.decode_assert_relationship(self.ENDS)
        assert (decoded.fact, decoded.relation_type, decoded.valid_at, decoded.attributes) == (None, None, None, None)
        given = params.decode_assert_relationship({**self.ENDS, "attributes": {}})
        assert given.attributes is not None

    def test_a_fact_is_kept_as_it_came(self) -> None:
        assert params.decode_assert_relationship({**self.ENDS, "fact": " Ada wrote. "}).fact == " Ada wrote. "

    @pytest.mark.parametrize(
        ("sent", "moment"),
        [
            ("1843-09-01", "1843-09-01 00:00:00"),
            ("1843-09-01 10:20:30", "1843-09-01 10:20:30"),
            ("1843-09-01T10:20:30", "1843-09-01 10:20:30"),
            ("1843-09-01T10:20:30Z", "1843-09-01 10:20:30"),
            ("1843-09-01T10:20:30+02:00", "1843-09-01 08:20:30"),
        ],
    )
    def test_times_are_read_in_the_forms_of_the_contract(self, sent: str, moment: str) -> None:
        decoded = params.decode_assert_relationship({**self.ENDS, "valid_at": sent})
        assert decoded.valid_at is not None
        assert format_time(decoded.valid_at) == moment

    @pytest.mark.parametrize("sent", ["yesterday", "1843-09", "1843-02-30", "01.09.1843", 1843, True])
    def test_any_other_time_is_refused(self, sent: object) -> None:
        with pytest.raises(InvalidParams) as refusal:
            params.decode_assert_relationship({**self.ENDS, "valid_at": sent})
        assert refusal.value.data["parameter"] == "valid_at"

    def test_a_blank_time_is_no_time(self) -> None:
        assert params.decode_assert_relationship({**self.ENDS, "valid_at": ""}).valid_at is None


class TestTolerance:
    """What changes no meaning is forgiven, and nothing else is."""

    @pytest.mark.parametrize("sent", [5, "5", 5.0])
    def test_a_whole_number_may_come_as_text_or_float(self, sent: object) -> None:
        assert params.decode_find_entities({"query": "q", "num_results": sent}).num_results == 5

    @pytest.mark.parametrize("sent", [None, ""])
    def test_null_and_blank_numbers_are_the_default(self, sent: object) -> None:
        assert params.decode_find_entities({"query": "q", "num_results": sent}).num_results == 10

    @pytest.mark.parametrize("sent", [2.5, " 5 ", "1e1", "+5", "2.0", "five", True, [5], {"n": 5}])
    def test_what_is_no_whole_number_is_refused(self, sent: object) -> None:
        with pytest.raises(InvalidParams) as refusal:
            params.decode_find_entities({"query": "q", "num_results": sent})
        assert refusal.value.data["parameter"] == "num_results"

    def test_an_unknown_parameter_is_refused_with_the_nearest_name(self) -> None:
        with pytest.raises(InvalidParams) as refusal:
            params.decode_find_entities({"query": "q", "num_result": 5})
        assert refusal.value.data["suggestion"] == "num_results"

    def test_a_refusal_names_tool_parameter_what_was_expected_and_what_came(self) -> None:
        with pytest.raises(InvalidParams) as refusal:
            params.decode_find_entities({"query": "q", "num_results": "many"})
        assert {"tool", "parameter", "expected", "received"} <= set(refusal.value.data)
        for word in ("knowledge_find_entities", "num_results", "many"):
            assert word in refusal.value.message


def test_the_chunk_text_keeps_its_white_space() -> None:
    call = {"chunk_text": "  a\n b ", "chunk_id": " c-1 ", "source_file": "f.md"}
    decoded = params.decode_process_chunk(call)
    assert (decoded.chunk_text, decoded.chunk_id) == ("  a\n b ", "c-1")


def test_results_of_relationships_use_one_key_everywhere() -> None:
    for name, entry in registry.methods().items():
        assert "facts" not in entry["result"], name
