import threading

import numpy as np
import pytest

from mien.engine.runtime.dispatcher import Dispatcher
from mien.engine.runtime.ticket import Terms
from mien.errors import InputError, ResourceError

from .nets import CAUSAL, LOOKUP, MIXING, PADDED, Wrapped, engine, wave


class Results(list):
    def take(self, outputs, error):
        self.append(error if error is not None else outputs)


@pytest.fixture
def results():
    return Results()


def ask(dispatcher, results, **inputs):
    return dispatcher.offer(inputs, Terms(), results.take)


def test_requests_that_wait_become_one_run(clock, results):
    made = engine(CAUSAL)
    dispatcher = Dispatcher(made, clock)
    waves = [wave(seed=seed) for seed in range(5)]
    for x in waves:
        ask(dispatcher, results, x=x)
    assert dispatcher.turn()
    assert not dispatcher.turn()
    assert dispatcher.counts.runs == 1
    for x, got in zip(waves, results, strict=True):
        np.testing.assert_allclose(got["out"], made.run(x=x)["out"], atol=1e-6)


def test_one_that_is_wrong_does_not_take_the_others_with_it(clock, results):
    dispatcher = Dispatcher(engine(LOOKUP), clock)
    for i in (0, 9, 3):  # the table has four
        ask(dispatcher, results, i=np.array([[i]]))
    dispatcher.turn()
    assert [r["out"].item() for r in results if isinstance(r, dict)] == [1.0, 4.0]
    assert [type(r) for r in results].count(InputError) == 1
    assert dispatcher.counts.failed == 1


def test_what_does_not_fit_is_refused_at_once(clock, results):
    dispatcher = Dispatcher(engine(CAUSAL), clock)
    with pytest.raises(InputError, match="it takes float32"):
        ask(dispatcher, results, x=np.zeros((1, 1, 4)))
    assert len(dispatcher.waiting) == 0


def test_a_model_whose_batches_differ_runs_one_by_one(clock, results):
    dispatcher = Dispatcher(engine(MIXING), clock)
    x = np.array([[1, 2]], np.float32)
    for scale in range(3):
        ask(dispatcher, results, x=scale * x)
    while dispatcher.turn():
        pass
    assert dispatcher.unbatched.startswith("a batch gives other results: output 'out' differs by")
    assert [got["out"].tolist() for got in results] == [[[0, 0]]] * 3


def test_warming_up_learns_what_each_size_costs(results):
    times = iter(range(10_000))
    dispatcher = Dispatcher(engine(CAUSAL, PADDED), lambda: float(next(times)), most=4)
    dispatcher.warm_up({"x": wave(20)})
    assert dispatcher.curve({"x": wave(17)}) == {1: 1.0, 2: 1.0, 4: 1.0}
    assert dispatcher.unbatched == ""


def test_a_missed_deadline_gives_its_result_and_is_counted(clock, results):
    dispatcher = Dispatcher(engine(CAUSAL), clock)
    dispatcher.offer({"x": wave()}, Terms(within_s=1.0), results.take)
    clock.now = 2.0
    dispatcher.turn()
    assert "out" in results[0]
    assert dispatcher.counts.missed == 1


def test_a_full_queue_is_counted(clock, results):
    dispatcher = Dispatcher(engine(CAUSAL), clock, queue_ms=10.0)
    dispatcher.costs.record(dispatcher._layout.kind({"x": wave()}), 1, 1.0)
    ask(dispatcher, results, x=wave())
    with pytest.raises(ResourceError, match="busy"):
        ask(dispatcher, results, x=wave())
    assert dispatcher.counts.refused == 1


class Breaking(Wrapped):
    """A real engine that is broken in a way that nobody foresaw."""

    def run(self, stop=None, /, **inputs):
        raise RuntimeError("out of order")


@pytest.mark.parametrize("count", [1, 2])
def test_what_breaks_reaches_all_who_wait(clock, results, count):
    dispatcher = Dispatcher(Breaking(engine(CAUSAL)), clock)
    for seed in range(count):
        ask(dispatcher, results, x=wave(seed=seed))
    assert dispatcher.turn()
    assert [str(error) for error in results] == ["out of order"] * count
    assert dispatcher.counts.failed == count


def test_no_worker_runs_a_batch_that_another_still_proves(clock, results):
    entered, go_on, rows = threading.Event(), threading.Event(), []

    class Slow(Wrapped):
        def run(self, stop=None, /, **inputs):
            rows.append(inputs["x"].shape[0])
            entered.set()
            assert go_on.wait(20)
            return self._inner.run(stop, **inputs)

    dispatcher = Dispatcher(Slow(engine(MIXING)), clock)
    for scale in (1, 2):
        ask(dispatcher, results, x=np.full((1, 2), scale, np.float32))
    one = threading.Thread(target=dispatcher.turn)
    one.start()
    assert entered.wait(20)
    for scale in (3, 4):
        ask(dispatcher, results, x=np.full((1, 2), scale, np.float32))
    other = threading.Thread(target=dispatcher.turn)
    other.start()
    while len(dispatcher.waiting):  # the other one has its batch
        assert other.is_alive()
    assert rows == [1]
    go_on.set()
    one.join()
    other.join()
    assert len(results) == 4
    assert rows.count(2) == 1  # the proof's own: batches of this model differ, so there is no other
