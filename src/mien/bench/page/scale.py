"""From values to places, and round numbers to write at an axis."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scale:
    """`low`, `high`: what lies at `start` and `end`; `log`: equal ratios are equally far."""

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def __call__(self, value: float) -> float:
        """Return the place of a value; one that is out of range lies at the edge."""
        low, high, value = (self._on(each) for each in (self.low, self.high, value))
        share = (value - low) / (high - low) if high > low else 0.5
        return self.start + min(1.0, max(0.0, share)) * (self.end - self.start)

    def ticks(self, most: int = 5) -> list[float]:
        """Return round values between the ends."""
        return log_ticks(self.low, self.high) if self.log else ticks(self.low, self.high, most)

    def _on(self, value: float) -> float:
        return math.log(max(value, 1e-12)) if self.log else value


def around(
    values: Iterable[float], start: float, end: float, *, zero: bool = True, log: bool | None = None
) -> Scale:
    """Return a scale on which all finite values lie, with room at its ends.

    `log` None: by ratios when the largest is over thirty times the smallest, and none is zero.
    """
    given = [value for value in values if math.isfinite(value)] or [0.0, 1.0]
    low, high = min(given), max(given)
    if log is None:
        log = low > 0 and high > 30 * low
    if log:
        return Scale(low / 1.15, high * 1.15, start, end, log=True)
    low = 0.0 if zero and low >= 0 else low
    room = 0.06 * ((high - low) or abs(high) or 1.0)
    return Scale(low if low == 0 else low - room, high + room, start, end)


def ticks(low: float, high: float, most: int = 5) -> list[float]:
    """Return multiples of 1, 2 or 5 times a power of ten, `most` at most."""
    if high <= low:
        return [low]
    rough = (high - low) / most
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * each for each in (1, 2, 5, 10) if power * each >= rough)
    first = math.ceil(low / step - 1e-9)
    return [step * n for n in range(first, math.floor(high / step + 1e-9) + 1)]


def log_ticks(low: float, high: float) -> list[float]:
    """Return 1, 2 and 5 of each power of ten, or the powers alone where those would be many."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    steps = (1, 2, 5) if len(powers) <= 3 else (1, 3) if len(powers) <= 4 else (1,)
    return [m * 10.0**p for p in powers for m in steps if low <= m * 10.0**p <= high]


def number(value: float) -> str:
    """Return a value with as many digits as one reads: 1234, 187, 23.4, 0.061."""
    if value == 0 or not math.isfinite(value):
        return "0" if value == 0 else "–"
    if abs(value) >= 100:
        return f"{value:,.0f}".replace(",", "\N{NARROW NO-BREAK SPACE}")
    digits = max(0, 2 - math.floor(math.log10(abs(value))))
    text = f"{value:.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
