"""A workspace goes from one engine to the other and back, with all that it knows, whatever end the last process had."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from lcg.engines import KINDS
from lcg.store.kuzu.formats import format_of
from tests.processes import daemon

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.skipif(
        any(find_spec(name) is None for name in KINDS), reason="needs both engines: pip install 'lcg[ladybug]'"
    ),
]
STORE = Path(".lcg/db/liminis.db")
NAMES = "MATCH (e:Entity) RETURN e.name ORDER BY e.name"


@pytest.mark.parametrize("is_killed", [False, True])
@pytest.mark.parametrize("engines", [("kuzu", "ladybug", "kuzu"), ("ladybug", "kuzu", "ladybug")])
def test_another_engine_takes_the_workspace_over(tmp_path: Path, engines: tuple[str, ...], is_killed: bool) -> None:
    names: list[str] = []
    for number, engine in enumerate(engines):
        with daemon(tmp_path, env={"LCG_ENGINE": engine}) as service, service.client() as client:
            assert client.rows(NAMES) == [[name] for name in names]
            names.append(f"Person {number}")
            client.result("knowledge_assert_entity", name=names[-1])
            if number:
                client.result(
                    "knowledge_assert_relationship", source_name=names[0], predicate="KNOWS", target_name=names[-1]
                )
            assert client.rows(NAMES) == [[name] for name in names]
            assert client.rows("MATCH (:Entity)-[:RELATES_TO]->(n:RelatesToNode_) RETURN count(n)") == [[number]]
            if is_killed:
                service.kill()
            else:
                assert service.end() == 0
        found = format_of(tmp_path / STORE)
        assert found is not None
        assert found.engine == engine
        aside = sorted(path.name.split(".")[2].partition("-")[0] for path in set_aside(tmp_path))
        assert aside == sorted(engines[:number])


def set_aside(workspace: Path) -> list[Path]:
    """Return the stores, without what was beside them, that were set aside."""
    return [path for path in (workspace / STORE).parent.glob("liminis.db.*-*") if path.name.count(".") == 2]
