"""A face at one moment, and over time.

Axes, everywhere in mien: X to the character's left, Y up, Z out of the face; right-handed.
A rotation is right-handed about its axis, in radians: yaw about Y (positive turns to the
character's left), pitch about X (positive looks down), roll about Z (positive tilts to the
character's right). They compose as `R = Ry(yaw) @ Rx(pitch) @ Rz(roll)`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from mien.errors import InputError, nearest

Array = NDArray[np.float32]

# Apple's ARKit blendshape locations, in the order of Unreal's Live Link Face.
ARKIT_NAMES: tuple[str, ...] = tuple(
    (
        "eyeBlinkLeft eyeLookDownLeft eyeLookInLeft eyeLookOutLeft eyeLookUpLeft eyeSquintLeft eyeWideLeft "
        "eyeBlinkRight eyeLookDownRight eyeLookInRight eyeLookOutRight eyeLookUpRight "
        "eyeSquintRight eyeWideRight "
        "jawForward jawLeft jawRight jawOpen "
        "mouthClose mouthFunnel mouthPucker mouthLeft mouthRight mouthSmileLeft mouthSmileRight "
        "mouthFrownLeft mouthFrownRight mouthDimpleLeft mouthDimpleRight mouthStretchLeft mouthStretchRight "
        "mouthRollLower mouthRollUpper mouthShrugLower mouthShrugUpper mouthPressLeft mouthPressRight "
        "mouthLowerDownLeft mouthLowerDownRight mouthUpperUpLeft mouthUpperUpRight "
        "browDownLeft browDownRight browInnerUp browOuterUpLeft browOuterUpRight "
        "cheekPuff cheekSquintLeft cheekSquintRight noseSneerLeft noseSneerRight tongueOut"
    ).split()
)
ARKIT_INDEX: Mapping[str, int] = {name: i for i, name in enumerate(ARKIT_NAMES)}


def weights(named: Mapping[str, float]) -> Array:
    """Return the `(52,)` weights with the named ones set and the rest zero; a name without
    Left/Right sets both sides (`mouthSmile` → `mouthSmileLeft`, `mouthSmileRight`).
    """
    out = np.zeros(52, np.float32)
    for name, value in named.items():
        if name in ARKIT_INDEX:
            out[ARKIT_INDEX[name]] = value
        elif f"{name}Left" in ARKIT_INDEX and f"{name}Right" in ARKIT_INDEX:
            out[[ARKIT_INDEX[f"{name}Left"], ARKIT_INDEX[f"{name}Right"]]] = value
        else:
            raise InputError(f"no ARKit blendshape {name!r}{nearest(name, ARKIT_NAMES)}")
    return out


@dataclass(frozen=True, slots=True, eq=False)
class FacePose:
    """A face at one moment.

    `weights` (52,): ARKit weights in [0, 1], in the order of `ARKIT_NAMES`.
    `head` (3,): yaw, pitch, roll in radians.
    `gaze` (2, 2): for the left and the right eye, yaw and pitch relative to the head, radians.
    """

    weights: Array = field(default_factory=lambda: np.zeros(52, np.float32))
    head: Array = field(default_factory=lambda: np.zeros(3, np.float32))
    gaze: Array = field(default_factory=lambda: np.zeros((2, 2), np.float32))


@dataclass(frozen=True, slots=True, eq=False)
class FaceTrack:
    """Poses at a fixed rate; frame `i` is the face at `start_s + i / rate_hz`.

    `weights` (T, 52), `head` (T, 3), `gaze` (T, 2, 2), float32; see `FacePose`.
    `start_s`: time of the first frame on the utterance clock, seconds.
    """

    weights: Array
    head: Array
    gaze: Array
    rate_hz: float = 60.0
    start_s: float = 0.0

    def __len__(self) -> int:
        return len(self.weights)

    @property
    def end_s(self) -> float:
        """Time at which the frame after the last would be shown, seconds."""
        return self.start_s + len(self) / self.rate_hz

    def pose(self, index: int) -> FacePose:
        """Return frame `index`."""
        return FacePose(self.weights[index], self.head[index], self.gaze[index])

    def at(self, time_s: float) -> FacePose:
        """Return the pose at `time_s`, linear between frames, held before the first and after the last."""
        if not len(self):
            return FacePose()
        position = min(max((time_s - self.start_s) * self.rate_hz, 0.0), len(self) - 1.0)
        low = int(position)
        high, part = min(low + 1, len(self) - 1), np.float32(position - low)

        def mix(rows: Array) -> Array:
            mixed: Array = rows[low] + (rows[high] - rows[low]) * part
            return mixed

        return FacePose(mix(self.weights), mix(self.head), mix(self.gaze))

    def cut(self, start: int, end: int | None = None) -> FaceTrack:
        """Return frames `start:end` as a view, with their times."""
        part = slice(start, end)
        return FaceTrack(
            self.weights[part],
            self.head[part],
            self.gaze[part],
            self.rate_hz,
            self.start_s + start / self.rate_hz,
        )

    @classmethod
    def empty(cls, rate_hz: float = 60.0, start_s: float = 0.0) -> FaceTrack:
        """Return a track of no frames."""
        return cls(
            np.zeros((0, 52), np.float32),
            np.zeros((0, 3), np.float32),
            np.zeros((0, 2, 2), np.float32),
            rate_hz,
            start_s,
        )

    @classmethod
    def join(cls, tracks: Sequence[FaceTrack]) -> FaceTrack:
        """Concatenate tracks of one rate that follow each other."""
        if not tracks:
            return cls.empty()
        first = tracks[0]
        return cls(
            np.concatenate([t.weights for t in tracks]),
            np.concatenate([t.head for t in tracks]),
            np.concatenate([t.gaze for t in tracks]),
            first.rate_hz,
            first.start_s,
        )
