"""Ways out of the graph and into it: the formats of `lcg export`, and the files that `lcg import` reads.

Out. `dumped.py` turns a dump of the graph into a `GraphReader` (`graph_reader.py`), which has its rows as they were at
one moment, in a file of its own, so that a format reads them in any order and in little memory. `formats.py` lists the
formats. A new one is a module here with one function, and one line in that list:

- `write(graph: GraphReader, out: BinaryIO) -> Iterable[str]` for a format that is one file (`FileFormat`). What it
  writes comes in place when it returns, whole, or goes to stdout;
- `write(graph: GraphReader, folder: Path) -> Iterable[str]` for one that is a folder (`FolderFormat`). The folder
  exists; whatever it puts there it puts by `files.put`, which is atomic.

What it returns are notes for people, such as how many rows the format cannot show. It must yield the same bytes for
the same rows: `GraphReader` gives them in a fixed order, and no time of day, random number or path belongs into a file.
Memory must not grow with the number of rows. Whatever a text holds, it is data: a format escapes it by its own rules.
"""
