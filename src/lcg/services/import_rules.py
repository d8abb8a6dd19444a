"""What becomes of each row of an import: written, left as it is, taken for one that is there, or refused.

The same rules are asked twice: over everything before anything is written, and for each record when it is planned,
where nothing can change any more in between.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol, get_args

from lcg.exchange.staged import Staged, StagedRow
from lcg.graph.entries import Kind, chunk_key
from lcg.graph.index import GraphIndex
from lcg.graph.stage import canonical_edge, canonical_entity
from lcg.model.names import name_key
from lcg.model.operations import EdgePut, EntityPut, EpisodePut, MentionPut, Operation
from lcg.model.pointers import holds_pointers, pointers_of, without_positions
from lcg.model.rows import Edge, Entity, Episode, Mention, Row

Existing = Literal["refuse", "keep", "overwrite"]
"""What to do with a row whose uuid the graph has with other contents."""
Names = Literal["refuse", "adopt"]
"""What to do with a new entity whose name another one has: refuse it, or take that one for it."""
EXISTING = get_args(Existing)
NAMES = get_args(Names)

Outcome = Literal["created", "updated", "unchanged", "kept", "adopted", "refused"]
OUTCOMES = get_args(Outcome)


@dataclass(frozen=True, slots=True)
class Rules:
    """How rows meet those that are there. `undated`: the times of creation are of the import, so the graph's count."""

    existing: Existing = "refuse"
    names: Names = "refuse"
    undated: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """What becomes of a row. `row` is what is to be written (None: nothing), `reason` why it is refused."""

    staged: StagedRow
    outcome: Outcome
    row: Row | None = None
    reason: str = ""

    @property
    def operations(self) -> tuple[Operation, ...]:
        """The operation that writes it, if one does."""
        match self.row:
            case Entity():
                return (EntityPut(self.row),)
            case Edge():
                return (EdgePut(self.row),)
            case Episode():
                return (EpisodePut(self.row),)
            case Mention():
                return (MentionPut(self.row),)
        return ()


class Known(Protocol):
    """The graph as it is for those who judge."""

    @property
    def index(self) -> GraphIndex:
        """The index."""
        ...

    def entities(self, uuids: Iterable[str]) -> dict[str, Entity]:
        """Return entities by uuid."""
        ...

    def edges(self, uuids: Iterable[str]) -> dict[str, Edge]:
        """Return relationships by uuid."""
        ...

    def episodes(self, uuids: Iterable[str]) -> dict[str, Episode]:
        """Return episodes by uuid."""
        ...


@dataclass(slots=True)
class Learned:
    """What the rows before have brought: which are another row of the graph now, and which are refused."""

    adopted: dict[str, str] = field(default_factory=dict)
    refused: set[str] = field(default_factory=set)

    def take(self, verdicts: Iterable[Verdict], stands_for: dict[str, str]) -> None:
        """Learn from verdicts that stand."""
        self.adopted |= stands_for
        self.refused.update(verdict.staged.key for verdict in verdicts if verdict.outcome == "refused")


