"""A group with one writer, who also deletes, purges, marks and rebuilds; what the group must hold is always known."""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from tests.faults.ledger import CHUNK, MARK, Share, shares
from tests.faults.picture import Picture
from tests.processes import Client

PREFIX = "mixed"
"""How the names of these groups begin, and those of no others."""


@dataclass(frozen=True, slots=True)
class Item:
    """Something that was put: an entity by name, an edge by its two names, a text by its word. Never put twice."""

    kind: str
    name: str
    target: str = ""


@dataclass(frozen=True, slots=True)
class Effect:
    """What one log line did: put an item, delete texts (their entities and facts stay), or clear the group."""

    put: Item | None = None
    deleted: tuple[str, ...] = ()
    clears: bool = False


@dataclass
class Holding:
    """What a group holds: entities by name, edges by their ends, and texts by word, True while the episode is there."""

    entities: set[str] = field(default_factory=set)
    edges: set[tuple[str, str]] = field(default_factory=set)
    texts: dict[str, bool] = field(default_factory=dict)

    def take(self, effect: Effect) -> None:
        """Take in a line."""
        if effect.clears:
            self.__init__()  # type: ignore[misc]
        match effect.put:
            case Item("entity", name):
                self.entities.add(name)
            case Item("edge", name, target):
                self.edges.add((name, target))
            case Item(_, word):
                self.texts[word] = True
        self.texts.update((word, False) for word in effect.deleted if word in self.texts)


@dataclass(frozen=True)
class Course:
    """The lines of a group's log (the first has number 1), and those of them that a rebuild left out.

    Among these are purges that ended the log when all of it was rebuilt: every later rebuild leaves them out, too.
    """

    lines: tuple[Effect, ...] = ()
    left_out: frozenset[int] = frozenset()
    passed_over: frozenset[int] = frozenset()

    def holding(self) -> Holding:
        """Return what the group holds."""
        holding = Holding()
        for seq, effect in enumerate(self.lines, 1):
            if seq not in self.left_out:
                holding.take(effect)
        return holding

    def then(self, effect: Effect) -> "Course":
        """Return the course with one more line."""
        return replace(self, lines=(*self.lines, effect))

    def rebuilt(self, to_seq: int | None = None) -> "Course":
        """Return the course after a rebuild."""
        last = len(self.lines)
        passed_over = self.passed_over
        if to_seq is None and self.lines[-1].clears:
            passed_over |= {last}
        return Course(self.lines, passed_over | frozenset(range((to_seq or last) + 1, last + 1)), passed_over)

    def can_rebuild(self, to_seq: int | None = None) -> bool:
        """Say whether a rebuild takes in no purge that was left out, which would part later edges from their ends."""
        taken = self.left_out - self.rebuilt(to_seq).left_out if self.lines else frozenset()
        return bool(self.lines) and not any(self.lines[seq - 1].clears for seq in taken)


Shown = tuple[list[str], list[tuple[str, str]], dict[str, bool], int, frozenset[int]]
"""What can be seen of a course: entities, edges, texts, the number of its last line, and what is left out."""


