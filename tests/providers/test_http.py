"""The HTTP client of all remote providers: patience, bounds and what its errors say."""

import ssl
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lcg.errors import OperationFailed
from lcg.providers.endpoint import NEVER_AGAIN, Endpoint, ProviderError, Retry
from lcg.providers.http import JsonClient
from lcg.runtime.call import Call, serving
from tests.providers.stub_server import (
    Answer,
    StubServer,
    closing_at_once,
    closing_mid_body,
    error,
    no_json,
    ok,
    serving_stub,
    slow,
)

QUICK = Retry(delays_s=(0.01, 0.01, 0.01), longest_wait_s=0.05)
GOOD = ok({"fine": True})
REMEDY = "Start it."


@pytest.fixture
def stub() -> Iterator[StubServer]:
    with serving_stub() as server:
        yield server


@contextmanager
def client(url: str, **more: Any) -> Iterator[JsonClient]:
    opened = JsonClient(Endpoint("model", url, REMEDY, **{"retry": QUICK, **more}))
    try:
        yield opened
    finally:
        opened.close()


def failure_of(stub: StubServer, **more: Any) -> ProviderError:
    with client(stub.url + "/v1/x", **more) as opened, pytest.raises(ProviderError) as caught:
        opened.post({})
    return caught.value


def test_a_json_object_goes_there_and_one_comes_back(stub: StubServer) -> None:
    stub.then(GOOD)
    with client(stub.url + "/v1/x", bearer="s3cret", headers={"x-more": "1"}) as opened:
        assert opened.post({"a": "é"}) == {"fine": True}
    (asked,) = stub.asked
    assert (asked.path, asked.body) == ("/v1/x", {"a": "é"})
    assert asked.headers["authorization"] == "Bearer s3cret"
    assert asked.headers["content-type"] == "application/json"
    assert asked.headers["x-more"] == "1"


def test_without_a_token_nothing_is_authorized(stub: StubServer) -> None:
    stub.then(GOOD)
    with client(stub.url) as opened:
        opened.post({})
    assert "authorization" not in stub.asked[0].headers


def test_a_unix_socket_is_asked_as_localhost() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "s"
        with serving_stub(uds=path) as stub:
            stub.then(GOOD, GOOD)
            with client("http://localhost/v1/x", uds=str(path)) as opened:
                opened.post({})
                opened.post({})
        assert [(asked.path, asked.headers["host"]) for asked in stub.asked] == [("/v1/x", "localhost")] * 2


def test_a_socket_that_is_not_there_is_named(tmp_path: Path) -> None:
    path = tmp_path / "none"
    with client("http://localhost/v1/x", uds=str(path)) as opened, pytest.raises(ProviderError) as caught:
        opened.post({})
    assert str(caught.value) == f"The model at {path} (/v1/x) cannot be reached (No such file or directory). {REMEDY}"


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
def test_a_passing_failure_is_asked_again(stub: StubServer, status: int) -> None:
    stub.then(error(status), error(status), GOOD)
    with client(stub.url) as opened:
        assert opened.post({}) == {"fine": True}
    assert len(stub.asked) == 3


@pytest.mark.parametrize("status", [301, 400, 401, 403, 404, 413, 422, 501])
def test_a_lasting_failure_is_not(stub: StubServer, status: int) -> None:
    stub.then(error(status, "no way"))
    assert failure_of(stub).status == status
    assert len(stub.asked) == 1


def test_tries_end(stub: StubServer) -> None:
    stub.default = lambda _: error(503, "overloaded")
    failure = failure_of(stub)
    assert len(stub.asked) == 4
    assert str(failure) == f'The model at {stub.url}/v1/x answered 503: "overloaded". {REMEDY}'


def test_one_try_is_all_for_the_impatient(stub: StubServer) -> None:
    stub.then(error(503), GOOD)
    with client(stub.url) as opened, pytest.raises(ProviderError):
        opened.post({}, patient=False)
    assert len(stub.asked) == 1


