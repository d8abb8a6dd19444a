"""Which entities a merge is about: the one that stays, and its aliases."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from lcg.graph.planning import PlanView
from lcg.model.names import normalise
from lcg.model.rows import Entity
from lcg.model.times import Micros
from lcg.services import warnings
from lcg.services.names import merged_into
from lcg.services.warnings import Warnings


@dataclass(frozen=True, slots=True)
class Merge:
    """A merge as a caller asks for it: one selector of the canonical entity (the uuid wins), some of its aliases.

    `counted` are edges that an earlier record of the same merge has moved and counted; they still have to be ended.
    """

    group_id: str
    now: Micros
    canonical_uuid: str | None = None
    canonical_name: str | None = None
    alias_uuids: tuple[str, ...] = ()
    alias_names: tuple[str, ...] = ()
    merge_all_by_name: bool = False
    counted: frozenset[str] = frozenset()


@dataclass(slots=True)
class Selection:
    """What a merge is about. Without `canonical` nothing can be merged; `failed` is set, too, by a foreign alias.

    `aliases` are live and in the order of their uuids; those merged before are only counted, in `skipped`.
    """

    canonical: Entity | None = None
    aliases: list[Entity] = field(default_factory=list)
    skipped: int = 0
    errors: list[str] = field(default_factory=list)
    failed: bool = False
    warnings: Warnings = field(default_factory=list)

    def fail(self, error: str) -> None:
        """Note an error that the caller must know as a failure."""
        self.errors.append(error)
        self.failed = True


def select(view: PlanView, wish: Merge) -> Selection:
    """Find the entities of a merge; what cannot be found or taken is in `errors`."""
    selection = Selection()
    if wish.canonical_uuid is None and wish.canonical_name is None:
        selection.fail("no canonical selector: name the entity that stays in `canonical_uuid` or `canonical_name`")
    if not (wish.alias_uuids or wish.alias_names or wish.merge_all_by_name):
        selection.fail("no alias source: give `alias_uuids`, `alias_names` or `merge_all_by_name`")
    if selection.failed:
        return selection
    canonical = _canonical(view, wish, selection)
    if canonical is not None:
        selection.canonical = canonical
        _find_aliases(view, wish, canonical, selection)
    return selection


def _canonical(view: PlanView, wish: Merge, selection: Selection) -> Entity | None:
    if wish.canonical_uuid is not None:
        return _by_uuid(view, wish.group_id, wish.canonical_uuid, selection)
    name = wish.canonical_name or ""
    found = [row for row in view.entities_named(wish.group_id, name) if _is_exactly(row, name)]
    if not found:
        selection.fail(
            f"canonical entity {name!r} not found: group {wish.group_id!r} has no live entity of exactly that name"
        )
        return None
    if len(found) > 1 and not wish.merge_all_by_name:
        selection.warnings.append(warnings.duplicate_name(name, wish.group_id, found[0].uuid))
    return found[0]


def _by_uuid(view: PlanView, group_id: str, uuid: str, selection: Selection) -> Entity | None:
    found = view.entity(uuid)
    if found is None:
        selection.fail(f"canonical entity {uuid} not found")
    elif found.group_id != group_id:
        selection.fail(
            f"canonical entity {uuid} is foreign to the requested merge group {group_id!r}: it is in {found.group_id!r}"
        )
    elif found.is_tombstone:
        selection.fail(already_merged(uuid, merged_into(found)))
    else:
        return found
    return None


def already_merged(uuid: str, into: str | None) -> str:
    """Return what is said of a canonical entity that was merged away itself."""
    return f"canonical entity {uuid} is already merged, into {into or 'nothing that is known'}"


def _find_aliases(view: PlanView, wish: Merge, canonical: Entity, selection: Selection) -> None:
    rows = [*_aliases_by_uuid(view, wish, selection), *_aliases_by_name(view, wish, selection)]
    if wish.merge_all_by_name:
        rows += _all_named(view, wish.group_id, canonical.name)
    distinct = {row.uuid: row for row in rows if row.uuid != canonical.uuid}
    selection.aliases = [row for _, row in sorted(distinct.items()) if not row.is_tombstone]
    selection.skipped = len(distinct) - len(selection.aliases)


def _aliases_by_uuid(view: PlanView, wish: Merge, selection: Selection) -> Iterable[Entity]:
    for uuid in wish.alias_uuids:
        row = view.entity(uuid)
        if row is None:
            selection.errors.append(f"alias {uuid} not found")
        elif row.group_id != wish.group_id:
            selection.fail(
                f"alias {uuid} is foreign to the requested merge group {wish.group_id!r}: it is in {row.group_id!r}"
            )
        else:
            yield row


def _aliases_by_name(view: PlanView, wish: Merge, selection: Selection) -> Iterable[Entity]:
    for name in wish.alias_names:
        rows = _all_named(view, wish.group_id, name)
        if not rows:
            selection.errors.append(
                f"alias {name!r} not found: group {wish.group_id!r} has no entity of exactly that name"
            )
        yield from rows


def _all_named(view: PlanView, group_id: str, name: str) -> list[Entity]:
    """Return the entities of exactly that name, those merged before included."""
    rows = (*view.entities_named(group_id, name), *view.tombstones_named(group_id, name))
    return [row for row in rows if _is_exactly(row, name)]


def _is_exactly(row: Entity, name: str) -> bool:
    return normalise(row.name) == normalise(name)
