import signal

import pytest


@pytest.fixture(autouse=True)
def kept_signals():
    """Give pytest its signal handlers back: the command line sets its own."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)
