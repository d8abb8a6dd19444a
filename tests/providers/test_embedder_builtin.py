"""The built-in embedder."""

import threading
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lcg.providers.embedder import builtin
from lcg.providers.embedder.builtin import BuiltinEmbedder
from lcg.providers.embedder.protocol import Embedder, EmbedderError
from lcg.providers.embedder.texts import MOST_CHARS

TEXTS = [
    "Mira steers ships into Port Vell.",
    "harbour pilot",
    "Straße nach München",
    "東京タワーは高い",
    "🚀 launch of v2.0.1, snake_case and C++",
    "two\nlines  and   spaces",
    "x",
    "A somewhat longer passage about tides, pilots and the weather. " * 20,
]


@pytest.fixture(scope="module")
def embedder() -> BuiltinEmbedder:
    return BuiltinEmbedder()


def test_it_names_its_space(embedder: BuiltinEmbedder) -> None:
    described: Embedder = embedder
    assert (described.provider, described.model, described.dim) == ("builtin", "wordllama-l2-supercat-256-sqrt", 256)


@pytest.mark.filterwarnings("ignore")
def test_without_repeated_tokens_its_vectors_are_those_of_the_package(embedder: BuiltinEmbedder) -> None:
    from wordllama import WordLlama  # type: ignore[import-untyped]

    spec = find_spec("wordllama")
    assert spec is not None
    assert spec.submodule_search_locations
    package = WordLlama.load(cache_dir=Path(spec.submodule_search_locations[0]), disable_download=True)
    texts = ["Mira steers ships into Port Vell.", "harbour pilot", "Straße nach München", "x", "tides and the weather"]
    expected = package.embed(texts, norm=True)
    assert (np.sum(embedder.embed(texts) * expected, axis=1) >= 0.99999).all()


def test_repetition_counts_by_its_square_root(embedder: BuiltinEmbedder) -> None:
    assert embedder.embed(["ship ship ship ship"])[0] @ embedder.embed(["ship"])[0] == pytest.approx(1, abs=1e-5)
    # By plain means, four of one would leave a fourth of the other's part; by square roots it is the half.
    sunk = embedder.embed(["tax ship ship ship ship"])[0] @ embedder.embed(["tax"])[0]
    even = embedder.embed(["tax ship"])[0] @ embedder.embed(["tax"])[0]
    assert even / 2 < sunk < even


def test_a_batch_equals_its_texts_one_by_one(embedder: BuiltinEmbedder) -> None:
    batch = embedder.embed(TEXTS)
    assert batch.dtype == np.float32
    assert batch.shape == (len(TEXTS), 256)
    assert np.allclose(batch, np.concatenate([embedder.embed([text]) for text in TEXTS]), atol=1e-6)


def test_no_texts_give_no_rows(embedder: BuiltinEmbedder) -> None:
    assert embedder.embed([]).shape == (0, 256)


def test_like_texts_are_nearer_than_unlike_ones(embedder: BuiltinEmbedder) -> None:
    ship, boat, tax = embedder.embed(["a ship in the harbour", "a boat in the port", "quarterly income tax return"])
    assert ship @ boat > ship @ tax + 0.2


def test_a_long_text_read_in_pieces_has_the_vector_of_the_whole(
    embedder: BuiltinEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "Mira steered the Tern past the lighthouse at dawn. " * 100
    whole = embedder.embed([text])[0]
    monkeypatch.setattr(builtin, "_PIECE_CHARS", 100)
    monkeypatch.setattr(builtin, "_BATCH_CHARS", 250)
    first, second = embedder.embed([text, "between " * 40 + text])
    assert whole @ first > 0.99999
    assert second @ first > 0.9
    spaceless = embedder.embed(["x" * 1_000, "京都" * 500])
    assert np.allclose(np.linalg.norm(spaceless, axis=1), 1.0, atol=1e-5)


def test_of_a_huge_text_the_beginning_counts(embedder: BuiltinEmbedder) -> None:
    start = ("Mira steered the Tern past the lighthouse at dawn. " * 1_000)[:MOST_CHARS]
    assert len(start) == MOST_CHARS
    short, long = embedder.embed([start, start + " quarterly income tax return" * 1_000])
    assert np.allclose(short, long, atol=1e-6)


@settings(max_examples=50, deadline=None)
@given(texts=st.lists(st.text(alphabet=st.characters()), max_size=5))
def test_any_text_gets_a_vector_of_unit_length(embedder: BuiltinEmbedder, texts: list[str]) -> None:
    vectors = embedder.embed(texts)
    assert np.isfinite(vectors).all()
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)


def test_a_text_without_tokens_always_gets_the_same_vector(embedder: BuiltinEmbedder) -> None:
    assert np.array_equal(embedder.embed([""])[0], embedder.embed(["ship", ""])[1])


@pytest.mark.parametrize(("cosine", "score"), [(1.0, 1.0), (0.0, 0.4), (0.5, 0.7), (-1.0, 0.0), (1.001, 1.0)])
def test_cosines_are_put_on_the_calibrated_scale(embedder: BuiltinEmbedder, cosine: float, score: float) -> None:
    assert embedder.calibrate(cosine) == pytest.approx(score)


def test_many_threads_may_load_and_embed_at_once() -> None:
    fresh = BuiltinEmbedder()
    expected = BuiltinEmbedder().embed(TEXTS)
    results: list[bool] = []

    def work() -> None:
        results.append(np.array_equal(fresh.embed(TEXTS), expected))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [True] * 4


def test_a_missing_package_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(builtin, "PACKAGE", "a_package_that_is_not_there")
    with pytest.raises(EmbedderError, match=r"not installed.*LCG_EMBEDDING_URL"):
        BuiltinEmbedder().embed(["x"])


def test_missing_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(EmbedderError, match=r"l2_supercat_256\.safetensors: the file is missing"):
        BuiltinEmbedder(tmp_path).load()


def test_unreadable_files_are_named(tmp_path: Path) -> None:
    for name in (builtin.WEIGHTS_FILE, builtin.TOKENIZER_FILE):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_bytes(b"{}")
    with pytest.raises(EmbedderError, match=r"cannot use .*safetensors"):
        BuiltinEmbedder(tmp_path).load()
