"""What holds after every step of every history, and what holds of its indexes and counts."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from lcg.graph.entries import Kind
from lcg.graph.index import GraphIndex
from lcg.model.pointers import SIDES, pointers_of
from lcg.model.rows import Edge
from lcg.runtime.groups import ALL_GROUPS
from tests.histories.picture import Picture, end_at, take_picture
from tests.histories.world import World


@dataclass
class Allowed:
    """What a history did past the methods, so that nobody may complain of it.

    `loops` are edges that were asserted between an entity and itself, `ends` are ends, by group, that lead nowhere or
    elsewhere because rows of another program say so, `twinned` the groups that got several entities of one name so.
    """

    loops: set[str] = field(default_factory=set)
    ends: set[tuple[str, str]] = field(default_factory=set)
    twinned: set[str] = field(default_factory=set)


@dataclass
class Written:
    """Which lines each group's rows were made of when each of its lines was written, by group and generation.

    Lines that were left out and come back in were not known to those that were written meanwhile: an edge can then
    lead to an entity that was merged away before it. Such a group is not in order, and only the weaker rules hold.
    """

    known: dict[tuple[str, str | None], dict[int, frozenset[int]]] = field(default_factory=dict)

    def note(self, before: Picture, after: Picture) -> None:
        """Take in what a step wrote."""
        for group, place in after.places.items():
            lines = self.known.setdefault((group, place.generation), {})
            old = before.place(group)
            for seq in range(1, place.last + 1):
                if seq not in lines:
                    inherited = self.known.get((group, old.generation), {}).get(seq)
                    made_of = frozenset(s for s in range(1, seq) if s not in place.excluded)
                    lines[seq] = made_of if inherited is None else inherited

    def is_in_order(self, picture: Picture, group: str) -> bool:
        """Say whether every line of which a group is made knew all of those before it."""
        place = picture.place(group)
        lines, known = place.lines, self.known.get((group, place.generation), {})
        return all(known[seq] == frozenset(s for s in lines if s < seq) for seq in lines)


def check_rows(picture: Picture, written: Written, allowed: Allowed) -> None:
    """Check what holds of the rows, whatever happened."""
    for mention in picture.mentions:
        episode, entity = picture.episodes.get(mention.episode_uuid), picture.entities.get(mention.entity_uuid)
        assert episode is not None and episode.group_id == mention.group_id, f"no episode of {mention}"
        assert entity is not None and entity.group_id == mention.group_id, f"no entity of {mention}"
    assert picture.recorded == picture.digests()
    orderly = {group for group in picture.groups() if written.is_in_order(picture, group)}
    for edge in picture.edges.values():
        _check_ends(picture, edge, edge.group_id in orderly, allowed)
    for group in orderly - allowed.twinned:
        keys = Counter(
            row.name.casefold() for row in picture.entities.values() if row.group_id == group and not row.is_tombstone
        )
        assert not keys or max(keys.values()) == 1, f"several entities of a name in {group}: {keys}"


def _check_ends(picture: Picture, edge: Edge, is_in_order: bool, allowed: Allowed) -> None:
    pointers = pointers_of(edge.attributes)
    holds = edge.invalid_at is None
    for side in SIDES:
        end, pointer = end_at(edge, side), pointers.get(side)
        entity = picture.entities.get(end)
        if pointer is not None:
            assert pointer.source_group_id != edge.group_id, f"a pointer into its own group: {edge}"
            assert end == (pointer.resolved_uuid or ""), f"a pointer to something else than the end: {edge}"
            assert (pointer.binding == "bound") == bool(end), f"a pointer that does not say how it stands: {edge}"
            assert entity is None or entity.group_id == pointer.source_group_id, f"an end in a third group: {edge}"
        elif (edge.group_id, end) not in allowed.ends:
            if is_in_order:
                assert entity is not None, f"an end that does not exist, {end}: {edge}"
            if entity is not None:
                assert entity.group_id == edge.group_id, f"an end in another group without a pointer: {edge}"
        if holds and is_in_order and entity is not None and entity.group_id == edge.group_id:
            assert not entity.is_tombstone, f"an edge leads to the tombstone {entity.name}: {edge}"
    if holds and is_in_order and edge.source_uuid == edge.target_uuid and edge.source_uuid:
        assert edge.uuid in allowed.loops, f"an edge from an entity to itself: {edge}"


def check_index(world: World, picture: Picture) -> None:
    """Check the index in memory against one that is made of the rows, and the store's hops against the index."""
    made = GraphIndex()
    made.load(
        picture.entities.values(), picture.edges.values(), picture.episodes.values(), picture.mentions, picture.recorded
    )
    index = world.graph.index
    assert contents(index) == contents(made)
    assert {group: digest for group, digest in index.digests.items() if digest} == picture.recorded
    with world.graph.reader() as reader:
        assert reader.bound_edges() == set(index.visible(Kind.EDGE, ALL_GROUPS))


