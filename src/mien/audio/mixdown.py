"""Several channels → one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mien.audio.pcm import Samples

Frames = NDArray[np.float32]

# ITU-R BS.775 downmix, summed over left and right; order of WAVE_FORMAT_EXTENSIBLE: L R C (LFE) Ls Rs.
_SURROUND = {5: (0.707, 0.707, 1.414, 0.5, 0.5), 6: (0.707, 0.707, 1.414, 0.0, 0.5, 0.5)}
_CANCELLED = 0.6  # of the energy that independent channels would leave in the mix


class Mixdown:
    """Mixes blocks of frames to mono; decides at the end between the mix and the loudest channel.

    One and two channels, and counts without a standard layout, are averaged; five and six are weighted
    as ITU-R BS.775 does. When the channels cancel each other (a plug wired out of phase) or all but one are
    silent, the loudest channel of each block is taken instead.
    """

    def __init__(self, channels: int) -> None:
        weights = np.array(_SURROUND.get(channels, (1.0,) * channels), np.float32)
        self._weights = weights / weights.sum()
        self._energy = np.zeros(channels)
        self._loudest: list[Samples] = []
        self._mixed: list[Samples] = []

    def push(self, frames: Frames) -> None:
        """Take `frames` (n, channels)."""
        with np.errstate(invalid="ignore", over="ignore"):  # what is no number is told by who reads the file
            self._mixed.append(frames @ self._weights)
            energy = np.sum(np.square(frames, dtype=np.float64), axis=0)
        if len(self._energy) > 1:
            self._energy += energy
            self._loudest.append(frames[:, int(np.argmax(energy))].copy())

    def finish(self) -> Samples:
        """Return all samples."""
        mixed = np.concatenate(self._mixed) if self._mixed else np.zeros(0, np.float32)
        if not self._loudest:
            return mixed
        energy = float(np.sum(np.square(mixed, dtype=np.float64)))
        if energy < _CANCELLED * float(self._energy.max() * np.sum(self._weights**2)):
            return np.concatenate(self._loudest)
        return mixed
