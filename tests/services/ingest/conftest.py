"""Ingestion per test."""

from collections.abc import Iterator

import pytest

from tests.services.ingest.harness import Ingests, ingests


@pytest.fixture
def given() -> Iterator[Ingests]:
    """Ingestion without an ontology, with vectors that count letters."""
    with ingests() as made:
        yield made
