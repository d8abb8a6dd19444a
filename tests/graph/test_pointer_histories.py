"""Cross-group pointers over random histories of several groups: hops, counts, and that no group changes another."""

import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any
from unittest.mock import patch

import orjson
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lcg.errors import LcgError
from lcg.graph.entries import Kind
from lcg.graph.pointer_counts import count_bindings
from lcg.graph.state import GraphState
from lcg.model.names import name_key
from lcg.model.operations import EntityDelete, EntityPut
from lcg.model.pointers import pointers_of
from lcg.model.rows import Edge
from lcg.runtime.call import Call
from lcg.runtime.groups import ALL_GROUPS
from lcg.services.deletion import purge_groups
from lcg.services.pointers import CrossGroupEdge, End, ForeignEnd, OwnEnd, plan_cross_group_edge
from lcg.services.rebinding import Rebound, rebind_lost, rebind_pointers
from lcg.store.memory import MemoryStore
from tests.graph.harness import NOON, Workspace, entity

GROUPS = ["a", "b", "c"]
NAMES = ["Ada", "Grace", "Tern"]
_SIDES = ("src", "dst")

group_ids, names = st.sampled_from(GROUPS), st.sampled_from(NAMES)
ends = st.tuples(group_ids, names)
EDGE = st.tuples(st.just("edge"), group_ids, ends, ends)
REBIND = st.tuples(st.just("rebind"), group_ids)
PUT = st.tuples(st.just("put"), group_ids, names)
STEPS = st.one_of(
    EDGE,
    EDGE,
    EDGE,
    REBIND,
    REBIND,
    PUT,
    PUT,
    st.tuples(st.just("merge"), group_ids, names, names),
    st.tuples(st.just("delete"), group_ids, names),
    st.tuples(st.just("purge"), group_ids),
    st.tuples(st.just("lost"), group_ids),
)
BEGINNING = [("put", group, name) for group in GROUPS for name in NAMES[:2]]
"""So that the first edges have something to point to."""


class OrderedWorkspace(Workspace):
    """A workspace whose groups are rebuilt in a given order."""

    order: list[str] = GROUPS

    def _state(self) -> GraphState:
        ranked = sorted(self.log.groups(), key=self.order.index)
        with patch.object(self.log, "groups", return_value=ranked):
            return super()._state()


@dataclass
class History:
    """Takes steps in a workspace; rows get uuids in turn, so that a failing history can be read."""

    workspace: Workspace
    numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def take(self, step: tuple[Any, ...]) -> None:
        """Take a step and check that it changed only the groups that it may change."""
        kind, group_id, *rest = step
        do: dict[str, Callable[..., list[str]]] = {
            "put": self._put,
            "edge": self._edge,
            "merge": self._merge,
            "delete": self._delete,
            "purge": self._purge,
            "rebind": self._rebind,
            "lost": self._lost,
        }
        before = self._ends()
        allowed = do[kind](group_id, *rest)
        after = self._ends()
        assert {group: after[group] for group in GROUPS if group not in allowed} == {
            group: before[group] for group in GROUPS if group not in allowed
        }

    def _ends(self) -> dict[str, tuple[Any, ...]]:
        digests = self.workspace.digests()
        return {group: (digests.get(group), self.workspace.log.stream(group).max_seq) for group in GROUPS}

    def _named(self, group_id: str, wanted: str) -> list[str]:
        return [dated.uuid for dated in self.workspace.graph.index.named(group_id, wanted)]

    def _put(self, group_id: str, wanted: str) -> list[str]:
        """Put an entity; a second one of the name makes it ambiguous."""
        row = entity(f"{group_id}{next(self.numbers)}", group_id, name=wanted)
        self.workspace.apply(group_id, EntityPut(row))
        return [group_id]

    def _edge(self, group_id: str, source: tuple[str, str], target: tuple[str, str]) -> list[str]:
        ends = [self._end(group_id, *where) for where in (source, target)]
        wish = CrossGroupEdge(group_id, "USES", ends[0], ends[1], "One uses it.", None, None, NOON)
        graph = self.workspace.graph
        before = (self.workspace.digests(), self.workspace.rows())
        try:
            graph.write(group_id, "test", plan_cross_group_edge(graph, wish))
        except LcgError:
            assert (self.workspace.digests(), self.workspace.rows()) == before
        return [group_id]

    def _end(self, group_id: str, other: str, wanted: str) -> End:
        if other != group_id:
            return ForeignEnd(other, wanted)
        return OwnEnd(next(iter(self._named(group_id, wanted)), "nobody"))

    def _merge(self, group_id: str, wanted: str, into: str) -> list[str]:
        """Bury the entities of a name; they lead to one of another name, or nowhere."""
        target = next(iter(self._named(group_id, into)), "nobody")
        attributes = orjson.dumps({"merged_into": target}).decode()
        for uuid in self._named(group_id, wanted):
            row = entity(uuid, group_id, name=wanted, labels=("Entity", "Merged"), attributes=attributes)
            self.workspace.apply(group_id, EntityPut(row))
        return [group_id]

    def _delete(self, group_id: str, wanted: str) -> list[str]:
        for uuid in self._named(group_id, wanted)[:1]:
            self.workspace.apply(group_id, EntityDelete(uuid))
        return [group_id]

    def _purge(self, group_id: str) -> list[str]:
        purge_groups(self.workspace.graph, [group_id], "test", dry_run=False)
        return [group_id]

    def _rebind(self, group_id: str) -> list[str]:
        done = rebind_pointers(self.workspace.graph, group_id, Call("test"))
        self._check_pass(done, group_id)
        again = rebind_pointers(self.workspace.graph, group_id, Call("test"))
        assert (again.groups_done, again.bound) == ([], 0)
        return done.groups_done

    def _lost(self, group_id: str) -> list[str]:
        done = rebind_lost(self.workspace.graph, group_id, Call("test"))
        self._check_pass(done, group_id)
        return done.groups_done

    def _check_pass(self, done: Rebound, group_id: str) -> None:
        """Check what a pass says, and that what it left broken is broken for a reason."""
        assert done.checked == done.bound + done.unbound + done.ambiguous
        assert group_id not in done.groups_done
        for edge in self.workspace.rows()[1]:
            for pointer in pointers_of(edge.attributes).values():
                if edge.invalid_at is None and pointer.source_group_id == group_id:
                    live = len(self._named(group_id, pointer.endpoint_name))
                    assert pointer.binding != "ambiguous" or live > 1
                    assert pointer.binding != "unbound" or live == 0
                    assert pointer.endpoint_name == name_key(pointer.endpoint_name)


