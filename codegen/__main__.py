"""Command line of the generator: `python -m codegen gen | check | list-outputs`."""

import argparse
import sys
from pathlib import Path

from codegen import project, writer
from codegen.findings import SpecError
from codegen.outputs import OUTPUTS


def main(arguments: list[str] | None = None) -> int:
    """Run one command. Returns the exit code: 0, or 1 when the spec is faulty or the files are out of date."""
    parser = argparse.ArgumentParser(prog="codegen", description="Render everything that repeats spec/tools.yaml.")
    parser.add_argument("--root", type=Path, default=Path(), help="the project's directory (default: the current one)")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("gen", help="write what changed, remove orphans")
    commands.add_parser("check", help="compare in memory, print the differences")
    commands.add_parser("list-outputs", help="show which template makes which file")
    options = parser.parse_args(arguments)
    if options.command == "list-outputs":
        return list_outputs()
    try:
        files = project.generate(options.root)
    except SpecError as error:
        print(error, file=sys.stderr)
        return 1
    return gen(options.root, files) if options.command == "gen" else check(options.root, files)


def list_outputs() -> int:
    """Print the output table."""
    for output in OUTPUTS:
        print(f"{output.template:24} {output.mode:9} {output.path}")
    return 0


def gen(root: Path, files: dict[str, str]) -> int:
    """Write the files and say what changed."""
    changes = writer.write(root, files)
    print("\n".join(changes) if changes else f"all {len(files)} files are up to date")
    return 0


def check(root: Path, files: dict[str, str]) -> int:
    """Print how the files on disk differ from the spec."""
    report = writer.compare(root, files)
    if report:
        print("\n".join(report))
        print("generated files are out of date; run `make gen` and commit the result", file=sys.stderr)
        return 1
    print(f"all {len(files)} files are up to date")
    return 0


if __name__ == "__main__":
    sys.exit(main())
