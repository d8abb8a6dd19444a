"""What the engine makes of its own log: whoever opens the file after a kill finds every row and link that was there."""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from hypothesis import given, settings
from hypothesis import strategies as st

from lcg.model.rows import Edge, Entity, Episode, Mention
from lcg.store.kuzu.store import KuzuStore
from lcg.store.protocol import Batch, Bookkeeping, Change
from tests.store.builders import NOON, batch, edge, entity, episode, mention
from tests.store.engine_name import ENGINE

GROUPS = ("a", "b")
READS = (
    "MATCH (a:Entity)-[h:RELATES_TO]->(n:RelatesToNode_) RETURN a.uuid, n.uuid",
    "MATCH (n:RelatesToNode_)-[h:RELATES_TO]->(b:Entity) RETURN n.uuid, b.uuid",
    "MATCH (p:Episodic)-[m:MENTIONS]->(e:Entity) RETURN p.uuid, e.uuid",
)


Contents = list[list[Any]]
T = TypeVar("T")


def some(picks: Sequence[int], at: int, value: T) -> T | None:
    """Return the value for all rows, for some of them, or for none."""
    return value if (picks[-1] + at % 2) % 3 > 0 else None


def changed(row: Entity, count: int, at: int) -> Entity:
    """Return an entity with another summary, and perhaps other labels, and with or without a text that was embedded."""
    labels = (*row.labels, f"L{count}") if at % 3 == 1 else row.labels
    embedded = None if row.summary_embedded else f"summary {count}"
    return replace(
        row,
        summary=f"{row.summary} {count}",
        labels=labels,
        summary_embedded=embedded if at % 3 == 2 else row.summary_embedded,
    )


@dataclass
class World:
    """A store, and what it should hold."""

    store: KuzuStore
    path: Path
    entities: dict[str, Entity] = field(default_factory=dict)
    edges: dict[str, Edge] = field(default_factory=dict)
    episodes: dict[str, Episode] = field(default_factory=dict)
    mentions: dict[str, list[Mention]] = field(default_factory=dict)
    count: int = 0

    def name(self, kind: str) -> str:
        self.count += 1
        return f"{kind}{self.count}"

    def expected(self) -> Contents:
        """Return the links that the rows imply, as the queries in `READS` give them, and the rows."""
        return [
            sorted((row.source_uuid, row.uuid) for row in self.edges.values() if row.source_uuid in self.entities),
            sorted((row.uuid, row.target_uuid) for row in self.edges.values() if row.target_uuid in self.entities),
            sorted((link.episode_uuid, link.entity_uuid) for links in self.mentions.values() for link in links),
            *(sorted(map(repr, rows.values())) for rows in (self.entities, self.edges, self.episodes)),
        ]

    def grow(self, group: str, picks: Sequence[int]) -> None:
        """Add an episode that mentions new entities and old ones, which it changes, and edges, some without an end.

        Columns are null in all rows, in some, or in none; the old entities change in the same columns or in others.
        """
        old = [row for row in self.entities.values() if row.group_id == group][: picks[-1] % 9]
        told = [changed(row, len(self.episodes), at if picks[0] % 2 else 0) for at, row in enumerate(old)]
        fresh = [
            entity(self.name("e"), group_id=group, name_embedded=some(picks, at, f"text {at}"))
            for at in range(1 + picks[0] % 5)
        ]
        self.entities |= {row.uuid: row for row in (*told, *fresh)}
        known = [*self.entities, *(["nobody"] if picks[0] % 3 == 0 else [])]
        ends = [known[pick % len(known)] for pick in picks]
        edges = [
            edge(
                self.name("r"),
                *pair,
                group_id=group,
                valid_at=some(picks, at, NOON),
                relation_type=some(picks, at + 1, "KNOWS"),
                episodes=some(picks, at, ("p",)) or (),
            )
            for at, pair in enumerate(pairwise(ends))
        ]
        text = episode(self.name("p"), group_id=group, revision=some(picks, 0, 1), valid_at=some(picks, 1, NOON))
        links = [mention(text.uuid, row.uuid, group) for row in (*fresh, *told)]
        self.edges |= {row.uuid: row for row in edges}
        self.episodes[text.uuid] = text
        self.mentions[text.uuid] = links
        changes = [Change(before, after) for before, after in zip(old, told, strict=True)]
        self.store.apply(
            batch(
                [*changes, *(Change(None, row) for row in fresh)],
                [Change(None, row) for row in edges],
                [Change(None, text)],
                mentions_added=links,
                episode_entities={text.uuid: tuple(link.entity_uuid for link in links)},
            )
        )

    def clear(self, group: str) -> None:
        """Remove all that a group owns."""
        self.entities = {uuid: row for uuid, row in self.entities.items() if row.group_id != group}
        self.edges = {uuid: row for uuid, row in self.edges.items() if row.group_id != group}
        self.episodes = {uuid: row for uuid, row in self.episodes.items() if row.group_id != group}
        self.mentions = {uuid: links for uuid, links in self.mentions.items() if uuid in self.episodes}
        self.store.apply(Batch(cleared=[group]))

    def drop(self, picks: Sequence[int]) -> None:
        """Remove some edges, an entity with its mentions, and an episode with its own, in one batch."""
        edges = {list(self.edges)[pick % len(self.edges)] for pick in picks} if self.edges else set()
        entities = {list(self.entities)[picks[0] % len(self.entities)]} if self.entities else set()
        episodes = {list(self.episodes)[picks[-1] % len(self.episodes)]} if picks[0] % 2 and self.episodes else set()
        gone = [
            link
            for links in self.mentions.values()
            for link in links
            if link.entity_uuid in entities or link.episode_uuid in episodes
        ]
        self.store.apply(
            Batch(
                entities=[Change(self.entities.pop(uuid), None) for uuid in sorted(entities)],
                edges=[Change(self.edges.pop(uuid), None) for uuid in sorted(edges)],
                episodes=[Change(self.episodes.pop(uuid), None) for uuid in sorted(episodes)],
                mentions_removed=gone,
            )
        )
        self.mentions = {uuid: [link for link in links if link not in gone] for uuid, links in self.mentions.items()}

    def move(self, picks: Sequence[int]) -> None:
        """Give an edge other ends."""
        if not self.edges or not self.entities:
            return
        known = list(self.entities)
        old = list(self.edges.values())[picks[0] % len(self.edges)]
        new = edge(old.uuid, known[picks[-1] % len(known)], known[picks[0] % len(known)], group_id=old.group_id)
        self.edges[old.uuid] = new
        self.store.apply(Batch(edges=[Change(old, new)]))


