"""Transports, wiring and life cycle: everything that a client talks to."""
