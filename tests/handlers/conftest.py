"""One running service for all handler tests; every test works in a group of its own."""

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from lcg.graph.planning import Planned
from lcg.model.operations import EdgePut, EntityPut
from lcg.model.rows import Edge, Entity
from lcg.runtime.call import Call
from lcg.server.app import LcgService
from tests.workspaces import running_service

Ask = Callable[..., dict[str, Any]]
_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LcgService]:
    with running_service(tmp_path_factory.mktemp("workspace")) as running:
        yield running


def put(service: LcgService, *rows: Entity | Edge) -> None:
    """Write rows as they are, past the handlers, as an older log might have left them."""
    service.call("knowledge_find_entities", {"query": "wait until it is ready"}, Call("knowledge_find_entities"))
    core = service._situation.core
    assert core is not None
    core.embedding.prepare(text for row in rows for text in _texts(row))
    operations = [EntityPut(row) if isinstance(row, Entity) else EdgePut(row) for row in rows]
    core.graph.write(rows[0].group_id, "test", lambda view: Planned(operations, None))


def _texts(row: Entity | Edge) -> tuple[str, ...]:
    return (row.name, row.summary) if isinstance(row, Entity) else (row.fact,)


@pytest.fixture
def group() -> str:
    return f"group-{next(_numbers)}"


@pytest.fixture
def ask(service: LcgService) -> Ask:
    """Call a method by its name without `knowledge_`."""

    def call(method: str, **params: Any) -> dict[str, Any]:
        name = method if method == "health_check" else f"knowledge_{method}"
        return service.call(name, params, Call(name))

    return call
