"""Writes the log of a made-up group: what chunks of text leave, row by row, with rows that are written again later."""

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

from bench.sentences import names, sentences
from lcg.model.ids import new_uuid
from lcg.model.operations import EdgePut, EntityPut, EpisodePut, MentionPut, Operation
from lcg.model.rows import Edge, Entity, Episode, Mention
from lcg.wal.log import Log, Payload

GROUP = "bench"
_ENTITIES_A_LINE = 2
_LINES_AT_ONCE = 500
_NOON = 1_772_452_800_000_000
_SECOND = 1_000_000
_PREDICATES = ("WORKS_AT", "KNOWS", "LOCATED_IN", "SOLD_TO", "MEMBER_OF", "REPAIRED", "STUDIED", "MARRIED_TO")
_LABELS = ("Person", "Organization", "Place", "Thing")


def write_log(
    root: Path, entities: int, edges: int, *, short: bool = False, group: str = GROUP, seed: int = 1
) -> tuple[int, int]:
    """Write a log of that many entities and edges; return how many lines and operations it has.

    `short` leaves out what is long: the texts of episodes and the summaries are a few words then. Another seed makes
    other rows, for another group.
    """
    log = Log(root)
    lines = operations = 0
    made = _lines(group, random.Random(seed), names(entities, seed), sentences(edges, seed), short=short)
    while part := list(islice(made, _LINES_AT_ONCE)):
        log.append(group, [Payload("process_chunk", line) for line in part])
        lines += len(part)
        operations += sum(map(len, part))
    log.close()
    return lines, operations


def _lines(
    group: str, rng: random.Random, titles: list[str], facts: list[str], *, short: bool
) -> Iterator[tuple[Operation, ...]]:
    known: list[Entity] = []
    stated: list[Edge] = []
    lines = max(1, len(titles) // _ENTITIES_A_LINE)
    for number in range(lines):
        first, last = (len(titles) * n // lines for n in (number, number + 1))
        said = facts[len(facts) * number // lines : len(facts) * (number + 1) // lines]
        moment = _NOON + number * _SECOND
        episode = _episode(group, number, moment, said, short=short)
        fresh = [_entity(group, rng, title, moment, said, short=short) for title in titles[first:last]]
        known += fresh
        met = {row.uuid: row for row in (*fresh, rng.choice(known))}
        made = [_edge(rng, fact, moment, episode, known, fresh) for fact in said]
        puts: list[Operation] = [EpisodePut(episode), *(EntityPut(row) for row in met.values())]
        puts += [MentionPut(Mention(group, episode.uuid, uuid)) for uuid in met]
        puts += [EdgePut(row) for row in made]
        puts += _again(rng, known, stated, moment)
        stated += made
        yield tuple(puts)


def _again(rng: random.Random, known: list[Entity], stated: list[Edge], moment: int) -> Iterator[Operation]:
    """Write an entity again with one more sentence, and now and then end a fact."""
    place = rng.randrange(len(known))
    known[place] = replace(known[place], summary=f"{known[place].summary} Seen again.")
    yield EntityPut(known[place])
    if stated and rng.random() < 0.5:
        place = rng.randrange(len(stated))
        stated[place] = replace(stated[place], invalid_at=moment)
        yield EdgePut(stated[place])


def _episode(group: str, number: int, moment: int, said: list[str], *, short: bool) -> Episode:
    content = f"Chunk {number}." if short else f"{' '.join(said)} That is what chunk {number} tells."
    return Episode(
        uuid=new_uuid(),
        group_id=group,
        name=f"notes-{number // 40}.md#{number % 40}",
        created_at=moment,
        source="text",
        source_description=f"notes-{number // 40}.md:{number % 40}",
        content=content,
        valid_at=moment,
        source_file=f"notes-{number // 40}.md",
        chunk_id=str(number % 40),
        revision=1,
        text_hash=f"{number:032x}",
        extractor_key="builtin",
    )


def _entity(group: str, rng: random.Random, title: str, moment: int, said: list[str], *, short: bool) -> Entity:
    summary = f"{title}." if short or not said else rng.choice(said)
    return Entity(new_uuid(), group, title, ("Entity", rng.choice(_LABELS)), moment, summary)


def _edge(
    rng: random.Random, fact: str, moment: int, episode: Episode, known: list[Entity], fresh: list[Entity]
) -> Edge:
    source, target = rng.choice(fresh or known), rng.choice(known)
    return Edge(
        uuid=new_uuid(),
        group_id=episode.group_id,
        name=rng.choice(_PREDICATES),
        source_uuid=source.uuid,
        target_uuid=target.uuid,
        fact=fact,
        created_at=moment,
        valid_at=moment,
        attributes='{"source":"bench"}' if rng.random() < 0.2 else "{}",
        episodes=(episode.uuid,),
    )
