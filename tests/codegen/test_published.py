"""What clients and readers get, as one line of hash each: a change of a word there is a visible difference here.

Renew with `pytest tests/codegen/test_published.py --snapshot-update`, and read which lines have changed.
"""

from syrupy.assertion import SnapshotAssertion

from codegen import project, resolve
from tests.codegen.published import agent_lines, published_lines
from tests.codegen.test_real_spec import ROOT


def test_nothing_published_changes_unseen(snapshot: SnapshotAssertion) -> None:
    spec = project.load(ROOT)
    assert "\n".join(published_lines(resolve.resolve(spec.registry)) + agent_lines(spec.agents)) == snapshot
