"""The range of a tensor that int8 shall resolve, from its histogram."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mien.engine.calibrate.histogram import Histogram

SHARE = 0.9999  # of the values lie in a percentile's range
LEVELS = 128  # magnitudes of int8
_FAR = 65_536  # bins from 0: int8 of a symmetric range could not tell such values apart
_SMOOTH = 1e-4  # counts given to a level that is empty, so that the divergence stays finite


@dataclass(frozen=True, slots=True)
class Range:
    """Values outside are clipped."""

    low: float
    high: float

    @property
    def largest(self) -> float:
        """The largest magnitude inside."""
        return max(abs(self.low), abs(self.high))


def minmax(histogram: Histogram) -> Range:
    """Return the range of all values."""
    return Range(histogram.low, histogram.high)


def percentile(histogram: Histogram, share: float = SHARE) -> Range:
    """Return the range that leaves out at most `(1 - share) / 2` of the values at each end, by whole bins."""
    running, edges = np.cumsum(histogram.counts), histogram.edges
    spare = (1.0 - share) / 2.0 * running[-1]
    first = int(np.searchsorted(running, spare, side="right"))
    last = int(np.searchsorted(running, running[-1] - spare, side="left"))
    return _inside(histogram, float(edges[first]), float(edges[last + 1]))


def entropy(histogram: Histogram, levels: int = LEVELS) -> Range:
    """Return the range whose `levels` steps keep most of the distribution of magnitudes.

    The clipping point has the least Kullback-Leibler divergence between the clipped distribution and its
    quantised form (Migacz, 8-bit inference with TensorRT, 2017); every whole bin from `levels` on that leaves
    values inside is tried. Values that all lie far from 0, where nothing can be clipped, keep their range.
    """
    first = _nearest_zero(histogram) / histogram.width
    if first > _FAR:
        return minmax(histogram)
    counts = histogram.magnitudes()
    limits = np.arange(max(levels, int(first) + 1), len(counts) + 1)
    if len(limits) < 2:
        return minmax(histogram)
    clip = float(limits[int(np.argmin(divergence(counts, limits, levels)))]) * histogram.width
    return _inside(histogram, -clip, clip)


METHODS: dict[str, Callable[[Histogram], Range]] = {
    "minmax": minmax,
    "percentile": percentile,
    "entropy": entropy,
}


def divergence(counts: NDArray[np.int64], limits: NDArray[np.int64], levels: int) -> NDArray[np.float64]:
    """Return the Kullback-Leibler divergence of each clipping point: `limits` `(k,)`, in bins of `counts`.

    What lies outside is counted in the last bin inside; a level spreads evenly over its bins in use. All by
    running sums: `levels` steps a candidate, however many bins it has.
    """
    total = counts.sum()
    inside = np.concatenate([[0], np.cumsum(counts)])
    used = np.concatenate([[0], np.cumsum(counts > 0)])
    entropies = np.concatenate([[0.0], np.cumsum(_xlogx(counts))])
    outside = total - inside[limits]
    last = counts[limits - 1]
    own = entropies[limits] - _xlogx(last) + _xlogx(last + outside) - total * np.log(total)

    bounds = limits[:, None] * np.arange(levels + 1)[None, :] // levels
    mass = np.diff(inside[bounds], axis=1).astype(np.float64)
    bins = np.diff(used[bounds], axis=1).astype(np.float64)
    bins[:, -1] += (last == 0) & (outside > 0)
    clipped = mass.copy()
    clipped[:, -1] += outside
    kept = np.maximum(inside[limits], 1)[:, None]
    density = np.maximum(mass, _SMOOTH) / np.maximum(bins, 1.0) / kept
    cross = np.sum(clipped * np.log(density), axis=1)
    return np.asarray((own - cross) / total, np.float64)


def _xlogx(counts: NDArray[np.int64]) -> NDArray[np.float64]:
    values = counts.astype(np.float64)
    return values * np.log(np.maximum(values, 1.0))


def _nearest_zero(histogram: Histogram) -> float:
    """Return the smallest magnitude that the range holds."""
    if histogram.low <= 0.0 <= histogram.high:
        return 0.0
    return min(abs(histogram.low), abs(histogram.high))


def _inside(histogram: Histogram, low: float, high: float) -> Range:
    """Return the range, inside that of the values."""
    return Range(max(low, histogram.low), min(high, histogram.high))
