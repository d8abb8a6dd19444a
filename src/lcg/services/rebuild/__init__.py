"""Rebuilding a group from its log: what to take in, reading it, loading it, and the jobs that do so."""
