"""What holds for every generated decoder, whatever comes in."""

from collections.abc import Callable, Mapping
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codegen.resolve import Tool, resolve
from lcg.errors import InvalidParams
from lcg.generated import params
from lcg.runtime.groups import GroupFilter
from tests.contract.results import registry

TOOLS = [tool for tool in resolve(registry()).tools if hasattr(params, f"decode_{tool.ident}")]
SOUND = [
    pytest.param(tool, dict(example.params), id=f"{tool.ident} {index}")
    for tool in TOOLS
    for index, example in enumerate(tool.method.examples)
]
TEXTS = st.text(alphabet=st.characters(codec=None), max_size=9)
VALUES = (
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS | st.lists(TEXTS, max_size=3)
    | st.dictionaries(TEXTS, TEXTS, max_size=2)
)  # fmt: skip


def decoder(tool: Tool) -> Callable[[Mapping[str, Any]], Any]:
    found: Callable[[Mapping[str, Any]], Any] = getattr(params, f"decode_{tool.ident}")
    return found


@pytest.mark.parametrize(("tool", "call"), SOUND)
@settings(max_examples=30)
@given(values=st.lists(VALUES, min_size=3, max_size=3), places=st.lists(st.integers(0, 9), min_size=3, max_size=3))
def test_a_decoder_returns_or_refuses_and_nothing_else(
    tool: Tool, call: dict[str, Any], values: list[Any], places: list[int]
) -> None:
    known = tool.decoder.known
    changes = {known[place % len(known)]: value for place, value in zip(places, values, strict=True)}
    try:
        decoder(tool)(call | changes)
    except InvalidParams as error:
        assert error.data["tool"] == tool.method.name
        assert error.data["parameter"].split(".")[0] in changes
        orjson.dumps({"message": error.message, "data": error.data})


@pytest.mark.parametrize(("tool", "call"), SOUND)
@settings(max_examples=30)
@given(stranger=TEXTS)
def test_no_stranger_among_the_names_is_overlooked(tool: Tool, call: dict[str, Any], stranger: str) -> None:
    if stranger not in tool.decoder.known:
        with pytest.raises(InvalidParams):
            decoder(tool)(call | {stranger: None})


@pytest.mark.parametrize(("tool", "call"), SOUND)
def test_an_example_covers_the_groups_that_it_names_and_no_others(tool: Tool, call: dict[str, Any]) -> None:
    groups = getattr(decoder(tool)(call), "groups", None)
    if isinstance(groups, GroupFilter):
        assert groups.ids is None or list(groups.ids) == call.get("group_ids", [call.get("group_id")])
