"""What transports are told of the methods, without the table that says it."""

from lcg.generated.dispatch import METHODS
from lcg.runtime import internal
from lcg.server.backend import product


def test_the_traits_are_those_of_the_dispatch_table_and_of_what_is_in_none() -> None:
    traits = product().traits
    assert traits.works_degraded == {name for name, method in METHODS.items() if method.works_degraded}
    assert traits.reports_progress == internal.REPORTING | {name for name, method in METHODS.items() if method.progress}
