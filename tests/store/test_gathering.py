"""Batches put together do what they do one after the other, and name nothing twice."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lcg.graph.entries import Kind
from lcg.graph.index import GraphIndex
from lcg.graph.stage import Stage
from lcg.model.operations import (
    EdgeDelete,
    EdgePut,
    EntityDelete,
    EntityPut,
    EpisodeDelete,
    EpisodePut,
    GroupClear,
    MentionDelete,
    MentionPut,
    Operation,
)
from lcg.store.behind import MOST_WAITING
from lcg.store.gathering import gathered, size
from lcg.store.kuzu.linking import new_links
from lcg.store.kuzu.store import BULK_LINKS, KuzuStore
from lcg.store.memory import MemoryStore
from lcg.store.protocol import Batch, Change, Position, Store
from tests.store.builders import at, batch, edge, entity, episode, mention, new_edges, new_entities, new_episodes
from tests.store.engine_name import ENGINE

UUIDS = {"n": "n1 n2 n3 n4 n5", "e": "e1 e2 e3 e4", "p": "p1 p2 p3"}
nodes, edges, episodes = (st.sampled_from(UUIDS[kind].split()) for kind in "nep")
ends = st.sampled_from([*UUIDS["n"].split(), "nobody"])
words = st.sampled_from("abc")
times = st.none() | st.integers(0, 2)
texts = st.none() | words
putting = st.one_of(
    st.builds(
        lambda uuid, word, text, labels: EntityPut(
            entity(uuid, summary=word, summary_embedded=text, labels=tuple(labels))
        ),
        nodes,
        words,
        texts,
        st.lists(words, max_size=2),
    ),
    st.builds(
        lambda uuid, *ends, fact, valid_at, relation_type, episodes: EdgePut(
            edge(uuid, *ends, fact=fact, valid_at=valid_at, relation_type=relation_type, episodes=tuple(episodes))
        ),
        edges,
        ends,
        ends,
        fact=words,
        valid_at=times,
        relation_type=texts,
        episodes=st.lists(episodes, max_size=2),
    ),
    st.builds(
        lambda uuid, word, valid_at, revision: EpisodePut(
            episode(uuid, content=word, valid_at=valid_at, revision=revision)
        ),
        episodes,
        words,
        times,
        times,
    ),
    st.builds(lambda *ends: MentionPut(mention(*ends)), episodes, nodes),
)
taking = st.one_of(
    st.builds(EntityDelete, nodes),
    st.builds(EdgeDelete, edges),
    st.builds(EpisodeDelete, episodes),
    st.builds(lambda *ends: MentionDelete(mention(*ends)), episodes, nodes),
    st.just(GroupClear()),
)
rounds = st.lists(st.lists(putting, min_size=1, max_size=8) | st.lists(putting | taking, max_size=5), max_size=8)


def is_possible(index: GraphIndex, operation: Operation) -> bool:
    """A mention needs both its ends."""
    if not isinstance(operation, MentionPut):
        return True
    row = operation.row
    return index.has(Kind.EPISODE, row.episode_uuid) and index.has(Kind.ENTITY, row.entity_uuid)


def batches_of(history: Sequence[Sequence[Operation]]) -> tuple[list[Batch], MemoryStore]:
    """Return what rounds of writes give the store, as a graph does it, and a store that took them one by one."""
    index, store, made = GraphIndex(), MemoryStore(), []
    for seq, operations in enumerate(history):
        stage = Stage(index, lambda: store, entities=store.entities, edges=store.edges, episodes=store.episodes)
        for operation in operations:
            if is_possible(index, operation):
                stage.apply("g", operation)
        made.append(stage.batch())
        made[-1].positions = at(seq, digest=index.digests.get("g", 0))
        store.apply(made[-1])
        index.commit()
    return made, store


def picture(store: Store) -> list[Any]:
    """Return all that a store holds."""
    with store.reader() as reader:
        rows = (reader.scan_entities(), reader.scan_edges(), reader.scan_episodes())
        links = (list(reader.scan_mentions()), sorted(reader.bound_edges()), sorted(reader.lone_hops()))
        kept = [sorted(some, key=lambda row: row.uuid) for some in rows]
    return [*kept, *links, store.positions()]


def names(some: Batch) -> Counter[object]:
    """Count what a batch names."""
    entities, edges = [change.new or change.old for change in some.entities], [change.new for change in some.edges]
    episodes = [change.new or change.old for change in some.episodes]
    rows = [row.uuid for row in (*entities, *edges, *episodes) if row is not None]
    links = [*some.mentions_added, *some.mentions_removed, *some.attach]
    return Counter([*rows, *links, *(position.group_id for position in some.positions)])


@given(rounds)
def test_gathered_batches_do_what_the_batches_do_and_name_nothing_twice(history: list[list[Operation]]) -> None:
    batches, one_by_one = batches_of(history)
    together = MemoryStore()
    for some in gathered(batches):
        together.apply(some)
        assert set(names(some).values()) <= {1}
    assert picture(together) == picture(one_by_one)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KuzuStore]:
    with closing(KuzuStore(tmp_path_factory.mktemp("gathering") / "graph.kuzu", ENGINE)) as store:
        yield store


def entity_lists(store: KuzuStore) -> dict[str, list[str]]:
    found = store.writer_reader().session.rows("MATCH (p:Episodic) RETURN p.uuid, p.entity_edges")
    return {uuid: sorted(ends) for uuid, ends in found}


@given(rounds)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_engine_holds_the_same_after_gathered_batches(engine: KuzuStore, history: list[list[Operation]]) -> None:
    batches, one_by_one = batches_of(history)
    engine.apply(Batch(cleared=["g"], positions=at(-1)))
    for some in gathered(batches):
        engine.apply(some)
    expected = picture(one_by_one)
    found = picture(engine)
    assert found[:-1] == expected[:-1]
    assert found[-1] == (expected[-1] or {"g": at(-1)[0]})
    mentioned = {row.uuid: [m.entity_uuid for m in expected[3] if m.episode_uuid == row.uuid] for row in expected[2]}
    assert entity_lists(engine) == mentioned


def test_what_only_adds_and_changes_becomes_one_batch() -> None:
    old, new, last = entity("a"), entity("a", summary="x"), entity("a", summary="y")
    first = new_entities(old, entity("b"), positions=at(1))
    second = batch([Change(old, new)], [Change(None, edge("e", "a", "b"))], positions=at(2))
    third = batch([Change(new, last)], positions=[*at(3), Position("h", 7, None)])
    (made,) = gathered([first, second, third])
    assert made.entities == [Change(None, last), Change(None, entity("b"))]
    assert made.edges == [Change(None, edge("e", "a", "b"))]
    assert made.positions == [*at(3), Position("h", 7, None)]


OLD = edge("e", "a", "b")


@pytest.mark.parametrize(
    "alone",
    [
        Batch(cleared=["g"]),
        batch([Change(entity("a"), None)]),
        batch(edges=[Change(OLD, None)]),
        batch(edges=[Change(OLD, replace(OLD, target_uuid="c"))]),
        Batch(mentions_removed=[mention("p", "a")]),
    ],
    ids=["a cleared group", "an entity that goes", "an edge that goes", "an edge that moves", "a mention that goes"],
)
def test_what_takes_something_away_stays_in_its_place(alone: Batch) -> None:
    before, after = [new_entities(entity("x")), new_entities(entity("y"))], [new_entities(entity("z"))]
    made = list(gathered([*before, alone, *after]))
    assert made == [new_entities(entity("x"), entity("y")), alone, *after]


def test_a_row_that_contradicts_the_one_before_it_is_left_for_the_store_to_refuse() -> None:
    again = [new_entities(entity("a")), new_entities(entity("a", summary="other"))]
    assert list(gathered(again)) == again


def test_a_new_edge_needs_no_attaching_and_an_old_one_does() -> None:
    batches = [new_edges(edge("e", "a", "b")), new_entities(entity("a"), attach=[("a", "e"), ("a", "earlier")])]
    (made,) = gathered(batches)
    assert made.attach == [("a", "earlier")]


@pytest.mark.parametrize("store_kind", ["memory", "kuzu"])
def test_a_mention_that_a_batch_names_twice_is_made_once(store_kind: str, tmp_path: Path) -> None:
    made: Store = MemoryStore() if store_kind == "memory" else KuzuStore(tmp_path / "graph.kuzu", ENGINE)
    with closing(made) as store:
        store.apply(new_entities(entity("old")))
        twice = [mention("p", "old"), mention("p", "new"), mention("p", "old"), mention("p", "new")]
        (some,) = gathered(
            [batch([Change(None, entity("new"))], (), [Change(None, episode("p"))], mentions_added=twice)]
        )
        store.apply(some)
        assert list(store.writer_reader().scan_mentions()) == [mention("p", "new"), mention("p", "old")]


def test_a_mention_that_several_batches_make_or_make_again_is_made_once(engine: KuzuStore) -> None:
    first: list[Operation] = [EntityPut(entity("n1")), EpisodePut(episode("p1")), MentionPut(mention("p1", "n1"))]
    again: list[Operation] = [
        EpisodePut(episode("p1", content="b")),
        EntityPut(entity("n1", summary="b")),
        *[first[2]] * 2,
    ]
    taken: list[Operation] = [MentionDelete(mention("p1", "n1"))]
    histories = [[first, again, again], [first, again, taken, again, again], [first, taken, [first[2]], again]]
    for history in histories:
        batches, one_by_one = batches_of(history)
        engine.apply(Batch(cleared=["g"], positions=at(-1)))
        for some in gathered(batches):
            engine.apply(some)
        with engine.reader() as reader:
            assert list(reader.scan_mentions()) == [mention("p1", "n1")]
        assert picture(engine) == picture(one_by_one)


def test_a_full_line_of_waiting_batches_is_not_copied_in_bulk() -> None:
    waiting = [new_edges(*(edge(f"e{at}", "a", "b") for at in range(MOST_WAITING // 3)))]
    waiting += [new_episodes(episode("p"), mentions_added=[mention("p", f"n{at}") for at in range(MOST_WAITING - 1)])]
    assert all(size(some) <= MOST_WAITING and new_links(some) < BULK_LINKS for some in waiting)
