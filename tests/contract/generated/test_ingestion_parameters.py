# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 85dfc88f0b48004a618280b012d396acf3875ccc796fa46dea80d6cb5471f49e)
# Template: codegen/templates/test_parameters.py.j2
"""What the methods under "Ingestion" take and refuse, parameter by parameter."""

from typing import Any

import pytest

from lcg.generated import params
from tests.contract import harness

PROCESS_CHUNK: dict[str, Any] = {
    "chunk_text": "Priya moved the billing service to Postgres in May.",
    "chunk_id": "standup-3",
    "source_file": "notes/standup.md",
}


@pytest.mark.parametrize(
    ("name", "meant"),
    (
        ("chunk_textx", "chunk_text"),
        ("chunk_idx", "chunk_id"),
        ("source_filex", "source_file"),
        ("reference_timex", "reference_time"),
        ("group_idx", "group_id"),
    ),
)
def test_process_chunk_names_the_parameter_that_was_meant(name: str, meant: str) -> None:
    error = harness.refusal(params.decode_process_chunk, PROCESS_CHUNK | {name: "x"})
    assert error.data["suggestion"] == meant


@pytest.mark.parametrize("name", ("chunk_text", "chunk_id", "source_file"))
def test_process_chunk_requires(name: str) -> None:
    error = harness.refusal(params.decode_process_chunk, harness.without(PROCESS_CHUNK, name))
    assert error.message.startswith(f"knowledge_process_chunk: {name} is required (")
    assert error.data["received"] == "nothing"


@pytest.mark.parametrize(
    ("changes", "attribute", "value"),
    [
        pytest.param({"chunk_text": " cafe\u0301 "}, "chunk_text", " cafe\u0301 ", id="chunk_text padded"),
        pytest.param({"chunk_id": " cafe\u0301 "}, "chunk_id", "caf\xe9", id="chunk_id padded"),
        pytest.param({"source_file": " cafe\u0301 "}, "source_file", "caf\xe9", id="source_file padded"),
        pytest.param({}, "reference_time", None, id="reference_time left out"),
        pytest.param({"reference_time": None}, "reference_time", None, id="reference_time null"),
        pytest.param(
            {"reference_time": "2026-05-20"}, "reference_time", 1779235200000000, id="reference_time 2026-05-20"
        ),
        pytest.param(
            {"reference_time": "2026-05-20 08:30:00"},
            "reference_time",
            1779265800000000,
            id="reference_time 2026-05-20 08:30:00",
        ),
        pytest.param({"reference_time": " "}, "reference_time", None, id="reference_time blank"),
        pytest.param({}, "group_id", "liminis", id="group_id left out"),
        pytest.param({"group_id": None}, "group_id", "liminis", id="group_id null"),
        pytest.param({"group_id": " a "}, "group_id", "a", id="group_id named"),
        pytest.param({"group_id": " "}, "group_id", "liminis", id="group_id empty"),
    ],
)
def test_process_chunk_takes(changes: dict[str, Any], attribute: str, value: Any) -> None:
    decoded = params.decode_process_chunk(PROCESS_CHUNK | changes)
    assert harness.same(getattr(decoded, attribute), value)


