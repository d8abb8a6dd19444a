"""A running service over a fresh workspace, shared by all contract tests."""

from collections.abc import Iterator

import pytest

from lcg.runtime.call import Service
from tests.workspaces import running_service


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with running_service(tmp_path_factory.mktemp("contract")) as running:
        yield running
