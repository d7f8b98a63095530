"""Distances in what a model is for: pixels of landmarks, milliseconds and millimetres of lips."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from mien.engine.engine import Tensor
from mien.face.metrics import CLOSED_MM, gap_mm, jitter_mm
from mien.face.pose import ARKIT_NAMES

MISSED_MS = 150.0  # a closure farther away is another one; so much counts one that is missing, or too many

Floats = NDArray[np.float64]


class Landmarks:
    """Mean distance of points `(x, y, z)` in the picture plane, in the output's unit (MediaPipe: pixels)."""

    unit, higher_is_better = "px", False

    def __init__(self) -> None:
        self._sum, self._count = 0.0, 0

    @staticmethod
    def concerns(value: Tensor) -> bool:
        """Whether an output is a list of points: whole triples, five at least."""
        return np.issubdtype(value.dtype, np.floating) and value.size >= 15 and value.size % 3 == 0

    def add(self, reference: Tensor, value: Tensor) -> None:
        """Take one sample's points."""
        wanted, found = (np.asarray(each, np.float64).reshape(-1, 3)[:, :2] for each in (reference, value))
        distances = np.linalg.norm(wanted - found, axis=1)
        self._sum += float(distances.sum())
        self._count += len(distances)

    @property
    def value(self) -> float:
        """The mean distance."""
        return self._sum / self._count if self._count else math.nan


class _Lips:
    """Weights of ARKit's blend shapes, `(..., frames, 52)`, as the gap between the lips."""

    higher_is_better = False

    def __init__(self) -> None:
        self._sum, self._count = 0.0, 0

    @staticmethod
    def concerns(value: Tensor) -> bool:
        """Whether an output is a track of a face."""
        return value.ndim >= 2 and value.shape[-1] == len(ARKIT_NAMES)

    @property
    def value(self) -> float:
        """The mean over all samples."""
        return self._sum / self._count if self._count else math.nan

    def _gaps(self, *tracks: Tensor) -> list[Floats]:
        weights = (np.asarray(track, np.float32).reshape(-1, len(ARKIT_NAMES)) for track in tracks)
        return [gap_mm(each) for each in weights]


class LipClosure(_Lips):
    """How far in time closures of the lips begin and end from the reference's, mean, ms."""

    unit = "ms"

    def __init__(self, rate_hz: float) -> None:
        super().__init__()
        self._rate_hz = rate_hz

    def add(self, reference: Tensor, value: Tensor) -> None:
        """Take one track of both."""
        wanted, found = (closures(gap) for gap in self._gaps(reference, value))
        for these, those in ((wanted, found), (found, wanted)):
            self._sum += sum(self._apart(closure, those) for closure in these)
            self._count += len(these)
        self._count += not wanted and not found  # nothing to close: no error

    def _apart(self, closure: tuple[int, int], others: list[tuple[int, int]]) -> float:
        """Return the mean distance of a closure's two ends from those of the nearest other, ms."""
        frames = (abs(closure[0] - start) + abs(closure[1] - end) for start, end in others)
        return min(MISSED_MS, 500.0 / self._rate_hz * min(frames, default=math.inf))


class LipAperture(_Lips):
    """RMS difference of the gap between the lips, mm."""

    unit = "mm"

    def add(self, reference: Tensor, value: Tensor) -> None:
        """Take one track of both."""
        wanted, found = self._gaps(reference, value)
        self._sum += float(np.square(wanted - found).sum())
        self._count += len(wanted)

    @property
    def value(self) -> float:
        """The root of the mean square."""
        return math.sqrt(self._sum / self._count) if self._count else math.nan


class LipJitter(_Lips):
    """How much more the lips tremble than the reference's: what a mean of five frames removes, RMS, mm."""

    unit = "mm"

    def add(self, reference: Tensor, value: Tensor) -> None:
        """Take one track of both."""
        wanted, found = self._gaps(reference, value)
        self._sum += max(0.0, jitter_mm(found) - jitter_mm(wanted))
        self._count += 1


def closures(gap_mm: Floats) -> list[tuple[int, int]]:
    """Return first and end frame of each time that the lips are closed."""
    closed = np.concatenate([[False], gap_mm <= CLOSED_MM, [False]])
    edges = np.flatnonzero(closed[1:] != closed[:-1])
    return [(int(start), int(end)) for start, end in edges.reshape(-1, 2)]
