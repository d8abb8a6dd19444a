"""An embedder behind HTTP: what it is asked, what of its answers is taken, and what is said when they are unusable."""

import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lcg.errors import OperationFailed
from lcg.providers.embedder import remote
from lcg.providers.embedder.answers import Unusable, read_vectors
from lcg.providers.embedder.protocol import Embedder, EmbedderError
from lcg.providers.embedder.remote import RemoteEmbedder
from lcg.providers.embedder.texts import MOST_CHARS
from lcg.providers.endpoint import Endpoint, Retry
from lcg.providers.http import JsonClient
from lcg.runtime.call import Call, serving
from tests.providers.stub_models import DIM, embedder, embedding_answer, numbers
from tests.providers.stub_server import (
    Answer,
    Asked,
    StubServer,
    closing_mid_body,
    error,
    no_json,
    ok,
    serving_stub,
    slow,
)

QUICK = Retry(delays_s=(0.01, 0.01), longest_wait_s=0.05)
Change = Callable[[dict[str, Any]], object]


@pytest.fixture
def stub() -> Iterator[StubServer]:
    with serving_stub(embedder()) as server:
        yield server


@contextmanager
def opened(url: str, dim: int | None = None, **more: Any) -> Iterator[RemoteEmbedder]:
    endpoint = Endpoint("embedder", f"{url}/v1/embeddings", "Look at it.", **{"retry": QUICK, **more})
    made = RemoteEmbedder(JsonClient(endpoint), "asked-for", dim)
    try:
        yield made
    finally:
        made.close()


def unit(text: str) -> np.ndarray[Any, Any]:
    return np.array(numbers(text), dtype=np.float32) / 3


def inputs(stub: StubServer) -> list[Any]:
    return [asked.body["input"] for asked in stub.asked]


def test_a_probe_fixes_model_and_dimension_and_the_model_that_answers_is_asked_from_then_on(stub: StubServer) -> None:
    with opened(stub.url, bearer="k3y") as made:
        described: Embedder = made
        assert (described.provider, described.model, described.dim) == ("http", "asked-for", 0)
        assert np.allclose(made.embed(["tide"]), [unit("tide")], atol=1e-6)
        assert (made.model, made.dim) == ("stub-embedder", DIM)
    assert [asked.body for asked in stub.asked] == [
        {"input": "probe", "model": "asked-for"},
        {"input": "tide", "model": "stub-embedder"},
    ]
    assert {asked.path for asked in stub.asked} == {"/v1/embeddings"}
    assert {asked.headers["authorization"] for asked in stub.asked} == {"Bearer k3y"}


def test_nothing_is_sent_before_the_first_text(stub: StubServer) -> None:
    with opened(stub.url):
        assert stub.asked == []


def test_a_socket_serves_like_a_port() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "s"
        with serving_stub(embedder(), uds=path) as stub, opened("http://localhost", uds=str(path)) as made:
            assert made.embed(["tide", "ebb"]).shape == (2, DIM)
        assert made.provider == "uds"
        assert {asked.path for asked in stub.asked} == {"/v1/embeddings"}


def test_many_texts_are_one_request(stub: StubServer) -> None:
    with opened(stub.url) as made:
        rows = made.embed(["tide", "ebb", "flow"])
        assert np.allclose(rows, [unit("tide"), unit("ebb"), unit("flow")], atol=1e-6)
        assert rows.dtype == np.float32
        assert made.embed([]).shape == (0, DIM)
    assert inputs(stub) == ["probe", ["tide", "ebb", "flow"]]


def test_batches_are_bounded_by_number_and_size(stub: StubServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "_MOST_BATCH_CHARS", 10)
    with opened(stub.url) as made:
        monkeypatch.setattr(made, "_most_texts", 3)
        texts = ["a", "b", "c", "d", "e" * 9, "f" * 30, "g"]
        assert np.allclose(made.embed(texts), [unit(text) for text in texts], atol=1e-6)
    assert inputs(stub)[1:] == [["a", "b", "c"], ["d", "e" * 9], "f" * 30, "g"]


def test_an_endpoint_that_takes_fewer_texts_gets_fewer_from_then_on(stub: StubServer) -> None:
    def at_most_two(asked: Asked) -> Answer:
        many = isinstance(asked.body["input"], list) and len(asked.body["input"]) > 2
        return error(422, "batch size > 2") if many else ok(embedding_answer(asked))

    stub.default = at_most_two
    texts = [f"text {at}" for at in range(5)]
    with opened(stub.url) as made:
        assert np.allclose(made.embed(texts), [unit(text) for text in texts], atol=1e-6)
        stub.asked.clear()
        made.embed(texts)
    assert [len(each) if isinstance(each, list) else 1 for each in inputs(stub)] == [2, 2, 1]