class MixedGroup:
    """Writes to a group in a random way, and checks it. For one thread at a time."""

    def __init__(self, group_id: str, chance: random.Random) -> None:
        self.group_id = group_id
        self.counts: dict[str, int] = {}
        self._chance = chance
        self._course = Course()
        self._perhaps: Course | None = None
        self._marks: dict[str, int] = {}
        self._uuids: dict[str, str] = {}
        self._number = 0
        self._put: list[Callable[[Client], None]] = [
            self._entity,
            self._entity,
            self._edge,
            self._chunk,
            self._episode,
        ]
        self._other: list[Callable[[Client], None]] = [
            self._delete_episode,
            self._delete_source,
            self._purge,
            self._mark,
            self._rebuild_bounded,
            self._rebuild_whole,
            self._read,
        ]
        self._weights = (3, 3, 2, 5, 5, 4, 4)

    def step(self, client: Client) -> None:
        """Do one thing. Raises ConnectionEnded, after which `check` finds out whether it was done."""
        if self._chance.random() < 0.6:
            self._chance.choice(self._put)(client)
        else:
            self._chance.choices(self._other, self._weights)[0](client)

    def check(self, picture: Picture, client: Client) -> None:
        """Check that the group holds what it must, the last thing that was not answered whole or not at all."""
        shown = self._shown(picture, client)
        if self._perhaps is not None:
            options = [course for course in (self._course, self._perhaps) if _shown(course) == shown]
            assert options, (self.group_id, self._course, self._perhaps, shown)
            self._course, self._perhaps = options[0], None
        assert _shown(self._course) == shown, self.group_id
        holding = self._course.holding()
        self._check_rows(picture, holding)
        marks = client.result("knowledge_wal_mark_list", group_id=self.group_id)["checkpoints"]
        kept = {mark["name"]: mark["seq"] for mark in marks}
        assert {name: kept.get(name) for name in self._marks} == self._marks
        self._check_search(client, holding)

    # Checks

    def _shown(self, picture: Picture, client: Client) -> Shown:
        own = {uuid: name for uuid, (group, name, _) in picture.entities.items() if group == self.group_id}
        texts = {
            word: bool(share.episodes) for (group, word), share in shares(picture).items() if group == self.group_id
        }
        edges = [
            (own[row[2]], own[row[3]])
            for row in picture.edges.values()
            if row[0] == self.group_id and not own[row[2]].startswith(MARK)
        ]
        facts = client.result("knowledge_status")["wal_groups"].get(self.group_id, {"excluded": [], "max_seq": None})
        left_out = frozenset(seq for first, last in facts["excluded"] for seq in range(first, last + 1))
        names = sorted(name for name in own.values() if not name.startswith(MARK))
        return names, sorted(edges), texts, facts["max_seq"] or 0, left_out

    def _check_rows(self, picture: Picture, holding: Holding) -> None:
        for name in holding.entities & self._uuids.keys():
            assert picture.named(name, self.group_id) == [self._uuids[name]]
        shapes = set()
        for (group_id, word), share in shares(picture).items():
            if group_id == self.group_id:
                self._check_share(picture, word, share, holding.texts[word])
                shapes.add((len(share.entities), len(share.edges)))
        assert len(shapes) <= 1, f"texts of one make differ: {shapes}"

    def _check_share(self, picture: Picture, word: str, share: Share, whole: bool) -> None:
        if not whole:
            assert (share.episodes, share.mentions) == ([], set()), word
        assert all(picture.edges[edge][5] == tuple(share.episodes) for edge in share.edges), word
        if whole:
            (uuid,) = share.episodes
            assert uuid == self._uuids.get(word, uuid)
            assert picture.episodes[uuid][2] == CHUNK.format(word)
            assert share.mentions == {(uuid, entity) for entity in share.entities}, word
        assert len(share.entities) > 3
        assert len(share.edges) > 3

    def _check_search(self, client: Client, holding: Holding) -> None:
        """Look for the names that were asserted last, those that are there and those that went."""
        put = [line.put.name for line in self._course.lines if line.put is not None and line.put.kind == "entity"]
        for name in put[-8:]:
            nodes = client.result("knowledge_find_entities", query=name, num_results=3, group_ids=[self.group_id])
            found = [node["name"] for node in nodes["nodes"]].count(name)
            assert found == (name in holding.entities), (name, found)

    # What is done

    @contextmanager
    def _trying(self, what: str, course: Course) -> Iterator[None]:
        """Note that the course may be another one from now on, and that it is when no exception comes."""
        self._perhaps = course
        yield
        self._course, self._perhaps = course, None
        self._count(what)

    def _count(self, what: str) -> None:
        self.counts[what] = self.counts.get(what, 0) + 1

    def _ask(self, client: Client, method: str, **params: Any) -> Any:
        return client.result(f"knowledge_{method}", **params)

    def _new(self) -> int:
        self._number += 1
        return self._number

    def _entity(self, client: Client) -> None:
        name = f"{self.group_id} thing {self._new()}"
        with self._trying("entity", self._course.then(Effect(Item("entity", name)))):
            answer = self._ask(client, "assert_entity", name=name, group_id=self.group_id)
        self._uuids[name] = answer["entity_uuid"]
        assert answer["created"]

    def _edge(self, client: Client) -> None:
        holding = self._course.holding()
        names = sorted(holding.entities)[-10:]
        pairs = [
            (a, b) for a in names for b in names if a != b and Effect(Item("edge", a, b)) not in self._course.lines
        ]
        if not pairs:
            return
        source, target = self._chance.choice(pairs)
        with self._trying("edge", self._course.then(Effect(Item("edge", source, target)))):
            ends = {"source_name": source, "target_name": target, "predicate": "KNOWS"}
            assert self._ask(client, "assert_relationship", group_id=self.group_id, **ends)["created"]

    def _word(self) -> str:
        digits = "".join(chr(ord("a") + int(digit)) for digit in str(self._new()))
        return f"{MARK}{self.group_id.removeprefix(PREFIX)}{digits}"

    def _chunk(self, client: Client) -> None:
        word = self._word()
        with self._trying("chunk", self._course.then(Effect(Item("text", word)))):
            text = {"chunk_text": CHUNK.format(word), "chunk_id": word, "source_file": f"{word}.md"}
            answer = self._ask(client, "process_chunk", group_id=self.group_id, **text)
        self._uuids[word] = answer["episode_uuid"]

    def _episode(self, client: Client) -> None:
        word = self._word()
        with self._trying("episode", self._course.then(Effect(Item("text", word)))):
            text = {"name": word, "episode_body": CHUNK.format(word), "source_description": f"{word}.md"}
            answer = self._ask(client, "add_episode", group_id=self.group_id, **text)
        self._uuids[word] = answer["episode_uuid"]

    def _some_text(self) -> str | None:
        words = [word for word, whole in self._course.holding().texts.items() if whole]
        return self._chance.choice(words) if words else None

    def _delete_episode(self, client: Client) -> None:
        word = self._some_text()
        if word in self._uuids:
            with self._trying("deleted episode", self._course.then(Effect(deleted=(word,)))):
                answer = self._ask(client, "delete_episode", episode_uuid=self._uuids[word])
            assert answer["deleted_count"] == 1

    def _delete_source(self, client: Client) -> None:
        word = self._some_text()
        if word is not None:
            with self._trying("deleted source", self._course.then(Effect(deleted=(word,)))):
                answer = self._ask(client, "delete_by_source", source_file=f"{word}.md", group_ids=[self.group_id])
            assert answer["deleted_count"] == 1

    def _purge(self, client: Client) -> None:
        if self._course.holding() != Holding():
            with self._trying("purge", self._course.then(Effect(clears=True))):
                answer = self._ask(client, "delete_by_group", group_ids=[self.group_id], confirm=True)
            assert answer["groups_done"] == [self.group_id]

    def _mark(self, client: Client) -> None:
        name = f"mark-{self._new()}"
        seq = self._ask(client, "wal_mark_create", name=name, group_id=self.group_id)["seq"]
        self._marks[name] = seq
        self._count("mark")

    def _rebuild_bounded(self, client: Client) -> None:
        seqs = [seq for seq in [*self._marks.values()][-4:] if seq and self._course.can_rebuild(seq)]
        if seqs:
            seq = self._chance.choice(seqs)
            with self._trying("bounded rebuild", self._course.rebuilt(seq)):
                self._ask(client, "rebuild_from_wal", group_id=self.group_id, to_seq=seq, force_clear=True)

    def _rebuild_whole(self, client: Client) -> None:
        if self._course.can_rebuild():
            with self._trying("whole rebuild", self._course.rebuilt()):
                self._ask(client, "rebuild_from_wal", group_id=self.group_id, force_clear=True)

    def _read(self, client: Client) -> None:
        rows = client.rows("MATCH (e:Entity) WHERE e.group_id = $g RETURN e.name", g=self.group_id)
        names = sorted(name for (name,) in rows if not name.startswith(MARK))
        assert names == sorted(self._course.holding().entities), self.group_id
        self._count("read")


def _shown(course: Course) -> Shown:
    holding = course.holding()
    return sorted(holding.entities), sorted(holding.edges), holding.texts, len(course.lines), course.left_out
