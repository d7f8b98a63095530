"""Where the eyes look: fixations on the viewer, saccades, short aversions, and lids that follow.

Fixation lengths and saccade speed (duration = 22 ms + 2.2 ms per degree) after Carpenter,
"Movements of the Eyes" (1988); aversion while thinking after Lee, Badler and Badler, "Eyes alive" (2002).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from mien.face.curves import Times
from mien.face.feeling import Look
from mien.face.pose import ARKIT_INDEX
from mien.face.visemes import Floats

VERGENCE = 0.028
"""Each eye turns in by this much (radians) for a viewer about 1.1 m away."""
LIMIT = 0.5
_LIDS = {"Up": 0.171, "Down": 0.199, "In": 0.262, "Out": 0.262}
"""Rotation of the eye, radians, that the full weight of each eyeLook unit belongs to."""
_MICRO_CHANCE = 0.66
_AVERSION_CHANCE = 0.3


@dataclass(slots=True)
class Gazer:
    """Decides frame by frame what the eyes fixate; the same `seed` and speech give the same gaze."""

    seed: int
    _rng: np.random.Generator = field(init=False)
    _looks: list[tuple[float, Look | None]] = field(default_factory=list)
    _look: Look | None = None
    _from: tuple[float, float] = (0.0, 0.0)
    _to: tuple[float, float] = (0.0, 0.0)
    _start: float = 0.0
    _length: float = 0.05
    _next: float = 0.35
    _averted: bool = False
    _was_speaking: bool = False

    def __post_init__(self) -> None:
        self._rng = np.random.default_rng((self.seed, 0x6A2E))

    def look(self, start: float, look: Look | None) -> None:
        """From `start` (seconds) on look there; None gives the gaze back to itself."""
        self._looks.append((start, look))

    def advance(self, times: Times, activity: Times) -> tuple[Floats, Floats]:
        """Return for the next frames where the eyes point (T, 2), yaw and pitch in the room, and the
        slower interest (T, 2) that the head may follow.
        """
        eyes, interest = np.empty((len(times), 2)), np.empty((len(times), 2))
        for i, (time, active) in enumerate(zip(times.tolist(), activity.tolist(), strict=True)):
            self._take_cue(time)
            self._take_pause(time, active > 0.5)
            if time >= self._next:
                self._wander(time)
            eyes[i] = self._at(time)
            interest[i] = (self._look.yaw, self._look.pitch) if self._look else (0.0, 0.0)
        return eyes, interest

    def _take_cue(self, time: float) -> None:
        while self._looks and self._looks[0][0] <= time:
            _, look = self._looks.pop(0)
            if look == self._look:
                continue
            self._look = look
            self._saccade(time, 0.0, 0.0)
            self._next = time + 0.6

    def _take_pause(self, time: float, speaking: bool) -> None:
        if (
            self._was_speaking
            and not speaking
            and self._look is None
            and self._rng.random() < _AVERSION_CHANCE
        ):
            side = 1.0 if self._rng.random() < 0.5 else -1.0
            self._saccade(time, side * self._rng.uniform(0.07, 0.15), self._rng.uniform(-0.05, 0.08))
            self._averted, self._next = True, time + self._rng.uniform(0.35, 0.8)
        elif speaking and not self._was_speaking and self._averted:
            self._next = time
        self._was_speaking = speaking

    def _wander(self, time: float) -> None:
        micro = self._rng.random() < _MICRO_CHANCE and not self._averted
        spread = (0.004, 0.003) if micro else (0.020, 0.013)
        self._averted = False
        self._saccade(time, *(float(s * np.clip(self._rng.standard_normal(), -2, 2)) for s in spread))
        self._next = time + (self._rng.uniform(0.3, 1.0) if micro else self._rng.uniform(0.7, 2.4))

    def _saccade(self, time: float, yaw: float, pitch: float) -> None:
        self._from = self._at(time)
        center = self._look or Look()
        self._to = (center.yaw + yaw, center.pitch + pitch)
        degrees = math.degrees(math.dist(self._from, self._to))
        self._start, self._length = time, 0.022 + 0.0022 * degrees

    def _at(self, time: float) -> tuple[float, float]:
        u = min(max((time - self._start) / self._length, 0.0), 1.0)
        u = u * u * (3.0 - 2.0 * u)
        (a, b), (c, d) = self._from, self._to
        return (a + (c - a) * u, b + (d - b) * u)


def aim(eyes: Floats, head: Floats) -> Floats:
    """Return the gaze of both eyes relative to the head (T, 2, 2), so that they stay on their target while
    the head (T, 3) moves.
    """
    relative = eyes - head[:, :2]
    gaze = np.repeat(relative[:, None], 2, axis=1)
    gaze[:, 0, 0] -= VERGENCE
    gaze[:, 1, 0] += VERGENCE
    return np.minimum(np.maximum(gaze, -LIMIT), LIMIT)


def lids(gaze: Floats) -> dict[int, Times]:
    """Return the weights of the eight eyeLook units, by unit index, that belong to a gaze (T, 2, 2)."""
    out: dict[int, Times] = {}
    for eye, (side, outward) in enumerate((("Left", 1.0), ("Right", -1.0))):
        yaw, pitch = gaze[:, eye, 0] * outward, gaze[:, eye, 1]
        for name, angle in (("Out", yaw), ("In", -yaw), ("Down", pitch), ("Up", -pitch)):
            weight = np.minimum(np.maximum(angle / _LIDS[name], 0.0), 1.0)
            out[ARKIT_INDEX[f"eyeLook{name}{side}"]] = weight
    return out