@pytest.mark.parametrize(
    ("changes", "parameter", "words"),
    [
        pytest.param({"chunk_text": None}, "chunk_text", "is required", id="chunk_text null"),
        pytest.param({"chunk_text": " \n"}, "chunk_text", "is required", id="chunk_text blank"),
        pytest.param({"chunk_text": 5}, "chunk_text", "expected", id="chunk_text 5"),
        pytest.param({"chunk_text": True}, "chunk_text", "expected", id="chunk_text True"),
        pytest.param({"chunk_text": ["x"]}, "chunk_text", "expected", id="chunk_text ['x']"),
        pytest.param({"chunk_text": {"a": 1}}, "chunk_text", "expected", id="chunk_text {'a': 1}"),
        pytest.param({"chunk_id": None}, "chunk_id", "is required", id="chunk_id null"),
        pytest.param({"chunk_id": " \n"}, "chunk_id", "is required", id="chunk_id blank"),
        pytest.param({"chunk_id": 5}, "chunk_id", "expected", id="chunk_id 5"),
        pytest.param({"chunk_id": True}, "chunk_id", "expected", id="chunk_id True"),
        pytest.param({"chunk_id": ["x"]}, "chunk_id", "expected", id="chunk_id ['x']"),
        pytest.param({"chunk_id": {"a": 1}}, "chunk_id", "expected", id="chunk_id {'a': 1}"),
        pytest.param({"source_file": None}, "source_file", "is required", id="source_file null"),
        pytest.param({"source_file": " \n"}, "source_file", "is required", id="source_file blank"),
        pytest.param({"source_file": 5}, "source_file", "expected", id="source_file 5"),
        pytest.param({"source_file": True}, "source_file", "expected", id="source_file True"),
        pytest.param({"source_file": ["x"]}, "source_file", "expected", id="source_file ['x']"),
        pytest.param({"source_file": {"a": 1}}, "source_file", "expected", id="source_file {'a': 1}"),
        pytest.param({"reference_time": 5}, "reference_time", "expected", id="reference_time 5"),
        pytest.param({"reference_time": True}, "reference_time", "expected", id="reference_time True"),
        pytest.param({"reference_time": ["x"]}, "reference_time", "expected", id="reference_time ['x']"),
        pytest.param({"reference_time": {"a": 1}}, "reference_time", "expected", id="reference_time {'a': 1}"),
        pytest.param({"reference_time": "yesterday"}, "reference_time", "RFC 3339", id="reference_time no time"),
        pytest.param({"group_id": 1}, "group_id", "group_id", id="group_id number"),
        pytest.param({"group_id": "a\x00"}, "group_id", "group_id", id="group_id control character"),
        pytest.param(
            {
                "group_id": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
            },
            "group_id",
            "group_id",
            id="group_id too long",
        ),
        pytest.param({"group_id": ["a"]}, "group_id", "group_id", id="group_id array"),
    ],
)
def test_process_chunk_refuses(changes: dict[str, Any], parameter: str, words: str) -> None:
    harness.check_refusal(params.decode_process_chunk, PROCESS_CHUNK | changes, parameter, words)


ADD_EPISODE: dict[str, Any] = {"name": "retro-may", "episode_body": "Tomas took over the release checklist from Priya."}


@pytest.mark.parametrize(
    ("name", "meant"),
    (
        ("namex", "name"),
        ("episode_bodyx", "episode_body"),
        ("sourcex", "source"),
        ("source_descriptionx", "source_description"),
        ("reference_timex", "reference_time"),
        ("group_idx", "group_id"),
    ),
)
def test_add_episode_names_the_parameter_that_was_meant(name: str, meant: str) -> None:
    error = harness.refusal(params.decode_add_episode, ADD_EPISODE | {name: "x"})
    assert error.data["suggestion"] == meant


@pytest.mark.parametrize("name", ("name", "episode_body"))
def test_add_episode_requires(name: str) -> None:
    error = harness.refusal(params.decode_add_episode, harness.without(ADD_EPISODE, name))
    assert error.message.startswith(f"knowledge_add_episode: {name} is required (")
    assert error.data["received"] == "nothing"


