"""How much a query's functions would make out of little, as far as its text and parameters tell.

`range(1, 1000000000)` and its like take their memory in one step, in which the engine looks at no time limit. So what
can be reckoned before is refused before. What cannot, the bound of memory stops (see `memory_bound`).
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from lcg.errors import OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.store.kuzu.parameters import TOOL
from lcg.store.kuzu.tokens import Token

MOST = 1_000_000
"""Elements or characters that one call of a function may make."""

_UNITS = {
    **dict.fromkeys(("REPEAT", "LPAD", "RPAD", "CONCAT"), "characters"),
    **dict.fromkeys(("RANGE", "LIST_TRANSFORM"), "elements"),
    **dict.fromkeys(("LIST_CONCAT", "LIST_CAT", "ARRAY_CONCAT", "ARRAY_CAT"), "elements"),
}
MOST_TOKENS = 100
"""Words and signs of a reckoning between numbers that is looked into; nobody writes longer ones."""
_Values = dict[tuple[str, str], Any]
_ORDER = ("+-", "*/%", "^")
"""Signs between numbers, those that bind least first."""


@dataclass(frozen=True, slots=True)
class _Call:
    """A call of a function by its place in the text."""

    place: int
    name: str
    arguments: list[Sequence[Token]]


def check_sizes(tokens: Sequence[Token], bound: Mapping[str, Any]) -> None:
    """Refuse calls that would make more than `MOST`. Raises OperationFailed (`limit`) and says which."""
    values = _constants(tokens, bound)
    for call in _calls(tokens):
        size = _made_by(call, values)
        if size is not None and size > MOST:
            made = f"{size:,.0f}" if size < 1e18 else "far too many"
            raise OperationFailed(
                ErrorKind.LIMIT,
                f"{TOOL}: {call.name.lower()}(...) would make {made} {_UNITS[call.name]}; at most {MOST:,} can be made "
                "at once. Make fewer, or several parts: UNWIND range(1, 1000) AS a UNWIND range(1, 1000) AS b ...",
            )


def _constants(tokens: Sequence[Token], bound: Mapping[str, Any]) -> _Values:
    """Return the values of parameters, and of names that the query gives to a single number, by kind and text."""
    values: _Values = {("parameter", name): value for name, value in bound.items()}
    names = [token.text.upper() for before, token in pairwise(tokens) if before.is_word("AS")]
    for value, sign, name in zip(tokens, tokens[1:], tokens[2:], strict=False):
        key = name.text.upper()
        if sign.is_word("AS") and value.kind in ("number", "parameter") and names.count(key) == 1:
            values[("name", key)] = float(value.text) if value.kind == "number" else bound.get(value.text)
    return values


def _calls(tokens: Sequence[Token]) -> Iterator[_Call]:
    for place in range(len(tokens) - 1):
        call = _call_at(tokens[place:]) if tokens[place].is_name else None
        if call:
            yield call


def _call_at(tokens: Sequence[Token]) -> _Call | None:
    """Return the call that these tokens begin with, if it is of a function that is known here."""
    name = tokens[0].text.upper()
    if name not in _UNITS or len(tokens) < 2 or not tokens[1].is_sign("("):
        return None
    arguments: list[Sequence[Token]] = []
    depth, start = 0, 2
    for place, token in enumerate(tokens[1:], 1):
        depth += token.is_sign("([{") - token.is_sign(")]}")
        if depth == 0 or (depth == 1 and token.is_sign(",")):
            arguments.append(tokens[start:place])
            start = place + 1
        if depth == 0:
            return _Call(tokens[0].end, name, arguments)
    return None


def _made_by(call: _Call, values: _Values) -> float | None:
    """Return how much a call makes. What was reckoned is kept in `values`: calls in calls are met again and again."""
    key = ("call", str(call.place))
    if key not in values:
        values[key] = _reckon_call(call, values)
    made: float | None = values[key]
    return made


def _reckon_call(call: _Call, values: _Values) -> float | None:
    given = call.arguments
    if call.name == "RANGE":
        return _range_length([_number(argument, values) for argument in given])
    if call.name in ("REPEAT", "LPAD", "RPAD"):
        times = _number(given[1], values) if len(given) > 1 else None
        if times is None or call.name != "REPEAT":
            return times
        return times * (_size(given[0], values) or 1)
    sizes = [_size(argument, values) for argument in given]
    if call.name == "LIST_TRANSFORM":
        body = max((_made_by(inner, values) or 1 for inner in _calls(given[-1])), default=1)
        return sizes[0] * body if sizes[0] is not None else None
    return sum(size for size in sizes if size is not None)


def _range_length(numbers: list[float | None]) -> float | None:
    first, last, step = [*numbers, 1.0, 1.0][:3] if len(numbers) > 1 else (None, None, None)
    if first is None or last is None or not step:
        return None
    return math.floor((last - first) / step) + 1 if math.isfinite(last - first) else math.inf


def _size(tokens: Sequence[Token], values: _Values) -> float | None:
    """Return how long a text or list is that an expression makes, or None when that cannot be told."""
    if not tokens:
        return None
    if len(tokens) == 1:
        if tokens[0].kind == "string":
            return len(tokens[0].text) - 2
        value = values.get(("parameter", tokens[0].text))
        return len(value) if isinstance(value, (str, list)) else None
    call = _call_at(tokens)
    return _made_by(call, values) if call else None


def _number(tokens: Sequence[Token], values: _Values) -> float | None:
    """Return the value of an expression of numbers, or None when there is something else in it."""
    if len(tokens) > MOST_TOKENS:
        return None
    if len(tokens) == 1:
        return _constant(tokens[0], values)
    for signs in _ORDER:
        depth = 0
        for place in range(len(tokens) - 1, 0, -1):
            depth += tokens[place].is_sign(")]}") - tokens[place].is_sign("([{")
            if depth == 0 and tokens[place].is_sign(signs) and not tokens[place - 1].is_sign("+-*/%^("):
                return _reckon(
                    tokens[place].text, _number(tokens[:place], values), _number(tokens[place + 1 :], values)
                )
    if len(tokens) > 1 and tokens[0].is_sign("+-"):
        value = _number(tokens[1:], values)
        return -value if value is not None and tokens[0].text == "-" else value
    if len(tokens) > 2 and tokens[0].is_sign("(") and tokens[-1].is_sign(")"):
        return _number(tokens[1:-1], values)
    return None


def _constant(token: Token, values: _Values) -> float | None:
    if token.kind == "number":
        return float(token.text)
    key = ("name", token.text.upper()) if token.is_name else (token.kind, token.text)
    value = values.get(key)
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _reckon(sign: str, left: float | None, right: float | None) -> float | None:
    if left is None or right is None:
        return None
    try:
        results = {
            "+": lambda: left + right,
            "-": lambda: left - right,
            "*": lambda: left * right,
            "/": lambda: left / right,
            "%": lambda: math.fmod(left, right),
            "^": lambda: math.pow(left, right),
        }
        return results[sign]()
    except OverflowError:
        return math.inf
    except (ValueError, ZeroDivisionError):
        return None
