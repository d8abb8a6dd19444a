"""What the tests of the decoding helpers share."""

from collections.abc import Callable
from typing import Any

import pytest

from lcg.errors import InvalidParams

TOOL = "knowledge_tool"


def refusal(call: Callable[..., Any], *arguments: Any, **options: Any) -> InvalidParams:
    """Run a helper that has to refuse, and return its refusal."""
    with pytest.raises(InvalidParams) as caught:
        call(TOOL, *arguments, **options)
    return caught.value
