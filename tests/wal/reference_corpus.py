"""A log in the reference implementation's format, written for tests: every statement that it is known to hold."""

from collections.abc import Sequence
from typing import Any

from lcg.graph.fold import Fold
from lcg.graph.known_rows import FoldRows
from lcg.model.operations import Operation
from lcg.wal.operations import plain_operation
from lcg.wal.reference.translate import ReferenceTranslator, Translated

GROUP = "harbour"
NOON = "2026-03-02T12:00:00Z"
NOON_MICROS = 1_772_452_800_000_000
VECTOR = [0.6, 0.8, 0.0, 0.0]

CREATE_ENTITY = (
    "CREATE (:Entity {uuid: $uuid, name: $name, group_id: $group_id, labels: $labels, created_at: $created_at, "
    "name_embedding: $name_embedding, summary: $summary, attributes: $attributes})"
)
CREATE_EPISODE = (
    "CREATE (:Episodic {uuid: $uuid, name: $name, group_id: $group_id, created_at: $created_at, source: $source, "
    "source_description: $source_description, content: $content, content_embedding: $content_embedding, "
    "valid_at: $valid_at, entity_edges: $entity_edges})"
)
CREATE_EDGE = (
    "CREATE (:RelatesToNode_ {uuid: $uuid, name: $name, group_id: $group_id, created_at: $created_at, fact: $fact, "
    "fact_embedding: $fact_embedding, valid_at: $valid_at, invalid_at: $invalid_at, attributes: $attributes, "
    "relation_type: $relation_type})"
)
BIND = (
    "MATCH (src:Entity {uuid: $src}), (rn:RelatesToNode_ {uuid: $rn}), (dst:Entity {uuid: $dst}) "
    "CREATE (src)-[:RELATES_TO]->(rn), (rn)-[:RELATES_TO]->(dst)"
)
DIRECT = (
    "MATCH (src:Entity {uuid: $src}), (dst:Entity {uuid: $dst}) {verb} (src)-[:RELATES_TO {uuid: $uuid, name: $name, "
    "group_id: $group_id, fact: $fact, valid_at: $valid_at, invalid_at: $invalid_at, attributes: $attributes}]->(dst)"
)
MENTION = "MATCH (ep:Episodic {uuid: $ep}), (en:Entity {uuid: $en}) CREATE (ep)-[:MENTIONS {group_id: $group_id}]->(en)"


def entity(uuid: str, **changes: Any) -> tuple[str, dict[str, Any]]:
    """W1."""
    params = {
        "uuid": uuid,
        "name": f"Pier {uuid}",
        "group_id": GROUP,
        "labels": ["Entity", "Place"],
        "created_at": NOON,
        "name_embedding": VECTOR,
        "summary": "Built of oak",
        "attributes": '{"berths": 3}',
    }
    return CREATE_ENTITY, {**params, **changes}


def episode(uuid: str, **changes: Any) -> tuple[str, dict[str, Any]]:
    """W7."""
    params = {
        "uuid": uuid,
        "name": f"Log {uuid}",
        "group_id": GROUP,
        "created_at": NOON,
        "source": "text",
        "source_description": "watch book",
        "content": "The tug left the pier.",
        "content_embedding": VECTOR,
        "valid_at": NOON,
        "entity_edges": ["n1"],
    }
    return CREATE_EPISODE, {**params, **changes}


def edge(uuid: str, **changes: Any) -> tuple[str, dict[str, Any]]:
    """W9."""
    params = {
        "uuid": uuid,
        "name": "Tug → Pier",
        "group_id": GROUP,
        "created_at": NOON,
        "fact": "The tug is moored at the pier",
        "fact_embedding": VECTOR,
        "valid_at": NOON,
        "invalid_at": None,
        "attributes": "{}",
        "relation_type": "MOORED_AT",
    }
    return CREATE_EDGE, {**params, **changes}


def direct(verb: str, uuid: str, source: str, target: str) -> tuple[str, dict[str, Any]]:
    """W10 and W12."""
    _, columns = edge(uuid)
    kept = ("uuid", "name", "group_id", "fact", "valid_at", "invalid_at", "attributes")
    params = {"src": source, "dst": target, **{name: columns[name] for name in kept}}
    return DIRECT.replace("{verb}", verb), params


