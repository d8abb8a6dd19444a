"""A service that is asked to end while clients write: it ends in time, and what it acknowledged stays."""

import signal
import threading
import time
from pathlib import Path

import pytest

from tests.faults.ledger import EntityWish, Ledger, Wish
from tests.faults.picture import take_picture
from tests.processes import REAL, ConnectionEnded, Daemon, Refused, daemon, serving

pytestmark = pytest.mark.e2e

BOUND_S = 5.0
"""The shutdown bound that a service has when nobody sets another."""


def write_until_cut_off(service: Daemon, ledger: Ledger, mark: str, refusals: list[Refused]) -> None:
    """Assert names with several requests under way, until the service ends the connection."""
    under_way: list[Wish] = []
    number = 0
    try:
        with service.client() as client:
            while True:
                while len(under_way) < 8:
                    under_way.append(EntityWish("liminis", f"{mark} {number}"))
                    ledger.send(client, under_way[-1])
                    number += 1
                ledger.receive(client, under_way.pop(0))
    except ConnectionEnded:
        pass
    except Refused as refusal:
        refusals.append(refusal)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_among_writes_ends_it_cleanly_and_nothing_acknowledged_is_lost(
    tmp_path: Path, number: signal.Signals
) -> None:
    ledger = Ledger()
    refusals: list[Refused] = []
    with daemon(tmp_path) as service:
        threads = [
            threading.Thread(target=write_until_cut_off, args=(service, ledger, f"writer {index}", refusals))
            for index in range(3)
        ]
        for thread in threads:
            thread.start()
        while len(ledger.answered) < 20:
            assert service.process.poll() is None, service.errors
            time.sleep(0.005)
        service.signal(number)
        begin = time.monotonic()
        assert service.status() == 0
        assert time.monotonic() - begin < BOUND_S
        for thread in threads:
            thread.join()
        assert f"received {number.name}" in service.errors
        assert "Traceback" not in service.errors
    assert {refusal.kind for refusal in refusals} <= {"cancelled"}
    assert not (tmp_path / ".lcg" / "service.sock").exists()
    with daemon(tmp_path) as service, service.client() as client:
        ledger.check(take_picture(client))
        ledger.check_search(client)


def test_a_standalone_process_ends_cleanly_among_writes(tmp_path: Path) -> None:
    with serving(tmp_path, "--mcp-stdio", command=REAL) as server:
        server.initialize()
        for number in range(60):
            server.tool(number, "knowledge_assert_entity", {"name": f"name {number}"})
        answers = [server.line()]
        server.signal(signal.SIGTERM)
        answers += server.rest()
        assert server.status() == 0
        assert "received SIGTERM" in server.errors
    done = {
        answer["result"]["structuredContent"]["entity_uuid"]: f"name {answer['id']}"
        for answer in answers
        if not answer["result"]["isError"]
    }
    assert done
    with daemon(tmp_path) as service, service.client() as client:
        kept = {uuid: name for uuid, (_, name, _) in take_picture(client).entities.items()}
    assert done.items() <= kept.items()
