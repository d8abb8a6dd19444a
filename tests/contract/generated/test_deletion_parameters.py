# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 85dfc88f0b48004a618280b012d396acf3875ccc796fa46dea80d6cb5471f49e)
# Template: codegen/templates/test_parameters.py.j2
"""What the methods under "Deletion" take and refuse, parameter by parameter."""

from typing import Any

import pytest

from lcg.generated import params
from tests.contract import harness

DELETE_EPISODE: dict[str, Any] = {"episode_uuid": "00000000-0000-0000-0000-000000000000"}


@pytest.mark.parametrize(("name", "meant"), (("episode_uuidx", "episode_uuid"),))
def test_delete_episode_names_the_parameter_that_was_meant(name: str, meant: str) -> None:
    error = harness.refusal(params.decode_delete_episode, DELETE_EPISODE | {name: "x"})
    assert error.data["suggestion"] == meant


@pytest.mark.parametrize("name", ("episode_uuid",))
def test_delete_episode_requires(name: str) -> None:
    error = harness.refusal(params.decode_delete_episode, harness.without(DELETE_EPISODE, name))
    assert error.message.startswith(f"knowledge_delete_episode: {name} is required (")
    assert error.data["received"] == "nothing"


@pytest.mark.parametrize(
    ("changes", "attribute", "value"),
    [
        pytest.param({"episode_uuid": " cafe\u0301 "}, "episode_uuid", "cafe\u0301", id="episode_uuid padded"),
    ],
)
def test_delete_episode_takes(changes: dict[str, Any], attribute: str, value: Any) -> None:
    decoded = params.decode_delete_episode(DELETE_EPISODE | changes)
    assert harness.same(getattr(decoded, attribute), value)


@pytest.mark.parametrize(
    ("changes", "parameter", "words"),
    [
        pytest.param({"episode_uuid": None}, "episode_uuid", "is required", id="episode_uuid null"),
        pytest.param({"episode_uuid": " \n"}, "episode_uuid", "is required", id="episode_uuid blank"),
        pytest.param({"episode_uuid": 5}, "episode_uuid", "expected", id="episode_uuid 5"),
        pytest.param({"episode_uuid": True}, "episode_uuid", "expected", id="episode_uuid True"),
        pytest.param({"episode_uuid": ["x"]}, "episode_uuid", "expected", id="episode_uuid ['x']"),
        pytest.param({"episode_uuid": {"a": 1}}, "episode_uuid", "expected", id="episode_uuid {'a': 1}"),
    ],
)
def test_delete_episode_refuses(changes: dict[str, Any], parameter: str, words: str) -> None:
    harness.check_refusal(params.decode_delete_episode, DELETE_EPISODE | changes, parameter, words)


DELETE_BY_SOURCE: dict[str, Any] = {"source_file": "notes/nowhere.md", "group_ids": ["liminis"]}


@pytest.mark.parametrize(("name", "meant"), (("source_filex", "source_file"), ("group_idsx", "group_ids")))
def test_delete_by_source_names_the_parameter_that_was_meant(name: str, meant: str) -> None:
    error = harness.refusal(params.decode_delete_by_source, DELETE_BY_SOURCE | {name: "x"})
    assert error.data["suggestion"] == meant


@pytest.mark.parametrize("name", ("source_file", "group_ids"))
def test_delete_by_source_requires(name: str) -> None:
    error = harness.refusal(params.decode_delete_by_source, harness.without(DELETE_BY_SOURCE, name))
    assert error.message.startswith(f"knowledge_delete_by_source: {name} is required (")
    assert error.data["received"] == "nothing"


@pytest.mark.parametrize(
    ("changes", "attribute", "value"),
    [
        pytest.param({"source_file": " cafe\u0301 "}, "source_file", "caf\xe9", id="source_file padded"),
        pytest.param({"group_ids": " a "}, "group_ids", ("a",), id="group_ids named"),
        pytest.param({"group_ids": ["a", "a "]}, "group_ids", ("a",), id="group_ids array"),
        pytest.param({"group_ids": '["a"]'}, "group_ids", ("a",), id="group_ids JSON text"),
    ],
)
def test_delete_by_source_takes(changes: dict[str, Any], attribute: str, value: Any) -> None:
    decoded = params.decode_delete_by_source(DELETE_BY_SOURCE | changes)
    assert harness.same(getattr(decoded, attribute), value)


