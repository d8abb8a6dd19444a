"""An index that is filled with stored rows at once is the index that took them in row by row."""

from itertools import chain

from hypothesis import given, settings
from hypothesis import strategies as st

from lcg.graph.filling import filling_of
from lcg.graph.fold import Fold
from lcg.graph.index import GraphIndex
from lcg.graph.stage import OperationRefused
from lcg.model.operations import Operation
from lcg.wal.operations import plain_operation
from tests.graph.test_histories import GROUPS, RECORDS
from tests.histories.checks import contents


def folds_of(history: list[tuple[str, list[Operation]]]) -> list[Fold]:
    """Return what the groups hold after a history, in which an edge may end in the other group or nowhere."""
    folds = {group: Fold(group, lambda uuid: False) for group in GROUPS}
    for group, operations in history:
        try:
            folds[group].take_in(map(plain_operation, operations))
        except OperationRefused:
            continue
    return list(folds.values())


def row_by_row(folds: list[Fold]) -> GraphIndex:
    """Return the index of these rows, moved by each of them in turn."""
    index = GraphIndex()
    for entity in chain.from_iterable(fold.entities.values() for fold in folds):
        index.change_entity(None, entity)
    for edge in chain.from_iterable(fold.edges.values() for fold in folds):
        index.change_edge(None, edge)
    for episode in chain.from_iterable(fold.episodes.values() for fold in folds):
        index.change_episode(None, episode)
    for mention in chain.from_iterable(fold.mention_rows() for fold in folds):
        index.add_mention(mention)
    index.commit()
    return index


@settings(max_examples=200, deadline=None)
@given(st.lists(RECORDS, max_size=20))
def test_rows_of_several_groups_that_go_in_together(history: list[tuple[str, list[Operation]]]) -> None:
    folds = folds_of(history)
    index = GraphIndex()
    index.load(
        chain.from_iterable(fold.entities.values() for fold in folds),
        chain.from_iterable(fold.edges.values() for fold in folds),
        chain.from_iterable(fold.episodes.values() for fold in folds),
        chain.from_iterable(fold.mention_rows() for fold in folds),
        {},
    )
    assert contents(index) == contents(row_by_row(folds))


@settings(max_examples=200, deadline=None)
@given(st.lists(RECORDS, max_size=20))
def test_groups_that_go_in_one_after_the_other(history: list[tuple[str, list[Operation]]]) -> None:
    folds = folds_of(history)
    index = GraphIndex()
    for fold in folds:
        entities, edges, episodes = (t.plain.values() for t in (fold.entities, fold.edges, fold.episodes))
        index.take_over(filling_of(entities, edges, episodes, fold.mentions))
        for uuid in set(index.awaited()) & fold.entities.keys():
            others = {edge.uuid: edge for other in folds for edge in other.edges.values()}
            index.bind(uuid, [others[edge] for edge, _ in index.waiting_for(uuid)])
            index.commit()
    assert contents(index) == contents(row_by_row(folds))
