"""What a write moves in the index and in the search indexes, and what it leaves alone because nothing changed there."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lcg.graph.index import GraphIndex
from lcg.graph.journal import Journal
from lcg.model.operations import EdgeDelete, EdgePut, EntityPut
from lcg.model.rows import Edge, Entity
from lcg.runtime.groups import ALL_GROUPS
from lcg.search.protocol import TextKind, VectorKind
from tests.graph.harness import NOON, Workspace

EDGE = Edge("e", "a", "KNOWS", "x", "y", "Xenia knows Yara", NOON, episodes=("p1", "p2"))
ENTITIES = [EntityPut(Entity(uuid, "a", name, ("Entity",), NOON)) for uuid, name in (("x", "Xenia"), ("y", "Yara"))]


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    running = Workspace(tmp_path)
    running.embedding.prepare(["Xenia", "Yara", EDGE.fact])
    running.apply("a", *ENTITIES, EdgePut(EDGE))
    yield running
    running.close()


def spied(target: Any, method: str) -> list[tuple[Any, ...]]:
    """Keep the arguments of each call of a method that gets entries."""
    calls: list[tuple[Any, ...]] = []
    real: Callable[..., Any] = getattr(target, method)

    def update(*arguments: Any) -> Any:
        calls.append(arguments)
        return real(*arguments)

    setattr(target, method, update)
    return calls


def found(workspace: Workspace, word: str) -> list[str]:
    return [hit.uuid for hit in workspace.text.search(TextKind.EDGE, word, ALL_GROUPS, 10)]


@pytest.mark.parametrize(
    "change",
    [{"relation_type": "ACQUAINTED"}, {"attributes": '{"k":1}'}, {"invalid_at": NOON + 1}, {"episodes": ("p2",)}],
    ids=str,
)
def test_a_change_that_search_does_not_show_moves_only_the_positions_of_its_indexes(
    workspace: Workspace, change: dict[str, Any]
) -> None:
    texts, vectors = spied(workspace.text, "update"), spied(workspace.vectors, "update")
    workspace.apply("a", EdgePut(replace(EDGE, **change)), EntityPut(replace(ENTITIES[0].row, labels=("Entity", "P"))))
    assert [call[:2] for call in (*texts, *vectors)] == [([], []), ([], [])]
    assert texts[0][2] == vectors[0][2] == {"a": 2}
    assert found(workspace, "knows") == ["e"]


@pytest.mark.parametrize(
    "change", [{"fact": "Xenia met Yara"}, {"name": "MET"}, {"target_uuid": "x"}, {"fact_embedded": "Xenia"}], ids=str
)
def test_a_change_that_search_shows_is_written_there(workspace: Workspace, change: dict[str, Any]) -> None:
    texts, vectors = spied(workspace.text, "update"), spied(workspace.vectors, "update")
    workspace.apply("a", EdgePut(replace(EDGE, **change)))
    assert [entry.uuid for entry in texts[0][0]] == ["e"]
    assert [uuid for _, uuid in vectors[0][1]] + [entry.uuid for entry in vectors[0][0]] == ["e"]


def test_an_edge_that_loses_its_end_by_a_change_of_its_own_is_no_longer_found(workspace: Workspace) -> None:
    workspace.apply("a", EdgePut(replace(EDGE, target_uuid="nobody")))
    assert found(workspace, "knows") == []


def test_a_row_that_lacked_its_vector_gets_it_with_a_change_of_something_else(workspace: Workspace) -> None:
    second = replace(EDGE, uuid="e2", fact="Xenia likes Yara")
    workspace.apply("a", EdgePut(second))
    assert workspace.vectors.missing() == 1
    workspace.embedding.prepare([second.fact])
    workspace.apply("a", EdgePut(replace(second, relation_type="LIKES")))
    assert workspace.vectors.missing() == 0
    query = workspace.embedder.embed([second.fact])[0]
    assert "e2" in [hit.uuid for hit in workspace.vectors.search(VectorKind.EDGE_FACT, query, ALL_GROUPS, 5)]


def test_a_change_of_nothing_that_the_index_holds_moves_the_digest_alone() -> None:
    index = GraphIndex()
    index.change_edge(None, EDGE)
    index.commit()
    before = index.digests["a"]
    index.change_edge(EDGE, replace(EDGE, relation_type="ACQUAINTED"))
    assert index.digests["a"] != before
    assert index._journal.mark() == 1


@pytest.mark.parametrize(
    "change",
    [{"target_uuid": "z"}, {"name": "MET"}, {"created_at": NOON - 1}, {"invalid_at": NOON}, {"episodes": ("p2", "p3")}],
    ids=str,
)
def test_whatever_the_index_holds_of_an_edge_follows_it(change: dict[str, Any]) -> None:
    changed, straight = GraphIndex(), GraphIndex()
    new = replace(EDGE, **change)
    changed.change_edge(None, EDGE)
    changed.change_edge(EDGE, new)
    straight.change_edge(None, new)
    for index in (changed, straight):
        index.commit()
    assert changed._groups == straight._groups
    assert changed.digests == straight.digests
    assert [changed.stated_by(uuid) for uuid in ("p1", "p2", "p3")] == [
        straight.stated_by(uuid) for uuid in ("p1", "p2", "p3")
    ]


def test_many_edges_of_one_key_stay_in_order_whatever_comes_and_goes(workspace: Workspace) -> None:
    rows = [replace(EDGE, uuid=f"k{number:03}", created_at=NOON + (number * 7) % 50) for number in range(100)]
    workspace.apply("a", *map(EdgePut, rows))
    workspace.apply("a", *(EdgeDelete(row.uuid) for row in rows[::3]))
    left = sorted((row.created_at, row.uuid) for row in (EDGE, *(row for row in rows if row not in rows[::3])))
    dated = workspace.graph.index.active_edges("a", "x", "KNOWS", "y")
    assert [(entry.created_at, entry.uuid) for entry in dated] == left


def test_a_member_that_is_not_in_a_sorted_tuple_takes_nobody_with_it() -> None:
    journal, table = Journal(), {"k": ("a", "c")}
    journal.remove_sorted(table, "k", "b")
    assert table == {"k": ("a", "c")}
    journal.remove_sorted(table, "k", "c")
    journal.remove_sorted(table, "k", "a")
    assert table == {}
    journal.undo(0)
    assert table == {"k": ("a", "c")}
