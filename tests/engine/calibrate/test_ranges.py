import itertools
import tracemalloc

import numpy as np
import pytest

from mien.engine.calibrate import Histogram
from mien.engine.calibrate.ranges import divergence, entropy, minmax, percentile


def counted(values):
    made = Histogram()
    made.add(np.asarray(values, np.float32))
    return made


@pytest.fixture(scope="module")
def bell():
    return np.random.default_rng(1).standard_normal(200_000).astype(np.float32)


def test_minmax_is_exact(bell):
    found = minmax(counted(bell))
    assert (found.low, found.high) == (bell.min(), bell.max())


def test_a_percentile_leaves_out_its_share_by_whole_bins(bell):
    histogram = counted(bell)
    found = percentile(histogram, 0.99)
    for share, edge in ((0.005, found.low), (0.995, found.high)):
        assert abs(edge - np.quantile(bell, share)) <= histogram.width
    assert np.mean((bell < found.low) | (bell > found.high)) <= 0.01


def test_entropy_clips_a_lone_outlier_and_minmax_does_not(bell):
    histogram = counted(np.append(bell, 80.0))
    assert minmax(histogram).largest == 80.0
    assert 3.0 < entropy(histogram).largest < 10.0


def test_entropy_keeps_an_even_distribution_whole():
    values = np.linspace(-1.0, 1.0, 100_000)
    assert entropy(counted(values)).largest > 0.98


def test_entropy_of_few_bins_is_the_whole_range():
    assert entropy(counted([0.0, 0.0])) == minmax(counted([0.0, 0.0]))
    assert entropy(counted([2.0])) == minmax(counted([2.0]))


def plain_divergence(counts, limit, levels):
    """The definition, bin by bin."""
    p = counts[:limit].astype(float)
    p[-1] += counts[limit:].sum()
    q = np.zeros(limit)
    bounds = [limit * j // levels for j in range(levels + 1)]
    for start, end in itertools.pairwise(bounds):
        used = p[start:end] > 0
        if used.any():
            q[start:end][used] = max(counts[start:end].sum(), 1e-4) / used.sum()
    p, q = p / p.sum(), q / max(counts[:limit].sum(), 1)
    used = p > 0
    return np.sum(p[used] * np.log(p[used] / q[used]))


def test_the_divergence_by_running_sums_is_that_of_the_definition():
    draw = np.random.default_rng(3)
    counts = draw.poisson(40 * np.exp(-np.arange(300) / 40.0)).astype(np.int64)
    limits = np.arange(16, 301)
    found = divergence(counts, limits, 16)
    expected = [plain_divergence(counts, limit, 16) for limit in limits]
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("value", [1e6, -3.4e38, 3.4e38])
def test_values_far_from_zero_keep_their_range_without_a_bin_for_all_that_lies_between(value):
    histogram = Histogram()
    histogram.add(np.full(28, value, np.float32))
    tracemalloc.start()
    found = entropy(histogram)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (found.low, found.high) == (np.float32(value), np.float32(value))
    assert peak < 1 << 22
