"""Giving stored relationships their types: by the words of the predicate, by the fact, or made up."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from lcg.errors import OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.graph.entries import Kind
from lcg.graph.graph import Graph
from lcg.graph.planning import PlanView
from lcg.model.names import is_blank
from lcg.model.operations import EdgePut
from lcg.model.rows import Edge
from lcg.ontology.model import UNCLASSIFIED_RELATION, Ontology
from lcg.ontology.words import relation_name
from lcg.providers.classifier.protocol import Classifier, TypeChoice
from lcg.providers.embedder.protocol import EmbedderError
from lcg.runtime.call import Call
from lcg.runtime.groups import GroupFilter
from lcg.services.embedding import Embedding
from lcg.services.ingest.reading import UNCONFIGURED
from lcg.services.passes import READ_BATCH, in_batches, write_changes
from lcg.services.relation_matching import match

_CLASSIFY_BATCH = 50
_WORDS_OF_FACT = 4


@dataclass(frozen=True, slots=True)
class TypeChange:
    """A relationship that is to get another type. `fact` and `old` are what the new type was chosen for."""

    uuid: str
    fact: str
    old: str | None
    new: str


@dataclass(slots=True)
class Canonicalized:
    """What a pass by words found, and how the left over were typed by meaning."""

    counts: Counter[str]
    promoted: int = 0
    embedding_warning: str | None = None

    @property
    def total(self) -> int:
        """How many relationships were looked at."""
        return self.counts.total()


@dataclass(slots=True)
class Reclassified:
    """What a classifier chose: every change, the verdict of every candidate, and how many changes were written."""

    changes: list[TypeChange] = field(default_factory=list)
    breakdown: Counter[str] = field(default_factory=Counter)
    written: int = 0


def canonicalize(
    graph: Graph,
    embedding: Embedding,
    ontology: Ontology,
    group_id: str,
    threshold: float,
    call: Call,
    *,
    dry_run: bool,
) -> Canonicalized:
    """Map every relationship of a group to the relation types of the ontology, by words, then by meaning.

    Args:
        graph: the graph.
        embedding: compares what words leave over.
        ontology: declares relation types.
        group_id: the group.
        threshold: least similarity to a type's description, on the calibrated scale.
        call: reports progress and may be given up between batches.
        dry_run: whether nothing is to be written.
    """
    done = Canonicalized(Counter())
    changes: list[TypeChange] = []
    residual: list[TypeChange] = []
    uuids = _uuids(graph, group_id)
    if not uuids:
        return done
    for batch in in_batches(call, "lexical", uuids, READ_BATCH):
        for edge in _edges(graph, batch):
            found = match(ontology, edge.name, edge.relation_type)
            done.counts[found.kind] += 1
            change = TypeChange(edge.uuid, edge.fact, edge.relation_type, found.relation_type or UNCLASSIFIED_RELATION)
            if found.kind == "residual":
                residual.append(change)
            elif found.kind == "mapped" or is_blank(edge.relation_type or ""):
                changes.append(change)
    promoted, done.embedding_warning = _by_meaning(embedding, ontology, residual, threshold, call)
    done.promoted = len(promoted)
    changes += [replace(change, new=promoted.get(change.uuid, change.new)) for change in residual]
    if not dry_run:
        _write(graph, group_id, call, changes)
    return done


def backfill(graph: Graph, group_id: str, call: Call, *, dry_run: bool) -> tuple[int, int]:
    """Make types up for relationships without one; return how many there are and how many were (or would be) filled."""
    uuids = _uuids(graph, group_id)
    blank = [edge for edge in _edges(graph, uuids) if is_blank(edge.relation_type or "")]
    changes = [TypeChange(edge.uuid, edge.fact, edge.relation_type, made_up_type(edge)) for edge in blank]
    if dry_run or not changes:
        return len(uuids), len(changes)
    return len(uuids), _write(graph, group_id, call, changes)


def made_up_type(edge: Edge) -> str:
    """Return the predicate in capitals unless it holds an arrow, else the fact's first words, else unclassified."""
    arrow = "→" in edge.name or "->" in edge.name
    from_fact = relation_name(" ".join(edge.fact.split()[:_WORDS_OF_FACT]))
    return ("" if arrow else relation_name(edge.name)) or from_fact or UNCLASSIFIED_RELATION