def check_hops(workspace: Workspace) -> None:
    """Check that an edge has a hop exactly where its end exists, and that pointers are counted as they stand."""
    entities, edges, _, _ = workspace.rows()
    known = {row.uuid for row in entities}
    store = workspace.graph.state.store
    assert isinstance(store, MemoryStore)
    bindings: Counter[str] = Counter()
    for edge in edges:
        ends = (edge.source_uuid, edge.target_uuid)
        hops = {side for side, uuid in zip(_SIDES, ends, strict=True) if uuid in known}
        assert _hops(store, edge) == hops
        assert workspace.graph.index.is_unbound(edge.uuid) == (len(hops) < 2)
        for side, pointer in pointers_of(edge.attributes).items():
            assert ends[_SIDES.index(side)] == (pointer.resolved_uuid or "")
            assert (pointer.resolved_uuid is not None) == (pointer.binding == "bound")
            stands = "unbound" if pointer.binding == "bound" and side not in hops else pointer.binding
            bindings[stands] += edge.invalid_at is None
            assert (stands == "bound") == (side in hops)
        if edge.invalid_at is None and len(hops) == 2:
            assert edge.source_uuid != edge.target_uuid
    assert count_bindings(workspace.graph.index) == +bindings


def _hops(store: MemoryStore, edge: Edge) -> set[str]:
    return {side for side, end in zip(_SIDES, ("source", "target"), strict=True) if (edge.uuid, end) in store._hops}


@contextmanager
def fresh_workspace() -> Iterator[OrderedWorkspace]:
    with tempfile.TemporaryDirectory() as directory:
        workspace = OrderedWorkspace(Path(directory))
        try:
            yield workspace
        finally:
            workspace.close()


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(STEPS, min_size=10, max_size=30), st.permutations(GROUPS))
def test_pointers_stand_for_hops_and_groups_keep_to_themselves(steps: list[tuple[Any, ...]], order: list[str]) -> None:
    with fresh_workspace() as workspace:
        history = History(workspace)
        for step in [*BEGINNING, *steps]:
            history.take(step)
            check_hops(workspace)
        index = workspace.graph.index
        live = (workspace.digests(), workspace.rows(), count_bindings(index), index.visible(Kind.EDGE, ALL_GROUPS))
        workspace.order = order
        workspace.rebuild()
        index = workspace.graph.index
        rebuilt = (workspace.digests(), workspace.rows(), count_bindings(index), index.visible(Kind.EDGE, ALL_GROUPS))
        assert rebuilt == live
        check_hops(workspace)