@pytest.mark.parametrize(
    ("changes", "parameter", "words"),
    [
        pytest.param({"source_file": None}, "source_file", "is required", id="source_file null"),
        pytest.param({"source_file": " \n"}, "source_file", "is required", id="source_file blank"),
        pytest.param({"source_file": 5}, "source_file", "expected", id="source_file 5"),
        pytest.param({"source_file": True}, "source_file", "expected", id="source_file True"),
        pytest.param({"source_file": ["x"]}, "source_file", "expected", id="source_file ['x']"),
        pytest.param({"source_file": {"a": 1}}, "source_file", "expected", id="source_file {'a': 1}"),
        pytest.param({"group_ids": None}, "group_ids", "group_ids", id="group_ids null"),
        pytest.param({"group_ids": 1}, "group_ids", "group_ids", id="group_ids number"),
        pytest.param({"group_ids": "a\x00"}, "group_ids", "group_ids", id="group_ids control character"),
        pytest.param(
            {
                "group_ids": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
            },
            "group_ids",
            "group_ids",
            id="group_ids too long",
        ),
        pytest.param({"group_ids": []}, "group_ids", "group_ids", id="group_ids empty"),
        pytest.param({"group_ids": ""}, "group_ids", "group_ids", id="group_ids blank text"),
        pytest.param({"group_ids": ["a", ""]}, "group_ids", "group_ids", id="group_ids blank element"),
        pytest.param({"group_ids": ["a", None]}, "group_ids", "group_ids", id="group_ids null element"),
    ],
)
def test_delete_by_source_refuses(changes: dict[str, Any], parameter: str, words: str) -> None:
    harness.check_refusal(params.decode_delete_by_source, DELETE_BY_SOURCE | changes, parameter, words)


DELETE_CHUNK_EPISODE: dict[str, Any] = {"chunk_id": "standup-99", "group_ids": ["liminis"]}


@pytest.mark.parametrize(("name", "meant"), (("chunk_idx", "chunk_id"), ("group_idsx", "group_ids")))
def test_delete_chunk_episode_names_the_parameter_that_was_meant(name: str, meant: str) -> None:
    error = harness.refusal(params.decode_delete_chunk_episode, DELETE_CHUNK_EPISODE | {name: "x"})
    assert error.data["suggestion"] == meant


@pytest.mark.parametrize("name", ("chunk_id", "group_ids"))
def test_delete_chunk_episode_requires(name: str) -> None:
    error = harness.refusal(params.decode_delete_chunk_episode, harness.without(DELETE_CHUNK_EPISODE, name))
    assert error.message.startswith(f"knowledge_delete_chunk_episode: {name} is required (")
    assert error.data["received"] == "nothing"


@pytest.mark.parametrize(
    ("changes", "attribute", "value"),
    [
        pytest.param({"chunk_id": " cafe\u0301 "}, "chunk_id", "caf\xe9", id="chunk_id padded"),
        pytest.param({"group_ids": " a "}, "group_ids", ("a",), id="group_ids named"),
        pytest.param({"group_ids": ["a", "a "]}, "group_ids", ("a",), id="group_ids array"),
        pytest.param({"group_ids": '["a"]'}, "group_ids", ("a",), id="group_ids JSON text"),
    ],
)
def test_delete_chunk_episode_takes(changes: dict[str, Any], attribute: str, value: Any) -> None:
    decoded = params.decode_delete_chunk_episode(DELETE_CHUNK_EPISODE | changes)
    assert harness.same(getattr(decoded, attribute), value)


