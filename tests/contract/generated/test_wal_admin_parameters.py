# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 85dfc88f0b48004a618280b012d396acf3875ccc796fa46dea80d6cb5471f49e)
# Template: codegen/templates/test_parameters.py.j2
"""What the methods under "WAL administration" take and refuse, parameter by parameter."""

from typing import Any

import pytest

from lcg.generated import params
from lcg.runtime.groups import GroupFilter
from tests.contract import harness

DUMP_WAL: dict[str, Any] = {}


@pytest.mark.parametrize(("name", "meant"), (("target_dirx", "target_dir"), ("group_idx", "group_id")))
def test_dump_wal_names_the_parameter_that_was_meant(name: str, meant: str) -> None:
    error = harness.refusal(params.decode_dump_wal, DUMP_WAL | {name: "x"})
    assert error.data["suggestion"] == meant


@pytest.mark.parametrize(
    ("changes", "attribute", "value"),
    [
        pytest.param({}, "target_dir", None, id="target_dir left out"),
        pytest.param({"target_dir": None}, "target_dir", None, id="target_dir null"),
        pytest.param({"target_dir": " cafe\u0301 "}, "target_dir", " cafe\u0301 ", id="target_dir padded"),
        pytest.param({"target_dir": " "}, "target_dir", None, id="target_dir blank"),
        pytest.param({}, "groups", GroupFilter(None), id="group_id left out"),
        pytest.param({"group_id": None}, "groups", GroupFilter(None), id="group_id null"),
        pytest.param({"group_id": " a "}, "groups", GroupFilter(("a",)), id="group_id named"),
    ],
)
def test_dump_wal_takes(changes: dict[str, Any], attribute: str, value: Any) -> None:
    decoded = params.decode_dump_wal(DUMP_WAL | changes)
    assert harness.same(getattr(decoded, attribute), value)


@pytest.mark.parametrize(
    ("changes", "parameter", "words"),
    [
        pytest.param({"target_dir": 5}, "target_dir", "expected", id="target_dir 5"),
        pytest.param({"target_dir": True}, "target_dir", "expected", id="target_dir True"),
        pytest.param({"target_dir": ["x"]}, "target_dir", "expected", id="target_dir ['x']"),
        pytest.param({"target_dir": {"a": 1}}, "target_dir", "expected", id="target_dir {'a': 1}"),
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
        pytest.param({"group_id": " "}, "group_id", "group_id", id="group_id empty"),
        pytest.param({"group_id": ["a"]}, "group_id", "group_id", id="group_id array"),
    ],
)
def test_dump_wal_refuses(changes: dict[str, Any], parameter: str, words: str) -> None:
    harness.check_refusal(params.decode_dump_wal, DUMP_WAL | changes, parameter, words)


WAL_MARK_CREATE: dict[str, Any] = {"name": "before-merge"}


@pytest.mark.parametrize(("name", "meant"), (("namex", "name"), ("group_idx", "group_id")))
def test_wal_mark_create_names_the_parameter_that_was_meant(name: str, meant: str) -> None:
    error = harness.refusal(params.decode_wal_mark_create, WAL_MARK_CREATE | {name: "x"})
    assert error.data["suggestion"] == meant


@pytest.mark.parametrize("name", ("name",))
def test_wal_mark_create_requires(name: str) -> None:
    error = harness.refusal(params.decode_wal_mark_create, harness.without(WAL_MARK_CREATE, name))
    assert error.message.startswith(f"knowledge_wal_mark_create: {name} is required (")
    assert error.data["received"] == "nothing"


@pytest.mark.parametrize(
    ("changes", "attribute", "value"),
    [
        pytest.param({"name": " a-B_9 "}, "name", "a-B_9", id="name padded"),
        pytest.param({}, "group_id", "liminis", id="group_id left out"),
        pytest.param({"group_id": None}, "group_id", "liminis", id="group_id null"),
        pytest.param({"group_id": " a "}, "group_id", "a", id="group_id named"),
        pytest.param({"group_id": " "}, "group_id", "liminis", id="group_id empty"),
    ],
)
def test_wal_mark_create_takes(changes: dict[str, Any], attribute: str, value: Any) -> None:
    decoded = params.decode_wal_mark_create(WAL_MARK_CREATE | changes)
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
        pytest.param({"name": "a.b"}, "name", "A-Z", id="name other character"),
        pytest.param(
            {
                "name": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
            },
            "name",
            "A-Z",
            id="name too long",
        ),
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
def test_wal_mark_create_refuses(changes: dict[str, Any], parameter: str, words: str) -> None:
    harness.check_refusal(params.decode_wal_mark_create, WAL_MARK_CREATE | changes, parameter, words)


