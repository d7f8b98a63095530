"""Which way a texture runs over a mesh."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mien.avatar.model import Floats, Part

_TINY = 1e-12


def along(part: Part) -> Floats:
    """Return (V, 4): the unit vector along u on the surface at each vertex, and 1 or -1: with the normal
    `n` and that vector `t`, v runs along `cross(n, t)` or against it.
    """
    corners = part.positions[part.triangles].astype(np.float64)
    uv = part.uvs[part.triangles].astype(np.float64)
    first, second = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    (u1, v1), (u2, v2) = (uv[:, 1] - uv[:, 0]).T, (uv[:, 2] - uv[:, 0]).T
    turn = np.sign(u1 * v2 - u2 * v1)[:, None]
    u = _gathered(part, (first * v2[:, None] - second * v1[:, None]) * turn)
    v = _gathered(part, (second * u1[:, None] - first * u2[:, None]) * turn)
    normals = part.normals.astype(np.float64)
    u -= normals * (normals * u).sum(axis=1, keepdims=True)
    u /= np.sqrt((u * u).sum(axis=1, keepdims=True)) + _TINY
    hand = np.where((np.cross(normals, u) * v).sum(axis=1) < 0, -1.0, 1.0)
    return np.concatenate([u, hand[:, None]], axis=1).astype(np.float32)


def _gathered(part: Part, vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the sum over the triangles around each vertex."""
    total = np.zeros((len(part.positions), 3))
    for corner in part.triangles.T:
        np.add.at(total, corner, vectors)
    return total
