"""The head: it drifts, follows what the eyes are interested in, breathes, and moves more while speaking."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mien.face.breathing import breath
from mien.face.curves import Times, noise
from mien.face.visemes import Floats

LIMITS = np.array([0.6, 0.4, 0.35])
"""Largest yaw, pitch, roll, radians."""
_REST = np.array([0.017, 0.011, 0.012])
_TALK = np.array([0.052, 0.030, 0.030])
"""Reach of the drift, radians, at rest and while speaking at energy 0.5."""
_SLOW_S, _QUICK_S, _QUICK_SHARE = 2.9, 1.1, 0.32
_FOLLOW = np.array([0.45, 0.35])
_STIFFNESS = 6.5
_LIVELY_S = 0.7


@dataclass(slots=True)
class Head:
    """Turns speech, nods and interest into yaw, pitch, roll; `energy` in [0, 1]."""

    energy: float
    rate_hz: float
    seed: int
    _lively: float = 0.0
    _yaw: float = 0.0
    _pitch: float = 0.0
    _yaw_speed: float = 0.0
    _pitch_speed: float = 0.0

    def advance(
        self, times: Times, activity: Times, interest: Floats, nod: Times, attitude: Floats
    ) -> Floats:
        """Return rotations (T, 3) for the next frames; `interest` (T, 2) as `Gazer` gives it."""
        lively, follow = self._follow(activity, interest)
        reach = _REST + lively[:, None] * (_TALK * (0.4 + 1.2 * self.energy) - _REST)
        head: Floats = attitude + reach * self._drift(times)
        head[:, :2] += follow
        head[:, 1] += nod + breath(times, self.seed)
        np.clip(head, -LIMITS, LIMITS, out=head)
        return head

    def _drift(self, times: Times) -> Floats:
        slow = [noise(times, _SLOW_S, self.seed * 8 + axis) for axis in range(3)]
        quick = [noise(times, _QUICK_S, self.seed * 8 + 3 + axis) for axis in range(3)]
        drift: Floats = np.stack(slow, axis=1) + _QUICK_SHARE * np.stack(quick, axis=1)
        return drift

    def _follow(self, activity: Times, interest: Floats) -> tuple[Times, Floats]:
        """Smooth liveliness (first order) and the turn to what is looked at (critically damped spring)."""
        step, k = 1.0 / self.rate_hz, _STIFFNESS
        fade = min(step / _LIVELY_S, 1.0)
        lively, follow = np.empty(len(activity)), np.empty((len(activity), 2))
        rows = zip(activity.tolist(), (interest * _FOLLOW).tolist(), strict=True)
        for i, (active, (yaw, pitch)) in enumerate(rows):
            self._lively += (active - self._lively) * fade
            self._yaw_speed += (k * k * (yaw - self._yaw) - 2.0 * k * self._yaw_speed) * step
            self._pitch_speed += (k * k * (pitch - self._pitch) - 2.0 * k * self._pitch_speed) * step
            self._yaw += self._yaw_speed * step
            self._pitch += self._pitch_speed * step
            lively[i], follow[i] = self._lively, (self._yaw, self._pitch)
        return lively, follow