def contents(index: GraphIndex) -> dict[str, Any]:
    """Return all that an index holds, without the order in which it came."""
    found: dict[str, Any] = {"places": index.places, "unbound": index._unbound, "sources": index._sources}
    for name in ("_episodes_of", "_entities_of", "_dangling", "_stated"):
        found[name] = _sets(getattr(index, name))
    for group, tables in index._groups.items():
        for name in ("names", "buried", "edges", "chunks", "pointers"):
            found[f"{group} {name}"] = _full(getattr(tables, name))
        found[f"{group} counts"] = _full(tables.counts)
        found[f"{group} rows"] = {kind: _shown(rows) for kind, rows in tables.rows.items() if rows}
    return _full(found)


def _full(table: dict[Any, Any]) -> dict[Any, Any]:
    return {key: value for key, value in table.items() if value}


def _sets(table: dict[str, tuple[Any, ...]]) -> dict[str, set[Any]]:
    for key, values in table.items():
        assert len(set(values)) == len(values), f"{key} has something twice: {values}"
    return {key: set(values) for key, values in table.items() if values}


def _shown(rows: dict[str, bool]) -> dict[str, bool]:
    return dict(rows)


def check_status(world: World, picture: Picture) -> None:
    """Check that what the status counts is what is there."""
    status = world.call("status")
    known = picture.entities.keys()
    bound = [edge for edge in picture.edges.values() if {edge.source_uuid, edge.target_uuid} <= known]
    tombstones = sum(row.is_tombstone for row in picture.entities.values())
    expected = {
        "entity_count": len(picture.entities) - tombstones,
        "tombstone_count": tombstones,
        "relationship_count": len(bound),
        "unbound_relationship_count": len(picture.edges) - len(bound),
        "invalidated_relationship_count": sum(edge.invalid_at is not None for edge in bound),
        "episode_count": len(picture.episodes),
        "cross_group_pointers": _bindings(picture),
        "failed_records": status["failed_records"],
    }
    assert {key: status[key] for key in expected} == expected
    for group, told in status["wal_groups"].items():
        place = picture.place(group)
        assert (told["applied_seq"], told["max_seq"] or 0, told["pending"]) == (place.applied, place.last, 0), group
        assert int(told["digest"], 16) == picture.recorded.get(group, 0), group


def _bindings(picture: Picture) -> dict[str, int]:
    counts = dict.fromkeys(("bound", "unbound", "ambiguous"), 0)
    for edge in picture.held():
        for pointer in pointers_of(edge.attributes).values():
            is_lost = pointer.binding == "bound" and pointer.resolved_uuid not in picture.entities
            counts["unbound" if is_lost else pointer.binding] += 1
    return counts


def check_files(world: World) -> None:
    """Hold log, store and search indexes against each other."""
    report = world.verify()
    found = [*report.differences, *(fault for group in report.groups for fault in group.differences)]
    assert not found, found


def check_same(world: World, before: Picture) -> None:
    """Check that a workspace holds what it held before."""
    after = take_picture(world)
    for group in before.groups() | after.groups():
        assert after.of(group) == before.of(group), f"group {group} is another one"
    assert after.recorded == before.recorded
