"""Which samples a tensor's range rests on, and whether other samples leave it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from mien.engine.calibrate.ranges import Range

ENOUGH = 500  # samples; fewer seldom show the tails
_LISTED = 5  # tensors in a report


@dataclass(slots=True)
class Peaks:
    """A tensor's extremes sample by sample.

    `octaves`: power of two → samples whose largest magnitude lies below it and not below the next one.
    `lowest`, `highest`: value and number of the sample that reached it first.
    """

    octaves: Counter[int] = field(default_factory=Counter)
    lowest: tuple[float, int] = (math.inf, -1)
    highest: tuple[float, int] = (-math.inf, -1)

    def add(self, low: float, high: float, sample: int) -> None:
        """Count one sample."""
        self.octaves[math.frexp(max(abs(low), abs(high)))[1]] += 1
        self.lowest = min(self.lowest, (low, sample))
        if (high, -sample) > (self.highest[0], -self.highest[1]):
            self.highest = (high, sample)

    @property
    def at_top(self) -> int:
        """How many samples reach the upper half of the range."""
        return self.octaves[max(self.octaves)] if self.octaves else 0

    @property
    def furthest(self) -> int:
        """The number of the sample with the largest magnitude."""
        return self.highest[1] if abs(self.highest[0]) >= abs(self.lowest[0]) else self.lowest[1]


@dataclass(frozen=True, slots=True)
class Escape:
    """A tensor that other samples drive out of its range; `excess`: how far, as a share of the range."""

    tensor: str
    value: float
    excess: float
    sample: int


def escapes(ranges: Mapping[str, Range], held_out: Mapping[str, Peaks]) -> list[Escape]:
    """Return the tensors that leave their range, furthest first."""
    found = []
    for name, peaks in held_out.items():
        bounds, size = ranges[name], (ranges[name].high - ranges[name].low) or 1.0
        below = (bounds.low - peaks.lowest[0]) / size
        above = (peaks.highest[0] - bounds.high) / size
        if max(below, above) > 0.0:
            value, sample = peaks.lowest if below > above else peaks.highest
            found.append(Escape(name, value, max(below, above), sample))
    return sorted(found, key=lambda escape: (-escape.excess, escape.tensor))


def report(peaks: Mapping[str, Peaks], samples: int, left: Sequence[Escape]) -> list[str]:
    """Return what there is to know of the calibration's data, a line each."""
    lines = []
    if samples < ENOUGH:
        lines.append(f"{samples} calibration samples; under {ENOUGH} the tails are seldom seen")
    lone = [(name, p) for name, p in peaks.items() if samples > 1 and p.at_top == 1]
    for name, found in lone[:_LISTED]:
        octaves = ", ".join(f"<{2.0**e:g}: {n}" for e, n in sorted(found.octaves.items()))
        lines.append(f"only sample {found.furthest} reaches the upper half of {name!r} (samples {octaves})")
    if len(lone) > _LISTED:
        lines.append(f"and {len(lone) - _LISTED} more tensors whose upper half one sample reaches")
    for escape in left[:_LISTED]:
        lines.append(
            f"held-out sample {escape.sample} drives {escape.tensor!r} to {escape.value:.4g}, "
            f"{100 * escape.excess:.1f} % out of its range"
        )
    if len(left) > _LISTED:
        lines.append(f"and {len(left) - _LISTED} more tensors that held-out data drive out of their range")
    return lines
