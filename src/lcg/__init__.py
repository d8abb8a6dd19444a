"""lcg: a local-first context graph server."""

__version__ = "0.1.0"