def test_a_text_with_too_many_tokens_is_embedded_by_its_beginning(stub: StubServer) -> None:
    def at_most_a_thousand(asked: Asked) -> Answer:
        wanted = asked.body["input"]
        texts = [wanted] if isinstance(wanted, str) else wanted
        return error(400, "too many tokens") if max(map(len, texts)) > 1_000 else ok(embedding_answer(asked))

    stub.default = at_most_a_thousand
    long = "".join(chr(97 + at % 26) for at in range(3_000))
    with opened(stub.url) as made:
        assert np.allclose(made.embed(["ebb", long, "flow"]), [unit("ebb"), unit(long[:750]), unit("flow")], atol=1e-6)
        stub.asked.clear()
        made.embed(["a", "b", "c"])
    assert inputs(stub) == [["a", "b", "c"]], "batches stay as large as they were"


def test_a_refusal_that_is_about_no_size_ends_soon(stub: StubServer) -> None:
    with opened(stub.url) as made:
        made.probe()
        stub.default = lambda _: error(400, "no such model")
        with pytest.raises(EmbedderError, match='answered 400: "no such model"'):
            made.embed([f"text {at}" for at in range(100)])
    assert len(stub.asked) < 12


def test_of_a_huge_text_the_beginning_is_sent(stub: StubServer) -> None:
    with opened(stub.url) as made:
        made.embed(["x" * (MOST_CHARS + 100), "\ud800"])
    assert [len(text) for text in inputs(stub)[1]] == [MOST_CHARS, 1]


def test_vectors_are_put_in_the_order_of_their_index(stub: StubServer) -> None:
    def reversed_data(asked: Asked) -> Answer:
        answer = embedding_answer(asked)
        answer["data"].reverse()
        return ok(answer)

    stub.default = reversed_data
    with opened(stub.url) as made:
        assert np.allclose(made.embed(["tide", "ebb", "flow"])[0], unit("tide"), atol=1e-6)


def changed(asked: Asked, change: Change) -> Answer:
    answer = embedding_answer(asked)
    change(answer)
    return ok(answer)


def entry(at: int, key: str, value: object) -> Change:
    return lambda answer: answer["data"][at].update({key: value})


UNUSABLE: list[tuple[Change, str]] = [
    (lambda answer: answer.update(data=[]), "no vectors: `data` is empty or missing"),
    (lambda answer: answer.pop("data"), "no vectors: `data` is empty or missing"),
    (lambda answer: answer["data"].pop(), "1 vectors for 2 texts"),
    (lambda answer: answer["data"].append(answer["data"][0]), "3 vectors for 2 texts"),
    (lambda answer: answer.update(data=[1, 2]), "an entry in `data` that is no object"),
    (entry(1, "index", 0), "`index` values that do not number 2 texts"),
    (entry(1, "index", 7), "`index` values that do not number 2 texts"),
    (entry(1, "index", "1"), "`index` values that do not number 2 texts"),
    (entry(1, "embedding", [0.5] * (DIM + 1)), f"a vector of {DIM + 1} numbers, expected {DIM}"),
    (entry(1, "embedding", []), "an entry without a list of numbers"),
    (entry(1, "embedding", "AACAPw=="), "an entry without a list of numbers"),
    (entry(1, "embedding", None), "an entry without a list of numbers"),
    (entry(1, "embedding", ["x"] * DIM), "a value that is no number"),
    (entry(1, "embedding", [None] * DIM), "a value that is no number"),
    (entry(1, "embedding", [[1.0]] * DIM), "a value that is no number"),
    (entry(1, "embedding", [1e308] * DIM), "a value that is not finite"),
    (entry(1, "embedding", [0.0] * DIM), "a vector of zeros"),
    (lambda answer: answer.update(model="another"), "as model 'another' and was 'stub-embedder' before"),
]


@pytest.mark.parametrize(("change", "says"), UNUSABLE, ids=[says[:40] for _, says in UNUSABLE])
def test_an_unusable_answer_is_refused_as_a_whole_and_named(stub: StubServer, change: Change, says: str) -> None:
    with opened(stub.url) as made:
        made.probe()
        stub.default = lambda asked: changed(asked, change)
        with pytest.raises(EmbedderError) as caught:
            made.embed(["tide", "ebb"])
        said = str(caught.value)
        assert said.startswith(f"The embedder at {stub.url}/v1/embeddings answered ")
        assert says in said
        assert said.endswith("Look at it.")
        stub.default = embedder()
        assert made.embed(["tide", "ebb"]).shape == (2, DIM), "the next answer is taken"


@pytest.mark.parametrize(
    ("trouble", "says"),
    [
        (error(500, "out of memory"), 'answered 500: "out of memory"'),
        (error(429, "slow down"), 'answered 429: "slow down"'),
        (no_json(), "answered 200 with what is no JSON"),
        (closing_mid_body({"long": "x" * 500}), "broke its answer off"),
        (slow({}, 30), "did not answer within 0.5 s"),
    ],
)
def test_whatever_fails_names_the_embedder_and_what_to_do(stub: StubServer, trouble: Answer, says: str) -> None:
    with opened(stub.url, timeout_s=0.5) as made:
        made.probe()
        stub.default = lambda _: trouble
        with pytest.raises(EmbedderError) as caught:
            made.embed(["tide"])
    assert str(caught.value).startswith(f"The embedder at {stub.url}/v1/embeddings {says}")
    assert str(caught.value).endswith("Look at it.")


