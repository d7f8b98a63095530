"""Property tests that end when their time is over."""

import time
from contextlib import suppress

from hypothesis import HealthCheck, Phase, given, settings


class Enough(BaseException):
    """The time is over; no Exception, which would be a failure to hypothesis."""


def within(seconds, strategy, check, examples=200, least=1):
    """Check what a strategy makes, for so long at most but `least`; return how many were checked."""
    until, count = time.monotonic() + seconds, 0

    @settings(
        max_examples=examples, deadline=None, database=None, derandomize=True, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(strategy)
    def each(made):
        nonlocal count
        if count >= least and time.monotonic() > until:
            raise Enough
        check(made)
        count += 1

    with suppress(Enough):
        each()
    return count
