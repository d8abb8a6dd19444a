"""Direct assertion: knowledge_assert_entity, knowledge_assert_relationship."""

from lcg.generated.params import AssertEntityParams, AssertRelationshipParams
from lcg.generated.results import AssertEntityResult, AssertRelationshipResult
from lcg.graph.graph import Graph
from lcg.model.times import now
from lcg.runtime.call import Call
from lcg.services import warnings
from lcg.services.assertion import Asserted, EdgeAssertion, EntityAssertion, plan_edge, plan_entity
from lcg.services.embedding import Embedding
from lcg.services.names import merged_into


class AssertionHandlers:
    """Writes facts that the caller already knows."""

    def __init__(self, graph: Graph, embedding: Embedding, *, refresh_vectors: bool) -> None:
        self._graph = graph
        self._embedding = embedding
        self._refresh_vectors = refresh_vectors

    def assert_entity(self, params: AssertEntityParams, call: Call) -> AssertEntityResult:
        """Create or overwrite one entity."""
        wish = EntityAssertion(
            group_id=params.group_id,
            name=params.name,
            uuid=params.entity_uuid,
            labels=params.labels,
            summary=params.summary,
            attributes=params.attributes,
            now=now(),
            refresh_vectors=self._refresh_vectors,
        )
        warning = None
        if self._refresh_vectors or not self._exists(wish):
            warning = self._embedding.prepare((wish.name, wish.summary))
        done: Asserted = self._graph.write(wish.group_id, call.method, plan_entity(wish))
        result: AssertEntityResult = {
            "entity_uuid": done.uuid,
            "created": done.created,
            "embedding_warning": warning,
        }
        said = list(done.warnings)
        if params.attributes_malformed:
            said.append(warnings.attributes_not_object("attributes", "was taken as {}"))
        if said:
            result["warnings"] = said
        return result

    def assert_relationship(self, params: AssertRelationshipParams, call: Call) -> AssertRelationshipResult:
        """Create or update one relationship between entities of one group."""
        wish = EdgeAssertion(
            group_id=params.group_id,
            source_name=params.source_name,
            target_name=params.target_name,
            predicate=params.predicate,
            fact=params.fact,
            attributes=params.attributes,
            relation_type=params.relation_type,
            valid_at=params.valid_at,
            now=now(),
            refresh_vectors=self._refresh_vectors,
        )
        warning = self._embedding.prepare((self._fact_text(wish),))
        done: Asserted = self._graph.write(wish.group_id, call.method, plan_edge(wish))
        result: AssertRelationshipResult = {
            "edge_uuid": done.uuid,
            "created": done.created,
            "embedding_warning": warning,
        }
        said = list(done.warnings)
        if params.attributes_malformed:
            taken = "was taken as {}" if done.created else "was ignored and the stored value kept"
            said.append(warnings.attributes_not_object("attributes", taken))
        if said:
            result["warnings"] = said
        return result

    def _exists(self, wish: EntityAssertion) -> bool:
        """Say whether the write will be an update, which needs no vector. A hint only: planning decides."""
        return wish.uuid is not None or bool(self._graph.index.named(wish.group_id, wish.name))

    def _fact_text(self, wish: EdgeAssertion) -> str:
        """Return the fact as planning will store it: a default fact takes the names as stored."""
        if wish.fact:
            return wish.fact
        names = [self._stored_name(wish.group_id, name) for name in (wish.source_name, wish.target_name)]
        return f"{names[0]} {wish.predicate} {names[1]}"

    def _stored_name(self, group_id: str, name: str) -> str:
        index = self._graph.index
        found = index.named(group_id, name) or index.buried(group_id, name)
        uuid, seen = (found[0].uuid if found else None), set[str]()
        while uuid is not None and uuid not in seen:
            seen.add(uuid)
            row = self._graph.entities([uuid]).get(uuid)
            if row is None:
                break
            name, uuid = row.name, merged_into(row) if row.is_tombstone else None
        return name