def line(seq: int, cypher: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
    """One line of the log, decoded."""
    return {"seq": seq, "ts": "2026-03-02T12:00:01.250000+00:00", "db": "", "cypher": cypher, "params": params or {}}


def _dump(label: str, columns: Sequence[str], times: Sequence[str] = ()) -> str:
    def value(column: str) -> str:
        if column in times:
            return f"CASE WHEN ${column} IS NULL THEN NULL ELSE timestamp(${column}) END"
        return f"timestamp(${column})" if column == "created_at" else f"${column}"

    return f"MERGE (n:{label} {{uuid: $uuid}}) SET " + ", ".join(f"n.{name} = {value(name)}" for name in columns)


_ENTITY_COLUMNS = ("name", "group_id", "labels", "created_at", "name_embedding", "summary", "attributes")
_EPISODE_COLUMNS = (
    "name", "group_id", "created_at", "source", "source_description", "content", "content_embedding", "valid_at",
    "entity_edges",
)  # fmt: skip
_EDGE_COLUMNS = (
    "name", "group_id", "created_at", "fact", "fact_embedding", "episodes", "expired_at", "valid_at", "invalid_at",
    "attributes", "relation_type",
)  # fmt: skip
DUMP_ENTITY = _dump("Entity", _ENTITY_COLUMNS)
DUMP_EPISODE = _dump("Episodic", _EPISODE_COLUMNS, ("valid_at",))
DUMP_EDGE = _dump("RelatesToNode_", _EDGE_COLUMNS, ("expired_at", "valid_at", "invalid_at"))


def _legacy_link(kind: str, source: str, target: str) -> tuple[str, dict[str, Any]]:
    return (
        f"MATCH (a:{source} {{uuid: $a_uuid}}), (b:{target} {{uuid: $b_uuid}}) MERGE (a)-[r:{kind}]->(b) "
        "SET r.uuid = $uuid, r.group_id = $group_id, r.created_at = timestamp($created_at)",
        {"a_uuid": "x", "b_uuid": "y", "uuid": "z", "group_id": GROUP, "created_at": NOON},
    )


_SPACED = "2026-03-02 12:00:00"
START = [entity("n1"), entity("n2"), episode("e1"), edge("r1"), (BIND, {"src": "n1", "rn": "r1", "dst": "n2"})]
"""What the statements below find: two entities, an episode, an edge between the entities."""

STATEMENTS: dict[str, tuple[str, dict[str, Any]]] = {
    "W1": entity("n3"),
    "W2": ("MATCH (e:Entity {uuid: $uuid}) SET e.summary = $summary", {"uuid": "n1", "summary": "Of steel now"}),
    "W3": (
        "MATCH (e:Entity {uuid: $uuid}) SET e.name = $name, e.labels = $labels, e.summary = $summary, "
        "e.attributes = $attributes",
        {"uuid": "n1", "name": "North pier", "labels": ["Entity"], "summary": "", "attributes": "{}"},
    ),
    "W4": ("MATCH (e:Entity {uuid: $uuid}) SET e.labels = $labels", {"uuid": "n1", "labels": ["Entity", "Merged"]}),
    "W5": ("MATCH (n:Entity {uuid: $uuid}) SET n.attributes = $attrs", {"uuid": "n1", "attrs": '{"merged_into":"n2"}'}),
    "W6": (
        "MATCH (e:Entity {uuid: $uuid}) SET e.created_at = timestamp($new_created_at)",
        {"uuid": "n1", "new_created_at": "2025-01-01 00:00:00"},
    ),
    "W7": episode("e2"),
    "W8": (MENTION, {"ep": "e1", "en": "n1", "group_id": GROUP}),
    "W9": edge("r2"),
    "W10": direct("CREATE", "r1", "n1", "n2"),
    "W11": (BIND, {"src": "n2", "rn": "r1", "dst": "n1"}),
    "W12": direct("MERGE", "r1", "n1", "n2"),
    "W13": (
        "MATCH (src:Entity {uuid: $src}), (rn:RelatesToNode_ {uuid: $rn}) MERGE (src)-[:RELATES_TO]->(rn)",
        {"src": "n2", "rn": "r1"},
    ),
    "W14": (
        "MATCH (rn:RelatesToNode_ {uuid: $rn}), (dst:Entity {uuid: $dst}) MERGE (rn)-[:RELATES_TO]->(dst)",
        {"rn": "r1", "dst": "n1"},
    ),
    "W15": ("MATCH (:Entity)-[h:RELATES_TO]->(rn:RelatesToNode_ {uuid: $rn}) DELETE h", {"rn": "r1"}),
    "W16": ("MATCH (rn:RelatesToNode_ {uuid: $rn})-[h:RELATES_TO]->(:Entity) DELETE h", {"rn": "r1"}),
    "W17": ("MATCH (:Entity)-[d:RELATES_TO {uuid: $uuid}]->(:Entity) DELETE d", {"uuid": "r1"}),
    "W18": (
        "MATCH (r:RelatesToNode_ {uuid: $uuid}) SET r.attributes = $attributes",
        {"uuid": "r1", "attributes": '{"cross_group_pointers":{}}'},
    ),
    "W19": (
        "MATCH (r:RelatesToNode_ {uuid: $uuid}) SET r.fact = $fact, r.valid_at = $valid_at, "
        "r.relation_type = $relation_type, r.attributes = $attributes",
        {"uuid": "r1", "fact": "It sank there", "valid_at": _SPACED, "relation_type": "SANK_AT", "attributes": "{}"},
    ),
    "W20": (
        "MATCH (:Entity)-[r:RELATES_TO {uuid: $uuid}]->(:Entity) SET r.fact = $fact, r.valid_at = $valid_at, "
        "r.attributes = $attributes",
        {"uuid": "r1", "fact": "It sank there", "valid_at": _SPACED, "attributes": "{}"},
    ),
    "W21": (
        "MATCH (r:RelatesToNode_ {uuid: $uuid}) SET r.invalid_at = $invalid_at",
        {"uuid": "r1", "invalid_at": NOON},
    ),
    "W22": (
        "MATCH (:Entity)-[r:RELATES_TO {uuid: $uuid}]->(:Entity) SET r.invalid_at = $invalid_at",
        {"uuid": "r1", "invalid_at": NOON},
    ),
    "W23": ("MATCH (r:RelatesToNode_ {uuid: $uuid}) SET r.relation_type = $rt", {"uuid": "r1", "rt": "BERTHED_AT"}),
    "W24": (
        "MATCH (r:RelatesToNode_ {uuid: $uuid}) WHERE r.relation_type IS NULL OR r.relation_type = '' "
        "SET r.relation_type = $rt",
        {"uuid": "r1", "rt": "THE_TUG_IS"},
    ),
    "W25": ("MATCH (e:Episodic {uuid: $uuid}) DETACH DELETE e", {"uuid": "e1"}),
    "W26": ("MATCH (e:Episodic) WHERE e.uuid IN $uuids DETACH DELETE e", {"uuids": ["e1", "e9"]}),
    "W27": ("MATCH (r:RelatesToNode_) WHERE r.group_id IN $gids DETACH DELETE r", {"gids": [GROUP]}),
    "W28": ("MATCH (n:Entity) WHERE n.group_id IN $gids DETACH DELETE n", {"gids": [GROUP]}),
    "W29": ("MATCH (e:Episodic) WHERE e.group_id IN $gids DETACH DELETE e", {"gids": [GROUP]}),
    "D1": (DUMP_ENTITY, {**entity("n3")[1], "created_at": _SPACED}),
    "D2": (DUMP_EPISODE, {**episode("e2")[1], "created_at": _SPACED}),
    "D3": (DUMP_EDGE, {**edge("r2")[1], "created_at": _SPACED, "episodes": ["e1"], "expired_at": None}),
    "D4": (
        _dump("Community", ("name", "group_id", "created_at", "name_embedding", "summary")),
        {"uuid": "c1", "name": "Fleet", "group_id": GROUP, "created_at": NOON, "name_embedding": VECTOR, "summary": ""},
    ),
    "D5": (
        _dump("Saga", ("name", "group_id", "created_at")),
        {"uuid": "s1", "name": "Storm", "group_id": GROUP, "created_at": NOON},
    ),
    "D6": (
        "MATCH (src:Entity {uuid: $src_uuid}), (rn:RelatesToNode_ {uuid: $rn_uuid}), (dst:Entity {uuid: $dst_uuid}) "
        "MERGE (src)-[:RELATES_TO]->(rn) MERGE (rn)-[:RELATES_TO]->(dst)",
        {"src_uuid": "n2", "rn_uuid": "r1", "dst_uuid": "n1"},
    ),
    "D7": (
        "MATCH (ep:Episodic {uuid: $ep_uuid}), (en:Entity {uuid: $en_uuid}) MERGE (ep)-[r:MENTIONS]->(en) "
        "SET r.uuid = $uuid, r.group_id = $group_id, r.created_at = timestamp($created_at)",
        {"ep_uuid": "e1", "en_uuid": "n2", "uuid": "m1", "group_id": GROUP, "created_at": _SPACED},
    ),
    "D8": _legacy_link("HAS_EPISODE", "Saga", "Episodic"),
    "D9": _legacy_link("HAS_MEMBER", "Community", "Entity"),
    "D10": _legacy_link("HAS_MEMBER", "Community", "Community"),
    "D11": _legacy_link("NEXT_EPISODE", "Episodic", "Episodic"),
    "L1": (
        "MERGE (n:Entity {uuid: $uuid}) ON CREATE SET n.name = $name, n.group_id = $group_id, n.labels = $labels, "
        "n.created_at = timestamp($created_at), n.name_embedding = $name_embedding, n.summary = $summary, "
        "n.attributes = $attrs",
        {**entity("n3")[1], "attrs": {"berths": 3}, "created_at": _SPACED},
    ),
    "L2": (
        "MERGE (ep:Episodic {uuid: $uuid}) ON CREATE SET ep.name = $name, ep.group_id = $group_id, "
        "ep.created_at = $created_at, ep.source = $src, ep.source_description = $sd, ep.content = $content, "
        "ep.content_embedding = vecf32($content_embedding), ep.valid_at = $valid_at, ep.entity_edges = $entity_edges",
        {**episode("e2")[1], "src": "text", "sd": "watch book", "created_at": "2026-03-02T12:00:00.000001+00:00"},
    ),
    "L3": (
        "MERGE (r:RelatesToNode_ {uuid: $uuid}) ON CREATE SET r.name = $name, r.group_id = $group_id, "
        "r.created_at = $created_at, r.fact = $fact, r.fact_embedding = VECF32([0.6, 0.8, 0.0, 0]), "
        "r.episodes = $episodes, r.expired_at = $expired_at, r.valid_at = $valid_at, r.invalid_at = $invalid_at, "
        "r.attributes = $attributes, r.relation_type = $relation_type",
        {**edge("r2")[1], "episodes": ["e1"], "expired_at": "2026-03-25T16:58:57.761788+00:00"},
    ),
    "L4": (
        "MERGE (n:Entity {uuid: $uuid}) SET n = $props RETURN n.uuid AS uuid",
        {"uuid": "n3", "props": {**entity("n3")[1], "harbour_master": "Ada"}},
    ),
    "L5": (
        "MATCH (n:RelatesToNode_ {uuid: $uuid}) SET n.fact_embedding = $fact_embedding",
        {"uuid": "r1", "fact_embedding": VECTOR},
    ),
    "L6": (
        "MATCH ()-[r:MENTIONS|RELATES_TO|HAS_MEMBER]->() WHERE r.uuid IN $uuids DELETE r",
        {"uuids": ["r1", "m1"]},
    ),
    "L7": (
        "MATCH (ep:Episodic {uuid: $ep}) MATCH (en:Entity {uuid: $en}) MERGE (ep)-[r:MENTIONS {uuid: $uuid}]->(en) "
        "ON CREATE SET r.group_id = $group_id, r.created_at = $created_at",
        {"ep": "e1", "en": "n2", "uuid": "m1", "group_id": GROUP, "created_at": NOON},
    ),
}  # fmt: skip
"""Every known statement by its name, on top of `START`."""


class Reading:
    """A fold that is fed the lines of a log, one statement after the other."""

    def __init__(self, *statements: tuple[str, dict[str, Any]], group_id: str = GROUP) -> None:
        self.fold = Fold(group_id, lambda uuid: False)
        self.translator = ReferenceTranslator(group_id, FoldRows(self.fold))
        self._seq = 0
        for cypher, params in statements:
            assert self.say(cypher, params).record is not None

    def say(self, cypher: str, params: dict[str, Any] | None = None) -> Translated:
        """Read one more line."""
        return self.read(line(self._seq, cypher, params))

    def read(self, content: dict[str, Any] | bytes) -> Translated:
        """Read one more line as it stands in the file."""
        self._seq += 1
        found = self.translator.translate(content)
        if found.record is not None:
            self.fold.take_in(map(plain_operation, found.record.operations))
        return found

    def operations(self, cypher: str, params: dict[str, Any] | None = None) -> tuple[Operation, ...]:
        """Return what a line that is understood comes to."""
        found = self.say(cypher, params)
        assert found.record is not None, found.problem
        return found.record.operations
