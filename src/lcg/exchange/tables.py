"""The format `csv`: four tables for spreadsheets and data frames, by RFC 4180, in UTF-8 without a BOM.

A spreadsheet takes a cell that begins with one of `= + - @` for a formula, and a text of the graph may come from
anybody, so such a cell begins with an apostrophe here. `jsonl` has texts as they are.
"""

import csv
from collections.abc import Iterable, Iterator
from io import TextIOWrapper
from pathlib import Path
from typing import Final

from lcg.exchange.files import put
from lcg.exchange.graph_reader import GraphReader
from lcg.exchange.shown import Shown, time, types_of
from lcg.model.rows import Edge

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
_ENTITIES: Final = ("uuid", "group", "name", "types", "summary", "attributes", "created_at")
_EDGES: Final = (
    "uuid",
    "group",
    "source_uuid",
    "source_name",
    "predicate",
    "target_uuid",
    "target_name",
    "fact",
    "relation_type",
    "valid_at",
    "invalid_at",
    "created_at",
    "attributes",
    "sources",
)
_EPISODES: Final = (
    "uuid",
    "group",
    "name",
    "source",
    "source_description",
    "valid_at",
    "created_at",
    "content",
)
_MENTIONS: Final = ("group", "episode_uuid", "entity_uuid")


def write(graph: GraphReader, folder: Path) -> Iterable[str]:
    """Write entities.csv, edges.csv, episodes.csv and mentions.csv, each whole or not at all."""
    shown = Shown(graph)
    entities = (
        (
            entity.uuid,
            entity.group_id,
            entity.name,
            "; ".join(types_of(entity)),
            entity.summary,
            entity.attributes,
            time(entity.created_at),
        )
        for entity in shown.entities()
    )
    _table(folder / "entities.csv", _ENTITIES, entities)
    _table(folder / "edges.csv", _EDGES, _edges(shown))
    episodes = (
        (
            episode.uuid,
            episode.group_id,
            episode.name,
            episode.source,
            episode.source_description,
            time(episode.valid_at),
            time(episode.created_at),
            episode.content,
        )
        for episode in graph.episodes()
    )
    _table(folder / "episodes.csv", _EPISODES, episodes)
    mentions = ((each.group_id, each.episode_uuid, each.entity_uuid) for each in graph.mentions())
    _table(folder / "mentions.csv", _MENTIONS, mentions)
    return shown.notes()


def _edges(shown: Shown) -> Iterator[tuple[str, ...]]:
    """Yield every relationship; an end that is not here has no name."""

    def name(uuid: str) -> str:
        entity = shown.graph.entity(uuid)
        return "" if entity is None else entity.name

    def row(edge: Edge) -> tuple[str, ...]:
        return (
            edge.uuid,
            edge.group_id,
            edge.source_uuid,
            name(edge.source_uuid),
            edge.name,
            edge.target_uuid,
            name(edge.target_uuid),
            edge.fact,
            edge.relation_type or "",
            time(edge.valid_at),
            time(edge.invalid_at),
            time(edge.created_at),
            edge.attributes,
            "; ".join(shown.sources(edge)),
        )

    return map(row, shown.graph.edges())


def _table(path: Path, columns: Iterable[str], rows: Iterable[Iterable[str]]) -> None:
    with put(path) as out:
        text = TextIOWrapper(out, encoding="utf-8", newline="", write_through=True)
        table = csv.writer(text, lineterminator="\r\n")
        table.writerow(columns)
        for row in rows:
            table.writerow([f"'{cell}" if cell.startswith(_FORMULA) else cell for cell in row])
        text.detach()
