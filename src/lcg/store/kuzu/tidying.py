"""Putting right what a mutating query left half made, in its own transaction, so that no read ever meets it.

What callers see of a relationship's ends are its links, so the hidden columns follow these. Columns that may not be
empty get what a structured write would have put there. What cannot be put right is refused.
"""

from collections.abc import Container
from datetime import datetime

from lcg.model.names import DEFAULT_GROUP
from lcg.model.times import to_naive_utc
from lcg.store.kuzu.apply import SET_EPISODE_ENTITIES
from lcg.store.kuzu.engine import Session
from lcg.store.kuzu.guard import refused
from lcg.store.kuzu.rows import EDGE, ENTITY, EPISODE, TEXTS, TIME

_TABLES = (ENTITY, EDGE, EPISODE)
_RANGE = "timestamp('0001-01-01 00:00:00') OR n.{0} > timestamp('9999-12-31 23:59:59.999999')"
_CHUNK = 500
_EMBEDDED = (("Entity", "name"), ("Entity", "summary"), ("RelatesToNode_", "fact"))


class _Side:
    """One end of a relationship: its hidden column, and the statements on its link."""

    def __init__(self, word: str, link: str, pattern: str) -> None:
        column = f"_{word}_uuid"
        self.word = word
        self.several = f"MATCH {pattern} WITH n.uuid AS edge, count(*) AS links WHERE links > 1 RETURN edge"
        self.ends = f"MATCH {pattern} WHERE n.uuid = $edge RETURN DISTINCT a.uuid"
        self.cut = f"MATCH {pattern} WHERE n.uuid = $edge DELETE h"
        self.join = f"MATCH (a:Entity {{uuid: $entity}}) MATCH (n:RelatesToNode_ {{uuid: $edge}}) CREATE {link}"
        self.follow = f"MATCH {pattern} WHERE n.{column} IS NULL OR n.{column} <> a.uuid SET n.{column} = a.uuid"
        self.unlinked = (
            f"MATCH (n:RelatesToNode_), (a:Entity) WHERE a.uuid = n.{column} "
            f"AND NOT EXISTS {{ MATCH {pattern.replace('(a:Entity)', '(:Entity)').replace('h:', ':')} }} "
            "RETURN n.uuid, a.uuid"
        )
        self.forget = f"UNWIND $edges AS edge MATCH (n:RelatesToNode_ {{uuid: edge}}) SET n.{column} = ''"


_SIDES = (
    _Side("source", "(a)-[:RELATES_TO]->(n)", "(a:Entity)-[h:RELATES_TO]->(n:RelatesToNode_)"),
    _Side("target", "(n)-[:RELATES_TO]->(a)", "(n:RelatesToNode_)-[h:RELATES_TO]->(a:Entity)"),
)
_FOREIGN_MENTIONS = (
    "MATCH (p:Episodic)-[:MENTIONS]->(e:Entity) WHERE p.group_id <> e.group_id RETURN p.uuid, e.uuid LIMIT 1"
)
# The oldest link stays: where all went and one came anew, the engine would give it what the last one that went had.
_REPEATED_MENTIONS = (
    "MATCH (p:Episodic)-[m:MENTIONS]->(e:Entity) WITH p.uuid AS episode, e.uuid AS entity, "
    "min(offset(id(m))) AS kept, count(*) AS links WHERE links > 1 RETURN episode, entity, kept"
)
_REMOVE_REPEATED = (
    "MATCH (p:Episodic {uuid: $episode})-[m:MENTIONS]->(:Entity {uuid: $entity}) WHERE offset(id(m)) <> $kept DELETE m"
)
_GROUP_OF_MENTIONS = (
    "MATCH (p:Episodic)-[m:MENTIONS]->(:Entity) WHERE m.group_id IS NULL OR m.group_id <> p.group_id "
    "SET m.group_id = p.group_id"
)
_MENTIONED = "MATCH (p:Episodic)-[:MENTIONS]->(e:Entity) RETURN p.uuid, e.uuid ORDER BY e.uuid"
_RECORDED = "MATCH (p:Episodic) RETURN p.uuid, p.entity_edges"


