import numpy as np

from mien.engine.runtime.bound import BoundEngine
from mien.engine.runtime.rings import Rings

from .nets import CAUSAL, engine, wave

VARYING = """varying (float[n] x) => (int64[k, m] out) { out = NonZero (x) }"""


def test_the_second_run_writes_into_a_ring():
    rings, made = Rings(), engine(CAUSAL)
    bound = BoundEngine(made, rings)
    for seed in range(5):
        out = bound.run(x=wave(seed=seed))["out"]
        np.testing.assert_array_equal(out, made.run(x=wave(seed=seed))["out"])
    assert rings.residency().allocated == 2  # the last result is still held while the next is made
    assert rings.residency().reused == 2


def test_results_that_are_kept_stay_as_they_are():
    bound = BoundEngine(engine(CAUSAL), Rings())
    kept = [bound.run(x=wave(seed=seed))["out"] for seed in range(6)]
    for seed, out in enumerate(kept):
        np.testing.assert_array_equal(out, engine(CAUSAL).run(x=wave(seed=seed))["out"])


def test_an_output_whose_shape_varies_is_not_bound():
    bound = BoundEngine(engine(VARYING), Rings())
    for x in ([1, 1, 0], [1, 1, 0], [1, 0, 0], [1, 1, 1], [1, 0, 0]):
        out = bound.run(x=np.array(x, np.float32))["out"]
        assert out.tolist() == [np.flatnonzero(x).tolist()]
