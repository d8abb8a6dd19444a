"""What clients asked for, what they were told, and whether a graph keeps to it."""

import threading
from collections import Counter, defaultdict
from dataclasses import dataclass, field

from tests.faults.picture import Picture
from tests.processes import Client

CHUNK = (
    "{0} Lovelace met {0} Babbage in {0}ville. The {0} Engine is described in `{0}.md`. "
    "{0} Lovelace wrote to {0} Babbage about the {0} Engine."
)
"""Every name in it begins with the word that is filled in, so the rows of one chunk are told from all others."""
MARK = "Zq"
"""How all those words begin, and no asserted name does."""


@dataclass(frozen=True, slots=True)
class EntityWish:
    """An entity to assert."""

    group_id: str
    name: str
    method = "knowledge_assert_entity"

    def params(self) -> dict[str, str]:
        """Return the parameters of the call."""
        return {"group_id": self.group_id, "name": self.name, "summary": f"what is known of {self.name}"}


@dataclass(frozen=True, slots=True)
class EdgeWish:
    """A relationship to assert."""

    group_id: str
    source: str
    target: str
    method = "knowledge_assert_relationship"

    def params(self) -> dict[str, str]:
        """Return the parameters of the call."""
        ends = {"source_name": self.source, "target_name": self.target}
        return {"group_id": self.group_id, "predicate": "KNOWS", **ends}


@dataclass(frozen=True, slots=True)
class ChunkWish:
    """A chunk to ingest; `word` marks all its names."""

    group_id: str
    word: str
    method = "knowledge_process_chunk"

    def params(self) -> dict[str, str]:
        """Return the parameters of the call."""
        return {
            "group_id": self.group_id,
            "chunk_id": self.word,
            "source_file": "history.md",
            "chunk_text": CHUNK.format(self.word),
        }


Wish = EntityWish | EdgeWish | ChunkWish
_UUID = {EntityWish: "entity_uuid", EdgeWish: "edge_uuid", ChunkWish: "episode_uuid"}


