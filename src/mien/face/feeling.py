"""How the speaker feels and where they look: what text says to the face."""

from __future__ import annotations

from dataclasses import dataclass

from mien.errors import InputError, nearest

EMOTIONS = ("neutral", "happy", "sad", "angry", "surprised", "afraid", "disgusted")


@dataclass(frozen=True, slots=True)
class Emotion:
    """One of `EMOTIONS` with `strength` in [0, 1]; raises `InputError` for anything else."""

    name: str = "neutral"
    strength: float = 1.0

    def __post_init__(self) -> None:
        if self.name not in EMOTIONS:
            raise InputError(f"no emotion {self.name!r}{nearest(self.name, EMOTIONS)}")
        if not 0.0 <= self.strength <= 1.0:
            raise InputError(f"emotion strength {self.strength} is outside 0 to 1")


@dataclass(frozen=True, slots=True)
class Look:
    """Where the eyes go, radians from straight ahead: `yaw` to the character's left, `pitch` down."""

    yaw: float = 0.0
    pitch: float = 0.0


@dataclass(frozen=True, slots=True)
class Cue:
    """From `start` (samples on the utterance clock) on, this feeling holds.

    `look` None leaves the gaze to itself; `emphasis` in [0, 1] raises brows and nods once at `start`.
    """

    start: int
    emotion: Emotion = Emotion()
    look: Look | None = None
    emphasis: float = 0.0
