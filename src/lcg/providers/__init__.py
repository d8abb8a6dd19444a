"""Models that turn text into vectors or into entities and relations."""
