"""The sample registry and configuration as a project of its own, in a directory that a test may spoil."""

import shutil
from pathlib import Path

HERE = Path(__file__).parent
SAMPLES = ("tools", "config", "agents")
GOLDEN = HERE / "golden"
SPEC = HERE.parents[1] / "spec"


def make_project(root: Path, *edits: tuple[str, str]) -> Path:
    """Write the sample files, changed by `edits`, and their schemas under `root`.

    Each edit is a text that stands in one of the files exactly once, and what takes its place.
    """
    texts = {name: (HERE / f"sample/{name}.yaml").read_text(encoding="utf-8") for name in SAMPLES}
    for old, new in edits:
        places = [name for name in SAMPLES if old in texts[name]]
        if len(places) != 1 or texts[places[0]].count(old) != 1:
            raise ValueError(f"{old!r} does not stand in the sample exactly once")
        texts[places[0]] = texts[places[0]].replace(old, new)
    (root / "spec").mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (root / f"spec/{name}.yaml").write_text(text, encoding="utf-8")
        shutil.copy(SPEC / f"{name}.schema.json", root / f"spec/{name}.schema.json")
    shutil.copy(HERE / "sample/pyproject.toml", root)
    return root
