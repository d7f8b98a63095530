"""What the voice stresses, the brows and the head stress too.

Raised brows and nods fall on pitch accents a little before the stressed vowel's peak
(Graf, Cosatto, Strom and Huang, "Visual prosody", 2002), not on every one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from mien.face.curves import Times, uniform_at, window
from mien.face.segments import Segment

LEAD_S = 0.12
_HOLD_S, _FALL_S = 0.07, 0.34
_REFRACTORY_S = 0.62
_CHANCE = 0.6


@dataclass(frozen=True, slots=True)
class Beat:
    """One emphasis: `brow` as a weight and `nod` in radians, at their peak at `time` (seconds)."""

    time: float
    brow: float
    nod: float


@dataclass(slots=True)
class Prosody:
    """Beats from stressed syllables and from emphasis; chosen by `seed`, scaled by `energy` in [0, 1]."""

    energy: float
    seed: int
    _beats: list[Beat] = field(default_factory=list)
    _last: float = -np.inf
    _count: int = 0

    def feed(self, segments: Sequence[Segment]) -> None:
        """Choose beats among the stressed vowels of new segments."""
        for segment in segments:
            if segment.stress == 2 and segment.viseme.vowel and segment.start - self._last >= _REFRACTORY_S:
                self._count += 1
                chance, size, share = uniform_at(self.seed, 3 * self._count + np.arange(3))
                if chance < _CHANCE:
                    self._last = segment.start
                    self._beats.append(self._beat(segment.start + 0.03, size, share))

    def emphasise(self, time_s: float, strength: float) -> None:
        """Add a strong beat for an emphasis in [0, 1]."""
        if strength > 0.0:
            scale = strength * (0.7 + 0.6 * self.energy)
            self._last = time_s
            self._beats.append(Beat(time_s + 0.05, 0.48 * scale, 0.062 * scale))

    def at(self, times: Times) -> tuple[Times, Times]:
        """Return the raise of the brows (T,) as a weight and the nod (T,) as pitch in radians."""
        brow, nod = np.zeros(len(times)), np.zeros(len(times))
        for beat in self._beats:
            if beat.time - LEAD_S > times[-1]:
                continue
            rise = window(
                times, beat.time - LEAD_S, beat.time, beat.time + _HOLD_S, beat.time + _HOLD_S + _FALL_S
            )
            brow = np.maximum(brow, beat.brow * rise)
            dip = window(times, beat.time - 0.06, beat.time + 0.09, beat.time + 0.12, beat.time + 0.5)
            nod = np.maximum(nod, beat.nod * dip)
        return brow, nod

    def drop_before(self, time_s: float) -> None:
        """Forget beats that are over at `time_s`."""
        self._beats = [beat for beat in self._beats if beat.time + 1.0 > time_s]

    def _beat(self, time: float, size: float, share: float) -> Beat:
        scale = 2.0 * self.energy * (0.55 + 0.45 * size)
        return Beat(time, 0.26 * scale * (0.35 + 0.65 * share), 0.036 * scale * (1.0 - 0.6 * share))