def reclassify(
    graph: Graph,
    classifier: Classifier | None,
    ontology: Ontology,
    group_id: str,
    scope: str,
    call: Call,
    *,
    dry_run: bool,
) -> Reclassified:
    """Let a classifier choose the types of a group's relationships from their facts.

    Args:
        graph: the graph.
        classifier: who chooses.
        ontology: declares relation types.
        group_id: the group.
        scope: `untyped`, `off_ontology` or `all`.
        call: reports progress and may be given up between batches.
        dry_run: whether nothing is to be written.

    Raises:
        ClassifierError: no usable answer; nothing was written.
        OperationFailed: `unconfigured`, when there are candidates but no classifier; `cancelled`.
    """
    done = Reclassified()
    candidates = [edge for edge in _edges(graph, _uuids(graph, group_id)) if _in_scope(edge, scope, ontology)]
    if not candidates:
        return done
    if classifier is None:
        raise OperationFailed(ErrorKind.UNCONFIGURED, UNCONFIGURED)
    for batch in in_batches(call, "classifying", candidates, _CLASSIFY_BATCH):
        verdicts = classifier.classify_facts([edge.fact for edge in batch], _menu(ontology))
        for at, edge in enumerate(batch):
            # A classifier may answer too little, or with what is not on the menu: it abstained then.
            verdict = ontology.relation_type(verdicts[at]) if at < len(verdicts) else None
            chosen = verdict or UNCLASSIFIED_RELATION
            done.breakdown[chosen] += 1
            if chosen != edge.relation_type:
                done.changes.append(TypeChange(edge.uuid, edge.fact, edge.relation_type, chosen))
    if not dry_run:
        done.written = _write(graph, group_id, call, done.changes)
    return done


def _in_scope(edge: Edge, scope: str, ontology: Ontology) -> bool:
    stored = edge.relation_type or ""
    return scope == "all" or is_blank(stored) or (scope == "off_ontology" and stored not in ontology.relations)


def _menu(ontology: Ontology) -> list[TypeChoice]:
    return [
        TypeChoice(declared.name, declared.description, declared.aliases, declared.keywords)
        for declared in sorted(ontology.relation_types, key=lambda declared: declared.name)
    ]


def _by_meaning(
    embedding: Embedding, ontology: Ontology, residual: Sequence[TypeChange], threshold: float, call: Call
) -> tuple[dict[str, str], str | None]:
    """Return the nearest type of each fact that is near enough to one, or why facts could not be compared."""
    described = [declared for declared in ontology.relation_types if not is_blank(declared.description)]
    if not residual or not described:
        return {}, None
    promoted: dict[str, str] = {}
    try:
        vectors = embedding.vectors(declared.description for declared in described)
        table = np.stack([vectors[declared.description] for declared in described])
        for batch in in_batches(call, "embedding_fallback", residual, READ_BATCH):
            facts = embedding.vectors(change.fact for change in batch)
            for change in batch:
                if change.fact not in facts:
                    continue
                cosines = table @ facts[change.fact]
                nearest = int(cosines.argmax())
                if embedding.embedder.calibrate(float(cosines[nearest])) >= threshold:
                    promoted[change.uuid] = described[nearest].name
    except EmbedderError as error:
        return {}, f"Nothing was compared by meaning, so all that words left over counts as unclassified: {error}"
    return promoted, None


def _uuids(graph: Graph, group_id: str) -> list[str]:
    return graph.index.visible(Kind.EDGE, GroupFilter((group_id,)))


def _edges(graph: Graph, uuids: Sequence[str]) -> Iterator[Edge]:
    """Yield the rows that are still there, read in batches."""
    for start in range(0, len(uuids), READ_BATCH):
        part = uuids[start : start + READ_BATCH]
        rows = graph.edges(part)
        yield from (rows[uuid] for uuid in part if uuid in rows)


def _write(graph: Graph, group_id: str, call: Call, changes: Iterable[TypeChange]) -> int:
    """Write the changes that change something, and return how many rows were still as they were read."""
    needed = [change for change in changes if change.new != change.old]

    def plan(view: PlanView, batch: Sequence[TypeChange]) -> Iterator[EdgePut | None]:
        rows = view.edges(change.uuid for change in batch)
        for change in batch:
            row = rows.get(change.uuid)
            stands = row and (row.group_id, row.relation_type, row.fact) == (group_id, change.old, change.fact)
            yield EdgePut(replace(row, relation_type=change.new)) if row and stands else None

    return write_changes(graph, group_id, call, "writing", needed, graph.edges, plan)