@pytest.mark.parametrize(
    ("changes", "parameter", "words"),
    [
        pytest.param({"chunk_id": None}, "chunk_id", "is required", id="chunk_id null"),
        pytest.param({"chunk_id": " \n"}, "chunk_id", "is required", id="chunk_id blank"),
        pytest.param({"chunk_id": 5}, "chunk_id", "expected", id="chunk_id 5"),
        pytest.param({"chunk_id": True}, "chunk_id", "expected", id="chunk_id True"),
        pytest.param({"chunk_id": ["x"]}, "chunk_id", "expected", id="chunk_id ['x']"),
        pytest.param({"chunk_id": {"a": 1}}, "chunk_id", "expected", id="chunk_id {'a': 1}"),
        pytest.param({"group_ids": None}, "group_ids", "group_ids", id="group_ids null"),
        pytest.param({"group_ids": 1}, "group_ids", "group_ids", id="group_ids number"),
        pytest.param({"group_ids": "a\x00"}, "group_ids", "group_ids", id="group_ids control character"),
        pytest.param(
            {
                "group_ids": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
            },
            "group_ids",
            "group_ids",
            id="group_ids too long",
        ),
        pytest.param({"group_ids": []}, "group_ids", "group_ids", id="group_ids empty"),
        pytest.param({"group_ids": ""}, "group_ids", "group_ids", id="group_ids blank text"),
        pytest.param({"group_ids": ["a", ""]}, "group_ids", "group_ids", id="group_ids blank element"),
        pytest.param({"group_ids": ["a", None]}, "group_ids", "group_ids", id="group_ids null element"),
    ],
)
def test_delete_chunk_episode_refuses(changes: dict[str, Any], parameter: str, words: str) -> None:
    harness.check_refusal(params.decode_delete_chunk_episode, DELETE_CHUNK_EPISODE | changes, parameter, words)


DELETE_BY_GROUP: dict[str, Any] = {"group_ids": ["nowhere"]}


@pytest.mark.parametrize(
    ("name", "meant"), (("confirmx", "confirm"), ("dry_runx", "dry_run"), ("group_idsx", "group_ids"))
)
def test_delete_by_group_names_the_parameter_that_was_meant(name: str, meant: str) -> None:
    error = harness.refusal(params.decode_delete_by_group, DELETE_BY_GROUP | {name: "x"})
    assert error.data["suggestion"] == meant


@pytest.mark.parametrize("name", ("group_ids",))
def test_delete_by_group_requires(name: str) -> None:
    error = harness.refusal(params.decode_delete_by_group, harness.without(DELETE_BY_GROUP, name))
    assert error.message.startswith(f"knowledge_delete_by_group: {name} is required (")
    assert error.data["received"] == "nothing"


@pytest.mark.parametrize(
    ("changes", "attribute", "value"),
    [
        pytest.param({}, "confirm", False, id="confirm left out"),
        pytest.param({"confirm": None}, "confirm", False, id="confirm null"),
        pytest.param({"confirm": True}, "confirm", True, id="confirm true"),
        pytest.param({"confirm": False}, "confirm", False, id="confirm false"),
        pytest.param({}, "dry_run", False, id="dry_run left out"),
        pytest.param({"dry_run": None}, "dry_run", False, id="dry_run null"),
        pytest.param({"dry_run": True}, "dry_run", True, id="dry_run true"),
        pytest.param({"dry_run": False}, "dry_run", False, id="dry_run false"),
        pytest.param({"group_ids": " a "}, "group_ids", ("a",), id="group_ids named"),
        pytest.param({"group_ids": ["a", "a "]}, "group_ids", ("a",), id="group_ids array"),
        pytest.param({"group_ids": '["a"]'}, "group_ids", ("a",), id="group_ids JSON text"),
    ],
)
def test_delete_by_group_takes(changes: dict[str, Any], attribute: str, value: Any) -> None:
    decoded = params.decode_delete_by_group(DELETE_BY_GROUP | changes)
    assert harness.same(getattr(decoded, attribute), value)


