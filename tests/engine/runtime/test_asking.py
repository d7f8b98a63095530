import threading

import numpy as np
import pytest

from mien.engine.runtime import Line, ServedEngine, Settings, Terms, asking
from mien.engine.stop import Stop, Stopped
from mien.errors import InputError

from .nets import CAUSAL, Wrapped, engine, wave


class Noted(Wrapped):
    """An engine that writes down what it ran, and waits at the first run until it is let go."""

    def __init__(self, inner, ran):
        super().__init__(inner)
        self.ran, self.free, self.entered = ran, threading.Event(), threading.Event()

    def run(self, stop=None, /, **inputs):
        self.ran.append(inputs["x"].shape[-1])
        self.entered.set()
        assert self.free.wait(30)
        return self._inner.run(stop, **inputs)


def ask(served, length, terms, results):
    """Run in a thread of its own on some terms."""

    def run():
        with asking(terms):
            try:
                results[length] = served.run(x=wave(length))["out"]
            except Stopped as error:
                results[length] = error

    thread = threading.Thread(target=run)
    thread.start()
    return thread


def until(waiting, count):
    with waiting.ready:
        assert waiting.ready.wait_for(lambda: len(waiting) >= count, 30)


@pytest.fixture
def pair():
    """Two engines of one line, and the lengths of what they ran in order."""
    line, ran = Line(), []
    inner = [Noted(engine(CAUSAL), ran) for _ in range(2)]
    made = [ServedEngine(each, Settings(most=1, line=line)) for each in inner]
    yield line, made, inner, ran
    for each in inner:
        each.free.set()
    for each in made:
        each.close()
    line.workers.close()


def test_what_two_engines_share_a_line_for_goes_in_one_order(pair):
    line, (one, other), inner, ran = pair
    results = {}
    threads = [ask(one, 10, Terms(session="a"), results)]
    assert inner[0].entered.wait(30)
    for count, (served, length, terms) in enumerate(
        [
            (one, 11, Terms(session="b", priority=1)),
            (other, 12, Terms(session="c", priority=1)),
            (other, 13, Terms(session="d", priority=0)),
        ],
        1,
    ):
        threads.append(ask(served, length, terms, results))
        until(line.waiting, count)
    for each in inner:
        each.free.set()
    for thread in threads:
        thread.join(30)
    assert ran == [10, 13, 11, 12]
    for length, got in results.items():
        np.testing.assert_allclose(got, one.run(x=wave(length))["out"], atol=1e-6)


def test_outside_of_asking_an_engine_runs_past_the_queue():
    with ServedEngine(engine(CAUSAL)) as served:
        served.run(x=wave())
        assert served.counts.requests == 0
        with asking(Terms()):
            served.run(x=wave())
        assert served.counts.requests == 1


def test_what_is_stopped_while_it_waits_or_before_is_not_run(pair):
    line, (one, _), inner, ran = pair
    results = {}
    first = ask(one, 10, Terms(), results)
    assert inner[0].entered.wait(30)
    stop, raised = Stop(), []

    def run():
        with asking(Terms()), pytest.raises(Stopped) as error:
            one.run(stop, x=wave(11))
        raised.append(error)

    second = threading.Thread(target=run)
    second.start()
    until(line.waiting, 1)
    stop.set()
    second.join(30)
    assert raised  # at once, while the engine is still busy
    inner[0].free.set()
    first.join(30)
    with asking(Terms()), pytest.raises(Stopped):
        one.run(stop, x=wave(12))
    assert ran == [10]


def test_an_engine_that_is_closed_leaves_the_line_to_the_others(pair):
    line, (one, other), inner, _ = pair
    results = {}
    threads = [ask(one, 10, Terms(), results)]
    assert inner[0].entered.wait(30)
    threads.append(ask(other, 11, Terms(), results))
    until(line.waiting, 1)
    other.close()
    threads[1].join(30)
    assert isinstance(results[11], Stopped)
    inner[0].free.set()
    threads[0].join(30)
    assert results[10].shape


def test_what_is_wrong_with_a_request_is_raised_where_it_was_asked():
    with ServedEngine(engine(CAUSAL)) as served, asking(Terms()), pytest.raises(InputError):
        served.run(y=wave())


def test_what_was_begun_goes_on_before_others(pair):
    """The second run of a block has terms of its own."""
    line, (one, other), inner, ran = pair
    results = {}

    def two():
        with asking(Terms(session="a"), Terms(session="a", priority=-1)):
            one.run(x=wave(10))
            one.run(x=wave(20))

    first = threading.Thread(target=two)
    first.start()
    assert inner[0].entered.wait(30)
    second = ask(other, 11, Terms(session="b"), results)
    until(line.waiting, 1)
    inner[0].free.set()
    assert inner[1].entered.wait(30)  # b's turn
    third = ask(other, 12, Terms(session="c"), results)
    until(line.waiting, 2)
    inner[1].free.set()
    for thread in (first, second, third):
        thread.join(30)
    assert ran == [10, 11, 20, 12]
