"""Smooth curves of time, from which every layer of the face is made.

All of them are functions of one time alone (no reduction over an array), so a frame comes out
bit for bit the same however the stream was cut.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Times = NDArray[np.float64]

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)


def smoothstep(u: Times) -> Times:
    """Return 0 below 0, 1 above 1, and between them the cubic with flat ends."""
    u = np.minimum(np.maximum(u, 0.0), 1.0)
    return u * u * (3.0 - 2.0 * u)


def ramp(times: Times, start: float, end: float) -> Times:
    """Return 0 before `start`, 1 after `end` (seconds), smooth between."""
    return smoothstep((times - start) / max(end - start, 1e-6))


def window(times: Times, start: float, hold: float, release: float, end: float) -> Times:
    """Return 0 outside `start`..`end` and 1 within `hold`..`release` (seconds), smooth between."""
    return np.minimum(ramp(times, start, hold), 1.0 - ramp(times, release, end))


def uniform_at(seed: int, counters: NDArray[np.int64]) -> Times:
    """Return a number in [0, 1) for each counter: SplitMix64 (Steele et al. 2014) as a hash."""
    offset = np.uint64((seed * int(_MIX_1) + 1) % 2**64)
    x = (counters.astype(np.uint64) + offset) * _GOLDEN
    x = (x ^ (x >> np.uint64(30))) * _MIX_1
    x = (x ^ (x >> np.uint64(27))) * _MIX_2
    return (x ^ (x >> np.uint64(31))).astype(np.float64) / 2.0**64


def noise(times: Times, period_s: float, seed: int) -> Times:
    """Return smooth noise in about [-1, 1]: a Catmull-Rom spline through random knots every `period_s`.

    `times` rise.
    """
    position = times / period_s
    knot = np.floor(position).astype(np.int64)
    u = position - knot
    first, last = (int(knot[0]), int(knot[-1])) if len(knot) else (0, 0)
    values = 2.0 * uniform_at(seed, np.arange(first - 1, last + 3)) - 1.0
    a, b, c, d = (values[knot - first + k] for k in range(4))
    slope_b, slope_c = (c - a) * 0.5, (d - b) * 0.5
    cubic, square = 2.0 * (b - c) + slope_b + slope_c, 3.0 * (c - b) - 2.0 * slope_b - slope_c
    return ((cubic * u + square) * u + slope_b) * u + b