class Judge:
    """Judges rows in the order of `Staged.rows`, one piece after the other."""

    def __init__(self, known: Known, staged: Staged, rules: Rules, learned: Learned) -> None:
        self._index = known.index
        self._known = known
        self._staged = staged
        self._rules = rules
        self._learned = learned
        self._refused: set[str] = set()
        self.stands_for: dict[str, str] = {}

    def judge(self, piece: Sequence[StagedRow]) -> list[Verdict]:
        """Return a verdict for each row. What it means for later pieces is learned apart (`Learned.take`)."""
        stored = self._stored(piece)
        verdicts = []
        for staged in piece:
            verdict = self._verdict(staged, stored.get(staged.key))
            if verdict.outcome == "refused":
                self._refused.add(staged.key)
            verdicts.append(verdict)
        return verdicts

    def _stored(self, piece: Sequence[StagedRow]) -> dict[str, Row]:
        there: dict[Kind, list[str]] = {}
        for staged in piece:
            place = self._index.places.get(staged.key)
            if place is not None:
                there.setdefault(place[0], []).append(staged.key)
        stored: dict[str, Row] = {}
        stored.update(self._known.entities(there.get(Kind.ENTITY, ())))
        stored.update(self._known.edges(there.get(Kind.EDGE, ())))
        stored.update(self._known.episodes(there.get(Kind.EPISODE, ())))
        return stored

    def _verdict(self, staged: StagedRow, old: Row | None) -> Verdict:
        row = staged.row
        if old is not None and (type(old) is not type(row) or old.group_id != row.group_id):
            kind = type(old).__name__.lower()
            reason = (
                f"its uuid belongs to an {kind} of group {old.group_id!r} in the graph; --uuids regenerate gives it "
                "another one"
            )
            return Verdict(staged, "refused", reason=reason)
        match row:
            case Entity():
                return self._entity(staged, row, old)
            case Edge():
                return self._edge(staged, row, old)
            case Episode():
                return self._episode(staged, row, old)
            case Mention():
                return self._mention(staged, row)

    def _entity(self, staged: StagedRow, row: Entity, old: Row | None) -> Verdict:
        row = canonical_entity(row)
        renamed = not isinstance(old, Entity) or old.is_tombstone or name_key(old.name) != name_key(row.name)
        owner = self._owner(row) if renamed and not row.is_tombstone else None
        if owner is not None and old is None and self._rules.names == "adopt":
            self.stands_for[row.uuid] = owner
            return Verdict(staged, "adopted")
        if owner is not None and (old is None or self._rules.existing == "overwrite"):
            reason = (
                f"the name {row.name!r} belongs to entity {owner} of group {row.group_id!r}; --uuids regenerate takes "
                "that one for it"
            )
            return Verdict(staged, "refused", reason=reason)
        return self._meeting(staged, row, old)

    def _owner(self, row: Entity) -> str | None:
        """Return another live entity of that name, unless the import has it, too: older logs can hold several."""
        for dated in self._index.named(row.group_id, row.name):
            if dated.uuid != row.uuid and self._staged.group_of(dated.uuid, "entity") is None:
                return dated.uuid
        return None

    def _edge(self, staged: StagedRow, row: Edge, old: Row | None) -> Verdict:
        row = canonical_edge(row)
        row = replace(
            row,
            source_uuid=self._now(row.source_uuid),
            target_uuid=self._now(row.target_uuid),
            episodes=tuple(map(self._now, row.episodes)),
        )
        missing = [] if staged.elsewhere else self._missing(row)
        if missing:
            reason = f"neither the file nor the graph has its {' and its '.join(missing)}"
            return Verdict(staged, "refused", reason=reason)
        if old is None and self._rules.names == "adopt" and row.invalid_at is None:
            keys = self._index.active_edges(row.group_id, row.source_uuid, row.name, row.target_uuid)
            if any(edge.fact == row.fact for edge in self._known.edges(dated.uuid for dated in keys).values()):
                return Verdict(staged, "adopted")
        return self._meeting(staged, row, old)

    def _missing(self, row: Edge) -> list[str]:
        pointers = pointers_of(row.attributes)
        ends = (("source", "src", row.source_uuid), ("target", "dst", row.target_uuid))
        return [
            f"{name} ({uuid})"
            for name, side, uuid in ends
            if side not in pointers and uuid and self._group(uuid, Kind.ENTITY) is None
        ] + [name for name, side, uuid in ends if side not in pointers and not uuid]

    def _episode(self, staged: StagedRow, row: Episode, old: Row | None) -> Verdict:
        if old is None and self._rules.names == "adopt":
            key = chunk_key(row)
            for revision in self._index.revisions(row.group_id, *key) if key else ():
                if revision.text_hash == (row.text_hash or ""):
                    self.stands_for[row.uuid] = revision.episode_uuid
                    return Verdict(staged, "adopted")
        return self._meeting(staged, row, old)

    def _mention(self, staged: StagedRow, row: Mention) -> Verdict:
        row = replace(row, episode_uuid=self._now(row.episode_uuid), entity_uuid=self._now(row.entity_uuid))
        for kind, uuid in ((Kind.EPISODE, row.episode_uuid), (Kind.ENTITY, row.entity_uuid)):
            if self._group(uuid, kind) != row.group_id:
                reason = f"neither the file nor the graph has the {kind} {uuid} in group {row.group_id!r}"
                return Verdict(staged, "refused", reason=reason)
        if row.entity_uuid in self._index.entities_of(row.episode_uuid):
            return Verdict(staged, "unchanged")
        return Verdict(staged, "created", row)

    def _meeting(self, staged: StagedRow, row: Row, old: Row | None) -> Verdict:
        """Return what becomes of a row where the graph has this one of its uuid, or none."""
        if old is None:
            return Verdict(staged, "created", row)
        assert not isinstance(row, Mention) and not isinstance(old, Mention)
        if self._rules.undated:
            row = replace(row, created_at=old.created_at)
        if _comparable(row) == _comparable(old):
            return Verdict(staged, "unchanged")
        if self._rules.existing == "keep":
            return Verdict(staged, "kept")
        if self._rules.existing == "overwrite":
            return Verdict(staged, "updated", row)
        reason = (
            f"the graph has another {type(row).__name__.lower()} of this uuid; --uuids skip leaves that, overwrite "
            "replaces it"
        )
        return Verdict(staged, "refused", reason=reason)

    def _now(self, uuid: str) -> str:
        found = self.stands_for.get(uuid) or self._learned.adopted.get(uuid)
        return uuid if found is None else found

    def _group(self, uuid: str, kind: Kind) -> str | None:
        """Return the group of a row that is there, or comes with this import; None when neither is so."""
        place = self._index.places.get(uuid)
        if place is not None:
            return place[1] if place[0] is kind else None
        if uuid in self._refused or uuid in self._learned.refused:
            return None
        return self._staged.group_of(uuid, "entity" if kind is Kind.ENTITY else "episode")


def _comparable(row: Row) -> Row:
    if isinstance(row, Edge) and holds_pointers(row.attributes):
        return replace(row, attributes=without_positions(row.attributes))
    return row
