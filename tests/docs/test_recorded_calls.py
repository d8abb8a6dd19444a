"""The calls that the reference shows are what a real service answers today."""

import json

import pytest

from lcg.generated.dispatch import METHODS
from tests.docs.pages import text_of
from tools.docs.recording import PATH, record

pytestmark = pytest.mark.e2e


def test_a_real_service_answers_the_calls_of_the_reference_as_recorded() -> None:
    assert json.loads(record()) == json.loads(text_of(PATH)), "make record renews them"


def test_every_method_has_a_call_in_the_reference() -> None:
    assert json.loads(text_of(PATH))["calls"].keys() == METHODS.keys()
