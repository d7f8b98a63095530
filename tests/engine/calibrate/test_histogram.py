import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from mien.engine.calibrate import METHODS, Histogram
from mien.engine.calibrate.histogram import BINS
from mien.errors import InputError

values = st.one_of(
    st.floats(width=32, allow_nan=False, allow_infinity=False),
    st.floats(-8, 8, width=32),
    st.sampled_from([0.0, -0.0, 1e-45, -1e-45, 2.0**20, -(2.0**20), 3.4e38]),
)
arrays = hnp.arrays(np.float32, st.integers(0, 12), elements=values)


def counted(*batches):
    made = Histogram()
    for batch in batches:
        made.add(np.asarray(batch, np.float32))
    return made


def state(histogram):
    return (
        histogram.low,
        histogram.high,
        histogram.width,
        histogram.first,
        tuple(histogram.counts),
    )


@settings(deadline=None, max_examples=30)
@given(st.lists(arrays, min_size=1, max_size=4), st.randoms())
def test_batches_and_their_order_do_not_matter(batches, random):
    whole = np.concatenate(batches)
    shuffled = whole.copy()
    random.shuffle(shuffled)
    one, singly = counted(whole), counted(*shuffled.reshape(-1, 1))
    assert state(one) == state(singly) == state(counted(*reversed(batches)))
    if len(whole):
        assert all(method(one) == method(singly) for method in METHODS.values())


@settings(deadline=None, max_examples=30)
@given(arrays, arrays)
def test_merging_is_counting_both(first, second):
    made = counted(first)
    made.merge(counted(second))
    assert state(made) == state(counted(first, second))


@settings(deadline=None, max_examples=30)
@given(hnp.arrays(np.float32, st.integers(1, 60), elements=values))
def test_every_value_is_in_its_bin(array):
    made = counted(array)
    expected = [0] * BINS
    for value in array.tolist():
        expected[math.floor(value / made.width) - made.first] += 1
    assert made.counts.tolist() == expected
    assert made.edges[0] <= made.low


def test_bins_reach_no_further_than_they_must():
    made = counted(np.linspace(-3.0, 5.0, 10_000))
    assert made.width == 2.0**-7  # 1,024 of 2,048 bins; half as wide, 2,049 would be needed
    assert np.flatnonzero(made.counts)[-1] == 1024


def test_magnitudes_mirror_the_negative_values():
    made = counted([-0.5, 0.5, 0.25, -1.0, 1.0])
    found = made.magnitudes()
    assert found.sum() == 5
    assert found[int(0.25 / made.width)] == 1
    assert found[int(0.5 / made.width)] == 1
    assert found[int(0.5 / made.width) - 1] == 1  # (-0.5) closes the bin below


def test_values_that_are_no_numbers_are_refused():
    for bad in (np.nan, np.inf, 1e300):
        with pytest.raises(InputError, match="NaN or infinity"), np.errstate(over="ignore"):
            Histogram().add(np.array([0.0, bad]))


def test_memory_does_not_grow():
    made = Histogram()
    for power in itertools.chain(range(-20, 20), range(20, -20, -1)):
        made.add(np.full(10, 2.0**power, np.float32))
    assert made.counts.nbytes == 8 * BINS
    assert made.total == 800
