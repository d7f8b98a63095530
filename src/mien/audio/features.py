"""What a sound is like, frame by frame: energy, mel spectrum, cepstrum, pitch."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from mien.audio.pcm import Pcm, Samples
from mien.audio.resample import resample

Frames = NDArray[np.float32]

RATE_HZ = 16_000  # speech has what tells phonemes apart below 8 kHz
HOP = 80  # samples: 5 ms, a quarter of the shortest phoneme
FRAME_HZ = RATE_HZ / HOP  # 200 frames a second
WINDOW = 400  # samples: 25 ms, two periods of a low voice
FFT = 512  # samples: the next power of two
MELS = 40  # bands from 60 Hz to 7.6 kHz
MEL_RANGE_HZ = (60.0, 7_600.0)
WARP_BEND = 0.8  # of the range: below it a warp is exact
CEPSTRA = 13  # the usual number; c0 is loudness
FLOOR = 1e-10  # power: -100 dB of full scale


def frames(samples: Samples, window: int = WINDOW) -> Frames:
    """Return windows `(T, window)` of 16 kHz `samples`, centred at `i * HOP`; T = ceil(n / HOP)."""
    count = -(-len(samples) // HOP)
    padded = np.pad(samples, (window // 2, window // 2 + HOP))
    view = np.lib.stride_tricks.sliding_window_view(padded, window)
    strided: Frames = view[: count * HOP : HOP]
    return strided


def spectrum(pcm: Pcm) -> Frames:
    """Return the power spectrum `(T, 257)` of `pcm` at 200 frames a second (Hann window, full scale = 1)."""
    samples = resample(pcm, RATE_HZ).samples
    window = np.hanning(WINDOW + 1)[:-1].astype(np.float32)
    out = np.empty((-(-len(samples) // HOP), FFT // 2 + 1), np.float32)
    view = frames(samples)
    for at in range(0, len(out), 4096):  # 20 s at once bounds the memory
        block = np.fft.rfft(view[at : at + 4096] * window, FFT)
        out[at : at + 4096] = np.square(np.abs(block)) / np.float32(window.sum() / 2) ** 2
    return out


def log_mel(power: Frames, warp: float = 1.0) -> Frames:
    """Return ln of the mel spectrum `(T, 40)` of a power spectrum `(T, 257)`.

    With `warp` each band lies that many times higher, as a shorter vocal tract puts its formants: log_mel of
    a voice, with its own warp, looks like that of a voice of warp 1 (Lee and Rose, A frequency warping
    approach to speaker normalization, 1998).
    """
    mel: Frames = np.log(np.maximum(power @ _mel_filters(warp).T, FLOOR), dtype=np.float32)
    return mel


def mfcc(mel: Frames) -> Frames:
    """Return cepstra `(T, 13)` of a log mel spectrum `(T, 40)`: orthonormal DCT-II."""
    return mel @ _dct().T


def deltas(values: Frames, reach: int = 4) -> Frames:
    """Return the slope `(T, k)` of each column: least squares over `reach` frames (20 ms) each side."""
    offsets = np.arange(-reach, reach + 1, dtype=np.float32)
    padded = np.pad(values, ((reach, reach), (0, 0)), mode="edge")
    slope = np.zeros_like(values)
    for offset in offsets:
        at = int(offset) + reach
        slope += offset * padded[at : at + len(values)]
    slope /= np.sum(offsets**2)
    return slope


def energy_db(pcm: Pcm, window: int = 240) -> Frames:
    """Return the level `(T,)` in dB of full scale at 200 frames a second, over 15 ms around each frame."""
    samples = resample(pcm, RATE_HZ).samples
    view = frames(samples, window)
    power = np.einsum("tw,tw->t", view, view) / window
    level: Frames = (10.0 * np.log10(np.maximum(power, FLOOR))).astype(np.float32)
    return level


@cache
def _mel_filters(warp: float) -> Frames:
    """Return triangles `(40, 257)` on the mel scale of O'Shaughnessy, 2595 log10(1 + f / 700)."""
    low, high = (2595.0 * np.log10(1.0 + np.array(MEL_RANGE_HZ) / 700.0)).tolist()
    edges = _warped(700.0 * (10.0 ** (np.linspace(low, high, MELS + 2) / 2595.0) - 1.0), warp)
    bins = np.fft.rfftfreq(FFT, 1.0 / RATE_HZ)
    rising = (bins - edges[:-2, None]) / (edges[1:-1] - edges[:-2])[:, None]
    falling = (edges[2:, None] - bins) / (edges[2:] - edges[1:-1])[:, None]
    filters: Frames = np.maximum(0.0, np.minimum(rising, falling)).astype(np.float32)
    return filters


def _warped(hz: NDArray[np.float64], warp: float) -> NDArray[np.float64]:
    """Return `hz` times `warp`, with a second line from the bend on that leaves the top where it is."""
    top = MEL_RANGE_HZ[1]
    bend = WARP_BEND * top * min(1.0, 1.0 / warp)
    slope = (top - warp * bend) / (top - bend)
    return np.where(hz <= bend, hz * warp, warp * bend + slope * (hz - bend))


@cache
def _dct() -> Frames:
    rows = np.arange(CEPSTRA)[:, None]
    columns = np.arange(MELS)[None, :] + 0.5
    basis = np.cos(np.pi * rows * columns / MELS) * np.sqrt(2.0 / MELS)
    basis[0] *= np.sqrt(0.5)
    out: Frames = basis.astype(np.float32)
    return out
