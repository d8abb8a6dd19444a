"""What a failure tells stays short, however long the text that it quotes."""

from pathlib import Path

from lcg.errors import OperationFailed
from lcg.generated.errors import ErrorKind
from tests.processes import daemon

LONG = "x" * 12_000_000


def test_a_long_text_in_a_failure_is_cut_in_the_middle() -> None:
    failure = OperationFailed(
        ErrorKind.NOT_FOUND, f"No entity {LONG}. Look for it.", names=["Mira", LONG], at={"path": LONG}, seq=5
    )
    assert failure.message.startswith("No entity xxx")
    assert failure.message.endswith("xxx. Look for it.")
    cut = f"{'x' * 4_000} … {'x' * 4_000}"
    assert failure.data == {"kind": "not_found", "names": ["Mira", cut], "at": {"path": cut}, "seq": 5}
    assert str(failure) == failure.message
    again = OperationFailed(ErrorKind.NOT_FOUND, failure.message)
    assert again.message == failure.message


def test_failures_over_long_texts_leave_the_status_readable(tmp_path: Path) -> None:
    with daemon(tmp_path) as service, service.client() as client:
        for _ in range(6):
            answer = client.call("knowledge_assert_entity", {"name": "Mira", "entity_uuid": LONG})
            assert answer["error"]["data"]["kind"] == "not_found"
        failures = client.result("knowledge_status")["recent_failures"]
        assert len(failures) == 6
        assert len(failures[0]["message"]) < 10_000
