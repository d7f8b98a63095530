"""Speech whose lips are known: a mouth that opens and shuts, and the sound that such a mouth lets out."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mien.audio.pcm import Pcm
from mien.face.phone import Phone
from mien.measure.features import NAMES
from mien.measure.watch import FaceSeries
from mien.media import FilmWriter

from .photograph import talking

RATE_HZ = 16_000
PAUSE_S = 0.45
CLOSURE_S = 0.08
MOUTH = 0.7  # mouth width in outer eye distances


@dataclass(frozen=True, slots=True, eq=False)
class Act:
    """`aperture` (n,) in mouth widths and `sound`, both at `RATE_HZ`; `closures`: /b/ with their times."""

    aperture: NDArray[np.float64]
    sound: Pcm
    phones: tuple[Phone, ...]

    def at(self, times_s: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.interp(times_s, np.arange(len(self.aperture)) / RATE_HZ, self.aperture)


def act(seconds: float, seed: int = 0) -> Act:
    """Speak syllables of 180 to 330 ms, a pause after every seven; the sound is loud as the mouth is wide."""
    random, parts, phones = np.random.default_rng(seed), [_closed(0.3)], []
    while (at := sum(map(len, parts))) < (seconds - 0.5) * RATE_HZ:
        if len(phones) % 7 == 6:
            parts.append(_closed(PAUSE_S))
            at += len(parts[-1])
        parts += [_closed(CLOSURE_S), _open(random.uniform(0.1, 0.25), random.uniform(0.15, 0.4))]
        phones.append(Phone("b", at, at + len(parts[-2])))
        phones.append(Phone("a", at + len(parts[-2]), at + len(parts[-2]) + len(parts[-1])))
    parts.append(_closed(max(0.4, seconds - sum(map(len, parts)) / RATE_HZ)))
    aperture = np.concatenate(parts)
    return Act(aperture, Pcm(_voice(aperture, random), RATE_HZ), tuple(phones))


def _closed(seconds: float) -> NDArray[np.float64]:
    return np.zeros(round(seconds * RATE_HZ))


def _open(seconds: float, peak: float) -> NDArray[np.float64]:
    return peak * np.sin(np.linspace(0, np.pi, round(seconds * RATE_HZ))) ** 0.7


def _voice(aperture: NDArray[np.float64], random: np.random.Generator) -> NDArray[np.float32]:
    time = np.arange(len(aperture)) / RATE_HZ
    buzz = sum(np.sin(2 * np.pi * 110 * k * time + k * k) / k for k in range(1, 50))
    breath = random.normal(0, 0.05, len(time))
    return (0.2 * (buzz + breath) * np.clip(aperture / 0.2, 0, 1)).astype(np.float32)


def series_of(acted: Act, fps: float, *, ahead_ms: float = 0.0, noise: float = 0.0) -> FaceSeries:
    """Return what a perfect eye sees of the act at `fps`, the picture `ahead_ms` before the sound."""
    times = np.arange(int(acted.sound.duration_s * fps)) / fps
    features = np.zeros((len(times), len(NAMES)), np.float32)
    shown = acted.at(times + ahead_ms / 1e3) + np.random.default_rng(1).normal(0, noise, len(times))
    features[:, NAMES.index("aperture")] = shown * MOUTH
    features[:, NAMES.index("width")] = MOUTH
    features[:, NAMES.index("eyes")] = 0.3
    change = np.full(len(times), 1.0, np.float32)
    return FaceSeries(times, features, np.full(len(times), 1e-4, np.float32), change)


def film(path: Path, acted: Act, fps: Fraction | float, *, ahead_ms: float = 0.0) -> Path:
    """Write the act as a film of the talking photograph, the picture `ahead_ms` before the sound."""
    with FilmWriter(path, size=(256, 256), fps=fps, audio_rate_hz=RATE_HZ) as out:
        out.audio(acted.sound)
        times = np.arange(int(acted.sound.duration_s * fps)) / float(fps)
        for aperture in acted.at(times + ahead_ms / 1e3):
            out.picture(talking(float(aperture)))
    return path
