import numpy as np
import pytest

from mien.engine.runtime.tiers import TieredEngine
from mien.errors import InputError

from .nets import CAUSAL, Wrapped, engine, wave

FIXED = "fixed (float[1, n] x) => (float[1, n] out) { out = Tanh (x) }"


class Seen(Wrapped):
    """A real engine that remembers the shapes it ran."""

    def __init__(self, text=CAUSAL):
        super().__init__(engine(text))
        self.shapes = []

    def run(self, stop=None, /, **inputs):
        self.shapes += [value.shape for value in inputs.values()]
        return self._inner.run(stop, **inputs)


@pytest.fixture
def opened():
    return []


@pytest.fixture
def tiered(opened):
    def load():
        opened.append(Seen())
        return opened[-1]

    return TieredEngine(load, sizes=(1, 4, 8), most=2)


def test_each_size_has_a_session_that_never_sees_another(tiered, opened):
    for rows in (1, 3, 4, 1, 2):
        x = wave(rows=rows)
        np.testing.assert_allclose(tiered.run(x=x)["out"], engine(CAUSAL).run(x=x)["out"], atol=1e-6)
    assert [set(each.shapes) for each in opened] == [{(1, 1, 8)}, {(4, 1, 8)}]


def test_the_session_used_longest_ago_goes(tiered, opened):
    for rows in (1, 4, 1, 8, 1, 4):
        tiered.run(x=wave(rows=rows))
    assert [each.shapes[0][0] for each in opened] == [1, 4, 8, 4]


def test_more_rows_than_any_size_run_as_they_are(tiered):
    assert tiered.run(x=wave(rows=9))["out"].shape == (9, 1, 8)


def test_a_model_without_a_batch_has_a_session_for_each_shape():
    made = TieredEngine(lambda: Seen(FIXED))
    assert made.run(x=np.ones((1, 5), np.float32))["out"].shape == (1, 5)
    assert made.run(x=np.ones((1, 6), np.float32))["out"].shape == (1, 6)
    assert len(made._sessions) == 2


def test_wrong_inputs_are_still_told(tiered):
    with pytest.raises(InputError, match=r"no input .y."):
        tiered.run(y=wave())
