"""Giving stored entities their types anew, and keeping their chains of labels in step with the ontology."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from lcg.errors import OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.graph.entries import Kind
from lcg.graph.graph import Graph
from lcg.graph.planning import PlanView
from lcg.model.operations import EntityPut
from lcg.model.rows import MERGED, Entity
from lcg.ontology.model import ROOT, Ontology, labels_for, type_of
from lcg.ontology.words import entity_type_name
from lcg.providers.classifier.protocol import Classifier, EntityText, TypeChoice
from lcg.runtime.call import Call
from lcg.runtime.groups import GroupFilter
from lcg.services.ingest.reading import UNCONFIGURED
from lcg.services.passes import READ_BATCH, in_batches, write_changes

_CLASSIFY_BATCH = 50


@dataclass(frozen=True, slots=True)
class LabelChange:
    """An entity that is to get other labels. `old` is what it had when they were chosen."""

    uuid: str
    name: str
    old: tuple[str, ...]
    new: tuple[str, ...]


@dataclass(slots=True)
class Retyped:
    """What a classifier chose, and what was written of it."""

    candidates: int = 0
    changes: list[LabelChange] = field(default_factory=list)
    written: int = 0
    restamped: int = 0


def retype(
    graph: Graph,
    classifier: Classifier | None,
    ontology: Ontology | None,
    group_id: str,
    scope: str,
    call: Call,
    *,
    dry_run: bool,
) -> Retyped:
    """Let a classifier choose the types of a group's entities, then restamp chains of labels that are stale.

    Args:
        graph: the graph.
        classifier: who chooses.
        ontology: the menu; without entity types any type may be chosen.
        group_id: the group.
        scope: `untyped`, `off_ontology` or `all`; the last two need an ontology with entity types.
        call: reports progress and may be given up between batches.
        dry_run: whether nothing is to be written.

    Raises:
        ClassifierError: no usable answer; nothing was written.
        OperationFailed: `unconfigured`, when there are candidates but no classifier; `cancelled`.
    """
    candidates = [row for row in _live(graph, group_id) if _in_scope(row, scope, ontology)]
    done = Retyped(len(candidates))
    if candidates:
        done.changes = _choose(classifier, ontology, candidates, call)
        if not dry_run:
            done.written = _write(graph, group_id, call, "writing", done.changes)
    if ontology is not None and ontology.has_hierarchy and not dry_run:
        stale = [change for row in _live(graph, group_id) if (change := _restamp(row, ontology)) is not None]
        if candidates or stale:
            done.restamped = _write(graph, group_id, call, "restamping", stale)
    return done


def _choose(
    classifier: Classifier | None, ontology: Ontology | None, candidates: Sequence[Entity], call: Call
) -> list[LabelChange]:
    if classifier is None:
        raise OperationFailed(ErrorKind.UNCONFIGURED, UNCONFIGURED)
    changes = []
    for batch in in_batches(call, "classifying", candidates, _CLASSIFY_BATCH):
        verdicts = classifier.classify_entities([EntityText(row.name, row.summary) for row in batch], _menu(ontology))
        for row, verdict in zip(batch, verdicts, strict=False):
            chosen = _on_menu(verdict, ontology)
            if chosen and chosen != type_of(row.labels):
                changes.append(LabelChange(row.uuid, row.name, row.labels, labels_for(chosen, ontology)))
    return changes


def _on_menu(verdict: str, ontology: Ontology | None) -> str | None:
    """Return the type that a verdict names; None when it names none, or none that is declared."""
    if ontology is not None and ontology.entity_types:
        return ontology.entity_type(verdict)
    name = entity_type_name(verdict)
    return None if name in (ROOT, MERGED) else name


def _menu(ontology: Ontology | None) -> list[TypeChoice]:
    declared = sorted(ontology.entity_types, key=lambda item: item.name) if ontology else []
    return [TypeChoice(item.name, item.description) for item in declared]


def _in_scope(row: Entity, scope: str, ontology: Ontology | None) -> bool:
    if scope == "all" or row.labels == (ROOT,):
        return True
    declared = ontology.entities if ontology else {}
    return scope == "off_ontology" and any(label != ROOT and label not in declared for label in row.labels)


def _restamp(row: Entity, ontology: Ontology) -> LabelChange | None:
    """Return the change to the labels that the type of an entity has by now, if they are others."""
    kind = type_of(row.labels)
    if kind is None or kind not in ontology.entities or ontology.chain(kind) == row.labels:
        return None
    return LabelChange(row.uuid, row.name, row.labels, ontology.chain(kind))


def _live(graph: Graph, group_id: str) -> Iterator[Entity]:
    uuids = graph.index.visible(Kind.ENTITY, GroupFilter((group_id,)))
    for start in range(0, len(uuids), READ_BATCH):
        part = uuids[start : start + READ_BATCH]
        rows = graph.entities(part)
        yield from (rows[uuid] for uuid in part if uuid in rows and not rows[uuid].is_tombstone)


def _write(graph: Graph, group_id: str, call: Call, phase: str, changes: Sequence[LabelChange]) -> int:
    def plan(view: PlanView, batch: Sequence[LabelChange]) -> Iterator[EntityPut | None]:
        rows = view.entities(change.uuid for change in batch)
        for change in batch:
            row = rows.get(change.uuid)
            stands = row and (row.group_id, row.labels) == (group_id, change.old)
            yield EntityPut(replace(row, labels=change.new)) if row and stands else None

    return write_changes(graph, group_id, call, phase, changes, graph.entities, plan)