@pytest.mark.parametrize(
    ("changes", "attribute", "value"),
    [
        pytest.param({"name": " cafe\u0301 "}, "name", "caf\xe9", id="name padded"),
        pytest.param({"episode_body": " cafe\u0301 "}, "episode_body", " cafe\u0301 ", id="episode_body padded"),
        pytest.param({}, "source", "text", id="source left out"),
        pytest.param({"source": None}, "source", "text", id="source null"),
        pytest.param({"source": " cafe\u0301 "}, "source", "caf\xe9", id="source padded"),
        pytest.param({"source": " "}, "source", "", id="source blank"),
        pytest.param({}, "source_description", "", id="source_description left out"),
        pytest.param({"source_description": None}, "source_description", "", id="source_description null"),
        pytest.param(
            {"source_description": " cafe\u0301 "}, "source_description", "caf\xe9", id="source_description padded"
        ),
        pytest.param({"source_description": " "}, "source_description", "", id="source_description blank"),
        pytest.param({}, "reference_time", None, id="reference_time left out"),
        pytest.param({"reference_time": None}, "reference_time", None, id="reference_time null"),
        pytest.param(
            {"reference_time": "2026-05-20"}, "reference_time", 1779235200000000, id="reference_time 2026-05-20"
        ),
        pytest.param(
            {"reference_time": "2026-05-20 08:30:00"},
            "reference_time",
            1779265800000000,
            id="reference_time 2026-05-20 08:30:00",
        ),
        pytest.param({"reference_time": " "}, "reference_time", None, id="reference_time blank"),
        pytest.param({}, "group_id", "liminis", id="group_id left out"),
        pytest.param({"group_id": None}, "group_id", "liminis", id="group_id null"),
        pytest.param({"group_id": " a "}, "group_id", "a", id="group_id named"),
        pytest.param({"group_id": " "}, "group_id", "liminis", id="group_id empty"),
    ],
)
def test_add_episode_takes(changes: dict[str, Any], attribute: str, value: Any) -> None:
    decoded = params.decode_add_episode(ADD_EPISODE | changes)
    assert harness.same(getattr(decoded, attribute), value)


@pytest.mark.parametrize(
    ("changes", "parameter", "words"),
    [
        pytest.param({"name": None}, "name", "is required", id="name null"),
        pytest.param({"name": " \n"}, "name", "is required", id="name blank"),
        pytest.param({"name": 5}, "name", "expected", id="name 5"),
        pytest.param({"name": True}, "name", "expected", id="name True"),
        pytest.param({"name": ["x"]}, "name", "expected", id="name ['x']"),
        pytest.param({"name": {"a": 1}}, "name", "expected", id="name {'a': 1}"),
        pytest.param({"episode_body": None}, "episode_body", "is required", id="episode_body null"),
        pytest.param({"episode_body": " \n"}, "episode_body", "is required", id="episode_body blank"),
        pytest.param({"episode_body": 5}, "episode_body", "expected", id="episode_body 5"),
        pytest.param({"episode_body": True}, "episode_body", "expected", id="episode_body True"),
        pytest.param({"episode_body": ["x"]}, "episode_body", "expected", id="episode_body ['x']"),
        pytest.param({"episode_body": {"a": 1}}, "episode_body", "expected", id="episode_body {'a': 1}"),
        pytest.param({"source": 5}, "source", "expected", id="source 5"),
        pytest.param({"source": True}, "source", "expected", id="source True"),
        pytest.param({"source": ["x"]}, "source", "expected", id="source ['x']"),
        pytest.param({"source": {"a": 1}}, "source", "expected", id="source {'a': 1}"),
        pytest.param({"source_description": 5}, "source_description", "expected", id="source_description 5"),
        pytest.param({"source_description": True}, "source_description", "expected", id="source_description True"),
        pytest.param({"source_description": ["x"]}, "source_description", "expected", id="source_description ['x']"),
        pytest.param(
            {"source_description": {"a": 1}}, "source_description", "expected", id="source_description {'a': 1}"
        ),
        pytest.param({"reference_time": 5}, "reference_time", "expected", id="reference_time 5"),
        pytest.param({"reference_time": True}, "reference_time", "expected", id="reference_time True"),
        pytest.param({"reference_time": ["x"]}, "reference_time", "expected", id="reference_time ['x']"),
        pytest.param({"reference_time": {"a": 1}}, "reference_time", "expected", id="reference_time {'a': 1}"),
        pytest.param({"reference_time": "yesterday"}, "reference_time", "RFC 3339", id="reference_time no time"),
        pytest.param({"group_id": 1}, "group_id", "group_id", id="group_id number"),
        pytest.param({"group_id": "a\x00"}, "group_id", "group_id", id="group_id control character"),
        pytest.param(
            {
                "group_id": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
            },
            "group_id",
            "group_id",
            id="group_id too long",
        ),
        pytest.param({"group_id": ["a"]}, "group_id", "group_id", id="group_id array"),
    ],
)
def test_add_episode_refuses(changes: dict[str, Any], parameter: str, words: str) -> None:
    harness.check_refusal(params.decode_add_episode, ADD_EPISODE | changes, parameter, words)
