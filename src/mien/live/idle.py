"""The face of one who listens, and how one movement becomes another without a jump."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mien.face.animator import LOOK_AHEAD_S, Animator
from mien.face.feeling import Emotion
from mien.face.pose import FacePose, FaceTrack

FRAME_HZ = 60
BLEND_S = 0.15
"""How long the mouth takes to close when an answer is cut, and the head to find into another movement."""
_NOD_S, _NOD = 0.55, 0.045  # radians
_CLOCK_HZ = 6000


class Blend:
    """Lets a movement begin from the pose that was shown last: the difference fades within `BLEND_S`."""

    def __init__(self, pose: FacePose | None) -> None:
        self._pose = pose
        self._first: FaceTrack | None = None

    def apply(self, track: FaceTrack) -> FaceTrack:
        """Return the next frames of the movement."""
        if self._pose is None or not len(track):
            return track
        first = self._first = self._first or track.cut(0, 1)
        times = np.arange(len(track)) / track.rate_hz + (track.start_s - first.start_s)
        u = np.clip((times + 1.0 / track.rate_hz) / BLEND_S, 0.0, 1.0)
        if u[0] >= 1.0:
            self._pose = None
            return track
        left = (1.0 - u * u * (3.0 - 2.0 * u)).astype(np.float32)
        weights = track.weights + left[:, None] * (self._pose.weights - first.weights)
        return FaceTrack(
            np.clip(weights, 0.0, 1.0),
            track.head + left[:, None] * (self._pose.head - first.head),
            track.gaze + left[:, None, None] * (self._pose.gaze - first.gaze),
            track.rate_hz,
            track.start_s,
        )


@dataclass(slots=True)
class Shown:
    """The frames that were given out and may still be taken back; `end` is the frame after the last."""

    track: FaceTrack
    end: int = 0

    @classmethod
    def nothing(cls) -> Shown:
        """Return the beginning."""
        return cls(FaceTrack.empty(FRAME_HZ))

    def cut(self, frame: int) -> FacePose | None:
        """Take back the frames from `frame` on; return the last that stays."""
        keep = len(self.track) - max(0, self.end - frame)
        self.track, self.end = self.track.cut(0, max(keep, 0)), min(self.end, frame)
        return self.track.pose(len(self.track) - 1) if len(self.track) else None

    def add(self, track: FaceTrack, keep_from: int) -> None:
        """Append frames, and forget those before frame `keep_from` but for the last."""
        if not len(track):
            return
        first = self.end - len(self.track)
        kept = self.track.cut(max(0, min(keep_from - first, len(self.track) - 1)))
        self.track = FaceTrack.join([kept, track]) if len(kept) else track
        self.end = round(track.start_s * FRAME_HZ) + len(track)


class IdleFace:
    """Blinks, looks, breathes and nods with a closed mouth; frames are made when they are asked for."""

    def __init__(self, energy: float, mood: Emotion) -> None:
        self._energy, self._mood = energy, mood
        self._seed = 0
        self._nods: list[float] = []
        self.begin(0, None)

    def begin(self, frame: int, pose: FacePose | None) -> None:
        """Go on from `pose` at a frame of the session's clock."""
        self._seed += 1
        self._animator = Animator(_CLOCK_HZ, energy=self._energy, mood=self._mood, seed=self._seed)
        self._blend = Blend(pose)
        self._first = self._next = frame
        self._held = FaceTrack.empty(FRAME_HZ)
        self._nods.clear()

    def nod(self) -> None:
        """Nod a little with the next frames: it was understood."""
        self._nods = [self._next / FRAME_HZ]

    def take(self, end: int) -> FaceTrack:
        """Return the frames up to `end`."""
        count = end - self._next
        if count <= 0:
            return FaceTrack.empty(FRAME_HZ, self._next / FRAME_HZ)
        self._make(end)
        taken, self._held = self._held.cut(0, count), self._held.cut(count)
        start_s, self._next = self._next / FRAME_HZ, end
        face = FaceTrack(taken.weights, taken.head, taken.gaze, FRAME_HZ, start_s)
        return self._blend.apply(self._nodding(face))

    def _make(self, end: int) -> None:
        if self._next + len(self._held) < end:
            known = ((end - self._first) / FRAME_HZ + LOOK_AHEAD_S) * _CLOCK_HZ
            made = self._animator.advance(math.ceil(known))
            self._held = FaceTrack.join([self._held, made]) if len(self._held) else made

    def _nodding(self, face: FaceTrack) -> FaceTrack:
        if not self._nods:
            return face
        times = np.arange(len(face)) / FRAME_HZ + face.start_s
        head = face.head.copy()
        for start in self._nods:
            head[:, 1] += _nod(times - start)
        self._nods = [start for start in self._nods if start + _NOD_S > times[-1]]
        return FaceTrack(face.weights, head, face.gaze, face.rate_hz, face.start_s)


def _nod(times: NDArray[np.float64]) -> NDArray[np.float32]:
    u = np.clip(times / _NOD_S, 0.0, 1.0)
    down: NDArray[np.float32] = (_NOD * np.sin(np.pi * u) ** 2).astype(np.float32)
    return down