@pytest.mark.parametrize("broken", [closing_at_once(), closing_mid_body({"long": "x" * 500})])
def test_a_connection_that_breaks_is_asked_again(stub: StubServer, broken: Answer) -> None:
    stub.then(broken, GOOD)
    with client(stub.url) as opened:
        assert opened.post({}) == {"fine": True}


def test_a_provider_that_only_breaks_off_is_told_so(stub: StubServer) -> None:
    stub.default = lambda _: closing_mid_body({"long": "x" * 500})
    assert f"The model at {stub.url}/v1/x broke its answer off" in str(failure_of(stub))
    assert len(stub.asked) == 4


def test_nobody_there_is_told_so() -> None:
    with serving_stub() as gone:
        url = gone.url
    with client(url) as opened, pytest.raises(ProviderError, match=r"cannot be reached \(Connection refused\)"):
        opened.post({})


def test_a_slow_answer_is_given_up_once_and_for_all(stub: StubServer) -> None:
    stub.then(slow({}, 30), GOOD)
    assert str(failure_of(stub, timeout_s=0.1)).startswith(f"The model at {stub.url}/v1/x did not answer within 0.1 s")
    assert len(stub.asked) == 1


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (no_json(), 'answered 200 with what is no JSON: "<html>no</html>"'),
        (Answer(b'{"a": NaN}'), "what is no JSON"),
        (ok([1]), "JSON that is no object"),
        (Answer(b""), "what is no JSON"),
    ],
)
def test_what_is_no_json_object_is_refused(stub: StubServer, answer: Answer, says: str) -> None:
    stub.then(answer)
    assert says in str(failure_of(stub))
    assert len(stub.asked) == 1


def test_an_answer_has_a_greatest_size(stub: StubServer) -> None:
    stub.then(ok({"long": "x" * 5_000}))
    assert "sent more than 1,000 bytes" in str(failure_of(stub, most_bytes=1_000))


def test_a_redirect_is_not_followed(stub: StubServer) -> None:
    stub.then(Answer({}, 307, {"location": f"{stub.url}/else?token=1"}))
    assert "answered 307: it moved, and redirects are not followed." in str(failure_of(stub))
    assert len(stub.asked) == 1


@pytest.mark.parametrize(
    "body",
    [
        {"error": {"message": "why"}},
        {"error": "why"},
        {"message": "why"},
        {"detail": "why"},
        {"error": {"type": "why"}},
        b"why",
    ],
)
def test_the_providers_words_are_found(stub: StubServer, body: Any) -> None:
    stub.then(Answer(body, 400))
    assert failure_of(stub).said == "why"


def test_the_providers_words_are_cut_short_and_kept_on_one_line(stub: StubServer) -> None:
    stub.then(error(400, "a\nb\x00c" + "d" * 50_000))
    said = failure_of(stub).said
    assert said.startswith("a b cddd")
    assert len(said) == 300


def test_no_secret_is_shown(stub: StubServer) -> None:
    stub.then(error(401, "bad key s3cret or h1dden"))
    url = stub.url.replace("http://", "http://user:pa55@") + "/v1/x?key=qu3ry#fr4g"
    endpoint = Endpoint("model", url, REMEDY, bearer="s3cret", headers={"x-key": "h1dden"})
    opened = JsonClient(endpoint)
    with pytest.raises(ProviderError) as caught:
        opened.post({})
    opened.close()
    assert str(caught.value) == f'The model at {stub.url}/v1/x answered 401: "bad key *** or ***". {REMEDY}'


@pytest.mark.parametrize(
    "url", ["", "localhost:1/x", "ftp://a/b", "http://", "http://[::1", "http://a:x/", "http://a:0"]
)
def test_a_url_has_to_be_full(url: str) -> None:
    with pytest.raises(ValueError, match="expected a full http:// or https:// URL"):
        Endpoint("model", url, REMEDY)


def test_a_certificate_that_nobody_vouches_for_is_refused() -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(Path(__file__).with_name("self_signed.pem"))
    with serving_stub(tls=context) as secure:
        secure.default = lambda _: GOOD
        with client(secure.url, retry=NEVER_AGAIN) as opened, pytest.raises(ProviderError) as caught:
            opened.post({})
        assert "cannot be reached (its certificate is not trusted: " in str(caught.value)
        assert secure.asked == []


