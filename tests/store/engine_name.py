"""Which engine the tests run on: `LCG_ENGINE=ladybug` runs them on that one."""

import os
from pathlib import Path

from lcg.engines import KINDS

ENGINE = os.environ.get("LCG_ENGINE", "kuzu")
OTHER_ENGINE = next(name for name in KINDS if name != ENGINE)


def begin_file_of(path: Path, engine: str, version: int) -> None:
    """Make what looks like a store of an engine, as far as its first page goes."""
    path.write_bytes((KINDS[engine].mark + version.to_bytes(8, "little")).ljust(4096, b"\xff"))
