"""The examples of the registry, told as one story on one fresh workspace, in the order in which they stand there."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from codegen.model import Example
from lcg.runtime.call import Call, Service
from tests.contract.results import registry
from tests.workspaces import running_service, write_ontology

BEFORE: Mapping[str, tuple[tuple[str, Mapping[str, Any]], ...]] = {
    "Who maintains what": (("knowledge_assert_entity", {"name": "billing-service"}),),
    "Look before a merge": (
        ("knowledge_assert_entity", {"name": "Priya Nair"}),
        ("knowledge_assert_entity", {"name": "P. Nair"}),
    ),
}
"""By title of an example: the calls that it takes for granted, since no example before it makes them."""


def examples() -> Iterator[tuple[str, Example]]:
    for method in registry().methods:
        for example in method.examples:
            yield method.name, example


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    root = tmp_path_factory.mktemp("story")
    write_ontology(root)
    with running_service(root) as running:
        # Unlike health_check, this waits for the end of the startup.
        running.call("knowledge_find_entities", {"query": "anything"}, Call("knowledge_find_entities"))
        yield running


def test_every_example_gives_the_values_that_it_shows(fresh: Service) -> None:
    for name, example in examples():
        for method, params in BEFORE.get(example.title, ()):
            fresh.call(method, params, Call(method))
        result = fresh.call(name, example.params, Call(name))
        assert {key: result.get(key) for key in example.result} == dict(example.result), f"{name}: {example.title}"


def test_what_an_example_takes_for_granted_belongs_to_one() -> None:
    assert BEFORE.keys() <= {example.title for _, example in examples()}
