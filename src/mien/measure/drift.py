"""Does the offset change in the course of the film?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mien.measure.offset import Doubles, dip, jackknife, usable
from mien.measure.speech import Span

GROUP = 12  # closings whose mean dip is one reading
FEWEST_READINGS = 3
SHORTEST_S = 20.0
LARGEST_ERROR_MS = 50.0
TEN_MINUTES_S = 600.0


@dataclass(frozen=True, slots=True)
class Drift:
    """`value_ms` in ten minutes (positive: the picture runs ahead), with `error_ms`, one standard error; or
    `reason` why it is not known.
    """

    value_ms: float | None
    error_ms: float | None = None
    reason: str | None = None


def measure_drift(shut: list[Span], bright: Doubles, spoken: list[Span], offset_s: float) -> Drift:
    """Fit a line through the offsets of groups of closings that follow each other."""
    middles = usable(shut, spoken, offset_s)
    count = len(middles) // GROUP
    if count < FEWEST_READINGS or middles[-1] - middles[0] < SHORTEST_S:
        return Drift(
            None, reason=f"{len(middles)} lip closures; {FEWEST_READINGS * GROUP} over 20 s are needed"
        )
    readings = []
    for part in np.array_split(middles, min(count, 60)):
        value = dip(part, bright, offset_s)
        if value is not None:
            readings.append((part.mean(), value, max(jackknife(part, bright, value), 0.002)))
    if len(readings) < FEWEST_READINGS:
        return Drift(None, reason="too few lip closures with a dip in the sound")
    drift = _line(np.array(readings))
    if (drift.error_ms or 0.0) > LARGEST_ERROR_MS:
        return Drift(None, reason=f"known to ±{drift.error_ms:.0f} ms only: a film of some minutes is needed")
    return drift


def _line(readings: Doubles) -> Drift:
    """Weighted least squares; the error grows with the scatter where that exceeds the readings' own."""
    time, value, error = readings.T
    weight = 1 / error**2
    middle = np.average(time, weights=weight)
    spread = np.sum(weight * (time - middle) ** 2)
    slope = np.sum(weight * (time - middle) * value) / spread
    rest = value - np.average(value, weights=weight) - slope * (time - middle)
    scatter = max(1.0, float(np.sum(weight * rest**2) / max(1, len(time) - 2)))
    return Drift(float(slope * TEN_MINUTES_S * 1e3), float(np.sqrt(scatter / spread) * TEN_MINUTES_S * 1e3))
