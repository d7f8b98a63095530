"""Blinks with human statistics.

About 17 a minute, at log-normal intervals (Bentivoglio et al. 1997 give 17 at rest; speech raises the
rate and draws blinks to pauses); the lids close in about 80 ms and open in about 150.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from mien.face.curves import Times, window

MEDIAN_INTERVAL_S, SPREAD = 3.3, 0.5
MIN_INTERVAL_S = 0.9
_FIRST_S = (0.7, 1.9)
_DOUBLE_CHANCE, _DOUBLE_GAP_S = 0.08, 0.32
_PAUSE_CHANCE, _PAUSE_DELAY_S = 0.4, 0.06


@dataclass(frozen=True, slots=True)
class Blink:
    """Lids start at `start`, are shut from `shut` to `open`, and are up again at `end` (seconds)."""

    start: float
    shut: float
    open: float
    end: float


@dataclass(slots=True)
class Blinker:
    """Decides frame by frame when to blink; the same `seed` and speech give the same blinks."""

    seed: int
    _rng: np.random.Generator = field(init=False)
    _blinks: list[Blink] = field(default_factory=list)
    _next: float = field(init=False)
    _last: float = -math.inf
    _was_speaking: bool = False

    def __post_init__(self) -> None:
        self._rng = np.random.default_rng((self.seed, 0xB11))
        self._next = float(self._rng.uniform(*_FIRST_S))

    def advance(self, times: Times, activity: Times) -> Times:
        """Return the closure of the lids (T,) for the next frames; `activity` (T,) is 1 in speech, 0 else."""
        for time, active in zip(times.tolist(), activity.tolist(), strict=True):
            self._consider_pause(time, active > 0.5)
            if time >= self._next:
                self._blink(time)
        closure = np.zeros(len(times))
        for blink in self._blinks:
            closure = np.maximum(closure, window(times, blink.start, blink.shut, blink.open, blink.end))
        if len(times):
            self._blinks = [blink for blink in self._blinks if blink.end > times[-1]]
        return closure

    def _consider_pause(self, time: float, speaking: bool) -> None:
        if (
            self._was_speaking
            and not speaking
            and time - self._last > 1.2
            and self._rng.random() < _PAUSE_CHANCE
        ):
            self._next = time + _PAUSE_DELAY_S
        self._was_speaking = speaking

    def _blink(self, time: float) -> None:
        pace = self._rng.uniform(0.85, 1.2)
        shut, open_ = time + 0.078 * pace, time + 0.1 * pace
        self._blinks.append(Blink(time, shut, open_, open_ + 0.145 * pace))
        self._last = time
        interval = MEDIAN_INTERVAL_S * math.exp(SPREAD * self._rng.standard_normal())
        doubled = self._rng.random() < _DOUBLE_CHANCE
        self._next = time + (_DOUBLE_GAP_S if doubled else max(interval, MIN_INTERVAL_S))
