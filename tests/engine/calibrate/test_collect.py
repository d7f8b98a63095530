import tracemalloc

import numpy as np
import pytest

from mien.engine.backends import onnxruntime
from mien.engine.calibrate import activations, calibrate, extremes
from mien.engine.calibrate.collect import sizes
from mien.engine.samples import RandomSamples, Subset
from mien.errors import InputError


def drawn(net, count, n=64, seed=0):
    return RandomSamples(onnxruntime.parse(net.SerializeToString()).inputs, count, {"n": n}, seed)


class Fixed:
    origin = "fixed"

    def __init__(self, *samples):
        self._samples = samples

    def __len__(self):
        return len(self._samples)

    def __iter__(self):
        return iter(self._samples)


def test_activations_are_what_depends_on_the_inputs(net):
    assert activations(net) == ["x", "a", "r", "c", "s", "g", "h", "out"]


def test_sizes_are_those_of_the_tensors(net):
    sample = next(iter(drawn(net, 1)))
    assert sizes(net, sample, ["a", "h"]) == {"a": 4 * 8 * 64, "h": 4 * 64}


def test_all_at_once_and_one_by_one_are_the_same(net):
    samples = drawn(net, 5)
    names = activations(net)
    together, singly = (calibrate(net, samples, names, budget_bytes=b) for b in (1 << 30, 1))
    for name in names:
        one, other = together.histograms[name], singly.histograms[name]
        assert (one.low, one.high, one.width) == (other.low, other.high, other.width)
        np.testing.assert_array_equal(one.counts, other.counts)
        assert (
            one.total
            == 5 * sizes(net, next(iter(samples)), [n for n in names if n != "x"]).get(name, 1024) // 4
        )


def test_the_order_of_samples_does_not_matter(net):
    samples = list(drawn(net, 6))
    there = calibrate(net, Fixed(*samples), ["c", "g"])
    back = calibrate(net, Fixed(*reversed(samples)), ["c", "g"])
    for method in ("minmax", "percentile", "entropy"):
        assert there.ranges(method) == back.ranges(method)


def test_the_exposed_values_are_the_models(net):
    samples = drawn(net, 1)
    x = next(iter(samples))["x"]
    found = calibrate(net, samples, ["x", "out"])
    out = onnxruntime.parse(net.SerializeToString()).run(x=x)["out"]
    assert (found.histograms["x"].low, found.histograms["x"].high) == (x.min(), x.max())
    np.testing.assert_allclose(found.histograms["out"].high, out.max(), rtol=1e-6)


def test_memory_is_the_same_for_more_samples(net):
    def peak(count):
        tracemalloc.start()
        calibrate(net, drawn(net, count, n=4096), activations(net))
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return peak

    peak(2)
    assert peak(24) < 1.2 * peak(3)


def test_peaks_name_the_sample(net):
    quiet, loud = np.full((1, 4, 8), 0.1, np.float32), np.full((1, 4, 8), 9.0, np.float32)
    found = calibrate(net, Fixed({"x": quiet}, {"x": loud}, {"x": quiet}), ["x"]).peaks["x"]
    assert found.furthest == 1
    assert found.at_top == 1
    assert extremes(net, Fixed({"x": loud}), ["x"])["x"].highest == (9.0, 0)


def test_a_value_that_is_no_number_names_tensor_and_sample(loud_net):
    fine, huge = np.ones((1, 4, 8), np.float32), np.full((1, 4, 8), 3e38, np.float32)
    with pytest.raises(InputError, match="tensor 'a' with sample 1: it holds NaN or infinity"):
        calibrate(loud_net, Fixed({"x": fine}, {"x": huge}), ["a"])


def test_an_unknown_method_or_tensor_is_an_error(net):
    samples = Subset(drawn(net, 2), lambda n: n == 0)
    with pytest.raises(InputError, match="no calibration method 'entropie'; did you mean 'entropy'"):
        calibrate(net, samples, ["x"]).ranges("entropie")
    with pytest.raises(InputError, match="no tensor 'nothing'"):
        calibrate(net, samples, ["nothing"])
