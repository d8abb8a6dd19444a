"""`python -m tools.docs gen|check|record|site`: what is made from the documents, and of them.

gen renews docs/generated/, check compares it, record has a real service answer the calls of the reference anew, site
builds the site.
"""

import sys
from pathlib import Path

from tools.docs.written import changes, renew

ROOT = Path(__file__).resolve().parents[2]


def main(arguments: list[str]) -> int:
    """Do what was asked, and return the exit status."""
    match arguments:
        case ["gen"]:
            for path in renew(ROOT):
                print(f"updated {path}")
            return 0
        case ["check"]:
            different = changes(ROOT)
            for path in different:
                print(f"{path} is not what the documents say; `make gen` renews it")
            return 1 if different else 0
        case ["record"]:
            from tools.docs.recording import PATH, record  # which needs a program that works

            (ROOT / PATH).write_text(record(), encoding="utf-8")
            return 0
        case ["site"]:
            from tools.docs.site import FOLDER, build  # its packages are an extra

            done = build(ROOT, ROOT / FOLDER)
            print(f"The site is built: open {ROOT / FOLDER}/site/index.html" if done.returncode == 0 else done.stdout)
            return done.returncode
        case _:
            print(__doc__, file=sys.stderr)
            return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
