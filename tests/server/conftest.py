"""What tests of several modules ask for."""

from collections.abc import Iterator

import pytest

from lcg.server.attached import AttachedService
from tests.server import scripted_remote


@pytest.fixture(params=[AttachedService, scripted_remote.InLoop], ids=["in threads", "in the event loop"])
def both_ways(request: pytest.FixtureRequest) -> Iterator[None]:
    """Run a test twice: with calls in threads, and with calls in the event loop where they are plain."""
    scripted_remote.KINDS.append(request.param)
    yield
    scripted_remote.KINDS.pop()