def test_a_passing_failure_is_waited_out_but_only_once_until_it_answers_again(stub: StubServer) -> None:
    with opened(stub.url) as made:
        made.probe()
        stub.then(error(503))
        made.embed(["tide"])
        stub.then(*[error(503)] * 3)
        with pytest.raises(EmbedderError):
            made.embed(["tide"])
        stub.then(error(503))
        stub.asked.clear()
        with pytest.raises(EmbedderError):
            made.embed(["tide"])
        assert len(stub.asked) == 1
        made.embed(["tide"])
        stub.then(error(503))
        made.embed(["tide"])


def test_an_embedder_that_hangs_is_left_alone_for_a_while(stub: StubServer, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1_000.0
    monkeypatch.setattr(remote, "time", SimpleNamespace(monotonic=lambda: now))
    with opened(stub.url, timeout_s=0.3) as made:
        made.probe()
        stub.then(slow({}, 30))
        stub.asked.clear()
        with pytest.raises(EmbedderError, match=r"did not answer within 0.3 s"):
            made.embed(["tide"])
        now += 0.09
        with pytest.raises(EmbedderError, match=r"asked again 0.1 s after that.* did not answer within 0.3 s"):
            made.embed(["tide"])
        assert len(stub.asked) == 1
        now += 0.02
        made.embed(["tide"])


def test_an_embedder_that_is_down_at_first_is_found_later(stub: StubServer) -> None:
    stub.then(error(503, "loading"), error(503, "loading"))
    with opened(stub.url) as made:
        for _ in range(2):
            with pytest.raises(EmbedderError, match="loading"):
                made.embed(["tide"])
        assert (made.model, made.dim) == ("asked-for", 0)
        assert made.embed(["tide"]).shape == (1, DIM)


def test_the_configured_dimension_serves_when_the_probe_is_unusable(stub: StubServer) -> None:
    stub.then(error(500))
    with opened(stub.url, dim=DIM) as made:
        assert made.embed(["tide"]).shape == (1, DIM)
        assert (made.model, made.dim) == ("asked-for", DIM)


def test_the_configured_dimension_does_not_serve_when_nobody_answers() -> None:
    with serving_stub() as gone:
        url = gone.url
    with opened(url, dim=DIM) as made:
        with pytest.raises(EmbedderError, match="cannot be reached"):
            made.embed(["tide"])
        assert made.dim == 0


def test_the_answer_beats_the_configured_dimension(stub: StubServer) -> None:
    with opened(stub.url, dim=DIM + 1) as made:
        assert made.embed(["tide"]).shape == (1, DIM)


def test_callers_that_come_during_a_probe_share_its_outcome(stub: StubServer) -> None:
    stub.then(Answer({}, 503, wait_s=0.3))
    failures: list[str] = []

    def ask(made: RemoteEmbedder) -> None:
        try:
            made.embed(["tide"])
        except EmbedderError as failure:
            failures.append(str(failure))

    with opened(stub.url) as made:
        threads = [threading.Thread(target=ask, args=(made,)) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(failures) + len(stub.asked) >= 2
    assert inputs(stub).count("probe") <= 2


def test_a_call_that_is_given_up_is_no_failure_of_the_embedder(stub: StubServer) -> None:
    with opened(stub.url) as made:
        made.probe()
        stub.then(slow({}, 30))
        call = Call("knowledge_process_chunk")
        threading.Timer(0.1, call.cancelled.set).start()
        with serving(call), pytest.raises(OperationFailed, match="operation cancelled"):
            made.embed(["tide"])
        stub.then(error(503))
        assert made.embed(["tide"]).shape == (1, DIM), "it is as patient as before"


@pytest.mark.parametrize(("cosine", "score"), [(-1.0, 0.0), (0.0, 0.0), (0.25, 0.25), (1.0, 1.0), (1.0000001, 1.0)])
def test_its_scale_is_the_cosine(stub: StubServer, cosine: float, score: float) -> None:
    with opened(stub.url) as made:
        assert made.calibrate(cosine) == score


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["index", "embedding"]), inner),
    max_leaves=12,
)


@given(data=JSON, count=st.integers(1, 3), dim=st.none() | st.integers(1, 3))
def test_any_data_is_taken_whole_as_unit_vectors_or_refused(data: Any, count: int, dim: int | None) -> None:
    try:
        rows = read_vectors({"data": data}, count, dim)
    except Unusable:
        return
    assert rows.shape[0] == count
    assert dim in (None, rows.shape[1])
    assert np.allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-5)
