"""Curation in a history: merges, corrections, rebinding, typing and deleting, each held against what it has to do."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any
from unittest.mock import patch

from lcg.model.pointers import pointers_of
from lcg.model.rows import Edge, Mention
from lcg.services.corrections_file import PLACE
from tests.histories.checks import check_same
from tests.histories.picture import Picture, end_at, merged_into, take_picture
from tests.histories.steps import GROUPS, Correct, Entry, Forget, Merge, Pick, Rebind, Retype
from tests.histories.world import World

_MERGE_COUNTS = (
    "success",
    "canonical_uuid",
    "merged_count",
    "skipped",
    "edges_rewritten",
    "edges_deduplicated",
    "foreign_edges_skipped",
    "errors",
)

# Merges


def merge(world: World, step: Merge, before: Picture) -> set[str]:
    """Merge entities and return the group that this may touch."""
    params = _merge_params(step, before)
    with _records_that_take_little(step):
        planned = world.call("merge_entities", **params, dry_run=True)
        check_same(world, before)
        done = world.call("merge_entities", **params)
        plan = planned.pop("plan", None)
        assert planned == done
        assert (plan is None) == (not done["canonical_uuid"])
        after = take_picture(world)
        if plan is None:
            check_same(world, before)
            return set()
        assert plan["total_edges_rewritten"] == done["edges_rewritten"]
        assert plan["total_edges_collapsed"] == done["edges_deduplicated"]
        assert plan["total_foreign_edges_skipped"] == done["foreign_edges_skipped"]
        counts = check_merge(before, after, step.group, done["canonical_uuid"])
        assert {key: done[key] for key in counts} == counts
        records = after.place(step.group).last - before.place(step.group).last
        assert records >= (done["merged_count"] if step.cut else bool(done["merged_count"]))
        world.call("merge_entities", **params)
        check_same(world, after)
    return {step.group}


@contextmanager
def _records_that_take_little(step: Merge) -> Iterator[None]:
    operations, characters = {"": (5_000, 8_000_000), "steps": (1, 8_000_000), "rows": (5_000, 800)}[step.cut]
    with (
        patch("lcg.services.merge.OPERATIONS_PER_RECORD", operations),
        patch("lcg.services.record_size.CHARACTERS_PER_RECORD", characters),
    ):
        yield


def _merge_params(step: Merge, before: Picture) -> dict[str, Any]:
    picked = [alias for alias in step.aliases if isinstance(alias, Pick)]
    foreign = GROUPS[GROUPS.index(step.group) - 1]
    uuids = [_uuid(before, foreign if pick == Pick(5) else step.group, pick) for pick in picked]
    params: dict[str, Any] = {
        "group_id": step.group,
        "alias_uuids": uuids,
        "alias_names": [alias for alias in step.aliases if isinstance(alias, str)],
        "merge_all_by_name": step.all_by_name,
    }
    if isinstance(step.canonical, Pick):
        params["canonical_uuid"] = _uuid(before, step.group, step.canonical)
    else:
        params["canonical_name"] = step.canonical
    return params


def _uuid(before: Picture, group: str, pick: Pick) -> str:
    row = before.pick(before.entities, group, pick)
    return row.uuid if row else "nobody"


def check_merge(before: Picture, after: Picture, group: str, canonical: str) -> dict[str, int]:
    """Check that what aliases had is the canonical entity's now; return what the call has to tell."""
    new = [row for row in after.entities.values() if row.is_tombstone and not before.entities[row.uuid].is_tombstone]
    aliases = {row.uuid for row in new}
    assert {row.group_id for row in new} <= {group} and {merged_into(row) for row in new} <= {canonical}
    for row in new:
        old = before.entities[row.uuid]
        assert replace(row, labels=old.labels, attributes=old.attributes) == old
    both = {canonical, *aliases}
    assert after.mentioned_in([canonical]) == before.mentioned_in(both)
    assert (
        after.mentions - {Mention(group, uuid, canonical) for uuid in before.mentioned_in(aliases)} <= before.mentions
    )
    assert after.mentions >= before.mentions
    kept = after.entities[canonical]
    earliest = min(before.entities[uuid].created_at for uuid in both)
    assert kept == replace(before.entities[canonical], created_at=earliest)
    others = before.entities.keys() - both
    assert after.entities.keys() == before.entities.keys()
    assert {uuid: after.entities[uuid] for uuid in others} == {uuid: before.entities[uuid] for uuid in others}
    counts = _check_edges(before, after, group, dict.fromkeys(aliases, canonical))
    foreign = [edge for edge in before.held() if edge.group_id != group and _is_at(edge, aliases)]
    whole = [edge for edge in foreign if {edge.source_uuid, edge.target_uuid} <= before.entities.keys()]
    return {"merged_count": len(aliases), "foreign_edges_skipped": len(whole), **counts}


