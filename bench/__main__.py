"""Runs the bench program; it is in a module that the processes of scenarios can import."""

import sys

from bench.program import main

if __name__ == "__main__":
    sys.exit(main())