@dataclass
class Ledger:
    """Every wish that was sent; those that were answered, with the uuid that the answer gave. Thread-safe."""

    sent: set[Wish] = field(default_factory=set)
    answered: dict[Wish, str] = field(default_factory=dict)
    found: set[EntityWish] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def send(self, client: Client, wish: Wish) -> None:
        """Send a wish without waiting."""
        with self._lock:
            self.sent.add(wish)
        client.send(wish.method, wish.params())

    def receive(self, client: Client, wish: Wish) -> None:
        """Wait for the answer to the oldest wish that was sent on this connection."""
        result = client.next_result(wish.method)
        with self._lock:
            self.answered[wish] = result[_UUID[type(wish)]]

    def fulfil(self, client: Client, wish: Wish) -> None:
        """Send a wish and wait for the answer."""
        self.send(client, wish)
        self.receive(client, wish)

    def acknowledged(self, kind: type) -> int:
        """Count the answered wishes of a kind."""
        return sum(isinstance(wish, kind) for wish in self.answered)

    def check(self, picture: Picture) -> None:
        """Check that all that was answered is there once, and that the rest is there whole or not at all."""
        names = Counter((group, name) for group, name, _ in picture.entities.values())
        keys = Counter((group, name, ends[0], ends[1]) for group, name, *ends, _, _ in picture.edges.values())
        assert max(names.values(), default=1) == 1
        self._check_entities(picture, names)
        self._check_edges(picture, keys)
        self._check_chunks(picture)
        asked_for = {wish.name for wish in self.sent if isinstance(wish, EntityWish)}
        assert all(name in asked_for or name.startswith(MARK) for _, name, _ in picture.entities.values())

    def _check_entities(self, picture: Picture, names: Counter[tuple[str, str]]) -> None:
        for wish, uuid in self.answered.items():
            if isinstance(wish, EntityWish):
                assert names[wish.group_id, wish.name] == 1, wish
                assert picture.entities[uuid] == (wish.group_id, wish.name, wish.params()["summary"])

    def _check_edges(self, picture: Picture, keys: Counter[tuple[str, str, str, str]]) -> None:
        for wish, uuid in self.answered.items():
            if isinstance(wish, EdgeWish):
                ends = [self.answered[EntityWish(wish.group_id, name)] for name in (wish.source, wish.target)]
                assert picture.edges[uuid][:4] == (wish.group_id, "KNOWS", *ends), wish
                assert keys[wish.group_id, "KNOWS", ends[0], ends[1]] == 1, wish

    def _check_chunks(self, picture: Picture) -> None:
        left = shares(picture)
        shapes = set()
        for wish in self.sent:
            if not isinstance(wish, ChunkWish):
                continue
            share = left.pop((wish.group_id, wish.word), None)
            if wish in self.answered:
                assert share is not None, wish
                assert share.episodes == [self.answered[wish]], wish
            if share is not None:
                (uuid,) = share.episodes
                assert picture.episodes[uuid][2] == wish.params()["chunk_text"]
                assert share.mentions == {(uuid, entity) for entity in share.entities}, wish
                assert all(picture.edges[edge][5] == (uuid,) for edge in share.edges), wish
                shapes.add((len(share.entities), len(share.edges)))
        assert not left, "rows of chunks that nobody sent"
        assert all(shape > (3, 3) for shape in shapes)
        assert len(shapes) <= 1, f"chunks of one make differ: {shapes}"

    def check_search(self, client: Client) -> None:
        """Check that a search for each acknowledged name that was not looked for yet finds it."""
        wishes = [wish for wish in self.answered if isinstance(wish, EntityWish) and wish not in self.found]
        for wish in wishes:
            params = {"query": wish.name, "num_results": 3, "group_ids": [wish.group_id]}
            client.send("knowledge_find_entities", params)
        for wish in wishes:
            nodes = client.next_result("knowledge_find_entities")["nodes"]
            assert self.answered[wish] in [node["uuid"] for node in nodes], wish
        self.found.update(wishes)


def _word(name: str) -> str:
    return name.split()[0].removesuffix("ville").removesuffix(".md")


@dataclass
class Share:
    """What a graph holds of one chunk."""

    episodes: list[str] = field(default_factory=list)
    entities: set[str] = field(default_factory=set)
    edges: set[str] = field(default_factory=set)
    mentions: set[tuple[str, str]] = field(default_factory=set)


def shares(picture: Picture) -> dict[tuple[str, str], Share]:
    """Return every chunk's share by group and word; rows of asserted names are in none."""
    shares: dict[tuple[str, str], Share] = defaultdict(Share)
    owners: dict[str, Share] = {}
    for uuid, (group_id, name, _) in picture.entities.items():
        if name.startswith(MARK):
            owners[uuid] = shares[group_id, _word(name)]
            owners[uuid].entities.add(uuid)
    for uuid, (group_id, name, _) in picture.episodes.items():
        owners[uuid] = shares[group_id, name]
        owners[uuid].episodes.append(uuid)
    for uuid, edge in picture.edges.items():
        for end in edge[2:4]:
            if end in owners:
                owners[end].edges.add(uuid)
    for pair in picture.mentions:
        for end in pair:
            owners[end].mentions.add(pair)
    return shares


def some_writes(ledger: Ledger, client: Client, mark: str, groups: tuple[str, ...] = ("liminis", "team")) -> None:
    """Acknowledge a few writes of every kind in each group."""
    for group_id in groups:
        names = [f"{mark} {number} of {group_id}" for number in range(3)]
        for name in names:
            ledger.fulfil(client, EntityWish(group_id, name))
        ledger.fulfil(client, EdgeWish(group_id, names[0], names[1]))
        ledger.fulfil(client, ChunkWish(group_id, f"{MARK}{mark}x{group_id}"))
