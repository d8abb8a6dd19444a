"""What was exported and imported is the same graph: byte for byte, whatever the graph holds."""

import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lcg.errors import LcgError
from lcg.graph.stage import OperationRefused
from lcg.model.operations import EdgePut, EntityPut, Operation
from lcg.runtime.call import Call, ProgressFrame
from lcg.services.import_rules import Rules
from tests.exchange.imported import exported, imported
from tests.graph.harness import Workspace, edge, entity
from tests.graph.test_histories import GROUPS, RECORDS, summary_of

COPY = Rules("keep", "adopt")
HISTORIES = st.lists(RECORDS, max_size=14)
SLOW = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}


@contextmanager
def workspaces(number: int) -> Iterator[list[Workspace]]:
    with ExitStack() as stack:
        made = []
        for _ in range(number):
            directory = stack.enter_context(tempfile.TemporaryDirectory())
            made.append(Workspace(Path(directory)))
            stack.callback(made[-1].close)
        yield made


def write_all(workspace: Workspace, history: list[tuple[str, list[Operation]]]) -> None:
    for group, operations in history:
        with suppress(OperationRefused, LcgError):
            workspace.apply(group, *operations)
    # Whoever is refused is told before what was planned is undone; this waits for that.
    workspace.ask(lambda view: None)


def outcomes(counts: dict[str, dict[str, int]]) -> dict[str, int]:
    """Return how many rows there are of each outcome, without those of which there are none."""
    total: Counter[str] = Counter()
    for rows in counts.values():
        total.update({outcome: number for outcome, number in rows.items() if number})
    return dict(total)


@settings(max_examples=25, **SLOW)  # type: ignore[arg-type]
@given(HISTORIES)
def test_an_import_of_an_export_is_the_same_graph_and_exports_the_same_bytes(
    history: list[tuple[str, list[Operation]]],
) -> None:
    with workspaces(2) as (here, there):
        write_all(here, history)
        content = exported(here)
        staging, done = imported(there, content)
        assert (staging.refusals.count, done.refused) == (0, [])
        assert set(outcomes(done.counts)) <= {"created"}
        assert exported(there) == content
        assert (there.digests(), there.rows()) == (here.digests(), here.rows())
        assert summary_of(there) == summary_of(here)
        there.rebuild()
        assert exported(there) == content


@settings(max_examples=12, **SLOW)  # type: ignore[arg-type]
@given(HISTORIES, st.integers(1, 5))
def test_pieces_make_the_same_graph_and_a_second_import_writes_nothing(
    history: list[tuple[str, list[Operation]]], size: int
) -> None:
    with workspaces(2) as (here, there), pytest.MonkeyPatch.context() as patch:
        write_all(here, history)
        content = exported(here)
        patch.setattr("lcg.services.importing.OPERATIONS_PER_RECORD", size)
        imported(there, content)
        assert exported(there) == content
        seqs = {group: there.log.stream(group).max_seq for group in GROUPS}
        assert set(outcomes(imported(there, content)[1].counts)) <= {"unchanged"}
        assert {group: there.log.stream(group).max_seq for group in GROUPS} == seqs


@settings(max_examples=12, **SLOW)  # type: ignore[arg-type]
@given(HISTORIES, st.integers(0, 6))
def test_an_import_that_was_cut_off_is_completed_exactly_by_the_next(
    history: list[tuple[str, list[Operation]]], pieces: int
) -> None:
    with workspaces(2) as (here, there), pytest.MonkeyPatch.context() as patch:
        write_all(here, history)
        content = exported(here)
        patch.setattr("lcg.services.importing.OPERATIONS_PER_RECORD", 2)
        write, left = there.graph.write_logged, [pieces]

        def cut_off(*arguments: Any) -> Any:
            left[0] -= 1
            if left[0] < 0:
                raise KeyboardInterrupt
            return write(*arguments)

        patch.setattr(there.graph, "write_logged", cut_off)
        try:
            imported(there, content)
        except KeyboardInterrupt:
            patch.undo()
            _, done = imported(there, content)
            assert set(outcomes(done.counts)) <= {"created", "unchanged"}
        assert exported(there) == content


