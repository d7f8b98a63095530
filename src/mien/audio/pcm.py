"""Mono sound in memory."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Pcm:
    """Mono samples `(n,)`, float32 in [-1, 1], at `rate_hz`."""

    samples: Samples
    rate_hz: int

    def __len__(self) -> int:
        return len(self.samples)

    @property
    def duration_s(self) -> float:
        """Length in seconds."""
        return len(self.samples) / self.rate_hz

    def cut(self, start: int, end: int | None = None) -> Pcm:
        """Return samples `start:end` as a view."""
        return Pcm(self.samples[start:end], self.rate_hz)

    @classmethod
    def silence(cls, duration_s: float, rate_hz: int) -> Pcm:
        """Return `duration_s` seconds of zeros."""
        return cls(np.zeros(round(duration_s * rate_hz), np.float32), rate_hz)

    @classmethod
    def join(cls, parts: Iterable[Pcm], rate_hz: int) -> Pcm:
        """Concatenate parts that all have `rate_hz`."""
        arrays = []
        for part in parts:
            if part.rate_hz != rate_hz:
                raise ValueError(f"can not join {part.rate_hz} Hz to {rate_hz} Hz: resample first")
            arrays.append(part.samples)
        return cls(np.concatenate(arrays) if arrays else np.zeros(0, np.float32), rate_hz)
