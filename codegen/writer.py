"""From rendered text to files: headers, formatting, writing only what changed, removing orphans, comparing."""

import difflib
import hashlib
import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from codegen.outputs import GENERATED_FOLDERS, Output

_STYLE = ("--isolated", "--no-cache", "--quiet", "--config", "line-length=120", "--config", 'target-version="py311"')
_IMPORTS = ("--select", "F401,I", "--config", 'lint.isort.known-first-party=["lcg","codegen","tests"]')


def finish(rendered: dict[Output, dict[str, str]], digests: Mapping[str, str]) -> dict[str, str]:
    """Put the header on every file and format the Python ones.

    `digests` is the state of each source. Returns path → text, sorted by path.
    """
    files: dict[str, str] = {}
    for output, texts in rendered.items():
        for path, text in texts.items():
            if path in files:
                raise ValueError(f"two outputs write {path}")
            files[path] = _with_header(path, text, output, digests[output.source])
    python = {path: text for path, text in files.items() if path.endswith(".py")}
    return dict(sorted((files | _format(python)).items()))


def digest(text: str) -> str:
    """Return the hash by which a header names the state of its source."""
    return hashlib.sha256(text.encode()).hexdigest()


def _with_header(path: str, text: str, output: Output, source_digest: str) -> str:
    lines = (
        "DO NOT EDIT. Renew with `make gen`.",
        f"Source: {output.source} (sha256 {source_digest})",
        f"Template: codegen/templates/{output.template}",
    )
    if path.endswith(".py"):
        return "".join(f"# {line}\n" for line in lines) + text
    if path.endswith(".json"):  # which has no comments
        return json.dumps(_with_note(json.loads(text), lines), ensure_ascii=False, indent=2) + "\n"
    return "<!--\n" + "".join(f"{line}\n" for line in lines) + "-->\n" + text


def _with_note(value: dict[str, Any], lines: Sequence[str]) -> dict[str, Any]:
    """Put the header where the format of a document has room for it: in the parts of `_meta`, or at its beginning."""
    if "_meta" not in value:
        return {"x-generated": list(lines)} | value
    return value | {"_meta": {name: {"generated": list(lines)} | part for name, part in value["_meta"].items()}}


def _format(files: dict[str, str]) -> dict[str, str]:
    """Drop unused imports, sort the others, and lay the code out as `ruff format` does."""
    with tempfile.TemporaryDirectory() as folder:
        for path, text in files.items():
            target = Path(folder, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8", newline="\n")
        _run("check", "--fix-only", "--exit-zero", *_STYLE, *_IMPORTS, folder)
        _run("format", *_STYLE, folder)
        return {path: Path(folder, path).read_text(encoding="utf-8") for path in files}


def _run(*arguments: str) -> None:
    command = (sys.executable, "-m", "ruff", *arguments)
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    if done.returncode != 0:
        raise RuntimeError(f"ruff {arguments[0]} failed: {done.stderr.strip()}")


def orphans(root: Path, files: dict[str, str]) -> list[str]:
    """Return the files in the generated folders that no output makes."""
    found = [
        path.relative_to(root).as_posix()
        for folder in GENERATED_FOLDERS
        for path in (root / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    ]
    return sorted(set(found) - set(files))


def write(root: Path, files: dict[str, str]) -> list[str]:
    """Bring the generated folders to the state of `files`. Returns one line for each change."""
    changes = []
    for path, text in files.items():
        target = root / path
        if _read(target) != text:
            changes.append(f"{'updated' if target.exists() else 'created'} {path}")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8", newline="\n")
    for path in orphans(root, files):
        (root / path).unlink()
        changes.append(f"removed {path}")
    return changes


def compare(root: Path, files: dict[str, str]) -> list[str]:
    """Say how the generated folders differ from `files`: missing files, orphans, and unified diffs."""
    report = []
    for path, text in files.items():
        present = _read(root / path)
        if present is None:
            report.append(f"missing: {path}")
        elif present != text:
            lines = difflib.unified_diff(
                present.splitlines(), text.splitlines(), f"{path} (on disk)", f"{path} (from the spec)", lineterm=""
            )
            report.append("\n".join(lines) or f"line ends differ: {path}")
    return report + [f"orphan: {path}" for path in orphans(root, files)]


def _read(path: Path) -> str | None:
    try:
        with path.open(encoding="utf-8", newline="") as stream:
            return stream.read()
    except (FileNotFoundError, UnicodeDecodeError):
        return None
