"""Cypher and files, where the service allows them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from lcg.errors import OperationFailed
from lcg.store.kuzu.store import KuzuStore
from lcg.store.memory import MemoryStore
from lcg.store.protocol import Bookkeeping, Change
from tests.store.builders import at, batch, entity
from tests.store.changed_store import Run, read
from tests.store.engine_name import ENGINE


@pytest.fixture
def open_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[KuzuStore]:
    monkeypatch.setattr("lcg.store.kuzu.engine.pool_bytes", lambda: 128 << 20)
    made = KuzuStore(tmp_path / "open.kuzu", ENGINE, cypher_allow_files=True)
    made.apply(batch([Change(None, entity("n1", name="Mira"))], positions=at(1)))
    yield made
    made.close()


def test_files_are_read_and_written_when_the_service_allows_it(open_store: KuzuStore, tmp_path: Path) -> None:
    source, target = tmp_path / "people.csv", tmp_path / "out.csv"
    source.write_text("k1,Ada\nk2,Ben\n")
    assert read(open_store, f"LOAD FROM '{source}' RETURN column1") == [["Ada"], ["Ben"]]
    run = Run(open_store)
    run(f"LOAD FROM '{source}' CREATE (:Entity {{uuid: column0, name: column1, group_id: 'g'}})")
    assert run.changes is not None
    assert [change.new.name for change in run.changes.entities if change.new] == ["Ada", "Ben"]
    read(open_store, f"COPY (MATCH (n:Entity) RETURN n.name ORDER BY n.name) TO '{target}'")
    assert target.read_text().split()[-3:] == ["Ada", "Ben", "Mira"]


@pytest.mark.skipif(ENGINE == "ladybug", reason="Ladybug fetches its extensions over the network")
def test_extensions_are_installed_when_the_service_allows_it(open_store: KuzuStore) -> None:
    run = Run(open_store)
    run("INSTALL fts")
    assert run.changes is None


@pytest.mark.skipif(ENGINE == "ladybug", reason="Ladybug exports no links that join several kinds of rows")
def test_all_of_it_can_be_exported(open_store: KuzuStore, tmp_path: Path) -> None:
    read(open_store, f"EXPORT DATABASE '{tmp_path / 'export'}'")
    assert (tmp_path / "export" / "schema.cypher").is_file()


def test_times_in_files_are_not_fetched_unseen(open_store: KuzuStore, tmp_path: Path) -> None:
    source = tmp_path / "times.csv"
    source.write_text("20000-01-01\n")
    error = Run(open_store).refusal(f"LOAD WITH HEADERS (t TIMESTAMP) FROM '{source}' RETURN t")
    assert "CAST(... AS STRING)" in error.message


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("COPY Entity FROM 'x.csv'", "Use LOAD FROM"),
        ("COPY Entity(uuid) FROM (RETURN 1)", "Use LOAD FROM"),
        ("IMPORT DATABASE 'x'", "it makes tables"),
        ("ATTACH 'x' AS y (dbtype kuzu)", "one database"),
        ("DETACH y", "one database"),
        ("USE y", "one database"),
        ("CHECKPOINT", "transaction of its own"),
        ("LOAD FROM 'x.csv' CREATE NODE TABLE T(a STRING PRIMARY KEY)", "refused the query"),
    ],
)
def test_some_statements_are_refused_even_then(open_store: KuzuStore, query: str, words: str) -> None:
    assert words in Run(open_store).refusal(query).message


def test_the_memory_store_refuses() -> None:
    with pytest.raises(OperationFailed, match="no Cypher"):
        MemoryStore().mutate("RETURN 1", {}, max_rows=1, timeout_ms=1, accept=lambda changes: Bookkeeping([], {}))
