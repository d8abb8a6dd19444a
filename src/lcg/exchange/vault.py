"""The format `markdown`: a vault for Obsidian, with a note for each entity and each episode, linked to each other."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import orjson

from lcg.exchange.file_names import file_name
from lcg.exchange.graph_reader import GraphReader
from lcg.exchange.markdown_text import block, link, one_line, yaml
from lcg.exchange.shown import Shown, time, types_of
from lcg.exchange.vault_files import VaultFiles, vault_files
from lcg.model.rows import Edge, Entity, Episode

_SOURCES: Final = "Sources"


def write(graph: GraphReader, folder: Path) -> Iterable[str]:
    """Write the notes of a vault: a folder for each group, its episodes in one below it.

    Notes of an earlier export are brought up to date. Files of others, and notes that were changed by hand, stay.
    """
    shown = Shown(graph)
    with vault_files(folder) as files:
        for entity in shown.entities():
            files.place(entity.uuid, entity.group_id, file_name(entity.group_id), file_name(entity.name))
        for episode in graph.episodes():
            below = f"{file_name(episode.group_id)}/{_SOURCES}"
            files.place(episode.uuid, episode.group_id, below, file_name(_title(episode)))
        for entity in shown.entities():
            files.write(entity.uuid, "\n".join(_entity_note(shown, files, entity)))
        for episode in graph.episodes():
            files.write(episode.uuid, "\n".join(_episode_note(shown, files, episode)))
        removed = files.finish(graph.groups())
        notes = shown.notes()
        if files.kept:
            notes.append(f"{files.kept:,} notes were changed by hand and are left as they are.")
        if removed:
            notes.append(f"{removed:,} notes of rows that are gone are removed.")
    return notes


def _entity_note(shown: Shown, files: VaultFiles, entity: Entity) -> Iterator[str]:
    yield from _front_matter(
        {
            "uuid": entity.uuid,
            "group": entity.group_id,
            "aliases": [entity.name],
            "type": types_of(entity),
            "created": time(entity.created_at),
        }
    )
    yield f"# {one_line(entity.name)}"
    yield ""
    if entity.summary.strip():
        yield block(entity.summary)
        yield ""
    attributes = list(_attributes(entity.attributes))
    if attributes:
        yield from ("## Attributes", "", *attributes, "")
    facts = [_fact(shown, files, edge, entity) for edge in shown.graph.edges_of(entity.uuid) if shown.is_shown(edge)]
    if facts:
        yield from ("## Facts", "", *facts, "")
    sources = [_source(files, episode) for episode in shown.graph.episodes_of(entity.uuid)]
    if sources:
        yield from ("## Sources", "", *sources, "")


def _episode_note(shown: Shown, files: VaultFiles, episode: Episode) -> Iterator[str]:
    yield from _front_matter(
        {
            "uuid": episode.uuid,
            "group": episode.group_id,
            "source": episode.source_description,
            "created": time(episode.created_at),
            "valid": time(episode.valid_at),
        }
    )
    yield f"# {one_line(_title(episode))}"
    yield ""
    yield block(episode.content)
    yield ""
    mentioned = [entity for entity in shown.graph.entities_of(episode.uuid) if not entity.is_tombstone]
    if mentioned:
        yield from ("## Mentions", "", *(f"- {_link(files, entity)}" for entity in mentioned), "")


def _front_matter(values: dict[str, object]) -> Iterator[str]:
    yield "---"
    yield from (f"{key}: {yaml(value)}" for key, value in values.items() if value)
    yield "---"


def _attributes(text: str) -> Iterator[str]:
    try:
        found = orjson.loads(text)
    except orjson.JSONDecodeError:
        return
    for key, value in found.items() if isinstance(found, dict) else ():
        try:
            shown = value if isinstance(value, str) else orjson.dumps(value).decode()
        except orjson.JSONEncodeError:
            shown = "…"
        yield f"- {one_line(key)}: {one_line(shown)}"


def _fact(shown: Shown, files: VaultFiles, edge: Edge, entity: Entity) -> str:
    is_out = edge.source_uuid == entity.uuid
    other = shown.graph.entity(edge.target_uuid if is_out else edge.source_uuid)
    end = "" if other is None else f" {'→' if is_out else '←'} {_link(files, other)}"
    span = [
        f"{word} {time(at)}" for word, at in (("since", edge.valid_at), ("until", edge.invalid_at)) if at is not None
    ]
    held = f" ({', '.join(span)})" if span else ""
    stated = [_link_to(files, uuid, shown.source_of(uuid)) for uuid in edge.episodes]
    said = f", from {', '.join(each for each in stated if each)}" if any(stated) else ""
    return f"- {one_line(edge.fact)}{held} `{edge.name.replace('`', ' ')}`{end}{said}"


def _source(files: VaultFiles, episode: Episode) -> str:
    when = episode.created_at if episode.valid_at is None else episode.valid_at
    return f"- {_link_to(files, episode.uuid, _title(episode))} ({time(when)})"


def _title(episode: Episode) -> str:
    """Return what an episode is called: its source, and its name where that says more."""
    name, source = episode.name.strip(), episode.source_description.strip()
    return " – ".join(part for part in (name if name not in source else "", source) if part)


def _link(files: VaultFiles, entity: Entity) -> str:
    return _link_to(files, entity.uuid, entity.name)


def _link_to(files: VaultFiles, uuid: str, shown: str) -> str:
    path = files.path_of(uuid)
    return "" if path is None else link(path, shown)