def refuse_unreadable_times(session: Session) -> None:
    """Refuse stored times outside the years 1 to 9999, before anything fetches one: that would end the process.

    Raises:
        OperationFailed: `precondition`.
    """
    for table in _TABLES:
        for column in table.columns:
            if column.type == TIME:
                outside = f"n.{column.name} < {_RANGE.format(column.name)}"
                if session.rows(f"MATCH (n:{table.label}) WHERE {outside} RETURN n.uuid LIMIT 1"):
                    raise refused(
                        f"the query would store a {column.name} outside the years 1 to 9999, which nothing could read."
                    )


def tidy(session: Session, known: Container[str], moment: int) -> None:
    """Put rows and links right. `known` says which entities were there before; `moment` is the time of the query.

    Raises:
        OperationFailed: `precondition`, something that has no right form.
        StoreError: the engine's text.
    """
    for table in _TABLES:
        if session.rows(table.get, {"uuid": ""}):
            raise refused(f"the query would leave a row of {table.label} whose uuid is empty. Give every row a uuid.")
    for side in _SIDES:
        _tidy_links(session, side, known)
    _fill(session, to_naive_utc(moment))
    for label, name in _EMBEDDED:
        session.rows(f"MATCH (n:{label}) WHERE n._{name}_embedded = n.{name} SET n._{name}_embedded = NULL")
    _tidy_mentions(session)


def _tidy_links(session: Session, side: _Side, known: Container[str]) -> None:
    for (edge,) in session.rows(side.several):
        ends = [uuid for (uuid,) in session.rows(side.ends, {"edge": edge})]
        if len(ends) > 1:
            raise refused(
                f"the query would leave the relationship {edge} with {len(ends)} links at its {side.word}: "
                f"{', '.join(sorted(ends)[:3])}. It has one {side.word}; delete the old link in the same query."
            )
        session.rows(side.cut, {"edge": edge})
        session.rows(side.join, {"edge": edge, "entity": ends[0]})
    session.rows(side.follow)
    cut: list[str] = []
    for edge, entity in session.rows(side.unlinked):
        if entity in known:
            cut.append(edge)
        else:
            session.rows(side.join, {"edge": edge, "entity": entity})
    for start in range(0, len(cut), _CHUNK):
        session.rows(side.forget, {"edges": cut[start : start + _CHUNK]})


def _fill(session: Session, moment: datetime) -> None:
    """Give columns that were left null, and may not be, what a structured write would have put there."""
    special = {"group_id": DEFAULT_GROUP, "created_at": moment}
    for table in _TABLES:
        for column in table.columns:
            value = special.get(column.name, column.fallback)
            if column.type == TEXTS:
                value = ["Entity"] if table is ENTITY else []
            if value is not None and column.name != "uuid":
                statement = f"MATCH (n:{table.label}) WHERE n.{column.name} IS NULL SET n.{column.name} = $value"
                session.rows(statement, {"value": value})


def _tidy_mentions(session: Session) -> None:
    for episode, entity in session.rows(_FOREIGN_MENTIONS):
        raise refused(
            f"the query would let the episode {episode} mention the entity {entity} of another group. "
            "An episode mentions entities of its own group only."
        )
    session.rows(_GROUP_OF_MENTIONS)
    for episode, entity, kept in session.rows(_REPEATED_MENTIONS):
        session.rows(_REMOVE_REPEATED, {"episode": episode, "entity": entity, "kept": kept})
    mentioned: dict[str, list[str]] = {}
    for episode, entity in session.rows(_MENTIONED):
        mentioned.setdefault(episode, []).append(entity)
    for episode, recorded in session.rows(_RECORDED):
        due = mentioned.get(episode, [])
        if recorded is None or sorted(recorded) != due:
            session.rows(SET_EPISODE_ENTITIES, {"episode": episode, "entities": due})