@contextmanager
def opened(path: Path) -> Iterator[KuzuStore]:
    store = KuzuStore(path, ENGINE)
    try:
        yield store
    finally:
        store.close()


def contents_of(store: KuzuStore) -> Contents:
    with store.reader() as reader:
        links = [sorted(tuple(map(str, row)) for row in reader.session.rows(query)) for query in READS]
        rows = (reader.scan_entities(), reader.scan_edges(), reader.scan_episodes())
        return [*links, *(sorted(map(repr, found)) for found in rows)]


def contents_after_a_kill(path: Path) -> Contents:
    """Open what a process that died now would leave, and see that a checkpoint changes nothing of it."""
    killed = path.parent / "killed"
    killed.mkdir()
    for file in path.parent.glob("db*"):
        shutil.copy(file, killed)
    with opened(killed / "db") as again:
        found = contents_of(again)
        again.checkpoint()
        assert contents_of(again) == found
    with opened(killed / "db") as again:
        assert contents_of(again) == found
    return found


Step = tuple[str, str, list[int]]
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["grow", "grow", "grow", "clear", "drop", "move"]),
        st.sampled_from(GROUPS),
        st.lists(st.integers(0, 30), min_size=2, max_size=5),
    ),
    min_size=2,
    max_size=8,
)


def contents_survive(steps: list[Step]) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "db"
        with opened(path) as store:
            world = World(store, path)
            for what, group, picks in steps:
                match what:
                    case "grow":
                        world.grow(group, picks)
                    case "clear":
                        world.clear(group)
                    case "drop":
                        world.drop(picks)
                    case _:
                        world.move(picks)
            assert contents_of(store) == world.expected()
            assert contents_after_a_kill(path) == world.expected()


@settings(max_examples=25, deadline=None)
@given(STEPS)
def test_every_row_and_link_is_there_after_a_kill(steps: list[Step]) -> None:
    contents_survive(steps)


def test_links_of_other_groups_are_there_after_a_purge_and_a_kill() -> None:
    # DETACH DELETE of the rows lost links of the other group here.
    contents_survive([("grow", "a", [3, 0, 1]), ("grow", "b", [1, 4, 5]), ("clear", "b", [0, 0])])


def test_links_of_others_are_there_after_a_query_that_detaches_and_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "db"
    with opened(path) as store:
        world = World(store, path)
        world.grow("a", [3, 0, 1])
        world.grow("b", [1, 4, 5])
        query = (
            "MATCH (n:RelatesToNode_ {group_id: 'b'}) DETACH DELETE n "
            "WITH count(*) AS edges MATCH (e:Entity {group_id: 'b'}) DETACH DELETE e"
        )
        store.mutate(query, {}, max_rows=1, timeout_ms=30_000, accept=lambda changes: Bookkeeping([], {}))
        assert contents_after_a_kill(path) == contents_of(store)
