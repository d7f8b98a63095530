"""A tensor's values in 2,048 bins whose range grows with them.

A bin is `2^e` wide and starts at a multiple of its width; `e` is the least for which the bins reach from the
smallest value to the largest. So it depends on those two alone, and bins merge exactly by doubling: the
counts are those of all values at once, whatever batches they came in and in whatever order.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from mien.engine.engine import Tensor
from mien.errors import InputError

BINS = 2048
_LEAST_EXPONENT = -100  # a bin of 8e-31; 2^100 is still a float32
_DEPTH = 22  # bits of a bin's number: exact in float32 with room for the difference of two
_BLOCK = 1 << 16  # values at once: 256 KiB, they stay in the cache


class Histogram:
    """Counts, smallest and largest value of all values added; its memory does not grow."""

    def __init__(self) -> None:
        self.low = math.inf
        self.high = -math.inf
        self.counts: NDArray[np.int64] = np.zeros(BINS, np.int64)
        self._exponent = _LEAST_EXPONENT
        self._origin = 0

    @property
    def width(self) -> float:
        """Width of a bin, a power of two."""
        return math.ldexp(1.0, self._exponent)

    @property
    def first(self) -> int:
        """Number of the first bin: bin `i` starts at `(first + i) · width`."""
        return self._origin

    @property
    def total(self) -> int:
        """How many values were added."""
        return int(self.counts.sum())

    @property
    def edges(self) -> NDArray[np.float64]:
        """Where the bins start and the last one ends, `(2049,)`."""
        return np.asarray((self._origin + np.arange(BINS + 1)) * self.width, np.float64)

    def add(self, values: Tensor) -> tuple[float, float] | None:
        """Count values of any shape as float32; return their smallest and largest, None without any.

        Raises `InputError` for NaN and infinity.
        """
        if not values.size:
            return None
        flat = np.asarray(values, np.float32).reshape(-1)
        low, high = float(flat.min()), float(flat.max())
        if not (math.isfinite(low) and math.isfinite(high)):
            raise InputError("it holds NaN or infinity")
        self._reach(low, high)
        self._count(flat)
        return low, high

    def merge(self, other: Histogram) -> None:
        """Add all that another has counted."""
        if not other.total:
            return
        self._reach(other.low, other.high)
        bins = other._regrouped(self._exponent, self._origin)
        self.counts += bins

    def magnitudes(self) -> NDArray[np.int64]:
        """Return counts of magnitudes, from 0: bin `i` is `[i, i + 1) · width`, negative ones mirrored."""
        number = self._origin + np.arange(BINS)
        place = np.where(number >= 0, number, -1 - number)
        used = self.counts > 0
        return np.bincount(place[used], self.counts[used]).astype(np.int64)

    def _count(self, flat: NDArray[np.float32]) -> None:
        # Above 1 the quotient of a tiny negative value would round to -0 in float32: into the wrong bin.
        kind = np.float32 if self._exponent <= 0 else np.float64
        inverse, origin = kind(math.ldexp(1.0, -self._exponent)), kind(self._origin)
        buffer = np.empty(min(_BLOCK, flat.size), kind)
        for at in range(0, flat.size, _BLOCK):
            part = flat[at : at + _BLOCK]
            place = buffer[: part.size]
            np.multiply(part, inverse, out=place)
            np.floor(place, out=place)
            np.subtract(place, origin, out=place)
            self.counts += np.bincount(place.astype(np.intp), minlength=BINS)

    def _reach(self, low: float, high: float) -> None:
        self.low, self.high = min(self.low, low), max(self.high, high)
        exponent = _exponent(self.low, self.high)
        origin = _bin(self.low, exponent)
        self.counts = self._regrouped(exponent, origin)
        self._exponent, self._origin = exponent, origin

    def _regrouped(self, exponent: int, origin: int) -> NDArray[np.int64]:
        """Return the counts in wider bins from another origin."""
        if (exponent, origin) == (self._exponent, self._origin):
            return self.counts
        counts = np.zeros(BINS, np.int64)
        used = np.flatnonzero(self.counts)
        shift = min(exponent - self._exponent, 62)
        np.add.at(counts, ((self._origin + used) >> shift) - origin, self.counts[used])
        return counts


def _bin(value: float, exponent: int) -> int:
    return math.floor(math.ldexp(value, -exponent))


def _exponent(low: float, high: float) -> int:
    """Return the least `e` so that bins of `2^e` reach from `low` to `high`."""
    largest = max(abs(low), abs(high))
    least = max(_LEAST_EXPONENT, math.frexp(largest)[1] - _DEPTH if largest else _LEAST_EXPONENT)
    guess = math.frexp((high - low) / BINS)[1] - 2 if high > low else least
    exponent = max(least, guess)
    while _bin(high, exponent) - _bin(low, exponent) >= BINS:
        exponent += 1
    return exponent
