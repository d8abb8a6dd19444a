"""Asking the adapter whether two entities are one."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from lcg.providers.dedup.adapter import AdapterJudge
from lcg.providers.dedup.protocol import Candidate, Incoming, JudgeError
from lcg.providers.endpoint import NEVER_AGAIN, Endpoint
from lcg.providers.http import JsonClient
from tests.providers.stub_server import Answer, StubServer, closing_mid_body, error, no_json, ok, serving_stub, slow

STORED = Candidate("u1", "Ada Vance", "Writes.")
FOUND = Incoming("A. Vance", "Person", "")


@contextmanager
def judged(*answers: Answer, timeout_s: float = 60.0) -> Iterator[tuple[AdapterJudge, StubServer]]:
    with serving_stub() as stub:
        judge = AdapterJudge(
            JsonClient(Endpoint("dedup adapter", stub.url, "Start it.", timeout_s=timeout_s, retry=NEVER_AGAIN))
        )
        try:
            yield judge, stub.then(*answers)
        finally:
            judge.close()


def test_the_pair_is_sent_as_it_is() -> None:
    with judged(ok({"is_duplicate": True})) as (judge, stub):
        assert judge.is_same(STORED, FOUND)
    assert stub.asked[0].body == {
        "candidate": {"uuid": "u1", "name": "Ada Vance", "summary": "Writes."},
        "incoming": {"name": "A. Vance", "entity_type": "Person", "summary": ""},
    }


@pytest.mark.parametrize("body", [{"is_duplicate": False}, {}, {"is_duplicate": None}])
def test_anything_but_a_yes_is_a_no(body: Any) -> None:
    with judged(ok(body)) as (judge, _):
        assert judge.is_same(STORED, FOUND) is False


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        (error(500, "no"), "answered 500"),
        (no_json(), "no JSON"),
        (closing_mid_body({"is_duplicate": True}), "broke its answer off"),
        (slow({"is_duplicate": True}, 9), "did not answer within"),
        (ok({"is_duplicate": "yes"}), "no boolean"),
    ],
)
def test_a_bad_answer_is_told_with_the_remedy(bad: Answer, says: str) -> None:
    timeout_s = 0.3 if "within" in says else 60.0
    with (
        judged(bad, timeout_s=timeout_s) as (judge, _),
        pytest.raises(JudgeError, match=f"The dedup adapter .*{says}.* Start it"),
    ):
        judge.is_same(STORED, FOUND)
