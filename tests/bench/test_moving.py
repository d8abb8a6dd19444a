"""The script that measures imports and exports does each of them."""

import sys

import pytest

from bench import moving
from lcg.exchange.formats import FORMATS


def test_it_prints_a_line_for_each_command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["moving", "20"])
    moving.main()
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[1:]] == ["import", "import", *["export"] * len(FORMATS)]