def _check_edges(before: Picture, after: Picture, group: str, into: dict[str, str]) -> dict[str, int]:
    touched = [edge for edge in before.held(group) if _is_at(edge, set(into))]
    for edge in before.edges.values():
        now = after.edges[edge.uuid]
        if edge in touched:
            assert now.invalid_at is not None and replace(now, invalid_at=None) == edge
        elif edge.group_id == group and edge.invalid_at is None:
            assert replace(now, episodes=edge.episodes) == edge and set(now.episodes) >= set(edge.episodes)
        else:
            assert now == edge
    loops = [edge for edge in touched if _key(edge, into)[0] == _key(edge, into)[2]]
    moving = [edge for edge in touched if edge not in loops]
    said: Counter[tuple[str, str, str]] = Counter()
    stated: dict[tuple[str, str, str], set[str]] = {}
    for edge in before.held(group):
        key = _key(edge, into)
        if edge not in loops:
            stated.setdefault(key, set()).update(edge.episodes)
        if edge not in touched:
            said[key] += 1
    for edge in moving:
        key = _key(edge, into)
        # What waits for a name says nothing yet, so it is never a duplicate.
        if not said[key] or not (key[0] and key[2]):
            said[key] += 1
    left: Counter[tuple[str, str, str]] = Counter(_key(edge, {}) for edge in after.held(group))
    assert left == +said
    found: dict[tuple[str, str, str], set[str]] = {}
    for edge in after.held(group):
        found.setdefault(_key(edge, {}), set()).update(edge.episodes)
    assert found == stated
    rewritten = len(after.edges) - len(before.edges)
    return {"edges_rewritten": rewritten, "edges_deduplicated": len(moving) - rewritten}


def _is_at(edge: Edge, entities: set[str]) -> bool:
    return not entities.isdisjoint((edge.source_uuid, edge.target_uuid))


def _key(edge: Edge, into: dict[str, str]) -> tuple[str, str, str]:
    source, target = (into.get(end, end) for end in (edge.source_uuid, edge.target_uuid))
    return source, edge.name, target


# Corrections


def correct(world: World, step: Correct, before: Picture) -> set[str]:
    """Apply a corrections file and return the groups that this may touch."""
    place = world.root / PLACE
    place.parent.mkdir(exist_ok=True)
    entries = [_entry(entry, number, before) for number, entry in enumerate(step.entries)]
    place.write_text("# kept by hand\ncorrections:\n" + "".join(entries))
    judged = world.call("validate_corrections")
    assert (judged["total_corrections"], judged["unapplied_corrections"]) == (len(entries), len(entries))
    planned = world.call("apply_corrections", dry_run=True)
    check_same(world, before)
    done = world.call("apply_corrections")
    actions = [{**detail, "action": f"dry_run:{detail['action']}"} for detail in done["details"]]
    assert (planned["details"], planned["errors"]) == (actions, done["errors"])
    assert (planned["applied"], done["applied"]) == (0, len(done["details"]))
    assert done["success"] == (not done["errors"]) == planned["success"]
    assert done["skipped"] == planned["skipped"] == 0
    text = place.read_text()
    assert (text.count("applied_at"), text.splitlines()[0]) == (done["applied"], "# kept by hand")
    after = take_picture(world)
    assert set(done["groups_done"]) == {g for g in after.groups() if after.place(g).last != before.place(g).last}
    if not done["errors"]:
        again = world.call("apply_corrections")
        assert (again["applied"], again["skipped"]) == (0, len(entries))
        check_same(world, after)
    return set(done["groups_done"])


def _entry(entry: Entry, number: int, before: Picture) -> str:
    lines = [f"id: c{number}"]
    if not entry.aliases:
        row = before.pick(before.edges, entry.group, entry.row if isinstance(entry.row, Pick) else Pick(0))
        lines += ["type: retract", f"edge_uuid: {row.uuid if row else 'nothing'}"]
    elif isinstance(entry.row, Pick):
        lines += ["type: same_as", f"canonical_uuid: {_uuid(before, entry.group, entry.row)}"]
    else:
        lines += ["type: same_as", f"canonical: {entry.row}"]
    if entry.aliases:
        lines.append(f"aliases: [{', '.join(entry.aliases)}]")
    return "  - " + "\n    ".join(lines) + "\n"


# Pointers


def resolved(picture: Picture, group: str, name: str) -> tuple[str, str]:
    """Return how a pointer to a name stands, and the uuid that it is bound to."""
    if len(picture.live(group, name)) > 1:
        return "ambiguous", ""
    found = picture.found(group, name)
    return ("bound", found.uuid) if found else ("unbound", "")


