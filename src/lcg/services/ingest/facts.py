"""The facts of one text in the making: an equal fact gains the episode, a single value takes the place of the last."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

import orjson

from lcg.graph.planning import PlanView
from lcg.model.ids import new_uuid
from lcg.model.names import name_key
from lcg.model.rows import Edge
from lcg.model.times import Micros
from lcg.ontology.model import Ontology
from lcg.providers.extractor.protocol import ExtractedEdge
from lcg.services.ingest.chunk import DroppedEdge
from lcg.services.ingest.typing import typed_relation

RELATED_TO = "RELATED_TO"

_FactKey = tuple[str, str, str, str]
_EDGES = re.compile(r"^[\s\"'“”‘’«»]+|[\s\"'“”‘’«».!…。]+$")


@dataclass(slots=True)
class FactRows:
    """Takes the facts of one text. `find` gives the uuid of the entity that an end names, or None."""

    view: PlanView
    group_id: str
    reference_time: Micros
    episode_uuid: str
    ontology: Ontology | None
    find: Callable[[str], str | None]
    dropped: list[DroppedEdge] = field(default_factory=list)
    unclassified: int = 0
    _stated: dict[_FactKey, str] = field(default_factory=dict)
    _rows: dict[str, Edge] = field(default_factory=dict)
    _begun: dict[str, dict[str, None]] = field(default_factory=dict)
    _outdated: set[str] = field(default_factory=set)

    @property
    def written(self) -> int:
        """How many facts the text states, new ones and equal ones."""
        return len(self._stated)

    @property
    def invalidated(self) -> int:
        """How many facts ended because the text has a newer one of a single-valued type."""
        return len(self._outdated)

    def changed(self) -> list[Edge]:
        """Return the rows that are new or differ from what is stored."""
        return list(self._rows.values())

    def add(self, extracted: ExtractedEdge) -> None:
        """Take a fact, unless its ends are one entity or one of them is nobody."""
        source, target = self.find(extracted.source_name), self.find(extracted.target_name)
        if source is None or target is None:
            self._drop(extracted, source, target)
            return
        if source == target:
            return
        name = extracted.relation or RELATED_TO
        key = (source, name, target, fact_key(extracted.fact))
        if key in self._stated:
            return
        known = self._equal(key, extracted)
        row = known or self._new(extracted, source, name, target)
        if row.invalid_at is None and extracted.invalid_at is not None:
            row = replace(row, invalid_at=extracted.invalid_at)
        row = replace(row, episodes=tuple(dict.fromkeys((*row.episodes, self.episode_uuid))))
        self._stated[key] = row.uuid
        self._keep(row)
        if known is None and self._is_single_valued(row):
            self._order(row)

    def _keep(self, row: Edge) -> None:
        self._rows[row.uuid] = row
        self._begun.setdefault(row.source_uuid, {})[row.uuid] = None

    def _drop(self, extracted: ExtractedEdge, source: str | None, target: str | None) -> None:
        missing: Literal["source", "target", "both"] = "source" if target else "target" if source else "both"
        self.dropped.append(
            DroppedEdge(extracted.source_name, extracted.target_name, extracted.relation, extracted.fact, missing)
        )

    def _equal(self, key: _FactKey, extracted: ExtractedEdge) -> Edge | None:
        """Return the fact that the group has already: one that holds, else one that ended as this one did."""
        source, name, target, fact = key
        holding = self.view.active_edges(self.group_id, source, name, target)
        for edge in holding:
            if fact_key(edge.fact) == fact:
                return self._rows.get(edge.uuid, edge)
        if extracted.invalid_at is None and not (extracted.valid_at is not None and self._may_be_outdated(extracted)):
            return None
        begun = self.reference_time if extracted.valid_at is None else extracted.valid_at
        return next(
            (
                edge
                for edge in self._from(source)
                if (edge.name, edge.target_uuid, edge.valid_at) == (name, target, begun)
                and fact_key(edge.fact) == fact
                and (edge.invalid_at == extracted.invalid_at or extracted.invalid_at is None)
            ),
            None,
        )

    def _new(self, extracted: ExtractedEdge, source: str, name: str, target: str) -> Edge:
        typed = typed_relation(extracted.relation, self.ontology)
        self.unclassified += bool(typed.original)
        return Edge(
            uuid=new_uuid(),
            group_id=self.group_id,
            name=name,
            source_uuid=source,
            target_uuid=target,
            fact=extracted.fact,
            created_at=self.reference_time,
            valid_at=self.reference_time if extracted.valid_at is None else extracted.valid_at,
            invalid_at=extracted.invalid_at,
            attributes=orjson.dumps({"original_relation_type": typed.original}).decode() if typed.original else "{}",
            relation_type=typed.relation_type,
        )

    def _may_be_outdated(self, extracted: ExtractedEdge) -> bool:
        return self._declared_single(typed_relation(extracted.relation, self.ontology).relation_type)

    def _is_single_valued(self, row: Edge) -> bool:
        return row.valid_at is not None and self._declared_single(row.relation_type)

    def _declared_single(self, relation_type: str | None) -> bool:
        declared = self.ontology.relations.get(relation_type or "") if self.ontology else None
        return declared is not None and declared.single_valued

    def _order(self, row: Edge) -> None:
        """End what is older than a single value when that begins, and the value itself when a newer one begins.

        Texts come in any order, so the value that is read last need not be the newest. What was asserted ends nothing.
        """
        begins = row.valid_at
        assert begins is not None
        for other in self._from(row.source_uuid):
            if other.relation_type != row.relation_type or other.uuid == row.uuid:
                continue
            if other.valid_at is None or other.valid_at < begins:
                if other.invalid_at is None or other.invalid_at > begins:
                    self._keep(replace(other, invalid_at=begins))
                    self._outdated.add(other.uuid)
            elif other.valid_at > begins and other.episodes:
                held = self._rows[row.uuid]
                if held.invalid_at is None or held.invalid_at > other.valid_at:
                    self._keep(replace(held, invalid_at=other.valid_at))

    def _from(self, source: str) -> Iterator[Edge]:
        """Yield the group's edges that begin at an entity, ended ones and those of this text included."""
        stored = (self._rows.get(edge.uuid, edge) for edge in self.view.edges_from(source))
        seen: set[str] = set()
        own = [self._rows[uuid] for uuid in self._begun.get(source, ())]
        for edge in (*stored, *own):
            if edge.source_uuid == source and edge.group_id == self.group_id and edge.uuid not in seen:
                seen.add(edge.uuid)
                yield edge


def fact_key(fact: str) -> str:
    """Return what two facts are compared by: case, white space, and marks around the sentence do not matter."""
    return name_key(_EDGES.sub("", " ".join(fact.split())))
