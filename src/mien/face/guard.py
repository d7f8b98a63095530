"""The last word: every weight in [0, 1], nothing faster than a human face."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

import numpy as np

from mien.face.pose import ARKIT_NAMES
from mien.face.visemes import Floats

# Weight per second, first match wins. The jaw: 34 mm a unit, speech reaches about 250 mm/s; lids shut
# in 75 ms; the seal (slot of mouthClose) is a fraction, its lips travel only as far as the jaw is open.
_SPEED = (
    ("eyeBlink", 32.0), ("eyeLook", 60.0), ("eye", 10.0), ("brow", 8.0), ("cheek", 8.0), ("nose", 8.0),
    ("jawOpen", 9.0), ("jaw", 6.0), ("mouthClose", 45.0), ("tongue", 16.0), ("mouthRoll", 26.0),
    ("mouth", 18.0),
)  # fmt: skip
_HEAD_SPEED = (4.0, 3.0, 3.0)
_GAZE_SPEED = 16.0
_WEIGHTS, _HEAD = slice(0, 52), slice(52, 55)


@cache
def speeds() -> Floats:
    """Return the largest change a second (59,): 52 weights, head yaw, pitch, roll, eyes' yaw and pitch."""
    units = [next(speed for prefix, speed in _SPEED if name.startswith(prefix)) for name in ARKIT_NAMES]
    return np.array([*units, *_HEAD_SPEED, *[_GAZE_SPEED] * 4])


@dataclass(slots=True)
class Guard:
    """Limits the face frame by frame at `rate_hz`; `clamped` counts the values it had to change."""

    rate_hz: float
    clamped: dict[str, int] = field(default_factory=lambda: {"range": 0, "speed": 0})
    _last: Floats | None = None

    def apply(self, face: Floats, head: Floats, gaze: Floats) -> tuple[Floats, Floats, Floats]:
        """Return weights (T, 52), head (T, 3) and gaze (T, 2, 2) inside the limits."""
        rows = np.concatenate([face, head, gaze.reshape(len(gaze), 4)], axis=1)
        inside = np.minimum(np.maximum(rows[:, _WEIGHTS], 0.0), 1.0)
        self.clamped["range"] += int(np.count_nonzero(inside != rows[:, _WEIGHTS]))
        rows[:, _WEIGHTS] = inside
        self._limit_speed(rows)
        return rows[:, _WEIGHTS], rows[:, _HEAD], rows[:, 55:].reshape(len(gaze), 2, 2)

    def _limit_speed(self, rows: Floats) -> None:
        if not len(rows):
            return
        step = speeds() / self.rate_hz
        last = rows[0] if self._last is None else self._last
        before = np.concatenate([last[None], rows[:-1]])
        if not ((rows >= before - step) & (rows <= before + step)).all():
            for row in rows:
                slow = np.minimum(np.maximum(row, last - step), last + step)
                self.clamped["speed"] += int(np.count_nonzero(slow != row))
                row[:] = slow
                last = row
        self._last = rows[-1].copy()
