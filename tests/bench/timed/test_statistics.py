import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mien.bench.timed.statistics import percentiles, ratio_of_medians, resampled, slope

RNG = np.random.default_rng(3)


def test_percentiles_are_told_when_there_are_samples_enough():
    assert list(percentiles([1.0] * 19)) == [50]
    assert list(percentiles([1.0] * 20)) == [50, 95]
    assert list(percentiles([1.0] * 100)) == [50, 95, 99]
    assert percentiles([]) == {}


def test_the_interval_holds_the_true_median_about_nineteen_times_of_twenty():
    held = 0
    for _ in range(100):
        found = percentiles(RNG.exponential(1.0, 60), (50,))[50]
        held += found.low <= math.log(2) <= found.high
    assert 84 <= held <= 100


def test_slow_moments_in_a_row_widen_the_interval():
    alone = RNG.exponential(1.0, 400)
    rows = np.sort(alone.reshape(20, 20), axis=0).T.ravel()  # the same values, neighbours alike
    wide, narrow = (percentiles(each, (50,))[50] for each in (rows, alone))
    assert wide.value == narrow.value
    assert wide.high - wide.low > 1.3 * (narrow.high - narrow.low)


@given(st.lists(st.floats(0.1, 1e6), min_size=1, max_size=40), st.floats(0.01, 100))
def test_percentiles_scale_with_their_unit(values, factor):
    before, after = percentiles(values, (50,))[50], percentiles([factor * x for x in values], (50,))[50]
    assert after.value == pytest.approx(factor * before.value)
    assert after.low == pytest.approx(factor * before.low)
    assert before.low <= before.value <= before.high


def test_draws_are_of_the_same_values_and_many_are_thinned():
    drawn = resampled(np.arange(10.0), 50)
    assert drawn.shape == (50, 10)
    assert set(drawn.ravel()) <= set(range(10))
    assert resampled(np.arange(40_000.0), 3).shape[1] <= 1500


def test_a_ratio_of_medians_tells_what_is_twice_as_slow():
    old, new = RNG.normal(10, 0.5, 200), RNG.normal(20, 1, 200)
    found = ratio_of_medians(new, old)
    assert found.low < 2 < found.high
    assert found.high - found.low < 0.1
    same = ratio_of_medians(old, RNG.normal(10, 0.5, 200))
    assert same.low < 1 < same.high


def test_a_leak_shows_and_noise_does_not():
    leak = slope(3.0 * np.arange(10) + RNG.normal(0, 1, 10))
    assert leak.low > 0
    assert 2.0 < leak.value < 4.0
    still = slope([500, 503, 501, 499, 502, 500, 501])
    assert still.low <= 0 <= still.high
    assert slope([1.0, 2.0]).high == math.inf
