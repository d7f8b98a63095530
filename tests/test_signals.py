import signal

import pytest

from mien import signals


def test_signals_are_taken_inside_and_handlers_given_back_also_after_an_error():
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    taken: list[int] = []
    with pytest.raises(ZeroDivisionError), signals.handled(lambda number, _: taken.append(number)):
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGTERM)
        raise ZeroDivisionError
    assert taken == [signal.SIGINT, signal.SIGTERM]
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before