def rebind(world: World, step: Rebind, before: Picture) -> set[str]:
    """Rebind the pointers into a group and return the groups that this may touch."""
    place = before.place(step.group)
    due, skipped = [], 0
    for edge, side, pointer in before.pointers_into(step.group):
        is_there = pointer.binding == "bound" and pointer.resolved_uuid in before.entities
        seq, generation = pointer.bound_at_seq, pointer.bound_generation
        is_known = seq is not None and generation is not None
        if is_there and is_known and seq is not None and seq >= place.applied and generation == place.generation:
            skipped += 1
        else:
            due.append((edge, side, resolved(before, step.group, pointer.endpoint_name)))
    done = world.call("rebind_pointers", source_group_id=step.group)
    after = take_picture(world)
    states = Counter(state for _, _, (state, _) in due)
    counts = {"checked": len(due), "staleness_skipped": skipped}
    counts |= {state: states[state] for state in ("bound", "unbound", "ambiguous")}
    assert {key: done[key] for key in counts} == counts
    ended = [edge for edge in before.held() if after.edges[edge.uuid].invalid_at is not None]
    assert done["invalidated_self_loop"] + done["invalidated_duplicate"] == len(ended)
    for edge, side, (state, uuid) in due:
        now = after.edges[edge.uuid]
        if now.invalid_at is None:
            assert (pointers_of(now.attributes)[side].binding, end_at(now, side)) == (state, uuid)
        else:
            assert state == "bound" and replace(now, invalid_at=None) == edge
    assert after.edges.keys() == before.edges.keys()
    untouched = before.edges.keys() - {edge.uuid for edge, _, _ in due}
    assert {uuid: after.edges[uuid] for uuid in untouched} == {uuid: before.edges[uuid] for uuid in untouched}
    _check_no_twins(before, after, [edge.uuid for edge, _, _ in due])
    again = world.call("rebind_pointers", source_group_id=step.group)
    assert again["groups_done"] == []
    check_same(world, after)
    return set(done["groups_done"])


def _check_no_twins(before: Picture, after: Picture, uuids: list[str]) -> None:
    held = Counter((edge.group_id, *_key(edge, {})) for edge in after.held())
    for uuid in uuids:
        edge = after.edges[uuid]
        is_moved = _key(edge, {}) != _key(before.edges[uuid], {})
        if edge.invalid_at is None and is_moved and edge.source_uuid and edge.target_uuid:
            assert held[edge.group_id, *_key(edge, {})] == 1, f"bound to say what another one says: {edge}"


# Typing


_DRY_ONLY = {"dry_run", "plan", "would_reclassify_count"}
_REAL_ONLY = {"dry_run", "reclassified_count", "unchanged_count", "restamped_count"}


def retype(world: World, step: Retype, before: Picture) -> set[str]:
    """Run a pass over a group."""
    name, params = {
        "entities": ("reprocess_entity_types", {"scope": step.scope}),
        "relations": ("reprocess_relation_types", {"scope": step.scope}),
        "canonicalize": ("canonicalize_relations", {}),
        "backfill": ("backfill_relation_types", {}),
        "summaries": ("backfill_summary_embeddings", {}),
    }[step.what]
    planned = world.call(name, group_id=step.group, **params, dry_run=True)
    check_same(world, before)
    done = world.call(name, group_id=step.group, **params)
    assert _without(planned, _DRY_ONLY) == _without(done, _REAL_ONLY)
    assert planned.get("would_reclassify_count") == done.get("reclassified_count")
    after = take_picture(world)
    if step.what != "canonicalize":
        world.call(name, group_id=step.group, **params)
        check_same(world, after)
    assert after.entities.keys() == before.entities.keys() and after.edges.keys() == before.edges.keys()
    assert (after.episodes, after.mentions) == (before.episodes, before.mentions)
    return {step.group}


def _without(result: dict[str, Any], keys: set[str]) -> dict[str, Any]:
    return {key: value for key, value in result.items() if key not in keys}


# Deletion


def forget(world: World, step: Forget, before: Picture) -> set[str]:
    """Delete episodes and return the groups that this may touch."""
    if step.by == "episode":
        row = before.pick(before.episodes, step.groups[0], step.row)
        doomed = {row.uuid} if row else set()
        done = world.call("delete_episode", episode_uuid=row.uuid if row else "nothing")
    else:
        own = [row for row in before.episodes.values() if row.group_id in step.groups]
        parameter, method = ("chunk_id", "chunk_episode") if step.by == "chunk" else ("source_file", "by_source")
        source = f"{step.name}:"
        doomed = {
            row.uuid
            for row in own
            if (row.name == step.name if step.by == "chunk" else row.source_description.startswith(source))
        }
        done = world.call(f"delete_{method}", **{parameter: step.name}, group_ids=list(step.groups))
        assert set(done["deleted_uuids"]) == doomed
    after = take_picture(world)
    assert done["deleted_count"] == len(doomed)
    assert after.episodes.keys() == before.episodes.keys() - doomed
    assert after.mentions == {mention for mention in before.mentions if mention.episode_uuid not in doomed}
    before_it = {mention.entity_uuid for mention in before.mentions}
    assert done["orphaned_entities"] == len(before_it - {mention.entity_uuid for mention in after.mentions})
    assert after.entities == before.entities
    for uuid, edge in before.edges.items():
        kept = tuple(episode for episode in edge.episodes if episode not in doomed)
        assert after.edges[uuid] == replace(edge, episodes=kept)
    return {before.episodes[uuid].group_id for uuid in doomed}
