"""Whether a turn is over: how the last words sound and read says how long silence must last."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from mien import engine, packs
from mien.audio.pcm import Samples
from mien.engine import Engine
from mien.engine.runtime import Machine
from mien.errors import InputError, nearest
from mien.speech.listening.activity import HOP_S
from mien.speech.listening.completeness import completeness, least
from mien.speech.listening.whisper.mel import RATE_HZ, log_mel

_HEARS = 8 * RATE_HZ  # samples that the model takes; shorter sound has silence before it
_SILENT_S = 0.096  # that it hears at least: at the first hop, as if the silence went on
_FLOOR = 1e-7  # variance


class SmartTurn:
    """The turn model; has no state and is shared."""

    def __init__(self, model: Engine) -> None:
        self._engine = model

    @classmethod
    def load(cls, path: Path | None = None) -> SmartTurn:
        """Load the pack `smart-turn`, or a file; raises `MissingError` or `CorruptError`."""
        file = path or packs.path("smart-turn") / "smart-turn-v3.2-cpu.onnx"
        return cls(engine.load(file, machine=Machine(threads=1, spin=False)))  # the words are heard beside it

    def probability(self, samples: Samples, silent_s: float = _SILENT_S) -> float:
        """Return how likely a turn is over, 0 to 1, from its 16 kHz sound, which ends with `silent_s` of
        silence, up to about 0.2 s.
        """
        missing = max(0, round((_SILENT_S - silent_s) * RATE_HZ))
        last = samples[-(_HEARS - missing) :]
        padded = np.pad(last, (_HEARS - missing - len(last), missing))
        even = (padded - padded.mean()) / np.sqrt(padded.var() + _FLOOR)
        out = self._engine.run(input_features=log_mel(even.astype(np.float32))[None])
        return float(out["logits"].reshape(-1)[0])


@dataclass(frozen=True, slots=True)
class Eagerness:
    """How soon a turn is taken: after `quick_s` when it is complete with the likelihood `sure`, after
    `patience_s` when it certainly is not; in between each step of doubt multiplies the wait.
    """

    sure: float
    quick_s: float
    patience_s: float

    def needs_s(self, complete: float) -> float:
        """Return the silence that ends a turn, s."""
        doubt = max(0.0, (self.sure - complete) / self.sure)
        return self.quick_s * math.exp(doubt * math.log(self.patience_s / self.quick_s))


# The longest waits are those of OpenAI's semantic_vad: 8, 4 and 2 s.
EAGERNESS = {
    "low": Eagerness(sure=0.6, quick_s=0.512, patience_s=8.0),
    "medium": Eagerness(sure=0.4, quick_s=0.16, patience_s=4.0),
    "high": Eagerness(sure=0.25, quick_s=0.096, patience_s=2.0),
}
EAGERNESS["auto"] = EAGERNESS["medium"]


@dataclass(frozen=True, slots=True)
class TurnOptions:
    """`kind`: `semantic` (by what was said and how, with `eagerness`), `silence` (after `silence_s` of it) or
    `manual` (push-to-talk: a turn is over when `Listener.commit` is called).
    """

    kind: str = "semantic"
    eagerness: str = "auto"
    silence_s: float = 0.5

    def __post_init__(self) -> None:
        kinds = ("semantic", "silence", "manual")
        if self.kind not in kinds:
            raise InputError(f"no turn detection {self.kind!r}{nearest(self.kind, kinds)}")
        if self.eagerness not in EAGERNESS:
            raise InputError(f"no eagerness {self.eagerness!r}{nearest(self.eagerness, EAGERNESS)}")
        if not HOP_S <= self.silence_s <= 60.0:
            raise InputError(f"silence of {self.silence_s} s can not end a turn; from 0.032 to 60 s can")


class TurnDetector:
    """One silence of one stream: when to ask the turn model, when its answer and the words are needed, and
    when the turn is over. Times in seconds.
    """

    def __init__(self, options: TurnOptions) -> None:
        self._options = options
        self._eagerness = EAGERNESS[options.eagerness]
        self._semantic = options.kind == "semantic"
        self.begin()

    def begin(self) -> None:
        """Begin a silence."""
        self._asked, self._read = False, False
        self._text = self._language = ""
        self.probability = 0.0

    def asks(self) -> bool:
        """Whether the turn model is to be asked now: once in a silence."""
        asks, self._asked = self._semantic and not self._asked, True
        return asks

    def decides(self, silent_s: float) -> bool:
        """Whether what the turn model was asked matters now."""
        return silent_s >= self._eagerness.quick_s - HOP_S / 2

    def reads(self, silent_s: float) -> bool:
        """Whether the words say if the turn is over now, and are not told yet."""
        if not self._semantic or self._read or silent_s < self._after(completeness(self.probability)):
            return False
        return silent_s < self._after(least(self.probability))

    def read(self, text: str, language: str) -> None:
        """Take the words of the turn."""
        self._read, self._text, self._language = True, text, language

    def is_over(self, silent_s: float) -> bool:
        """Whether silence has lasted long enough, as is known so far."""
        if self._semantic:
            return silent_s >= self._after(completeness(self.probability, self._text, self._language))
        return self._options.kind == "silence" and silent_s >= self._options.silence_s - HOP_S / 2

    def _after(self, complete: float) -> float:
        return self._eagerness.needs_s(complete) - HOP_S / 2
