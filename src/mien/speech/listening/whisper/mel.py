"""Whisper's log-mel spectrogram: 80 bands, 100 frames a second, exactly as the model was trained on.

openai/whisper `audio.py`: an STFT of 400 samples every 160 with a periodic Hann window, reflected at the
ends, triangles on Slaney's mel scale with equal area, log10, and a floor 8 below the loudest value.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from mien.audio.pcm import Samples

Frames = NDArray[np.float32]

RATE_HZ = 16_000
WINDOW = 400  # samples: 25 ms
HOP = 160  # samples: 10 ms
FRAME_HZ = RATE_HZ // HOP
_FLOOR = 1e-10  # power
_ROWS = 8  # frames
_RANGE = 8.0  # decades that are kept below the loudest
# What `even` makes of the loudest value of a sound (log10 of power), and so of all silence: a voice near a
# microphone, as loud as recordings are.
LOUDEST = 1.5
SILENCE = (LOUDEST - _RANGE + 4.0) / 4.0


def log_mel(samples: Samples, mels: int = 80, *, even: bool = False) -> Frames:
    """Return the spectrogram `(mels, n // 160)` of 16 kHz `samples` (n,), about -1 to 1.

    `even`: as if the sound were as loud as `LOUDEST`; what is silent in it is then `SILENCE` always.
    """
    logs = np.log10(np.maximum(_bands(_power(samples), mels), _FLOOR), dtype=np.float32)
    if even and logs.size:
        logs += np.float32(LOUDEST) - logs.max()
    logs = np.maximum(logs, logs.max(initial=-np.inf) - np.float32(_RANGE))
    return np.ascontiguousarray(((logs + 4.0) / 4.0).T, np.float32)


def _power(samples: Samples) -> Frames:
    """Return the power spectrum `(n // 160, 201)`; the last frame of the centred STFT is left out."""
    padded = np.pad(samples, WINDOW // 2, mode="reflect" if len(samples) > WINDOW // 2 else "constant")
    view = np.lib.stride_tricks.sliding_window_view(padded, WINDOW)[::HOP][: len(samples) // HOP]
    spectrum = np.fft.rfft(view * _hann(), axis=1)
    return np.square(spectrum.real) + np.square(spectrum.imag)


def _bands(power: Frames, mels: int) -> Frames:
    """Return the power `(n, mels)` in each band of spectra `(n, 201)`: in pieces so small that BLAS starts no
    threads, which would go on spinning while the models need the cores.
    """
    count = len(power)
    padded = np.pad(power, ((0, -count % _ROWS), (0, 0)))
    bands = padded.reshape(-1, _ROWS, power.shape[1]) @ filters(mels).T
    return bands.reshape(-1, mels)[:count]


@cache
def _hann() -> Frames:
    return np.hanning(WINDOW + 1)[:-1].astype(np.float32)


@cache
def filters(mels: int) -> Frames:
    """Return triangles `(mels, 201)` of Slaney's Auditory Toolbox, as `librosa.filters.mel` gives them."""
    bins = np.fft.rfftfreq(WINDOW, 1.0 / RATE_HZ)
    edges = _hz(np.linspace(0.0, _mel(RATE_HZ / 2), mels + 2))
    rising = (bins - edges[:-2, None]) / np.diff(edges)[:-1, None]
    falling = (edges[2:, None] - bins) / np.diff(edges)[1:, None]
    area = 2.0 / (edges[2:] - edges[:-2])
    made: Frames = (np.maximum(0.0, np.minimum(rising, falling)) * area[:, None]).astype(np.float32)
    return made


# Slaney's scale: linear to 1 kHz (15 mels), then 27 mels for each factor of 6.4.
_BREAK_HZ, _BREAK_MEL, _LINEAR_HZ, _STEP = 1_000.0, 15.0, 200.0 / 3.0, np.log(6.4) / 27.0


def _mel(hz: float) -> float:
    return float(_BREAK_MEL + np.log(hz / _BREAK_HZ) / _STEP) if hz >= _BREAK_HZ else hz / _LINEAR_HZ


def _hz(mel: NDArray[np.float64]) -> NDArray[np.float64]:
    above = _BREAK_HZ * np.exp(_STEP * (np.maximum(mel, _BREAK_MEL) - _BREAK_MEL))
    return np.where(mel < _BREAK_MEL, mel * _LINEAR_HZ, above)
