"""The sample registry as a project of its own, in a directory that a test may spoil."""

import shutil
from pathlib import Path

HERE = Path(__file__).parent
SAMPLE = HERE / "sample/tools.yaml"
GOLDEN = HERE / "golden"
SCHEMA = HERE.parents[1] / "spec/tools.schema.json"


def make_project(root: Path, *edits: tuple[str, str]) -> Path:
    """Write the sample registry, changed by `edits`, and its schema under `root`.

    Each edit is a text that stands in the sample exactly once, and what takes its place.
    """
    text = SAMPLE.read_text(encoding="utf-8")
    for old, new in edits:
        if text.count(old) != 1:
            raise ValueError(f"{old!r} stands in the sample {text.count(old)} times")
        text = text.replace(old, new)
    (root / "spec").mkdir(parents=True, exist_ok=True)
    (root / "spec/tools.yaml").write_text(text, encoding="utf-8")
    shutil.copy(SCHEMA, root / "spec/tools.schema.json")
    return root
