"""docs/clients.md: what is said of clients by hand, with the table of the last full run in its middle."""

import re
from collections.abc import Sequence
from typing import Final

from tests.clients.outcome import Outcome
from tests.processes import ROOT

PAGE: Final = ROOT / "docs" / "clients.md"
_TABLE: Final = re.compile(r"(?<=<!-- the last run of make clients -->\n\n).*?(?=\n<!-- until here -->)", re.DOTALL)
_HEAD: Final = "| client | version | transport | result | what was seen |\n|---|---|---|---|---|\n"


def renew(outcomes: Sequence[Outcome]) -> None:
    """Put what was seen into the page."""
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(with_table(text, outcomes), encoding="utf-8")


def with_table(text: str, outcomes: Sequence[Outcome]) -> str:
    """Return a page with a new table. Raises ValueError when the page has no place for one."""
    changed, number = _TABLE.subn(lambda _: _HEAD + "".join(map(_row, outcomes)), text)
    if number != 1:
        raise ValueError(f"{number} places for the table in {PAGE.name}")
    return changed


def rows(text: str) -> list[list[str]]:
    """Return the cells of the rows of the table that a page has."""
    found = _TABLE.search(text)
    lines = found.group().splitlines()[2:] if found else []
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def _row(outcome: Outcome) -> str:
    client = outcome.client
    said = re.sub(r"[|<>\s]+", " ", outcome.said)[:160]
    return f"| {client.title} | {client.version} | {client.transport} | {outcome.state} | {said} |\n"
