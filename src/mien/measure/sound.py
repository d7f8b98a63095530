"""A film's sound: level and spectrum on a fine grid of the film's clock."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mien.audio.pcm import Pcm

Floats = NDArray[np.float32]

HOP_S = 0.002
WINDOW_S = 0.016
BANDS = 12
LOW_HZ, HIGH_HZ = 150.0, 7000.0
FLOOR_DB = -90.0
CLIPPED = 0.999
BLOCK = 4000  # rows analysed at once


@dataclass(frozen=True, slots=True, eq=False)
class Sound:
    """What was heard; row `i` is centred at `i * HOP_S` on the film's clock.

    `level_db` (n,): RMS of a 16 ms window, dB of full scale. `bands_db` (n, BANDS): power in mel bands.
    `duration_s`: its length. `peak`: largest magnitude. `clipped_share`: samples at full scale over all.
    """

    level_db: Floats
    bands_db: Floats
    duration_s: float
    peak: float
    clipped_share: float

    @property
    def times_s(self) -> NDArray[np.float64]:
        """`(n,)`: the centre of each row, seconds."""
        return np.arange(len(self.level_db), dtype=np.float64) * HOP_S


def mel_bands(rate_hz: int, size: int) -> Floats:
    """Return `(size // 2 + 1, BANDS)` triangles, equally wide on the mel scale (O'Shaughnessy)."""
    high = min(HIGH_HZ, 0.45 * rate_hz)
    mel = np.linspace(2595 * np.log10(1 + LOW_HZ / 700), 2595 * np.log10(1 + high / 700), BANDS + 2)
    edges = 700 * (10 ** (mel / 2595) - 1)
    hz = np.fft.rfftfreq(size, 1 / rate_hz)[:, None]
    rising = (hz - edges[:-2]) / (edges[1:-1] - edges[:-2])
    falling = (edges[2:] - hz) / (edges[2:] - edges[1:-1])
    return np.clip(np.minimum(rising, falling), 0, None).astype(np.float32)


def hear(pcm: Pcm) -> Sound:
    """Return level and spectrum of sound whose sample 0 is at the film's time 0."""
    rate = pcm.rate_hz
    width = round(WINDOW_S * rate)
    half = width // 2
    padded = np.concatenate([np.zeros(half, np.float32), pcm.samples, np.zeros(width, np.float32)])
    centres = np.round(np.arange(int(pcm.duration_s / HOP_S) + 1) * HOP_S * rate).astype(np.int64)
    windows = np.lib.stride_tricks.sliding_window_view(padded, width)
    bands = mel_bands(rate, 1 << (width - 1).bit_length())
    parts = [_analyse(windows[block], bands) for block in np.array_split(centres, len(centres) // BLOCK + 1)]
    level, spectrum = (np.concatenate(part) for part in zip(*parts, strict=True))
    size = np.abs(pcm.samples)
    share = float(np.count_nonzero(size >= CLIPPED) / max(1, len(size)))
    return Sound(level, spectrum, pcm.duration_s, float(size.max(initial=0)), share)


def _analyse(windows: Floats, bands: Floats) -> tuple[Floats, Floats]:
    """Return level (n,) and band powers (n, BANDS) of windows (n, width), in dB."""
    taper = np.hanning(windows.shape[1] + 1)[:-1].astype(np.float32)
    spectrum = np.abs(np.fft.rfft(windows * taper, 2 * (len(bands) - 1), axis=1)) ** 2
    return _decibels(np.mean(windows**2, axis=1)), _decibels(spectrum @ bands / taper.sum() ** 2)


def _decibels(power: NDArray[np.floating]) -> Floats:
    return np.asarray(10 * np.log10(np.maximum(power, 10 ** (FLOOR_DB / 10))), np.float32)
