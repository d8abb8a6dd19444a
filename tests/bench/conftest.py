"""The benchmarks have Kùzu beside the service in one process, and a process can have one engine only."""

import pytest

from tests.store.engine_name import ENGINE


@pytest.fixture(autouse=True)
def _on_the_engine_that_is_compared() -> None:
    if ENGINE != "kuzu":
        pytest.skip("the benchmarks compare with a bare Kùzu, which a process cannot have beside another engine")
