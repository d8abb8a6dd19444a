"""The program with pages of one entity, so that a small graph has something beyond the drawing."""

import sys

from lcg.explorer import selection

selection.select.__defaults__ = (1, selection.MOST_FACTS)

from lcg.__main__ import main  # noqa: E402 - after the change

sys.exit(main())
