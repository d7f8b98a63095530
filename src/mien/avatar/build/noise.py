"""Value noise and cell noise from an integer hash: the same on every machine. Its first use compiles it, once
per machine.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from mien.avatar.build.human import Doubles
from mien.avatar.render.jit import exact_inline, exact_kernel


@exact_inline
def _hash(x: int, y: int, z: int) -> float:
    """Return a number in [0, 1) for a lattice point."""
    h = np.uint32(x) * np.uint32(0x8DA6B343) ^ np.uint32(y) * np.uint32(0xD8163841)
    h = np.uint32(h ^ np.uint32(z) * np.uint32(0xCB1AB31F))
    h = np.uint32(np.uint32(h ^ (h >> np.uint32(15))) * np.uint32(0x2C1B3C6D))
    h = np.uint32(np.uint32(h ^ (h >> np.uint32(12))) * np.uint32(0x297A2D39))
    return np.float64(np.uint32(h ^ (h >> np.uint32(15)))) / 4294967296.0


@exact_kernel
def _add_noise(points: Doubles, scale: float, strength: float, total: Doubles) -> None:
    for i in range(points.shape[0]):
        x, y, z = points[i, 0] * scale, points[i, 1] * scale, points[i, 2] * scale
        cx, cy, cz = math.floor(x), math.floor(y), math.floor(z)
        tx, ty, tz = x - cx, y - cy, z - cz
        tx, ty, tz = tx * tx * (3 - 2 * tx), ty * ty * (3 - 2 * ty), tz * tz * (3 - 2 * tz)
        value = 0.0
        for corner in range(8):
            sx, sy, sz = corner & 1, corner >> 1 & 1, corner >> 2
            weight = (tx if sx else 1 - tx) * (ty if sy else 1 - ty) * (tz if sz else 1 - tz)
            value += weight * _hash(cx + sx, cy + sy, cz + sz)
        total[i] += strength * value


@exact_kernel
def _find_cells(points: Doubles, distance: Doubles, seed: Doubles) -> None:
    for i in range(points.shape[0]):
        x, y, z = points[i, 0], points[i, 1], points[i, 2]
        cx, cy, cz = math.floor(x), math.floor(y), math.floor(z)
        nearest, found = 1e9, 0.0
        for k in range(27):
            ax, ay, az = cx + k % 3 - 1, cy + k // 3 % 3 - 1, cz + k // 9 - 1
            dx = ax + _hash(ax, ay, az) - x
            dy = ay + _hash(ax + 57, ay, az) - y
            dz = az + _hash(ax, ay + 57, az) - z
            d = dx * dx + dy * dy + dz * dz
            if d < nearest:
                nearest, found = d, _hash(ax, ay, az + 57)
        distance[i], seed[i] = math.sqrt(nearest), found


def value_noise(points: Doubles) -> Doubles:
    """Return noise in [0, 1] at points (N, 3), one lattice cell per unit."""
    return fractal_noise(points, 1) * 2


def fractal_noise(points: Doubles, octaves: int = 4) -> Doubles:
    """Return octaves of value noise, each at half the strength, about 0.47 at the mean."""
    points, total = np.ascontiguousarray(points, np.float64), np.zeros(len(points))
    for k in range(octaves):
        _add_noise(points, 2.03**k, 0.5 ** (k + 1), total)
    return total


def cells(points: Doubles) -> tuple[Doubles, NDArray[np.float64]]:
    """Return the distance (N,) from points (N, 3) to the nearest of randomly strewn seeds, one per unit cell
    (Worley, 1996), and that seed's own number in [0, 1).
    """
    distance, seed = np.zeros(len(points)), np.zeros(len(points))
    _find_cells(np.ascontiguousarray(points, np.float64), distance, seed)
    return distance, seed
