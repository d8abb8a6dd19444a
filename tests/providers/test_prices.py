"""What tokens cost."""

from pathlib import Path

import pytest

from lcg.providers.llm.answers import Usage
from lcg.providers.llm.prices import Prices, PricesError, read_prices


def test_the_builtin_table_knows_the_default_model() -> None:
    used = Usage(1_000_000, 1_000_000, 1_000_000, 1_000_000)
    assert Prices().cost("claude-haiku-4-5-20251001", used) == pytest.approx(1 + 5 + 0.1 + 1.25)


def test_what_is_not_known_has_no_price() -> None:
    assert Prices().cost("local", Usage(1, 1)) is None
    assert Prices().cost("claude-haiku-4-5", Usage(1, None)) is None


def test_a_table_of_ones_own_replaces_it(tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    path.write_text('{"local": {"input_per_mtok": 2, "output_per_mtok": 4.5}}')
    prices = read_prices(path)
    assert prices.cost("local", Usage(1_000_000, 2_000_000, 5)) == pytest.approx(11)
    assert prices.cost("claude-haiku-4-5", Usage(1, 1)) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"m": 3}',
        '{"m": {"input_per_mtok": 1}}',
        '{"m": {"input_per_mtok": -1, "output_per_mtok": 1}}',
        '{"m": {"input_per_mtok": true, "output_per_mtok": 1}}',
        '{"m": {"input_per_mtok": "1", "output_per_mtok": 1}}',
    ],
)
def test_a_table_that_cannot_be_right_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    path.write_text(text)
    with pytest.raises(PricesError, match=r"p\.json"):
        read_prices(path)


def test_a_table_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PricesError, match="cannot be read"):
        read_prices(tmp_path / "p.json")