@pytest.mark.parametrize(
    ("changes", "parameter", "words"),
    [
        pytest.param({"confirm": 1}, "confirm", "expected", id="confirm 1"),
        pytest.param({"confirm": "true"}, "confirm", "expected", id="confirm 'true'"),
        pytest.param({"confirm": ""}, "confirm", "expected", id="confirm ''"),
        pytest.param({"dry_run": 1}, "dry_run", "expected", id="dry_run 1"),
        pytest.param({"dry_run": "true"}, "dry_run", "expected", id="dry_run 'true'"),
        pytest.param({"dry_run": ""}, "dry_run", "expected", id="dry_run ''"),
        pytest.param({"group_ids": None}, "group_ids", "group_ids", id="group_ids null"),
        pytest.param({"group_ids": 1}, "group_ids", "group_ids", id="group_ids number"),
        pytest.param({"group_ids": "a\x00"}, "group_ids", "group_ids", id="group_ids control character"),
        pytest.param(
            {
                "group_ids": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
            },
            "group_ids",
            "group_ids",
            id="group_ids too long",
        ),
        pytest.param({"group_ids": []}, "group_ids", "group_ids", id="group_ids empty"),
        pytest.param({"group_ids": ""}, "group_ids", "group_ids", id="group_ids blank text"),
        pytest.param({"group_ids": ["a", ""]}, "group_ids", "group_ids", id="group_ids blank element"),
        pytest.param({"group_ids": ["a", None]}, "group_ids", "group_ids", id="group_ids null element"),
    ],
)
def test_delete_by_group_refuses(changes: dict[str, Any], parameter: str, words: str) -> None:
    harness.check_refusal(params.decode_delete_by_group, DELETE_BY_GROUP | changes, parameter, words)


CLEAR_ALL: dict[str, Any] = {"confirm": True}


@pytest.mark.parametrize(("name", "meant"), (("confirmx", "confirm"), ("preserve_walx", "preserve_wal")))
def test_clear_all_names_the_parameter_that_was_meant(name: str, meant: str) -> None:
    error = harness.refusal(params.decode_clear_all, CLEAR_ALL | {name: "x"})
    assert error.data["suggestion"] == meant


@pytest.mark.parametrize("name", ("confirm",))
def test_clear_all_requires(name: str) -> None:
    error = harness.refusal(params.decode_clear_all, harness.without(CLEAR_ALL, name))
    assert error.message.startswith(f"knowledge_clear_all: {name} is required (")
    assert error.data["received"] == "nothing"


@pytest.mark.parametrize(
    ("changes", "attribute", "value"),
    [
        pytest.param({"confirm": True}, "confirm", True, id="confirm true"),
        pytest.param({"confirm": False}, "confirm", False, id="confirm false"),
        pytest.param({}, "preserve_wal", False, id="preserve_wal left out"),
        pytest.param({"preserve_wal": None}, "preserve_wal", False, id="preserve_wal null"),
        pytest.param({"preserve_wal": True}, "preserve_wal", True, id="preserve_wal true"),
        pytest.param({"preserve_wal": False}, "preserve_wal", False, id="preserve_wal false"),
    ],
)
def test_clear_all_takes(changes: dict[str, Any], attribute: str, value: Any) -> None:
    decoded = params.decode_clear_all(CLEAR_ALL | changes)
    assert harness.same(getattr(decoded, attribute), value)


@pytest.mark.parametrize(
    ("changes", "parameter", "words"),
    [
        pytest.param({"confirm": None}, "confirm", "is required", id="confirm null"),
        pytest.param({"confirm": 1}, "confirm", "expected", id="confirm 1"),
        pytest.param({"confirm": "true"}, "confirm", "expected", id="confirm 'true'"),
        pytest.param({"confirm": ""}, "confirm", "expected", id="confirm ''"),
        pytest.param({"preserve_wal": 1}, "preserve_wal", "expected", id="preserve_wal 1"),
        pytest.param({"preserve_wal": "true"}, "preserve_wal", "expected", id="preserve_wal 'true'"),
        pytest.param({"preserve_wal": ""}, "preserve_wal", "expected", id="preserve_wal ''"),
    ],
)
def test_clear_all_refuses(changes: dict[str, Any], parameter: str, words: str) -> None:
    harness.check_refusal(params.decode_clear_all, CLEAR_ALL | changes, parameter, words)
