"""What tokens cost, for telemetry: USD for a million of them, by model."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import orjson

from lcg.plain_files import read_plain
from lcg.provider_settings import UnusableFile
from lcg.providers.llm.answers import Usage

_KEYS: Final = ("input_per_mtok", "output_per_mtok", "cache_read_per_mtok", "cache_creation_per_mtok")


class PricesError(UnusableFile):
    """A table of prices that cannot be used. The message says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Price:
    """USD for a million tokens."""

    input_per_mtok: float
    output_per_mtok: float
    cache_read_per_mtok: float = 0.0
    cache_creation_per_mtok: float = 0.0


_HAIKU: Final = Price(1.0, 5.0, 0.1, 1.25)
_SONNET: Final = Price(3.0, 15.0, 0.3, 3.75)
BUILTIN: Final[Mapping[str, Price]] = {
    "claude-haiku-4-5": _HAIKU,
    "claude-haiku-4-5-20251001": _HAIKU,
    "claude-sonnet-4-5": _SONNET,
    "claude-sonnet-4-5-20250929": _SONNET,
}


class Prices:
    """A table of prices. A model that is not in it has no price."""

    def __init__(self, table: Mapping[str, Price] = BUILTIN) -> None:
        self._table = table

    def cost(self, model: str, usage: Usage) -> float | None:
        """Return what a request cost in USD; None when the model or the tokens are not known."""
        price = self._table.get(model)
        if price is None or usage.input_tokens is None or usage.output_tokens is None:
            return None
        tokens = (
            usage.input_tokens * price.input_per_mtok,
            usage.output_tokens * price.output_per_mtok,
            (usage.cache_read_tokens or 0) * price.cache_read_per_mtok,
            (usage.cache_creation_tokens or 0) * price.cache_creation_per_mtok,
        )
        return round(sum(tokens) / 1_000_000, 9)


def read_prices(path: Path | None) -> Prices:
    """Read a table of prices: model to an object with the keys of `Price`. None: the built-in one.

    Raises:
        PricesError: it cannot be read, or is no such table.
    """
    if path is None:
        return Prices()
    try:
        table = orjson.loads(read_plain(path))
    except OSError as error:
        raise PricesError(f"{path} cannot be read: {error.strerror}.") from error
    except orjson.JSONDecodeError as error:
        raise PricesError(f"{path} is no JSON: {error}.") from error
    if not isinstance(table, dict):
        raise PricesError(f"{path} is no JSON object of models.")
    return Prices({model: _price(path, model, record) for model, record in table.items()})


def _price(path: Path, model: str, record: Any) -> Price:
    values = [record.get(key, 0) for key in _KEYS] if isinstance(record, dict) else []
    right = all(isinstance(value, int | float) and not isinstance(value, bool) and value >= 0 for value in values)
    if not right or not isinstance(record, dict) or not set(_KEYS[:2]) <= set(record):
        raise PricesError(
            f"{path}: {model} needs {_KEYS[0]} and {_KEYS[1]}, and may have {_KEYS[2]} and {_KEYS[3]}: numbers from 0 "
            "on, in USD for a million tokens."
        )
    return Price(*map(float, values))
