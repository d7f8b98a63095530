import numpy as np
import pytest

from mien.engine.timing import come_to_rest, side_by_side


class Counting:
    inputs = ()
    outputs = ()
    metadata = ()

    def __init__(self, calls, name):
        self._calls, self._name = calls, name

    def run(self, stop=None, /, **inputs):
        self._calls.append(self._name)
        return {}


def test_engines_take_turns_after_warming_up():
    calls = []
    found = side_by_side({n: Counting(calls, n) for n in "ab"}, {"x": np.zeros(1)}, seconds=0)
    assert calls == list("ab" * 4)
    assert all(times.runs == 3 and 0 <= times.best_ms <= times.median_ms for times in found.values())
    assert side_by_side({"a": Counting([], "a")}, {}, seconds=60)["a"].runs == 200


class Process:
    """A process that spins for a while, on a clock of its own."""

    def __init__(self, spins_s):
        self.now, self._spins_s = 0.0, spins_s

    def sleep(self, seconds):
        self.now += seconds

    def wait(self):
        come_to_rest(self.sleep, lambda: self.now, lambda: min(self.now, self._spins_s))


@pytest.mark.parametrize(("spins_s", "waited_s"), [(0.0, 0.004), (0.05, 0.056), (9.0, 0.2)])
def test_what_still_spins_is_waited_for_but_not_for_ever(spins_s, waited_s):
    process = Process(spins_s)
    process.wait()
    assert process.now == pytest.approx(waited_s, abs=0.005)
