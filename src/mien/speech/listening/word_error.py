"""The metric `word-error`: how many words of a sound are heard otherwise than in the reference's.

It judges vocoders and voices as a listener does; the engine finds it by the entry point `mien.metrics`.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from mien.audio.pcm import Pcm
from mien.audio.resample import resample
from mien.errors import InputError
from mien.speech.listening.error_rate import edits, units
from mien.speech.listening.recogniser import Recogniser, Speaking

HEARING_HZ = 16_000
LEAST_S = 0.3  # what is shorter holds no word


class WordError:
    """Edits per word over all sounds, as `tiny.en` hears them; raises `MissingError` without its pack."""

    unit, higher_is_better = "", False

    def __init__(self, rate_hz: int | None) -> None:
        if not rate_hz:
            raise InputError("word-error needs the rate of the sound; give --rate-hz, as 22050")
        self._rate_hz = rate_hz
        self._recogniser = Recogniser.load(Speaking())
        self._edits = self._words = 0

    def concerns(self, value: NDArray[np.float32]) -> bool:
        """Whether an output is long enough to be speech."""
        return np.issubdtype(value.dtype, np.floating) and value.size >= LEAST_S * self._rate_hz

    def add(self, reference: NDArray[np.float32], value: NDArray[np.float32]) -> None:
        """Take one sound of both, of at most 30 s."""
        wanted, heard = (units(self._heard(each), "en") for each in (reference, value))
        self._edits += edits(wanted, heard)
        self._words += len(wanted)

    @property
    def value(self) -> float:
        """Edits per word of what was heard in the reference."""
        if not self._words:
            return math.inf if self._edits else 0.0
        return self._edits / self._words

    def _heard(self, sound: NDArray[np.float32]) -> str:
        pcm = resample(Pcm(np.asarray(sound, np.float32).reshape(-1), self._rate_hz), HEARING_HZ)
        return self._recogniser.hear(pcm.samples, last=True).text
