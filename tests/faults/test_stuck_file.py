"""A store that cannot even be renamed: the process says so and ends, and the next one finds everything."""

from pathlib import Path

import pytest

from tests.processes import daemon

pytestmark = pytest.mark.e2e

LONG = {"LCG_DB_PATH": f".lcg/db/{'x' * 232}"}
"""A name to which the suffixes of the store's files can be added, but not the one of a file that is set aside."""


def test_a_store_that_cannot_be_set_aside_ends_the_process_cleanly(tmp_path: Path) -> None:
    with daemon(tmp_path, env=LONG) as service, service.client() as client:
        client.result("knowledge_assert_entity", name="Ada")
        answer = client.result("knowledge_recover", strategy="rebuild_from_workspace_wal")
        assert (answer["success"], answer["restart_required"], answer["kind"]) == (False, True, "io")
        assert service.status() == 0
    with daemon(tmp_path, env=LONG) as service, service.client() as client:
        assert [node["name"] for node in client.result("knowledge_list_entities")["nodes"]] == ["Ada"]