def test_an_import_that_is_ended_stops_before_the_next_record(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lcg.services.importing.OPERATIONS_PER_RECORD", 2)
    with workspaces(2) as (here, there):
        write_all(here, [("a", [EntityPut(entity(f"u{number}", "a")) for number in range(7)])])
        content = exported(here)

        def end_after_the_first(frame: ProgressFrame) -> None:
            if frame["phase"] == "writing" and frame["processed"] == 2:
                call.cancelled.set()

        call = Call("lcg_import_rows", end_after_the_first)
        with pytest.raises(LcgError, match="cancelled") as refused:
            imported(there, content, call=call)
        assert refused.value.data["groups_done"] == ["a"]
        assert len(there.rows()[0]) == 2
        imported(there, content)
        assert exported(there) == content


@settings(max_examples=12, **SLOW)  # type: ignore[arg-type]
@given(HISTORIES)
def test_a_copy_with_other_uuids_beside_the_original_leaves_that_alone_and_can_be_repeated(
    history: list[tuple[str, list[Operation]]],
) -> None:
    with workspaces(1) as (here,):
        write_all(here, [(group, operations) for group, operations in history if group == "a"])
        before, content = here.digests(), exported(here)
        _, done = imported(here, content, COPY, group="copy", new=True)
        assert not done.refused
        assert here.digests().get("a") == before.get("a")
        rows = [Counter(row.group_id for row in kind) for kind in here.rows()]
        assert all(counts["copy"] == counts["a"] for counts in rows)
        again = exported(here)
        assert set(outcomes(imported(here, content, COPY, group="copy", new=True)[1].counts)) <= {
            "unchanged",
            "adopted",
        }
        assert exported(here) == again


def test_attributes_are_kept_to_the_letter() -> None:
    texts = [
        '{"b":1,"a":2}',
        '{"n": 1.0}',
        '{"big":123456789012345678901234567890}',
        '{"a":1,"a":2}',
        '{"é":"\\u00e9"}',
    ]
    deep = '{"a":' + "[" * 300 + "]" * 300 + "}"
    rows = [EntityPut(entity(f"n{at}", attributes=text)) for at, text in enumerate([*texts, deep])]
    with workspaces(2) as (here, there):
        here.apply("a", *rows)
        imported(there, exported(here))
        assert there.rows() == here.rows()


def test_pointers_and_merges_are_kept_and_lead_to_the_copies_in_a_copy() -> None:
    found = '{"source_group_id":"b","endpoint_name":"ada","binding_state":"bound","resolved_uuid":"x1"}'
    pointer = f'{{"cross_group_pointers":{{"dst":{found}}}}}'
    merged = entity("n2", labels=("Entity", "Merged"), attributes='{"merged_into":"n1"}')
    with workspaces(2) as (here, there):
        here.apply("b", EntityPut(entity("x1", "b", name="Ada")))
        here.apply("a", EntityPut(entity("n1")), EntityPut(merged), EdgePut(edge("e1", "n1", "x1", attributes=pointer)))
        content = exported(here)
        imported(there, content)
        assert there.digests() == here.digests()
        imported(there, content.replace(b'"a"', b'"c"').replace(b'"b"', b'"d"'), COPY, new=True)
        entities, edges, *_ = there.rows()
        names = {row.uuid: (row.group_id, row.name) for row in entities}
        (buried,) = [row for row in entities if row.is_tombstone and row.group_id == "c"]
        assert buried.attributes.count("n1") == 0
        (copied,) = [row for row in edges if row.group_id == "c"]
        assert names[copied.target_uuid] == ("d", "Ada") and copied.target_uuid in copied.attributes
