"""Rebuilds in a history: which lines a group has to be made of afterwards, and that a dry run tells the same."""

from typing import Any

from lcg.model.pointers import pointers_of
from tests.histories.picture import Picture, take_picture
from tests.histories.steps import Rebuild
from tests.histories.world import Refused, World

_NOT_IN_A_DRY_RUN = {"job_id", "status", "excluded", "indices_built", "transactions_committed", "cross_group_rebind"}
_IN_A_DRY_RUN = {"dry_run", "message", "transactions_committed", "cross_group_rebind"}


def rebuild(world: World, step: Rebuild, before: Picture, purge: int | None) -> set[str]:
    """Rebuild a group and return the groups that this may touch."""
    place = before.place(step.group)
    bounds: dict[str, Any] = {}
    if step.since is not None:
        bounds["from_seq"] = max(1, place.last - step.since)
    if step.until is not None:
        bounds["to_seq"] = max(bounds.get("from_seq", 0), place.last - step.until)
    try:
        planned = world.call("rebuild_from_wal", group_id=step.group, **bounds, dry_run=True)
    except Refused:
        planned = None
    done = world.call("rebuild_from_wal", group_id=step.group, **bounds, force_clear=step.force)
    if planned is not None and not done["reset_detected"]:
        assert _without(planned, _IN_A_DRY_RUN) == _without(done, _NOT_IN_A_DRY_RUN)
    after = take_picture(world)
    is_reset = step.is_new_log and place.is_recorded
    assert done["reset_detected"] == is_reset
    lines = _lines(step, before, bounds, purge)
    assert after.place(step.group).lines == lines, (step, bounds)
    owners = {edge.group_id for edge, _, _ in before.pointers_into(step.group)}
    if not ((step.force and "from_seq" not in bounds) or is_reset):
        return {step.group}
    for edge, _, pointer in after.pointers_into(step.group):
        lost = pointer.binding == "bound" and pointer.resolved_uuid not in after.entities
        assert not lost, f"a pointer was not bound again: {edge}"
    for owner in owners:
        _check_owner(owner, step.group, before, after)
    return {step.group, *owners}


def _without(result: dict[str, Any], keys: set[str]) -> dict[str, Any]:
    return {key: value for key, value in result.items() if key not in keys}


def _lines(step: Rebuild, before: Picture, bounds: dict[str, int], purge: int | None) -> frozenset[int]:
    """Return the lines of which the group has to be made."""
    place = before.place(step.group)
    lines, skipped = place.lines, place.skipped
    if step.is_new_log:
        # Nothing of another log is known, and what was recorded of the old one says to take in all of it.
        lines, skipped, bounds = frozenset(), frozenset(), {} if place.is_recorded else bounds
    wanted = range(bounds.get("from_seq", 1), bounds.get("to_seq", place.last) + 1)
    if "from_seq" in bounds:
        return (lines | frozenset(wanted)) - skipped
    at_the_end = frozenset({place.last} if purge == place.last and "to_seq" not in bounds else ())
    return frozenset(wanted) - skipped - at_the_end


def _check_owner(owner: str, group: str, before: Picture, after: Picture) -> None:
    """Check that of a group that points into a rebuilt one, only such edges changed whose entity is gone."""
    for uuid, edge in before.edges.items():
        if edge.group_id == owner and after.edges.get(uuid) != edge:
            into = [pointer for pointer in pointers_of(edge.attributes).values() if pointer.source_group_id == group]
            assert edge.invalid_at is None and into, f"a rebuild of {group} changed {edge}"
