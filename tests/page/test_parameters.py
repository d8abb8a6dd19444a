"""What callers may pass: names, types, what is required, defaults and limits, and the page's rules on assertions."""

from typing import Any

import pytest

from lcg.errors import InvalidParams
from lcg.generated import params
from lcg.generated.tool_specs import TOOL_SPECS
from lcg.model.times import format_time
from tests.page import registry

pytestmark = pytest.mark.page

REQUIRED = object()
OPTIONAL = object()

# Parameter -> JSON type, and its default where there is one.
PUBLISHED: dict[str, dict[str, tuple[str, object]]] = {
    "knowledge_status": {},
    "knowledge_process_chunk": {
        "chunk_text": ("string", REQUIRED),
        "chunk_id": ("string", REQUIRED),
        "source_file": ("string", REQUIRED),
        "group_id": ("string", "liminis"),
        "reference_time": ("string", OPTIONAL),
    },
    "knowledge_assert_entity": {
        "name": ("string", REQUIRED),
        "entity_uuid": ("string", OPTIONAL),
        "group_id": ("string", "liminis"),
        "labels": ("array", ["Entity"]),
        "summary": ("string", ""),
        "attributes": ("object", {}),
    },
    "knowledge_assert_relationship": {
        "source_name": ("string", REQUIRED),
        "target_name": ("string", REQUIRED),
        "predicate": ("string", REQUIRED),
        "group_id": ("string", "liminis"),
        "fact": ("string", OPTIONAL),
        "attributes": ("object", OPTIONAL),
        "relation_type": ("string", OPTIONAL),
        "valid_at": ("string", OPTIONAL),
    },
    "knowledge_find_entities": {
        "query": ("string", REQUIRED),
        "group_ids": ("array", OPTIONAL),
        "num_results": ("integer", 10),
    },
    "knowledge_query_cypher": {
        "query": ("string", REQUIRED),
        "parameters": ("object", {}),
        "max_rows": ("integer", 1000),
        "timeout_ms": ("integer", 30000),
    },
    "knowledge_get_entity_neighbors": {
        "entity_uuid": ("string", REQUIRED),
        "num_results": ("integer", 50),
        "offset": ("integer", 0),
        "group_ids": ("array", OPTIONAL),
        "valid_at": ("string", OPTIONAL),
    },
    "knowledge_close": {},
}


def input_schema(tool: str) -> dict[str, Any]:
    return next(dict(spec.input_schema) for spec in TOOL_SPECS if spec.name == tool)


@pytest.mark.parametrize("tool", PUBLISHED)
def test_a_tool_publishes_exactly_the_parameters_of_the_contract(tool: str) -> None:
    properties = input_schema(tool)["properties"]
    assert {name: schema["type"] for name, schema in properties.items()} == {
        name: kind for name, (kind, _) in PUBLISHED[tool].items()
    }


@pytest.mark.parametrize("tool", PUBLISHED)
def test_a_tool_requires_exactly_what_the_contract_requires(tool: str) -> None:
    expected = {name for name, (_, default) in PUBLISHED[tool].items() if default is REQUIRED}
    assert set(input_schema(tool).get("required", [])) == expected


@pytest.mark.parametrize("tool", PUBLISHED)
def test_a_tool_publishes_the_defaults_of_the_contract_and_no_others(tool: str) -> None:
    published = {
        name: schema["default"] for name, schema in input_schema(tool)["properties"].items() if "default" in schema
    }
    assert published == {
        name: default for name, (_, default) in PUBLISHED[tool].items() if default not in (REQUIRED, OPTIONAL)
    }


def test_every_available_tool_is_held_against_the_contract_here() -> None:
    assert {spec.name for spec in TOOL_SPECS if spec.available} - set(PUBLISHED) == set()


@pytest.mark.parametrize(
    ("decode", "call", "limits"),
    [
        (params.decode_find_entities, {"query": "q"}, {"num_results": (1, None)}),
        (params.decode_get_entity_neighbors, {"entity_uuid": "u"}, {"num_results": (1, None), "offset": (0, None)}),
        (params.decode_query_cypher, {"query": "q"}, {"max_rows": (1, 100_000), "timeout_ms": (1, 600_000)}),
    ],
)
def test_a_count_below_its_minimum_is_refused_and_one_above_its_cap_is_lowered(
    decode: Any, call: dict[str, Any], limits: dict[str, tuple[int, int | None]]
) -> None:
    for name, (least, most) in limits.items():
        assert getattr(decode({**call, name: least}), name) == least
        with pytest.raises(InvalidParams) as refusal:
            decode({**call, name: least - 1})
        assert refusal.value.data["parameter"] == name
        assert getattr(decode({**call, name: 10**9}), name) == (most or 10**9)


@pytest.mark.parametrize(
    ("decode", "call"),
    [
        (params.decode_process_chunk, {"chunk_text": "t", "chunk_id": "c", "source_file": "f.md"}),
        (params.decode_assert_entity, {"name": "n"}),
        (params.decode_assert_relationship, {"source_name": "a", "target_name": "b", "predicate": "P"}),
        (params.decode_find_entities, {"query": "q"}),
        (params.decode_get_entity_neighbors, {"entity_uuid": "u"}),
        (params.decode_query_cypher, {"query": "RETURN 1"}),
    ],
)
def test_a_required_parameter_is_refused_when_missing_null_blank_or_mistyped(decode: Any, call: dict[str, Any]) -> None:
    decode(call)
    for name in call:
        rest = {key: value for key, value in call.items() if key != name}
        for sent in (rest, *({**rest, name: wrong} for wrong in (None, "", " \t\n", 5, True, ["x"], {"x": "y"}))):
            with pytest.raises(InvalidParams) as refusal:
                decode(sent)
            assert refusal.value.data["parameter"] == name


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
        assert "facts" not in entry.get("result", {}), name
