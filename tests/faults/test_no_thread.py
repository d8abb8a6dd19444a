"""The system allows no further thread for a moment: who needs one is told so, and nobody later waits for it in vain."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from lcg.errors import UnexpectedFailure
from lcg.providers.endpoint import Endpoint
from lcg.providers.http import JsonClient
from lcg.runtime.call import Call
from lcg.server.app import open_service
from lcg.server.late_service import LateService
from lcg.store.behind import BehindStore
from lcg.store.kuzu.cancelling import Canceller
from lcg.store.memory import MemoryStore
from lcg.store.protocol import StoreError
from tests.providers.stub_server import ok, serving_stub
from tests.server.fake_service import FakeService
from tests.store.builders import at, entity, new_entities
from tests.workspaces import workspace_settings


@contextmanager
def refused(monkeypatch: pytest.MonkeyPatch, *names: str) -> Iterator[None]:
    """Let threads of these names not start for the length of a `with` block."""
    start = threading.Thread.start

    def refuse(thread: threading.Thread) -> None:
        if thread.name in names:
            raise RuntimeError("can't start new thread")
        start(thread)

    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", refuse)
        yield


def unexpected(error: StoreError) -> None:
    pytest.fail(f"nothing was to fail, but: {error}")


def answered(ask: Any) -> Any:
    """Ask on another thread, so that a wait in vain is seen."""
    pool = ThreadPoolExecutor(1)
    try:
        return pool.submit(ask).result(20)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def test_a_store_takes_no_batch_that_nobody_would_apply(monkeypatch: pytest.MonkeyPatch) -> None:
    store = BehindStore(MemoryStore())
    with refused(monkeypatch, "lcg-store"), pytest.raises(RuntimeError):
        store.apply_later(new_entities(entity("lost"), positions=at(1)), unexpected)
    assert answered(store.positions) == {}
    store.apply_later(new_entities(entity("a"), positions=at(1)), unexpected)
    assert answered(store.positions)["g"].applied_seq == 1
    store.close()


def test_queries_are_watched_once_there_can_be_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    class Session:
        interrupted = threading.Event()

        def interrupt(self) -> None:
            self.interrupted.set()

    canceller, cancelled, session = Canceller(), threading.Event(), Session()
    cancelled.set()
    watching: Any = canceller.watching
    with refused(monkeypatch, "lcg-cancel"), pytest.raises(RuntimeError), watching(session, cancelled):
        pytest.fail("it is not watched")
    with watching(session, cancelled):
        assert session.interrupted.wait(20)


def test_a_provider_is_asked_once_there_can_be_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving_stub() as stub, closing(JsonClient(Endpoint("stub", stub.url + "/v1/x", "ask again"))) as client:
        stub.then(ok({"answer": 1}))
        with refused(monkeypatch, "lcg-stub"), pytest.raises(RuntimeError):
            client.post({})
        assert answered(lambda: client.post({})) == {"answer": 1}


def test_a_service_that_could_not_begin_to_open_is_opened_by_the_next_call(monkeypatch: pytest.MonkeyPatch) -> None:
    late = LateService(FakeService, pytest.fail)
    with refused(monkeypatch, "open"), pytest.raises(RuntimeError):
        late.call("echo", {}, Call("echo"))
    assert answered(lambda: late.call("echo", {}, Call("echo")))["method"] == "echo"
    late.close()


def test_a_rebuild_in_the_background_that_could_not_begin_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = open_service(workspace_settings(tmp_path))

    def ask(method: str, **params: Any) -> dict[str, Any]:
        return service.call(f"knowledge_{method}", params, Call(f"knowledge_{method}"))

    with closing(service):
        ask("assert_entity", name="Ada", group_id="a")
        with refused(monkeypatch, "lcg-rebuild"), pytest.raises(UnexpectedFailure):
            ask("rebuild_from_wal", group_id="a", force_clear=True, background=True)
        assert not service.works_unasked()
        assert ask("rebuild_from_wal", group_id="a", force_clear=True)["status"] == "completed"
