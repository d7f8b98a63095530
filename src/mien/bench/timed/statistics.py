"""Quantiles with the interval in which they lie, by bootstrap.

A slow moment slows several samples in a row. So blocks of neighbours are drawn, not single samples (circular
block bootstrap; D. N. Politis and J. P. Romano, 1992), each as long as the cube root of their number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

LEVEL: Final = 0.95
DRAWS: Final = 1000
LEAST: Final = {50: 1, 95: 20, 99: 100}  # samples that a percentile needs to be more than the largest one
_MOST: Final = 1500  # samples that are drawn from; more are thinned evenly

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Interval:
    """A value, and the bounds between which it lies with 95 % confidence."""

    value: float
    low: float
    high: float

    @property
    def spread(self) -> float:
        """Half the interval's width as a share of the value."""
        return (self.high - self.low) / 2 / abs(self.value) if self.value else 0.0


def percentiles(samples: Sequence[float], wanted: Sequence[int] = (50, 95, 99)) -> dict[int, Interval]:
    """Return each percentile that there are samples enough for."""
    wanted = [each for each in wanted if len(samples) >= LEAST[each]]
    if not wanted:
        return {}
    values = np.asarray(samples, float)
    drawn = np.percentile(resampled(values), wanted, axis=1)
    low, high = np.percentile(drawn, _bounds(), axis=1)
    reached = np.percentile(values, wanted)
    return {each: Interval(*map(float, row)) for each, *row in zip(wanted, reached, low, high, strict=True)}


def ratio_of_medians(new: Sequence[float], old: Sequence[float]) -> Interval:
    """Return the median of `new` over that of `old`; both are drawn anew."""
    medians = [
        np.median(resampled(np.asarray(each, float), seed=i), axis=1) for i, each in enumerate((new, old))
    ]
    low, high = np.percentile(medians[0] / medians[1], _bounds())
    return Interval(float(np.median(new) / np.median(old)), float(low), float(high))


def slope(values: Sequence[float]) -> Interval:
    """Return how much `values` grow from one to the next: Theil and Sen's slope, the median of all pairs'.

    Its bounds are the order statistics that Kendall's tau gives (P. K. Sen, 1968). Raises nothing; fewer than
    three values have the slope 0 and no bounds.
    """
    count = len(values)
    if count < 3:
        return Interval(0.0, float("-inf"), float("inf"))
    given = np.asarray(values, float)
    first, second = np.triu_indices(count, 1)
    slopes = np.sort((given[second] - given[first]) / (second - first))
    deviation = 1.96 * np.sqrt(count * (count - 1) * (2 * count + 5) / 18)
    low = int(np.floor((len(slopes) - deviation) / 2))
    high = int(np.ceil((len(slopes) + deviation) / 2))
    bounds = slopes[max(low, 0)], slopes[min(high, len(slopes) - 1)]
    return Interval(float(np.median(slopes)), float(bounds[0]), float(bounds[1]))


def resampled(values: Floats, draws: int = DRAWS, seed: int = 0) -> Floats:
    """Return `draws` rows of blocks of neighbours, the end going on at the beginning."""
    values = values[:: len(values) // _MOST + 1]
    count = len(values)
    block = max(1, round(count ** (1 / 3)))
    starts = np.random.default_rng(seed).integers(0, count, (draws, -(-count // block), 1))
    places = (starts + np.arange(block)).reshape(draws, -1)[:, :count] % count
    return values[places]


def _bounds() -> tuple[float, float]:
    return 50 * (1 - LEVEL), 50 * (1 + LEVEL)
