"""Figures that pages name with the script that measures them are figures that it printed."""

import re

import pytest

from tests.docs.pages import ROOT, text_of

MEASURED = re.compile(r"\(`python -m bench\.(?P<script>\w+)`[^)]*\)")
FIGURE = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?![\w.]*\w)")
PAGES = ["README.md"]


def printed(script: str) -> set[str]:
    """Return the figures of the section of bench/README.md that tells of a script."""
    sections = text_of("bench/README.md").split("\n## ")
    found = [section for section in sections if f"python -m bench.{script}" in section]
    assert found, f"bench/README.md does not tell of bench.{script}"
    return {figure for section in found for figure in FIGURE.findall(section)}


def claims(page: str) -> list[tuple[str, list[str]]]:
    """Return each script that a page names as its source, with the figures of the item or paragraph before it."""
    return [
        (match["script"], FIGURE.findall(block[: match.start()]))
        for block in re.split(r"\n(?=- )|\n\n", text_of(page))
        for match in MEASURED.finditer(block)
    ]


@pytest.mark.parametrize("page", PAGES)
def test_a_figure_with_its_script_was_printed_by_it(page: str) -> None:
    assert claims(page)
    for script, figures in claims(page):
        assert (ROOT / f"bench/{script}.py").is_file()
        assert figures, f"nothing is claimed of bench.{script}"
        assert set(figures) <= printed(script), f"{page}: bench.{script} printed something else; write what it printed"
