"""Renew the golden files after a wanted change: `python -m tests.codegen.renew_golden`, then read the difference."""

import shutil
import tempfile
from pathlib import Path

from codegen import project
from tests.codegen.sample_project import GOLDEN, make_project


def golden_path(path: str) -> Path:
    """Return where the golden text of an output stands; the suffix keeps linters and test collection away."""
    return GOLDEN / f"{path}.txt"


def renew() -> None:
    """Replace every golden file by what is rendered now."""
    shutil.rmtree(GOLDEN, ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder:
        for path, text in project.generate(make_project(Path(folder))).items():
            target = golden_path(path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    renew()
