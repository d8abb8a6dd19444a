"""Playing a history: each step is a call, and what a call must have done is worked out anew from what was there."""

from collections.abc import Callable
from typing import Any, get_args

from lcg.model.ids import new_uuid
from lcg.model.operations import EdgeDelete, EdgePut, EntityDelete, EntityPut, MentionDelete
from lcg.wal.directory import group_directory
from lcg.wal.identity import FILE_NAME
from tests.graph.harness import NOON, edge, entity
from tests.histories import curation, rebuilding
from tests.histories.checks import Allowed, Written, check_files, check_index, check_rows, check_same, check_status
from tests.histories.picture import Picture, take_picture
from tests.histories.steps import (
    GROUPS,
    NAMES,
    Clear,
    Correct,
    Forget,
    Ingest,
    Merge,
    Older,
    Point,
    Purge,
    Put,
    Rebind,
    Rebuild,
    Relate,
    Restart,
    Retype,
    Step,
)
from tests.histories.world import Refused, World


class Player:
    """Takes steps in a world and checks after each that it did what it says, and touched nothing else."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.allowed = Allowed()
        self.written = Written()
        self.purges: dict[str, int] = {}
        self.picture = take_picture(world)

    def take(self, step: Step) -> None:
        """Take a step."""
        before = self.picture
        touched = self._try(step, before)
        after = self.picture = take_picture(self.world)
        self.written.note(before, after)
        for group in before.groups() | after.groups():
            if group not in touched:
                assert after.of(group) == before.of(group), f"{step} changed group {group!r}"
        check_rows(after, self.written, self.allowed)
        check_index(self.world, after)
        check_status(self.world, after)

    def end(self) -> None:
        """Check that the files agree, and that nothing is lost with a start, or with everything but the logs."""
        check_files(self.world)
        self.world.restart()
        check_same(self.world, self.picture)
        self.world.lose(store=True, search=True)
        check_same(self.world, self.picture)
        check_index(self.world, self.picture)
        check_files(self.world)

    def _try(self, step: Step, before: Picture) -> set[str]:
        """Take a step and return the groups that it may have touched; a refused one may have touched none."""
        do: dict[type, Callable[[Any, Picture], set[str]]] = {
            Put: self._put,
            Relate: self._relate,
            Ingest: self._ingest,
            Merge: lambda step, before: curation.merge(self.world, step, before),
            Correct: lambda step, before: curation.correct(self.world, step, before),
            Forget: lambda step, before: curation.forget(self.world, step, before),
            Purge: self._purge,
            Clear: self._clear,
            Point: self._point,
            Rebind: lambda step, before: curation.rebind(self.world, step, before),
            Rebuild: self._rebuild,
            Restart: self._restart,
            Retype: lambda step, before: curation.retype(self.world, step, before),
            Older: self._older,
        }
        assert set(do) == set(get_args(Step))
        try:
            return do[type(step)](step, before)
        except Refused as refusal:
            assert "unavailable" not in str(refusal), refusal
            check_same(self.world, before)
            return set()

    # Assertion and ingestion

    def _put(self, step: Put, before: Picture) -> set[str]:
        params = {"group_id": step.group, "name": step.name, "summary": step.summary}
        row = None if step.row is None else before.pick(before.entities, step.group, step.row)
        expected = before.found(step.group, step.name)
        if row is not None:
            params["entity_uuid"] = row.uuid
            expected = before.end_of_chain(row)
        told = self.world.call("assert_entity", **params)
        assert told["created"] == (expected is None)
        assert expected is None or told["entity_uuid"] == expected.uuid
        made = take_picture(self.world).entities[told["entity_uuid"]]
        assert (made.name, made.summary, made.is_tombstone) == (step.name, step.summary, False)
        return {step.group}

    def _relate(self, step: Relate, before: Picture) -> set[str]:
        told = self.world.call(
            "assert_relationship",
            group_id=step.group,
            source_name=step.source,
            predicate=step.predicate,
            target_name=step.target,
            **({"fact": step.fact} if step.fact else {}),
        )
        ends = [before.found(step.group, name) for name in (step.source, step.target)]
        made = take_picture(self.world).edges[told["edge_uuid"]]
        assert [made.source_uuid, made.target_uuid] == [row and row.uuid for row in ends]
        assert told["created"] == (made.uuid not in before.edges)
        if made.source_uuid == made.target_uuid:
            self.allowed.loops.add(made.uuid)
        return {step.group}

    def _ingest(self, step: Ingest, before: Picture) -> set[str]:
        time = f"2026-03-02 {step.hour}:00:00"
        if step.chunk:
            told = self.world.call(
                "process_chunk",
                group_id=step.group,
                chunk_text=step.text,
                chunk_id=step.chunk,
                source_file=step.file,
                reference_time=time,
            )
        else:
            told = self.world.call(
                "add_episode", group_id=step.group, name="note", episode_body=step.text, reference_time=time
            )
        after = take_picture(self.world)
        added = after.episodes.keys() - before.episodes.keys()
        assert added == (set() if told.get("outcome") == "unchanged" else {told["episode_uuid"]})
        for word in step.text.replace(".", " ").split() if added else ():
            if word in NAMES:
                named = after.found(step.group, word)
                assert named is not None and told["episode_uuid"] in after.mentioned_in([named.uuid])
        return {step.group}

    # What empties groups

    def _purge(self, step: Purge, before: Picture) -> set[str]:
        planned = self.world.call("delete_by_group", group_ids=list(step.groups), dry_run=True)
        check_same(self.world, before)
        done = self.world.call("delete_by_group", group_ids=list(step.groups), confirm=True)
        counts = [{**group, "purge_seq": None} for group in done["groups"]]
        assert (planned["groups"], planned["unbound_impacts"]) == (counts, done["unbound_impacts"])
        after = take_picture(self.world)
        for group in done["groups"]:
            group_id = group["group_id"]
            assert not after.rows(group_id)
            for kind in ("entities", "edges", "episodes"):
                owned = [row for row in getattr(before, kind).values() if row.group_id == group_id]
                assert group[kind] == len(owned), f"{kind} of {group_id}"
            if group["purge_seq"] is not None:
                self.purges[group_id] = group["purge_seq"]
        return set(step.groups)

    def _clear(self, step: Clear, before: Picture) -> set[str]:
        self.world.call("clear_all", confirm=True, preserve_wal=step.preserve_wal)
        after = take_picture(self.world)
        assert not (after.entities or after.edges or after.episodes or after.mentions)
        if not step.preserve_wal:
            assert not after.places
            self.purges.clear()
        return {*before.groups(), *after.groups()}

    # Pointers

    def _point(self, step: Point, before: Picture) -> set[str]:
        ends = {"source": step.source, "target": step.target}
        params: dict[str, Any] = {}
        for side, (group, wanted) in ends.items():
            name = wanted if isinstance(wanted, str) else "Ada"
            if group == step.group:
                row = before.found(group, name)
                params[side] = {"uuid": row.uuid if row else "nobody"}
            else:
                params[side] = {"source_group_id": group, "endpoint_name": name}
        told = self.world.call("add_cross_group_edge", name=step.predicate, group_id=step.group, fact="So.", **params)
        for side, key in (("source", "src"), ("target", "dst")):
            group, wanted = ends[side]
            pointer = told["cross_group_pointers"][key]
            assert (pointer is None) == (group == step.group)
            if pointer is not None:
                binding, uuid = curation.resolved(before, group, str(wanted))
                assert (pointer["binding_state"], told[f"{side}_node_uuid"]) == (binding, uuid)
        return {step.group}

    # Rebuilds and restarts

    def _rebuild(self, step: Rebuild, before: Picture) -> set[str]:
        if step.is_new_log:
            if not before.place(step.group).last:
                return set()
            path = group_directory(self.world.log.root, step.group) / FILE_NAME
            path.write_text(f'{{"generation": "{new_uuid()}"}}')
        return rebuilding.rebuild(self.world, step, before, self.purges.get(step.group))

    def _restart(self, step: Restart, before: Picture) -> set[str]:
        world = self.world
        if step.how in ("store", "search", "both", "indices"):
            check_files(world)
        match step.how:
            case "close":
                world.restart()
            case "kill" | "drop":
                world.kill(keep_engine_log=step.how == "kill")
            case "store" | "search" | "both":
                world.lose(store=step.how != "search", search=step.how != "store")
            case "recover":
                assert world.call("recover", strategy="rebuild_from_workspace_wal")["success"]
            case "recover_drop":
                assert world.call("recover", strategy="drop_lbug_wal")["success"]
            case "indices":
                assert world.call("build_indices")["status"] == "ok"
            case "checkpoint":
                world.checkpoint()
        check_same(world, before)
        return set()

    # What other programs write

    def _older(self, step: Older, before: Picture) -> set[str]:
        group, uuid = step.group, new_uuid()
        row = before.pick(before.entities, group, step.row)
        match step.what:
            case "twin":
                self.world.apply(group, EntityPut(entity(uuid, group, name=step.name, created_at=NOON)))
                self.allowed.twinned.add(group)
            case "dead end" | "circle" | "abroad":
                other = before.pick(before.entities, GROUPS[GROUPS.index(group) - 1], step.row)
                abroad = other.uuid if other else "nobody"
                into = {"circle": uuid, "abroad": abroad}.get(step.what, "nobody")
                attributes = f'{{"merged_into": "{into}"}}'
                dead = entity(uuid, group, name=step.name, labels=("Entity", "Merged"), attributes=attributes)
                self.world.apply(group, EntityPut(dead))
            case "stray":
                other = before.pick(before.entities, GROUPS[GROUPS.index(group) - 1], step.row)
                start = next(iter(before.live(group, step.name)), None)
                if start is not None:
                    end = other.uuid if other else "nobody"
                    self.world.apply(group, EdgePut(edge(uuid, start.uuid, end, group, name="USES")))
                    self.allowed.ends.add((group, end))
            case "no entity" if row is not None:
                self.world.apply(group, EntityDelete(row.uuid))
                self.allowed.ends.add((group, row.uuid))
            case "no edge":
                gone = before.pick(before.edges, group, step.row)
                if gone is not None:
                    self.world.apply(group, EdgeDelete(gone.uuid))
            case "no mention":
                link = next(
                    (mention for mention in sorted(before.mentions, key=str) if mention.group_id == group), None
                )
                if link is not None:
                    self.world.apply(group, MentionDelete(link))
        return {group}


def play(world: World, steps: list[Step]) -> None:
    """Play a history from its first step to its end."""
    player = Player(world)
    for step in steps:
        player.take(step)
    player.end()
