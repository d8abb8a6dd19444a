"""Rows of graphs for the tests of the explorer, and a reader of them."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from lcg.exchange.graph_reader import GraphReader, open_rows, write_rows
from lcg.model.rows import MERGED, Edge, Entity, Episode, Mention, Row
from lcg.model.times import parse_time

NOW = parse_time("2026-05-20 10:30:00")
HOSTILE = (
    "</script><script>document.title='owned'</script>",
    "<img src=x onerror=\"document.title='owned'\">",
    "<!-- <script>",
    "\u202eevil\u202c \u2066isolate\u2069",
    "שלום עולם",
    "مرحبا بالعالم",
    "👩‍👩‍👧‍👦 family 🏳️‍🌈",
    "line\u2028separator\u2029paragraph",
    "quote \" apostrophe ' back\\slash & ampersand",
    "long " + "x" * 10_000,
    "@@DATA@@ @@TITLE@@ {{script}} $& $1",
    "Ада Лавлейс 王小明",
)


def entity(
    uuid: str, name: str | None = None, *, group: str = "g", labels: Iterable[str] = (), summary: str = ""
) -> Entity:
    return Entity(uuid, group, uuid if name is None else name, ("Entity", *labels), NOW, summary)


def edge(
    uuid: str,
    source: str,
    target: str,
    fact: str = "",
    *,
    group: str = "g",
    since: str | None = None,
    until: str | None = None,
    episodes: tuple[str, ...] = (),
) -> Edge:
    begin, end = (None if each is None else parse_time(each) for each in (since, until))
    return Edge(uuid, group, "KNOWS", source, target, fact or uuid, NOW, begin, end, episodes=episodes)


def episode(uuid: str, content: str, *, group: str = "g") -> Episode:
    return Episode(uuid, group, uuid, NOW, "text", f"{uuid}.md:1", content)


def mention(of_episode: str, of_entity: str, *, group: str = "g") -> Mention:
    return Mention(group, of_episode, of_entity)


def tombstone(uuid: str) -> Entity:
    return Entity(uuid, "g", uuid, ("Entity", MERGED), NOW)


def hostile() -> list[Row]:
    """Entities, facts, sources and a group that are called as an enemy would call them."""
    rows: list[Row] = []
    for number, name in enumerate(HOSTILE):
        rows += [
            entity(f"e{number:02}", name, labels=[name[:60]], summary=name),
            edge(
                f"f{number:02}",
                f"e{number:02}",
                f"e{(number + 1) % len(HOSTILE):02}",
                name,
                episodes=(f"p{number:02}",),
            ),
            episode(f"p{number:02}", name),
            mention(f"p{number:02}", f"e{number:02}"),
        ]
    return rows


@contextmanager
def reading(folder: Path, rows: Iterable[Row]) -> Iterator[GraphReader]:
    path = folder / "rows.db"
    write_rows(path, rows)
    with open_rows(path) as file:
        yield GraphReader(file)
