"""Ways out and in take no more memory for more rows."""

import tracemalloc
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from io import BytesIO, RawIOBase
from pathlib import Path
from typing import Any, BinaryIO, cast

import orjson
import pytest

from lcg.exchange import gexf, graphml, jsonl, tables, vault
from lcg.exchange.graph_reader import GraphReader, open_rows, write_rows
from lcg.model.rows import Edge, Entity, Episode, Mention, Row
from tests.exchange.imported import staged_in

FEW, MANY = 200, 1_400
ROOM = 4_000_000
"""Bytes that caches and buffers may grow by; the rows that are more have several times as many."""
LONG = "x" * 5_000


class Nowhere(RawIOBase):
    """Takes what is written and keeps nothing."""

    def writable(self) -> bool:
        """Return that it can be written to."""
        return True

    def write(self, data: Any) -> int:
        """Drop some bytes."""
        return len(data)


def rows(number: int) -> Iterator[Row]:
    for at in range(number):
        yield Entity(f"u{at}", "g", f"Thing {at}", ("Entity",), 0, LONG)
        yield Edge(f"e{at}", "g", "NEXT", f"u{at}", f"u{(at * 7 + 1) % number}", LONG, 0, episodes=(f"p{at}",))
        yield Episode(f"p{at}", "g", f"text {at}", 0, "text", f"file-{at}.md", LONG)
        yield Mention("g", f"p{at}", f"u{at}")


def peak(work: Callable[[], object]) -> int:
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("write", [jsonl.write, graphml.write, gexf.write, tables.write, vault.write])
def test_a_format_holds_few_rows_at_a_time(tmp_path: Path, write: Callable[[GraphReader, Any], Iterable[str]]) -> None:
    peaks = []
    for number in (FEW, MANY):
        path = tmp_path / f"{number}.db"
        write_rows(path, rows(number))
        folder = tmp_path / f"out-{number}"
        folder.mkdir()
        target = folder if write in (tables.write, vault.write) else cast(BinaryIO, Nowhere())
        with open_rows(path) as file:
            peaks.append(peak(lambda file=file, target=target: list(write(GraphReader(file), target))))  # type: ignore[misc]
    assert peaks[1] < peaks[0] + ROOM


def test_gathering_rows_holds_few_of_them(tmp_path: Path) -> None:
    few, many = (peak(lambda n=n: write_rows(tmp_path / f"{n}.db", rows(n))) for n in (FEW, MANY))  # type: ignore[misc]
    assert many < few + ROOM


@pytest.mark.parametrize("form", ["jsonl", "memory-server", "plain-text-memory"])
def test_staging_a_file_holds_few_lines_of_it(tmp_path: Path, form: Any) -> None:
    peaks = []
    for number in (FEW, MANY):
        folder = tmp_path / str(number)
        folder.mkdir()
        lines = [_line(form, at) for at in range(number)]
        content = b'{"format":"lcg-graph","version":1}\n' * (form == "jsonl") + b"\n".join(lines)
        with closing(BytesIO(content)):
            peaks.append(peak(lambda folder=folder, content=content: staged_in(folder, content, form=form)))  # type: ignore[misc]
    assert peaks[1] < peaks[0] + ROOM + (MANY - FEW) * len(lines[0])  # the file itself is in memory here, once


def _line(form: str, at: int) -> bytes:
    if form == "jsonl":
        from lcg.exchange.lines import line_of

        return line_of(Entity(f"u{at}", "g", f"Thing {at}", ("Entity",), 0, LONG))
    return orjson.dumps(
        {"type": "entity", "name": f"Thing {at}", "entityType": "thing", "observations": [LONG, f"o{at}"]}
    )
