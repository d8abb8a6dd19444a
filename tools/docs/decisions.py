"""The index of the decision records, from their titles and their status."""

import re
from pathlib import Path

PATH = "docs/generated/decisions.md"
_RECORD = re.compile(r"\A# (?P<number>\d{4}): (?P<title>.+)\n\nStatus: (?P<status>.+)\n")
_INTRODUCTION = """\
# Decision records

Short records of what a newcomer would question: the context, the decision, what follows from it, and what we would need
to see to change it. A record is not edited when the decision changes; a new one replaces it, and both say so.

| record | decision | status |
|---|---|---|
"""


def index(root: Path) -> str:
    """Return the page.

    Raises:
        ValueError: a record does not begin with its number, its title and its status.
    """
    rows = []
    for path in sorted((root / "docs/adr").glob("[0-9]*.md")):
        match = _RECORD.match(path.read_text(encoding="utf-8"))
        if match is None or not path.name.startswith(match["number"]):
            raise ValueError(f"docs/adr/{path.name} has to begin with '# {path.name[:4]}: title' and 'Status: …'")
        rows.append(f"| [{match['number']}](../adr/{path.name}) | {match['title']} | {match['status']} |\n")
    return _INTRODUCTION + "".join(rows)
