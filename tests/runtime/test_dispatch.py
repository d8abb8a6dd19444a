from typing import Any

import pytest

from lcg.errors import UnknownMethod
from lcg.runtime.dispatch import Method, find_method


def method(name: str) -> Method:
    def run(handlers: object, raw: object, call: object) -> dict[str, object]:
        return {}

    return Method(name, "read", False, False, run)


METHODS = {name: method(name) for name in ("knowledge_find_entities", "knowledge_status")}


def test_a_method_is_found() -> None:
    assert find_method("knowledge_status", METHODS) is METHODS["knowledge_status"]


@pytest.mark.parametrize("name", ["knowledge_find_entity", "find_entities", "KNOWLEDGE_FIND_ENTITIES"])
def test_an_unknown_method_is_refused_with_the_nearest_name(name: Any) -> None:
    with pytest.raises(UnknownMethod) as caught:
        find_method(name, METHODS)
    assert caught.value.code == -32601
    assert caught.value.data == {"method": name, "suggestion": "knowledge_find_entities"}
    assert name in caught.value.message
    assert "Did you mean `knowledge_find_entities`?" in caught.value.message


def test_a_name_like_no_other_points_to_the_reference() -> None:
    with pytest.raises(UnknownMethod, match="reference") as caught:
        find_method("zzz\x00", METHODS)
    assert "suggestion" not in caught.value.data
    assert caught.value.message.isprintable()
