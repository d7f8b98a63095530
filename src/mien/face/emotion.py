"""Expressions of feeling: what each emotion does to the face and the head, and how one gives way to the next.

The shapes follow the action units of Ekman and Friesen's EMFACS, set in ARKit's terms.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from mien.face.curves import Times, noise, ramp
from mien.face.feeling import Emotion
from mien.face.pose import ARKIT_NAMES, weights
from mien.face.visemes import Floats

EXPRESSIONS: Mapping[str, Mapping[str, float]] = {
    "neutral": {},
    "happy": {
        "mouthSmile": 0.58, "mouthDimple": 0.12, "mouthUpperUp": 0.14, "mouthLowerDown": 0.06,
        "cheekSquint": 0.5, "eyeSquint": 0.24, "browOuterUp": 0.14, "browInnerUp": 0.08,
    },
    "sad": {
        "browInnerUp": 0.85, "browDown": 0.14, "mouthFrown": 0.7, "mouthShrugLower": 0.26, "mouthPress": 0.1,
        "eyeSquint": 0.12, "eyeLookDown": 0.16, "cheekSquint": 0.08,
    },
    "angry": {
        "browDown": 0.95, "eyeSquint": 0.36, "eyeWide": 0.16, "noseSneer": 0.32, "mouthPress": 0.24,
        "mouthFrown": 0.24, "mouthStretch": 0.1, "jawForward": 0.12, "mouthUpperUp": 0.1,
    },
    "surprised": {
        "browInnerUp": 0.7, "browOuterUp": 0.72, "eyeWide": 0.6, "jawOpen": 0.14, "mouthFunnel": 0.1,
    },
    "afraid": {
        "browInnerUp": 0.75, "browOuterUp": 0.34, "browDown": 0.22, "eyeWide": 0.56, "mouthStretch": 0.34,
        "mouthFrown": 0.14, "mouthLowerDown": 0.12, "jawOpen": 0.05,
    },
    "disgusted": {
        "noseSneer": 0.75, "browDown": 0.45, "mouthUpperUp": 0.32, "eyeSquint": 0.3, "cheekSquint": 0.34,
        "mouthFrown": 0.3, "mouthShrugLower": 0.16,
    },
}  # fmt: skip
"""What each emotion adds at full strength."""

ATTITUDES: Mapping[str, tuple[float, float, float]] = {
    "neutral": (0.0, 0.0, 0.0),
    "happy": (0.0, -0.012, 0.025),
    "sad": (0.02, 0.075, 0.03),
    "angry": (0.0, 0.045, 0.0),
    "surprised": (0.0, -0.045, 0.0),
    "afraid": (0.03, -0.025, -0.02),
    "disgusted": (0.05, -0.03, -0.03),
}
"""How the head is held at full strength: yaw, pitch, roll in radians."""

LEAD_S = 0.15
"""The face begins to change before the words do."""
_ONSET_S: Mapping[str, float] = {"surprised": 0.32, "afraid": 0.4, "neutral": 0.9}
_USUAL_ONSET_S = 0.55
_FLICKER = 0.1
_UPPER_FACE = [i for i, name in enumerate(ARKIT_NAMES) if name.startswith(("brow", "eye", "cheek", "nose"))]


@lru_cache(maxsize=256)
def expression(emotion: Emotion) -> Floats:
    """Return the weights (52,) of an emotion."""
    return weights(EXPRESSIONS[emotion.name]).astype(np.float64) * emotion.strength


@lru_cache(maxsize=256)
def attitude(emotion: Emotion) -> Floats:
    """Return the head's yaw, pitch, roll (3,) of an emotion, radians."""
    return np.array(ATTITUDES[emotion.name]) * emotion.strength


@dataclass(frozen=True, slots=True)
class _Change:
    start: float
    end: float
    emotion: Emotion


@dataclass(slots=True)
class Feelings:
    """The emotion over time: each change is a smooth crossing from what was before. Neutral is the `mood`."""

    mood: Emotion
    seed: int
    _changes: list[_Change] = field(default_factory=list)
    _settled: Emotion | None = None

    def change(self, start: float, emotion: Emotion) -> None:
        """Let `emotion` hold from `start` (seconds); it shows a little before."""
        emotion = self.mood if emotion.name == "neutral" else emotion
        if emotion == self._last():
            return
        onset = _ONSET_S.get(emotion.name, _USUAL_ONSET_S)
        self._changes.append(_Change(start - LEAD_S, start - LEAD_S + onset, emotion))

    def at(self, times: Times) -> tuple[Floats, Floats]:
        """Return weights (T, 52) and head attitude (T, 3)."""
        base = self._settled or self.mood
        face = np.repeat(expression(base)[None], len(times), axis=0)
        head = np.repeat(attitude(base)[None], len(times), axis=0)
        for change in self._changes:
            if change.start > times[-1]:
                break
            on = ramp(times, change.start, change.end)[:, None]
            face += (expression(change.emotion) - face) * on
            head += (attitude(change.emotion) - head) * on
        flicker = 1.0 + _FLICKER * noise(times, 1.7, self.seed)
        face[:, _UPPER_FACE] *= flicker[:, None]
        return face, head

    def drop_before(self, time_s: float) -> None:
        """Forget changes that are complete at `time_s`."""
        while self._changes and self._changes[0].end < time_s:
            self._settled = self._changes.pop(0).emotion

    def _last(self) -> Emotion:
        return self._changes[-1].emotion if self._changes else (self._settled or self.mood)
