"""What a breath's prosody does to finished sound: pitch by resampling, volume by a limited gain."""

from __future__ import annotations

import numpy as np
import soxr

from mien.audio.pcm import Samples
from mien.errors import InputError
from mien.speech.breath import RATE, Prosody

PITCH = (-12.0, 12.0)  # semitones
VOLUME = (-60.0, 20.0)  # dB
_KNEE = 0.85  # full scale from which the limiter bends the gain


def check(prosody: Prosody) -> Prosody:
    """Return `prosody`, or raise `InputError` when a value is outside what the voices can do."""
    for name, value, (low, high) in (
        ("rate", prosody.rate, RATE),
        ("pitch", prosody.pitch, PITCH),
        ("volume", prosody.volume, VOLUME),
    ):
        if not low <= value <= high:
            raise InputError(f"prosody {name} {value:g} is outside {low:g} to {high:g}")
    return prosody


def speed(prosody: Prosody) -> float:
    """Return how fast the model must speak for the wanted rate after the pitch is moved."""
    return prosody.rate / pitch_factor(prosody)


def pitch_factor(prosody: Prosody) -> float:
    """Return the ratio of frequencies that `prosody.pitch` semitones are."""
    return float(2.0 ** (prosody.pitch / 12.0))


class Finish:
    """Moves pitch and volume of a stream of `total` samples.

    What comes out has `length` samples in all; position `p` of the input is at `moved(p)`.
    """

    def __init__(self, prosody: Prosody, rate_hz: int, total: int) -> None:
        self._factor = pitch_factor(prosody)
        self._gain = 10.0 ** (prosody.volume / 20.0)
        self._resampler = None
        if prosody.pitch:
            self._resampler = soxr.ResampleStream(rate_hz * self._factor, rate_hz, 1, dtype="float32")
        self._left = self.length = self.moved(total)

    def moved(self, position: float) -> int:
        """Return where a position of the input lies in the output, samples."""
        return round(position / self._factor)

    def push(self, samples: Samples, *, last: bool = False) -> Samples:
        """Return the output's next samples, `(n,)` float32 in [-1, 1]; `last` brings all that are left."""
        if self._resampler is not None:
            samples = self._resampler.resample_chunk(samples, last=last)
        made = self._loud(samples[: self._left])
        if last and len(made) < self._left:
            made = np.pad(made, (0, self._left - len(made)))
        self._left -= len(made)
        return made

    def _loud(self, samples: Samples) -> Samples:
        return limit(samples * np.float32(self._gain))


def limit(samples: Samples) -> Samples:
    """Bend what is above the knee smoothly under full scale; leave the rest as it is."""
    size = np.abs(samples)
    room = 1.0 - _KNEE
    bent = np.sign(samples) * (_KNEE + room * np.tanh((size - _KNEE) / room))
    return np.where(size > _KNEE, bent, samples).astype(np.float32)
