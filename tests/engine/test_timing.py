import numpy as np

from mien.engine.timing import side_by_side


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
