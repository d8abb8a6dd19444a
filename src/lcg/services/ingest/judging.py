"""Having a judge decide about near names, before the write is planned: it may take seconds."""

from collections.abc import Iterable

from lcg.errors import OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.graph.graph import Graph
from lcg.model.names import name_key
from lcg.model.rows import Entity
from lcg.ontology.model import Ontology
from lcg.providers.dedup.protocol import Candidate, Incoming, Judge, JudgeError
from lcg.providers.extractor.protocol import ExtractedEntity
from lcg.services.ingest.likeness import alike, may_be_one
from lcg.services.ingest.near import Watch
from lcg.services.ingest.typing import typed_entity

_MOST_ASKED = 3


def judge_names(
    judge: Judge, graph: Graph, watch: Watch, entities: Iterable[ExtractedEntity], ontology: Ontology | None
) -> None:
    """Ask about the nearest stored entities of each name that has any, until one is accepted.

    What numbers or types keep apart is not even asked about. What is spelled alike is asked about first. A judge that
    fails fails the text: whoever set one up does not want spelling to decide, and a wrong entity is hard to take apart.

    Raises:
        OperationFailed: `provider_failed`, when the judge gives no usable answer; `cancelled`.
    """
    judged: dict[str, str] = {}
    for extracted in entities:
        key = name_key(extracted.name)
        if key in judged or not watch.near.get(key):
            continue
        labels = typed_entity(extracted.entity_type, ontology).labels
        incoming = Incoming(extracted.name, extracted.entity_type, extracted.summary)
        for row in _worth_asking(graph, watch.near[key], extracted.name, labels):
            if _is_same(judge, Candidate(row.uuid, row.name, row.summary), incoming):
                judged[key] = row.uuid
                break
    watch.judged = judged


def _is_same(judge: Judge, candidate: Candidate, incoming: Incoming) -> bool:
    try:
        return judge.is_same(candidate, incoming)
    except JudgeError as error:
        raise OperationFailed(
            ErrorKind.PROVIDER_FAILED,
            f"The dedup adapter did not say whether {incoming.name!r} is {candidate.name!r}; nothing was stored. Try "
            f"again, or unset LCG_DEDUP_LLM to go by embedding and spelling alone. {error}",
            provider="dedup adapter",
        ) from error


def _worth_asking(graph: Graph, near: dict[str, float], name: str, labels: tuple[str, ...]) -> list[Entity]:
    rows = [row for row in graph.entities(near).values() if not row.is_tombstone]
    possible = [row for row in rows if may_be_one(name, labels, row.name, row.labels)]
    possible.sort(key=lambda row: (alike(name, labels, row.name, row.labels) is None, -near[row.uuid], row.uuid))
    return possible[:_MOST_ASKED]