def test_a_port_that_speaks_no_tls_is_told_so(stub: StubServer) -> None:
    url = stub.url.replace("http:", "https:")
    with client(url, retry=NEVER_AGAIN) as opened, pytest.raises(ProviderError, match="no secure connection"):
        opened.post({})


def test_proxies_of_the_environment_are_not_used(stub: StubServer, monkeypatch: pytest.MonkeyPatch) -> None:
    stub.then(GOOD)
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)
    with client(stub.url) as opened:
        assert opened.post({}) == {"fine": True}


def test_a_call_that_is_given_up_ends_the_request_at_once(stub: StubServer) -> None:
    stub.then(slow({}, 30), GOOD)
    call = Call("knowledge_process_chunk")
    threading.Timer(0.1, call.cancelled.set).start()
    began = time.monotonic()
    with client(stub.url) as opened:
        with serving(call), pytest.raises(OperationFailed, match="operation cancelled"):
            opened.post({})
        assert time.monotonic() - began < 10
        assert opened.post({}) == {"fine": True}, "the next call is served"


def test_a_call_that_is_given_up_does_not_wait_for_the_next_try(stub: StubServer) -> None:
    stub.then(error(503))
    call = Call("knowledge_process_chunk")
    threading.Timer(0.1, call.cancelled.set).start()
    with (
        client(stub.url, retry=Retry(delays_s=(60.0,))) as opened,
        serving(call),
        pytest.raises(OperationFailed, match="operation cancelled"),
    ):
        opened.post({})
    assert len(stub.asked) == 1


def test_closing_ends_what_is_on_its_way(stub: StubServer) -> None:
    stub.then(slow({}, 30))
    opened = JsonClient(Endpoint("model", stub.url, REMEDY))
    threading.Timer(0.1, opened.close).start()
    with pytest.raises(OperationFailed, match="operation cancelled"):
        opened.post({})
    opened.close()
    with pytest.raises(OperationFailed, match="operation cancelled"):
        opened.post({})


def test_many_callers_are_served_at_once(stub: StubServer) -> None:
    gate = threading.Barrier(8, timeout=10)

    def answer(_: object) -> Answer:
        gate.wait()
        return GOOD

    stub.default = answer
    found: list[dict[str, Any]] = []
    with client(stub.url) as opened:
        threads = [threading.Thread(target=lambda: found.append(opened.post({}))) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert found == [{"fine": True}] * 8


def test_retry_after_is_kept_in_seconds_and_as_a_date(stub: StubServer, caplog: pytest.LogCaptureFixture) -> None:
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=3_600), usegmt=True)
    past = format_datetime(datetime.now(UTC) - timedelta(seconds=3_600), usegmt=True)
    stub.then(error(429, retry_after="0"), error(429, retry_after=soon), error(429, retry_after=past), GOOD)
    with client(stub.url, retry=Retry(delays_s=(60.0,) * 3, longest_wait_s=0.2)) as opened:
        assert opened.post({}) == {"fine": True}
    waits = [record.message.rsplit("in ", 1)[1] for record in caplog.records if "the next follows" in record.message]
    assert waits == ["0.0 s.", "0.2 s.", "0.0 s."]


def test_an_unreadable_retry_after_counts_as_none(stub: StubServer) -> None:
    stub.then(error(429, retry_after="soon"), error(429, retry_after="-1"), error(429, retry_after="9" * 400), GOOD)
    with client(stub.url) as opened:
        assert opened.post({}) == {"fine": True}


@given(
    delay=st.floats(0, 100),
    jitter=st.floats(0, 1),
    asked=st.none() | st.floats(-1e9, 1e9),
)
def test_a_wait_stays_within_its_bounds(delay: float, jitter: float, asked: float | None) -> None:
    retry = Retry(delays_s=(delay,), jitter=jitter, longest_wait_s=5.0)
    wait_s = retry.wait_s(1, asked)
    if asked is None:
        assert delay <= wait_s <= delay * (1 + jitter)
    else:
        assert 0 <= wait_s <= 5
