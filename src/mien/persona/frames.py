"""Which face each picture of a film shows."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction

from mien.face.pose import FacePose, FaceTrack


@dataclass(slots=True)
class Frames:
    """Picks the faces of a film: picture `i` shows the face at exactly `i / fps` of the sound's clock.

    Keeps only the frames that a later picture may still need.
    """

    fps: Fraction
    count: int = 0
    _held: FaceTrack = field(default_factory=FaceTrack.empty)

    def take(self, track: FaceTrack) -> list[FacePose]:
        """Take new frames and return the faces of the pictures that can now be drawn."""
        self._held = FaceTrack.join([t for t in (self._held, track) if len(t)] or [track])
        if not len(self._held):
            return []
        return self._until(self._held.end_s - 1.0 / self._held.rate_hz + 1e-9)

    def rest(self, end_s: float) -> list[FacePose]:
        """Return the faces that are left until the sound ends at `end_s`, holding the last frame."""
        return self._until(end_s - 1e-9)

    def _until(self, last_s: float) -> list[FacePose]:
        poses = []
        while self._now() <= last_s:
            poses.append(self._held.at(self._now()))
            self.count += 1
        needed = math.floor((self._now() - self._held.start_s) * self._held.rate_hz)
        self._held = self._held.cut(max(0, min(needed, len(self._held) - 1)))
        return poses

    def _now(self) -> float:
        return float(self.count / self.fps)
