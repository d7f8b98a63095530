"""Where somebody speaks: Silero VAD on 32 ms of sound at a time, and what starts, pauses and goes on."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mien import engine, packs
from mien.audio.pcm import Samples
from mien.engine import Engine
from mien.engine.runtime import Machine
from mien.errors import InputError

RATE_HZ = 16_000
HOP = 512  # samples: 32 ms, what the model was trained on
HOP_S = HOP / RATE_HZ
_CONTEXT = 64  # samples before the hop that the model also sees


@dataclass(frozen=True, slots=True)
class Thresholds:
    """When sound counts as speech.

    `speech`: probability from which a hop is speech; `silence`: below it a hop is silence (between the two
    nothing changes). `start_s`: how long speech must last to be believed; `resume_s`: to end a pause, and to
    be believed from a hop of the probability `sure` on; `pause_s`: how long silence must last to be one.
    """

    speech: float = 0.5
    silence: float = 0.35
    sure: float = 0.7
    start_s: float = 0.096
    resume_s: float = 0.064
    pause_s: float = 0.096

    def __post_init__(self) -> None:
        if not 0.0 < self.silence <= self.speech < 1.0:
            raise InputError(
                f"speech from {self.speech} and silence below {self.silence}: both lie between 0 and 1, and "
                "silence is not above speech"
            )
        if not 0.0 < self.sure <= 1.0:
            raise InputError(f"surely speech from {self.sure}; it lies between 0 and 1, say 0.7")
        for name in ("start_s", "resume_s", "pause_s"):
            if not HOP_S / 2 <= getattr(self, name) <= 10.0:
                raise InputError(f"{name} is {getattr(self, name)} s; from 0.032 to 10 s can be used")


class SileroVad:
    """The model with the state of one stream. A new stream is `fresh()`."""

    def __init__(self, model: Engine) -> None:
        self._engine = model
        self._state: NDArray[np.float32] = np.zeros((2, 1, 128), np.float32)
        self._context: Samples = np.zeros(_CONTEXT, np.float32)

    @classmethod
    def load(cls, path: Path | None = None) -> SileroVad:
        """Load the pack `silero-vad`, or a file; raises `MissingError` or `CorruptError`."""
        file = path or packs.path("silero-vad") / "silero_vad_16k.onnx"
        return cls(engine.load(file, machine=Machine(threads=1, spin=False)))

    def fresh(self) -> SileroVad:
        """Return the same model at the start of another stream."""
        return SileroVad(self._engine)

    def probability(self, hop: Samples) -> float:
        """Return how likely the next 512 samples hold speech, 0 to 1."""
        sound = np.concatenate([self._context, hop])[None]
        out = self._engine.run(input=sound, state=self._state)
        self._state, self._context = out["stateN"], hop[-_CONTEXT:]
        return float(out["output"].reshape(-1)[0])


class Change(Enum):
    """What a hop brought."""

    STARTED = auto()
    PAUSED = auto()
    RESUMED = auto()


class VoiceActivity:
    """Hops' probabilities → starts, pauses, ends; all places are in hops since the stream began.

    `first`: the hop that speech began with; `resumed`: the one it went on with behind a pause; `voiced_end`:
    behind the last hop of speech; `voiced`: how many hops of speech there were since `first`. `end()` is
    called by who decides that the turn is over.
    """

    def __init__(self, thresholds: Thresholds) -> None:
        self._thresholds = thresholds
        self._start, self._resume, self._pause = (
            max(1, round(seconds / HOP_S))
            for seconds in (thresholds.start_s, thresholds.resume_s, thresholds.pause_s)
        )
        self.now = self.first = self.resumed = self.voiced_end = self.voiced = 0
        self.speaking = self.paused = False
        self._run = 0  # hops of speech in a row, while it is not believed yet

    @property
    def silent(self) -> int:
        """How many hops of silence there were since the last hop of speech."""
        return self.now - self.voiced_end

    def step(self, probability: float) -> Change | None:
        """Take the next hop's probability."""
        self.now += 1
        if probability >= self._thresholds.speech:
            return self._heard(probability >= self._thresholds.sure)
        if probability < self._thresholds.silence:
            self._run = 0
        if self.speaking and not self.paused and self.silent >= self._pause:
            self.paused = True
            return Change.PAUSED
        return None

    def end(self) -> None:
        """Be silent again, and wait for the next start."""
        self.speaking = self.paused = False
        self._run = 0

    def _heard(self, sure: bool) -> Change | None:
        self._run += 1
        if self.speaking and not self.paused:
            self.voiced += 1
            self.voiced_end = self.now
            return None
        if self._run < (self._resume if self.speaking or sure else self._start):
            return None
        change = Change.RESUMED if self.speaking else Change.STARTED
        self.resumed = self.now - self._run
        if change is Change.STARTED:
            self.first, self.voiced = self.now - self._run, 0
        self.voiced += self._run
        self.voiced_end = self.now
        self.speaking, self.paused = True, False
        return change
