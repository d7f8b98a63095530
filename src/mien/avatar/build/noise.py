"""Value noise from an integer hash: the same on every machine."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mien.avatar.build.human import Doubles


def value_noise(points: Doubles) -> Doubles:
    """Return noise in [0, 1] at points (N, 3), one lattice cell per unit."""
    cell = np.floor(points).astype(np.int64)
    t = points - cell
    t = t * t * (3 - 2 * t)
    total = np.zeros(len(points))
    for corner in range(8):
        step = np.array([corner & 1, corner >> 1 & 1, corner >> 2])
        weight = np.where(step, t, 1 - t).prod(axis=1)
        total += weight * _hash(cell + step)
    return total


def fractal_noise(points: Doubles, octaves: int = 4) -> Doubles:
    """Return octaves of value noise, each at half the strength, about 0.47 at the mean."""
    return np.asarray(sum(0.5 ** (k + 1) * value_noise(points * 2.03**k) for k in range(octaves)))


def _hash(cells: NDArray[np.int64]) -> Doubles:
    """Return a number in [0, 1) for each lattice point (N, 3)."""
    x, y, z = (cells[:, k].astype(np.uint32) for k in range(3))
    h = x * np.uint32(0x8DA6B343) ^ y * np.uint32(0xD8163841) ^ z * np.uint32(0xCB1AB31F)
    h = (h ^ h >> np.uint32(15)) * np.uint32(0x2C1B3C6D)
    h = (h ^ h >> np.uint32(12)) * np.uint32(0x297A2D39)
    return np.asarray((h ^ h >> np.uint32(15)) / 2.0**32)