WAL_MARK_LIST: dict[str, Any] = {}


@pytest.mark.parametrize(("name", "meant"), (("group_idx", "group_id"),))
def test_wal_mark_list_names_the_parameter_that_was_meant(name: str, meant: str) -> None:
    error = harness.refusal(params.decode_wal_mark_list, WAL_MARK_LIST | {name: "x"})
    assert error.data["suggestion"] == meant


@pytest.mark.parametrize(
    ("changes", "attribute", "value"),
    [
        pytest.param({}, "group_id", "liminis", id="group_id left out"),
        pytest.param({"group_id": None}, "group_id", "liminis", id="group_id null"),
        pytest.param({"group_id": " a "}, "group_id", "a", id="group_id named"),
        pytest.param({"group_id": " "}, "group_id", "liminis", id="group_id empty"),
    ],
)
def test_wal_mark_list_takes(changes: dict[str, Any], attribute: str, value: Any) -> None:
    decoded = params.decode_wal_mark_list(WAL_MARK_LIST | changes)
    assert harness.same(getattr(decoded, attribute), value)


@pytest.mark.parametrize(
    ("changes", "parameter", "words"),
    [
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
def test_wal_mark_list_refuses(changes: dict[str, Any], parameter: str, words: str) -> None:
    harness.check_refusal(params.decode_wal_mark_list, WAL_MARK_LIST | changes, parameter, words)


WAL_MARK_DELETE: dict[str, Any] = {"name": "before-merge"}


@pytest.mark.parametrize(("name", "meant"), (("namex", "name"), ("group_idx", "group_id")))
def test_wal_mark_delete_names_the_parameter_that_was_meant(name: str, meant: str) -> None:
    error = harness.refusal(params.decode_wal_mark_delete, WAL_MARK_DELETE | {name: "x"})
    assert error.data["suggestion"] == meant


@pytest.mark.parametrize("name", ("name",))
def test_wal_mark_delete_requires(name: str) -> None:
    error = harness.refusal(params.decode_wal_mark_delete, harness.without(WAL_MARK_DELETE, name))
    assert error.message.startswith(f"knowledge_wal_mark_delete: {name} is required (")
    assert error.data["received"] == "nothing"


@pytest.mark.parametrize(
    ("changes", "attribute", "value"),
    [
        pytest.param({"name": " a-B_9 "}, "name", "a-B_9", id="name padded"),
        pytest.param({}, "group_id", "liminis", id="group_id left out"),
        pytest.param({"group_id": None}, "group_id", "liminis", id="group_id null"),
        pytest.param({"group_id": " a "}, "group_id", "a", id="group_id named"),
        pytest.param({"group_id": " "}, "group_id", "liminis", id="group_id empty"),
    ],
)
def test_wal_mark_delete_takes(changes: dict[str, Any], attribute: str, value: Any) -> None:
    decoded = params.decode_wal_mark_delete(WAL_MARK_DELETE | changes)
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
        pytest.param({"name": "a.b"}, "name", "A-Z", id="name other character"),
        pytest.param(
            {
                "name": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
            },
            "name",
            "A-Z",
            id="name too long",
        ),
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
def test_wal_mark_delete_refuses(changes: dict[str, Any], parameter: str, words: str) -> None:
    harness.check_refusal(params.decode_wal_mark_delete, WAL_MARK_DELETE | changes, parameter, words)


REBUILD_FROM_WAL: dict[str, Any] = {}


@pytest.mark.parametrize(
    ("name", "meant"),
    (
        ("from_seqx", "from_seq"),
        ("to_seqx", "to_seq"),
        ("dry_runx", "dry_run"),
        ("force_clearx", "force_clear"),
        ("backgroundx", "background"),
        ("group_idx", "group_id"),
    ),
)
def test_rebuild_from_wal_names_the_parameter_that_was_meant(name: str, meant: str) -> None:
    error = harness.refusal(params.decode_rebuild_from_wal, REBUILD_FROM_WAL | {name: "x"})
    assert error.data["suggestion"] == meant


@pytest.mark.parametrize(
    ("changes", "attribute", "value"),
    [
        pytest.param({}, "from_seq", 0, id="from_seq left out"),
        pytest.param({"from_seq": None}, "from_seq", 0, id="from_seq null"),
        pytest.param({"from_seq": "5"}, "from_seq", 5, id="from_seq text"),
        pytest.param({"from_seq": 5.0}, "from_seq", 5, id="from_seq float"),
        pytest.param({"from_seq": ""}, "from_seq", 0, id="from_seq blank"),
        pytest.param({}, "to_seq", None, id="to_seq left out"),
        pytest.param({"to_seq": None}, "to_seq", None, id="to_seq null"),
        pytest.param({"to_seq": "5"}, "to_seq", 5, id="to_seq text"),
        pytest.param({"to_seq": 5.0}, "to_seq", 5, id="to_seq float"),
        pytest.param({"to_seq": ""}, "to_seq", None, id="to_seq blank"),
        pytest.param({}, "dry_run", False, id="dry_run left out"),
        pytest.param({"dry_run": None}, "dry_run", False, id="dry_run null"),
        pytest.param({"dry_run": True}, "dry_run", True, id="dry_run true"),
        pytest.param({"dry_run": False}, "dry_run", False, id="dry_run false"),
        pytest.param({}, "force_clear", False, id="force_clear left out"),
        pytest.param({"force_clear": None}, "force_clear", False, id="force_clear null"),
        pytest.param({"force_clear": True}, "force_clear", True, id="force_clear true"),
        pytest.param({"force_clear": False}, "force_clear", False, id="force_clear false"),
        pytest.param({}, "background", False, id="background left out"),
        pytest.param({"background": None}, "background", False, id="background null"),
        pytest.param({"background": True}, "background", True, id="background true"),
        pytest.param({"background": False}, "background", False, id="background false"),
        pytest.param({}, "group_id", "liminis", id="group_id left out"),
        pytest.param({"group_id": None}, "group_id", "liminis", id="group_id null"),
        pytest.param({"group_id": " a "}, "group_id", "a", id="group_id named"),
        pytest.param({"group_id": " "}, "group_id", "liminis", id="group_id empty"),
    ],
)
def test_rebuild_from_wal_takes(changes: dict[str, Any], attribute: str, value: Any) -> None:
    decoded = params.decode_rebuild_from_wal(REBUILD_FROM_WAL | changes)
    assert harness.same(getattr(decoded, attribute), value)


@pytest.mark.parametrize(
    ("changes", "parameter", "words"),
    [
        pytest.param({"from_seq": "ten"}, "from_seq", "expected", id="from_seq 'ten'"),
        pytest.param({"from_seq": " 5 "}, "from_seq", "expected", id="from_seq ' 5 '"),
        pytest.param({"from_seq": "1e1"}, "from_seq", "expected", id="from_seq '1e1'"),
        pytest.param({"from_seq": 2.5}, "from_seq", "expected", id="from_seq 2.5"),
        pytest.param({"from_seq": True}, "from_seq", "expected", id="from_seq True"),
        pytest.param({"from_seq": [1]}, "from_seq", "expected", id="from_seq [1]"),
        pytest.param({"from_seq": -1}, "from_seq", "at least 0", id="from_seq below"),
        pytest.param({"to_seq": "ten"}, "to_seq", "expected", id="to_seq 'ten'"),
        pytest.param({"to_seq": " 5 "}, "to_seq", "expected", id="to_seq ' 5 '"),
        pytest.param({"to_seq": "1e1"}, "to_seq", "expected", id="to_seq '1e1'"),
        pytest.param({"to_seq": 2.5}, "to_seq", "expected", id="to_seq 2.5"),
        pytest.param({"to_seq": True}, "to_seq", "expected", id="to_seq True"),
        pytest.param({"to_seq": [1]}, "to_seq", "expected", id="to_seq [1]"),
        pytest.param({"to_seq": -1}, "to_seq", "at least 0", id="to_seq below"),
        pytest.param({"dry_run": 1}, "dry_run", "expected", id="dry_run 1"),
        pytest.param({"dry_run": "true"}, "dry_run", "expected", id="dry_run 'true'"),
        pytest.param({"dry_run": ""}, "dry_run", "expected", id="dry_run ''"),
        pytest.param({"force_clear": 1}, "force_clear", "expected", id="force_clear 1"),
        pytest.param({"force_clear": "true"}, "force_clear", "expected", id="force_clear 'true'"),
        pytest.param({"force_clear": ""}, "force_clear", "expected", id="force_clear ''"),
        pytest.param({"background": 1}, "background", "expected", id="background 1"),
        pytest.param({"background": "true"}, "background", "expected", id="background 'true'"),
        pytest.param({"background": ""}, "background", "expected", id="background ''"),
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
def test_rebuild_from_wal_refuses(changes: dict[str, Any], parameter: str, words: str) -> None:
    harness.check_refusal(params.decode_rebuild_from_wal, REBUILD_FROM_WAL | changes, parameter, words)
