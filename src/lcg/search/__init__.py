"""Derived search indexes: full text (SQLite FTS5), vectors, rank fusion."""
